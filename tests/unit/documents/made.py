"""Documents for tests, written byte by byte: so that each part of a format can be left out, repeated or broken."""

import base64
import zipfile
from io import BytesIO
from itertools import accumulate

ENCRYPTED_PDF = base64.b64decode(
    """
JVBERi0xLjUKJenr8b8KMSAwIG9iago8PAovQ291bnQgMQovS2lkcyBbMyAwIFJdCi9NZWRpYUJveCBbMCAwIDU5NS4yOCA4NDEuODldCi9UeXBlIC9QYWdl
cwo+PgplbmRvYmoKMiAwIG9iago8PAovT3BlbkFjdGlvbiBbMyAwIFIgL0ZpdEggbnVsbF0KL1BhZ2VMYXlvdXQgL09uZUNvbHVtbgovUGFnZXMgMSAwIFIK
L1R5cGUgL0NhdGFsb2cKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0NvbnRlbnRzIDQgMCBSCi9Hcm91cCA8PC9UeXBlIC9Hcm91cCAvUyAvVHJhbnNwYXJlbmN5
IC9DUyAvRGV2aWNlUkdCPj4KL1BhcmVudCAxIDAgUgovUmVzb3VyY2VzIDYgMCBSCi9UeXBlIC9QYWdlCj4+CmVuZG9iago0IDAgb2JqCjw8Ci9GaWx0ZXIg
L0ZsYXRlRGVjb2RlCi9MZW5ndGggNjgKPj4Kc3RyZWFtCqbd8/slPqbV4MlNtwceBXrmS9dirfcfK8fao8iUe0iArVu7KBmD/zYEkHSjDV1TTHnYdqH8X56D
LkdPZsjH5jjzXh8RCmVuZHN0cmVhbQplbmRvYmoKNSAwIG9iago8PAovQmFzZUZvbnQgL0hlbHZldGljYQovRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZwov
U3VidHlwZSAvVHlwZTEKL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0ZvbnQgPDwvRjEgNSAwIFI+PgovUHJvY1NldCBbL1BERiAvVGV4dCAv
SW1hZ2VCIC9JbWFnZUMgL0ltYWdlSV0KPj4KZW5kb2JqCjcgMCBvYmoKPDwKL0NyZWF0aW9uRGF0ZSA8QjU3QTg4QjQ1NThGNTIxRUYzMUYyQkVGMTRBNjcy
OTcyQz4KPj4KZW5kb2JqCjggMCBvYmoKPDwKL0VuY3J5cHRNZXRhZGF0YSBmYWxzZQovRmlsdGVyIC9TdGFuZGFyZAovTGVuZ3RoIDEyOAovTyA8NTE3MDg0
MjQyRkY5Q0FBN0QyNTlCRUIwNzMzREY0MkZDMkU1MjE1QzE4NDUxMDhEQTk3QTUyRDk2MzgxN0JCMD4KL1AgLTQKL1IgMwovU3RtRiAvU3RkQ0YKL1N0ckYg
L1N0ZENGCi9VIDxEQUYxMzRFMjY4Q0M1QTk2NEZBMjM2NDNGRkIyRURGRUYyNEU3QUJDMjZCOUQwRDcyQkEyNzgxNTAwNDhFQ0Y2PgovViAyCj4+CmVuZG9i
agp4cmVmCjAgOQowMDAwMDAwMDAwIDY1NTM1IGYgCjAwMDAwMDAwMTUgMDAwMDAgbiAKMDAwMDAwMDEwMiAwMDAwMCBuIAowMDAwMDAwMjA1IDAwMDAwIG4g
CjAwMDAwMDAzNDEgMDAwMDAgbiAKMDAwMDAwMDQ4MCAwMDAwMCBuIAowMDAwMDAwNTc3IDAwMDAwIG4gCjAwMDAwMDA2NjQgMDAwMDAgbiAKMDAwMDAwMDcz
NiAwMDAwMCBuIAp0cmFpbGVyCjw8Ci9TaXplIDkKL1Jvb3QgMiAwIFIKL0luZm8gNyAwIFIKL0VuY3J5cHQgOCAwIFIKL0lEIFs8M0MzMDY3MkZDOUVEQjM5
RTI2OTQzRDlGMTMzMkZEOTU+PDNDMzA2NzJGQzlFREIzOUUyNjk0M0Q5RjEzMzJGRDk1Pl0KPj4Kc3RhcnR4cmVmCjk5MgolJUVPRgo=
"""
)
"""A page that opens with the password `b` alone, as fpdf2 writes it."""
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
ODT = "application/vnd.oasis.opendocument.text"


def pdf(*pages, info="", outline=(), link=("", ""), tail=b""):
    """A PDF of pages, each a list of lines. The link, a url with words of a line, is an annotation on the first page that has them.

    >>> pdf(["The iris", "see the pupil"], outline=["The iris"], link=("http://a.example/", "see the pupil"))
    """
    objects = {1: "<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) @@ >>"}
    first = 10
    kids = [first + 2 * number for number in range(len(pages))]
    objects[2] = f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>"
    objects[3] = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    objects[4] = f"<< {info} >>"
    marked = False
    for kid, lines in zip(kids, pages, strict=True):
        said = "".join(f"({line}) Tj 0 -14 Td\n" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td\n{said}ET"
        annotations = ""
        if link[1] in lines and not marked:
            marked, top = True, 720 - 14 * lines.index(link[1])
            corners = f"[70 {top - 3} {74 + 7.2 * len(link[1])} {top + 10}]"
            action = f"<< /S /URI /URI ({link[0]}) >>"
            annotations = f"/Annots [<< /Type /Annot /Subtype /Link /Rect {corners} /A {action} >>]"
        objects[kid] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {kid + 1} 0 R {annotations}"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects[kid + 1] = f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
    objects[1] = objects[1].replace("@@", "/Outlines 5 0 R" if outline else "")
    if outline:
        marks = [first + 2 * len(pages) + number for number in range(len(outline))]
        objects[5] = f"<< /Type /Outlines /First {marks[0]} 0 R /Last {marks[-1]} 0 R /Count {len(marks)} >>"
        for number, (mark, title) in enumerate(zip(marks, outline, strict=True)):
            after = f"/Next {marks[number + 1]} 0 R" if number + 1 < len(marks) else ""
            page = next(kid for kid, lines in zip(kids, pages, strict=True) if title in lines)
            objects[mark] = f"<< /Title ({title}) /Parent 5 0 R {after} /Dest [{page} 0 R /Fit] >>"
    return _written(objects) + tail


def _written(objects):
    parts = [b"%PDF-1.7\n", *(f"{name} 0 obj\n{said}\nendobj\n".encode("latin-1") for name, said in objects.items())]
    places = dict(zip(objects, accumulate(map(len, parts)), strict=False))
    size = max(objects) + 1
    rows = [f"{places[name]:010} 00000 n \n" if name in places else "0000000000 65535 f \n" for name in range(size)]
    table = f"xref\n0 {size}\n{''.join(rows)}trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n"
    return b"".join([*parts, table.encode(), f"{sum(map(len, parts))}\n%%EOF\n".encode()])


def zipped(files, stored=()):
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED)
    return made.getvalue()


def docx(body, **others):
    """A document of Word; its body, and files that take the place of the usual ones."""
    files = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {W} {R}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f'<w:styles {W}><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>',
        "word/_rels/document.xml.rels": f'<Relationships><Relationship Id="r1" Type="{HYPERLINK}" Target="http://a.example/pupil"'
        ' TargetMode="External"/></Relationships>',
        "docProps/core.xml": f"<cp {DC}><dc:title>Iris</dc:title><dc:creator>A. Author</dc:creator>"
        "<dcterms:created>2024-05-06T07:08:09Z</dcterms:created><dc:language>en-GB</dc:language></cp>",
    }
    return zipped(files | {name.replace("__", "/"): said for name, said in others.items()})


def odt(body, manifest="<manifest/>"):
    names = " ".join(f'xmlns:{name}="urn:{name}"' for name in ("office", "text", "xlink", "meta", "dc"))
    files = {
        "mimetype": ODT,
        "content.xml": f"<office:document-content {names}><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        "meta.xml": f"<office:document-meta {names}><office:meta><dc:title>Iris</dc:title><meta:initial-creator>A. Author"
        "</meta:initial-creator><meta:creation-date>2024-05-06T07:08:09</meta:creation-date><dc:language>en-GB</dc:language>"
        "</office:meta></office:document-meta>",
        "META-INF/manifest.xml": manifest,
    }
    return zipped(files, stored=("mimetype",))


def epub(chapters, **more):
    """A book of chapters of HTML, by their file names; and more files."""
    items = "".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": f"<package {DC}><metadata><dc:title>Iris</dc:title><dc:creator>A. Author</dc:creator>"
        f"<dc:date>2024-05-06</dc:date><dc:language>en</dc:language></metadata><manifest>{items}</manifest>"
        f"<spine>{spine}</spine></package>",
        **{f"OEBPS/{name}": f"<html><body>{said}</body></html>" for name, said in chapters.items()},
        **{name.replace("__", "/"): said for name, said in more.items()},
    }
    return zipped(files, stored=("mimetype",))


RTF = (
    rb"{\rtf1\ansi\ansicpg1252\deff0\deflang2057{\fonttbl{\f0 Arial;}}{\stylesheet{\s0 Normal;}{\s2 heading 2;}}"
    rb"{\info{\title Iris}{\author A. Author}{\creatim\yr2024\mo5\dy6}}{\*\generator Nobody;}"
    rb"\pard\s2 The iris\par\pard Caf\'e9 \u233? and \u-10179?\u-8704?: {\field{\*\fldinst HYPERLINK "
    rb'"http://a.example/pupil"}{\fldrslt the pupil}} is black.\par{\pict\bin5 }}}}}}\pard Last words.\par}'
)
