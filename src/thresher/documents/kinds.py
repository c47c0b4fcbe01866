"""Which documents there are, and how one is known: by its content type, else by its first bytes or its ending."""

from importlib.util import find_spec
from typing import NamedTuple

from thresher.endings import ending_of
from thresher.fetch.body import LOOK, VAGUE_TYPES, declared_type, seen_type
from thresher.model import Response


class DocumentKind(NamedTuple):
    """A format: what we call it, its content types with the official one first, its endings."""

    name: str
    types: tuple[str, ...]
    endings: tuple[str, ...]


KINDS = (
    DocumentKind("pdf", ("application/pdf", "application/x-pdf"), ("pdf",)),
    DocumentKind("docx", ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",), ("docx",)),
    DocumentKind("odt", ("application/vnd.oasis.opendocument.text",), ("odt",)),
    DocumentKind("epub", ("application/epub+zip",), ("epub",)),
    DocumentKind("rtf", ("application/rtf", "text/rtf", "application/x-rtf"), ("rtf",)),
    DocumentKind("md", ("text/markdown", "text/x-markdown"), ("md", "markdown")),
)
"""Those that need a reader. Plain text needs none: the parser of pages reads it."""
DOCUMENT_TYPES = (*(each for kind in KINDS for each in kind.types), "text/plain")
_BY_TYPE = {each: kind.name for kind in KINDS for each in kind.types}
_BY_ENDING = {each: kind.name for kind in KINDS for each in kind.endings}
_LAST_LETTERS = frozenset(letter for ending in _BY_ENDING for letter in (ending[-1], ending[-1].upper()))
_HTML = frozenset({"text/html", "application/xhtml+xml"})
NAMES = {kind.name: kind.name.upper() for kind in KINDS}
"""As people write them."""
_NEEDED = ("pypdfium2", "markdown_it")


def installed() -> bool:
    """Whether the extra `documents` is there."""
    return all(find_spec(each) is not None for each in _NEEDED)


def kind_by_ending(url: str) -> str:
    """The kind that an address promises; empty if it is none, or one that pages have too (`.md`)."""
    # Asked of every link of a relevant page, and nearly always the last letter says no.
    if url[-1:] not in _LAST_LETTERS and "?" not in url:
        return ""
    kind = _BY_ENDING.get(ending_of(url), "")
    return "" if kind == "md" else kind


def kind_by_type(content_type: str) -> str:
    """The kind of a content type; empty if it is none."""
    return _BY_TYPE.get(content_type, "")


def recognised(response: Response) -> str:
    """The kind of document that an answer is; empty if it is a page."""
    declared = declared_type(response.header("content-type") or "")
    # Nearly every answer is a page; but under any name, what begins so is no page.
    if declared in _HTML or declared == "text/plain":
        if response.body.startswith(b"%PDF-"):
            return "pdf"
        if declared in _HTML:
            return ""
    if kind := _BY_TYPE.get(declared, ""):
        return kind
    if declared == "text/plain":
        return "md" if _BY_ENDING.get(ending_of(response.url)) == "md" else ""
    if declared and declared not in VAGUE_TYPES:
        return ""
    return _BY_TYPE.get(seen_type(response.body[:LOOK]), "")
