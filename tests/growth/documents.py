"""Documents, with the constructs that they are grown from. Those that are a zip are grown inside of it."""

from contextlib import suppress
from importlib.util import find_spec

from tests.growth.growing import Constructs, Reader, pieces
from tests.growth.pages import PLAIN
from tests.unit.documents import made

from thresher.documents.draft import DocumentFault
from thresher.documents.page_maker import page_of_document

RTF = Constructs(
    (
        *pieces(
            "{¦}¦{\\b x}¦\\par ¦\\pard ¦\\s1 ¦\\u233?¦\\'e9¦\\'¦\\¦\\*¦\\uc0 ¦\\bin1 ¦\\bin-5 ¦\\cell ¦\\line ¦\\~¦",
            '{\\field{\\*\\fldinst HYPERLINK "http://a.test/№"}{\\fldrslt x}}¦{\\*\\fldinst HYPERLINK ¦{\\fldrslt x¦',
            "{\\stylesheet{\\s№ heading 1;}}¦{\\info{\\title x}}¦{\\title ¦{\\fonttbl ¦\\ansicpg1251 ¦\\outlinelevel1 ¦\\x№ ¦↵",
        ),
        *PLAIN,
    ),
    (("{\\rtf1 ", "}"), ("{\\rtf1{\\info{\\title ", "}}}"), ("{\\rtf1{\\stylesheet{", "}}}")),
)
DOCX = Constructs(
    (
        *pieces(
            "<w:p><w:r><w:t>x</w:t></w:r></w:p>¦<w:p>¦</w:p>¦<w:r>¦<w:t>¦x¦<w:hyperlink r:id='r1'>¦</w:hyperlink>¦<w:br/>¦",
            "<w:fldChar w:fldCharType='begin'/>¦<w:instrText>HYPERLINK ¦</w:instrText>¦<w:fldChar w:fldCharType='separate'/>¦",
            "<w:p><w:pPr><w:pStyle w:val='berschrift2'/></w:pPr></w:p>¦<mc:Fallback>¦</mc:Fallback>¦&amp;¦",
            "<!--¦-->¦<![CDATA[¦]]>¦<a b№='x'/>",
        ),
        *PLAIN,
    )
)
ODT = Constructs(
    (
        *pieces(
            "<text:p>x</text:p>¦<text:p>¦</text:p>¦<text:h text:outline-level='2'>x</text:h>¦<text:a xlink:href='http://a.test/№'>x</text:a>¦",
            "<text:a>¦<text:s/>¦<text:span>¦</text:span>¦<text:tracked-changes>¦<text:p><draw:frame><text:p>x</text:p></draw:frame></text:p>",
        ),
        *PLAIN,
    )
)
BOOK = Constructs(
    (
        *pieces(
            "<p>x</p>¦<p>¦<h2>x</h2>¦<a href='http://a.test/№'>x</a>¦<a href='http://a.test/'>¦</a>¦<br>¦<div>¦</div>¦<b>¦</b>¦<table>¦<li>¦&nbsp;",
        ),
        *PLAIN,
    )
)
MARKDOWN = Constructs(
    (
        *pieces(
            "# x↵↵¦x↵¦x↵↵¦[x](http://a.test/№) ¦[¦](¦)¦<http://a.test/>¦- x↵¦> ¦    x↵¦`¦```↵¦*¦_¦x↵===↵¦\\¦&amp;¦![x](y)¦1. x↵",
        ),
        *PLAIN,
    )
)
PDF_TEXT = Constructs(
    (
        *pieces(
            "(x) Tj 0 -14 Td↵¦(http://a.test/№) Tj 0 -14 Td↵¦(www.) Tj ¦(trans-) Tj 0 -14 Td↵¦(x) Tj ¦( ) Tj ¦T* ¦q ¦Q ¦",
            "BT ¦ET ¦[(x) -200 (y)] TJ ¦",
            "/F1 12 Tf ¦1 0 0 1 № № Tm ¦[[[¦((¦<<¦% x↵",
        ),
    ),
    (("BT /F1 12 Tf 72 720 Td\n", "\nET"),),
)


def _read(kind, wrapped=lambda body: body):
    def read(body, _):
        with suppress(DocumentFault):
            page_of_document(kind, wrapped(body))

    return read


def _docx(body):
    beginning = f"<w:document {made.W} {made.R}><w:body>".encode()
    return made.docx("", **{"word__document.xml": beginning + body + b"</w:body></w:document>"})


def _odt(body):
    return made.odt(body.decode("utf-8", "replace"))


def _book(body):
    return made.epub({"a.xhtml": body.decode("utf-8", "replace")})


def _pdf(body):
    """A page whose content is grown."""
    content = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body)
    return made.pdf(["@@@"]).replace(_CONTENT, content)


_CONTENT = made.pdf(["@@@"]).partition(b"11 0 obj\n")[2].partition(b"\nendobj")[0]
"""PDFium finds objects by their names where the table of their places is wrong."""

READERS = {
    "rtf": Reader(_read("rtf"), RTF, floor=0.1),
    "docx": Reader(_read("docx", _docx), DOCX, floor=0.1),
    "odt": Reader(_read("odt", _odt), ODT, floor=0.1),
    "epub": Reader(_read("epub", _book), BOOK, floor=0.2),
}
if find_spec("markdown_it") is not None:
    READERS["markdown"] = Reader(_read("md"), MARKDOWN, floor=0.2, most=1 << 14)
if find_spec("pypdfium2") is not None:
    READERS["pdf"] = Reader(_read("pdf", _pdf), PDF_TEXT, floor=0.2)
