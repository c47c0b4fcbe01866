"""PDF, by pypdfium2: the text of each page, the outline as headings, links from annotations and from addresses in the text.

pypdfium2 has Chrome's own reader of PDF in a wheel of 4 MB, under a permissive licence. kreuzberg reads some fifty formats, PDF at
half that speed, and takes 76 MB: `benchmarks/document_speed.py`.
"""

import ctypes
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from thresher.documents.draft import Draft, TextRun, broken, day_of, encrypted, one_line

_MOST_PAGES = 5_000
_MOST_OUTLINE = 2_000
_MOST_LINKS = 1_000
"""On one page."""
_MOST_LOOKS = 50_000_000
"""Characters of a page times its links: with more, no link is given its words, since each is sought in the whole page."""
_LONGEST_URL = 2_000
_MADE_BY_WORD = "Microsoft Word - "
_HYPHENS = ("\ufffe", "\u00ad", "\x02")
"""What PDFium writes for a hyphen at the end of a line."""


class PdfLink(NamedTuple):
    """Where a link leads, and the words that it stands on."""

    href: str
    words: str


def read_pdf(body: bytes, draft: Draft) -> None:
    """Read a document, page by page."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise encrypted("it needs a password") from error
        raise broken(str(error)) from error
    with closing(document):
        _name(document, draft)
        outline = _outline(document)
        for number in range(min(len(document), _MOST_PAGES)):
            _read_page(document, number, outline.get(number, []), draft)


def _name(document: Any, draft: Draft) -> None:
    said = document.get_metadata_dict()
    day = day_of(said.get("CreationDate", "")) or day_of(said.get("ModDate", ""))
    title = said.get("Title", "").removeprefix(_MADE_BY_WORD)
    draft.name(title=title, author=said.get("Author", ""), language=_language(document), day=day)


def _language(document: Any) -> str:
    size = pdfium.FPDFCatalog_GetLanguage(document, None, 0)
    if not 2 < size < 200:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    pdfium.FPDFCatalog_GetLanguage(document, buffer, size)
    return bytes(buffer).decode("utf-16-le", "ignore").rstrip("\0")


def _outline(document: Any) -> dict[int, list[tuple[str, int]]]:
    """The headings of each page with their levels, as the outline has them."""
    found: dict[int, list[tuple[str, int]]] = {}
    for mark in islice(document.get_toc(max_depth=6), _MOST_OUTLINE):
        with suppress(pypdfium2.PdfiumError):
            place = mark.get_dest()
            number = place.get_index() if place is not None else None
            if number is not None:
                found.setdefault(number, []).append((one_line(mark.get_title()), mark.level + 1))
    return found


def _read_page(document: Any, number: int, headings: list[tuple[str, int]], draft: Draft) -> None:
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return  # one page that is damaged; the others may be whole
    with closing(page), closing(page.get_textpage()) as text:
        links = _links(page, text)
        add_page(text.get_text_range(), headings, links, draft)


def _links(page: Any, text: Any) -> list[PdfLink]:
    """The links of a page, in the order of its annotations, then addresses that are written out; each once."""
    found = list(islice(_annotations(page), _MOST_LINKS))
    wordy = text.count_chars() * len(found) <= _MOST_LOOKS
    marked = [PdfLink(href, _under(text, *place) if wordy else "") for href, place in found]
    return list(dict.fromkeys([*marked, *islice(_written(text), _MOST_LINKS)]))


def _under(text: Any, left: float, bottom: float, right: float, top: float) -> str:
    """The words in a rectangle."""
    return one_line(text.get_text_bounded(left, bottom, right, top))


def _annotations(page: Any) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    place, link, corners = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while pdfium.FPDFLink_Enumerate(page, place, link):
        href = _uri(page.pdf, pdfium.FPDFLink_GetAction(link))
        if href and pdfium.FPDFLink_GetAnnotRect(link, corners):
            yield href, (corners.left, corners.bottom, corners.right, corners.top)


def _uri(document: Any, action: Any) -> str:
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 1 < size <= _LONGEST_URL:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, size)
    return buffer.raw[: size - 1].decode("utf-8", "replace")


def _written(text: Any) -> Iterator[PdfLink]:
    """Addresses in the text, as PDFium finds them; they may go on in the next line."""
    found = pdfium.FPDFLink_LoadWebLinks(text)
    if not found:
        return
    try:
        for number in range(pdfium.FPDFLink_CountWebLinks(found)):
            size = pdfium.FPDFLink_GetURL(found, number, None, 0)
            first, count = ctypes.c_int(), ctypes.c_int()
            if 1 < size <= _LONGEST_URL and pdfium.FPDFLink_GetTextRange(found, number, first, count):
                buffer = (ctypes.c_ushort * size)()
                pdfium.FPDFLink_GetURL(found, number, buffer, size)
                href = bytes(buffer).decode("utf-16-le", "ignore").rstrip("\0")
                yield PdfLink(href, one_line(text.get_text_range(first.value, count.value)))
    finally:
        pdfium.FPDFLink_CloseWebLinks(found)


# ── the text of a page ──


def add_page(text: str, headings: list[tuple[str, int]], links: list[PdfLink], draft: Draft) -> None:
    """Take in a page: its headings where they stand or else first, its paragraphs with their links, and what links are left."""
    levels = {name.casefold(): level for name, level in headings}
    blocks = paragraphs(text.splitlines(), set(levels))
    there = {said.casefold() for said in blocks}
    for name, level in headings:
        if name.casefold() not in there:
            draft.say(name, level)
    left = _add_blocks(blocks, levels, links, draft)
    for link in left:
        draft.add([TextRun(link.words or link.href, link.href)])


def _add_blocks(blocks: list[str], levels: dict[str, int], links: list[PdfLink], draft: Draft) -> list[PdfLink]:
    """Take in the blocks; returns the links whose words stand in none of them."""
    waiting = [link for link in links if link.words]
    for said in blocks:
        spans: list[tuple[int, int, str]] = []
        missing: list[PdfLink] = []
        for link in waiting:
            at = said.find(link.words, spans[-1][1] if spans else 0)
            if at < 0:
                missing.append(link)
            else:
                spans.append((at, at + len(link.words), link.href))
        waiting = missing
        draft.add(_runs(said, spans), levels.get(said.casefold(), 0))
    return [*waiting, *(link for link in links if not link.words)]


def _runs(said: str, spans: list[tuple[int, int, str]]) -> list[TextRun]:
    runs: list[TextRun] = []
    place = 0
    for start, end, href in spans:
        runs += (TextRun(said[place:start]), TextRun(said[start:end], href))
        place = end
    return [*runs, TextRun(said[place:])]


def paragraphs(lines: list[str], headings: set[str]) -> list[str]:
    """Lines put together: a word that was parted is whole again; a short line that ends a sentence, or a heading, ends a paragraph."""
    usual = median([len(line) for line in lines]) if lines else 0
    made: list[str] = []
    here: list[str] = []
    for line in map(str.strip, lines):
        is_heading = line.casefold() in headings
        if is_heading or not line:
            made.append(_joined(here))
            here = []
        if is_heading:
            made.append(line)
        elif line:
            here.append(line)
            if line[-1] in ".!?:" and 4 * len(line) < 3 * usual:
                made.append(_joined(here))
                here = []
    return [said for said in (*made, _joined(here)) if said]


def _joined(lines: list[str]) -> str:
    """Lines as one; a hyphen at the end of one is gone if the next begins with a small letter."""
    pieces: list[str] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.endswith(_HYPHENS) or (line.endswith("-") and line[-2:-1].isalpha() and following[:1].islower()):
            pieces.append(line[:-1])
        else:
            pieces += (line, " ")
    said = "".join(pieces)
    for mark in _HYPHENS:
        said = said.replace(mark, "")
    return " ".join(said.split())
