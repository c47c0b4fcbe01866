"""A file that may list urls: what it is, by how it begins, and its bytes, unpacked and never too many."""

import gzip
import re
import sys
import zlib
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from thresher.errors import BadInput
from thresher.model import Url
from thresher.seed.bookmarks import MARK as BOOKMARKS
from thresher.seed.polite_download import MOST_BYTES
from thresher.seed.xml_lists import ROOTS
from thresher.warc.scan import PLAIN as WARC

Kind = Literal["warc", "bookmarks", "listed", "robots", "page", "lines"]

_HEAD = 1 << 16
_FIRST_LINES = 1024
_GZIP = b"\x1f\x8b"
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_ROBOTS = re.compile(rb"^[ \t]*(?:user-agent|sitemap|disallow|allow)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_TORN = (OSError, EOFError, zlib.error)


class File(NamedTuple):
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
    if BOOKMARKS.lower() in head[:_FIRST_LINES].lower():
        return "bookmarks"
    # Two bytes a character, one of them zero in the names that matter.
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if text.startswith(b"<"):
        root = _ROOT.search(_COMMENT.sub(b"", text))
        return "listed" if root and root[1].decode() in ROOTS else "page"
    return "robots" if _ROBOTS.search(head) else "lines"


def is_warc(path: Path) -> bool:
    """Known by its beginning: the whole of it may be larger than memory."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_GZIP))
            file.seek(0)
            return _start(file, packed=start == _GZIP).startswith(WARC)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _start(file: BinaryIO, *, packed: bool) -> bytes:
    try:
        return gzip.GzipFile(fileobj=file).read(len(WARC)) if packed else file.read(len(WARC))
    except _TORN:
        return b""


def read(spec: str) -> File:
    """A file, or standard input (`-`)."""
    if spec == "-":
        return File("standard input", sys.stdin.buffer.read(MOST_BYTES + 1))
    try:
        with Path(spec).open("rb") as file:
            return File(spec, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise BadInput(f"{spec}: cannot be read: {error.strerror or error}") from error


def unpacked(file: File) -> bytes:
    """Its bytes, without gzip around them."""
    content = file.content
    if content.startswith(_GZIP):
        try:
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(MOST_BYTES + 1)
        except _TORN as error:
            raise BadInput(f"{file.name}: is packed with gzip, but torn: {error}") from error
    if len(content) > MOST_BYTES:
        raise BadInput(f"{file.name}: more than {MOST_BYTES:,} bytes, unpacked")
    return content
