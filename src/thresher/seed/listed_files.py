"""A file that may list urls: what it is, by how it begins; its bytes, unpacked and never too many; the urls of bookmarks and WARC files.

Bookmarks are the HTML file that Netscape began with and all browsers export.
"""

import gzip
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from thresher.errors import BadInput
from thresher.fetch.body import declared_type
from thresher.list_forms import GZIP, ROOTS, plain_start, root_of
from thresher.model import Url
from thresher.parse.guard import tamed
from thresher.parse.xml_lists import MOST_BYTES
from thresher.warc.reader import fields_of
from thresher.warc.scan import PLAIN as WARC
from thresher.warc.scan import ScannedAnswer, answers

Kind = Literal["warc", "bookmarks", "listed", "robots", "page", "lines"]

_BOOKMARKS = b"netscape-bookmark-file"
_HEAD = 1 << 16
_FIRST_LINES = 1024
_MOST_TAGS = 400_000
_ROBOTS = re.compile(rb"^[ \t]*+(?:user-agent|sitemap|disallow|allow)[ \t]*+:", re.IGNORECASE | re.MULTILINE)
_PAGES = {"text/html", "application/xhtml+xml"}
_TORN = (OSError, EOFError, zlib.error)


class ListFile(NamedTuple):
    """A file that may list urls."""

    name: str
    content: bytes
    where: Url | None = None
    """Where it was fetched from: what relative links in it are joined to."""


def kind_of(content: bytes) -> Kind:
    """What a file is, by how it begins."""
    head = content[:_HEAD]
    if head.startswith(WARC):
        return "warc"
    if _BOOKMARKS in head[:_FIRST_LINES].lower():
        return "bookmarks"
    text = plain_start(head)
    if text.startswith(b"<"):
        return "listed" if root_of(text) in ROOTS else "page"
    return "robots" if _ROBOTS.search(head) else "lines"


def is_warc(path: Path) -> bool:
    """Whether a file is a WARC file, by its beginning: the whole may be larger than memory."""
    try:
        with path.open("rb") as file:
            start = file.read(len(GZIP))
            file.seek(0)
            return _start(file, packed=start == GZIP).startswith(WARC)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _start(file: BinaryIO, *, packed: bool) -> bytes:
    try:
        return gzip.GzipFile(fileobj=file).read(len(WARC)) if packed else file.read(len(WARC))
    except _TORN:
        return b""


def read(spec: str) -> ListFile:
    """A file, or standard input (`-`)."""
    if spec == "-":
        return ListFile("standard input", sys.stdin.buffer.read(MOST_BYTES + 1))
    try:
        with Path(spec).open("rb") as file:
            return ListFile(spec, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise BadInput(f"{spec}: cannot be read: {error.strerror or error}") from error


def unpacked(file: ListFile) -> bytes:
    """Its bytes, without gzip around them."""
    content = file.content
    if content.startswith(GZIP):
        try:
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(MOST_BYTES + 1)
        except _TORN as error:
            raise BadInput(f"{file.name}: is packed with gzip, but torn: {error}") from error
    if len(content) > MOST_BYTES:
        raise BadInput(f"{file.name}: more than {MOST_BYTES:,} bytes, unpacked")
    return content


def bookmarks_in(content: bytes) -> list[str]:
    """The addresses of the bookmarks as they are spelled, in order; some of them may not be pages."""
    tree = LexborHTMLParser(tamed(content.decode("utf-8", "replace").encode(), _MOST_TAGS))
    return [href for link in tree.css("a[href]") if (href := link.attributes.get("href"))]


def pages_in(path: Path) -> Iterator[str]:
    """The urls of answers with status 200 that are HTML, as they were recorded, each once; damaged records are skipped."""
    seen: set[str] = set()
    try:
        for answer in answers(path, Counter(), by_place=False):
            if _is_page(answer) and answer.target not in seen:
                seen.add(answer.target)
                yield answer.target
    except OSError as error:
        raise BadInput(f"{path}: cannot be read as a WARC file: {error}") from error


def _is_page(answer: ScannedAnswer) -> bool:
    if answer.revisit or answer.status != 200 or not answer.target:
        return False
    kind = fields_of(answer.http).get(b"content-type", b"").decode("latin-1")
    return declared_type(kind) in _PAGES
