"""EPUB: chapters of XHTML in the order of the spine, and what the package says of the book.

The chapters are pages, so the parser of pages reads them: strangers' HTML has one reader.
"""

from collections.abc import Mapping
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from thresher.documents.draft import Draft, TextRun, broken, day_of, encrypted
from thresher.documents.zipped import Bundle, read_xml, texts_of
from thresher.model import Link, Page, Response, Url
from thresher.parse.html import HtmlParser

_CONTAINER = "META-INF/container.xml"
_NAMED = frozenset({"title", "creator", "date", "language"})
_MOST_CHAPTERS = 5_000
_BOOK = "http://book.invalid/"
"""What chapters are at: a link into the book itself leads there, and nowhere."""


def read_epub(body: bytes, draft: Draft) -> None:
    """Read a book."""
    bundle = Bundle(body)
    package = _attribute(bundle, _CONTAINER, "rootfile", "full-path")
    if not package or package not in bundle:
        raise broken("it names no package of a book")
    said = texts_of(bundle, package, _NAMED)
    draft.name(
        title=said.get("title", ""),
        author=said.get("creator", ""),
        language=said.get("language", ""),
        day=day_of(said.get("date", "")),
    )
    locked = _locked(bundle)
    for chapter in _chapters(bundle, package):
        if chapter in locked:
            raise encrypted(f"{chapter} is locked by DRM")
        _read_chapter(bundle.read(chapter), chapter, draft)


def _attribute(bundle: Bundle, name: str, tag: str, attribute: str) -> str:
    return next(iter(_attributes(bundle, name, tag, attribute)), "")


def _attributes(bundle: Bundle, name: str, wanted: str, attribute: str) -> list[str]:
    found: list[str] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == wanted and attribute in attributes:
            found.append(attributes[attribute])

    read_xml(bundle, name, start, lambda _: None, lambda _: None)
    return found


def _locked(bundle: Bundle) -> set[str]:
    return {unquote(each) for each in _attributes(bundle, "META-INF/encryption.xml", "CipherReference", "URI")}


def _chapters(bundle: Bundle, package: str) -> list[str]:
    """The files of the spine, in its order, each once."""
    manifest: dict[str, str] = {}
    spine: list[str] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "item" and "html" in attributes.get("media-type", ""):
            manifest[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref":
            spine.append(attributes.get("idref", ""))

    read_xml(bundle, package, start, lambda _: None, lambda _: None)
    folder = dirname(package)
    files = (normpath(join(folder, unquote(manifest[each]))) for each in dict.fromkeys(spine) if each in manifest)
    return list(dict.fromkeys(files))[:_MOST_CHAPTERS]


def _read_chapter(body: bytes, name: str, draft: Draft) -> None:
    url = Url(_BOOK + name)
    page = HtmlParser().parse(Response(url, 200, ((b"content-type", b"application/xhtml+xml"),), body, body))
    headings = set(page.headings)
    links = [link for link in page.links if not link.target.startswith(_BOOK) and link.end > link.start]
    links.sort(key=lambda link: link.start)
    at = 0
    for start, end in _lines(page):
        runs: list[TextRun] = []
        place = start
        while at < len(links) and links[at].start < end:
            place = _linked(runs, page.text, place, end, links[at])
            at += 1
        runs.append(TextRun(page.text[place:end]))
        draft.add(runs, 2 if page.text[start:end] in headings else 0)


def _lines(page: Page) -> list[tuple[int, int]]:
    """Where the lines of the text begin and end: a block of the chapter each."""
    spans, place = [], 0
    for line in page.text.split("\n"):
        spans.append((place, place + len(line)))
        place += len(line) + 1
    return spans


def _linked(runs: list[TextRun], text: str, place: int, end: int, link: Link) -> int:
    """Add what stands before a link, and the link; returns where it ends."""
    if link.start < place:
        return place
    close = min(link.end, end)
    runs += (TextRun(text[place : link.start]), TextRun(text[link.start : close], link.target))
    return close
