"""Reads a WARC record, given its bytes or its place: the HTTP message in it, whoever wrote it.

FastWARC reads one record in 80 µs where these few lines take 60, of which 54 are inflating (11 KB to 34 KB); and it gives
the headers in another form than they came in.
"""

import os
import re
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from math import inf
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from isal import isal_zlib

from thresher.fetch.body import Body
from thresher.fetch.failures import Spoiled
from thresher.model import Headers, Rendition, Response, Url
from thresher.warc.format import READER, Place

GZIP = b"\x1f\x8b\x08"
LARGEST = 64 << 20
"""A longer record of somebody else's is passed over: no page is that long, and memory must stay bounded."""
HEAD_ROOM = 1 << 16
"""The longest head of a record, or of an HTTP answer, that is looked at."""
_RATIO = 200.0
_NO_LIMIT = 1 << 40
_MOST_OPEN = 64
"""Files that are open at a time, those that were read last."""
_HEX = b"0123456789abcdefABCDEF"
_LONGEST_SIZE = 16
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?+ ++(\d{3})")
_FOLDED = re.compile(rb"\r?\n[ \t]++")
# The stubs of isal call its error class an instance.
BROKEN_GZIP: tuple[type[Exception], ...] = (isal_zlib.IsalError, zlib.error)  # type: ignore[assignment]


class UnreadableRecord(Exception):
    """The record is not there, not whole, or no HTTP answer. Never leaves the rooms that read records."""


class Message(NamedTuple):
    """An HTTP answer as a record has it."""

    status: int
    headers: Headers
    content: bytes
    """As recorded: maybe in chunks, maybe packed."""
    at: float
    address: str
    ours: bool = False
    """Whether the fetcher has already checked the body against its limits."""

    @property
    def raw(self) -> bytes:
        """The content with its chunks put together."""
        chunked = any(b"chunked" in value for value in self._values(b"transfer-encoding"))
        return _unchunked(self.content) if chunked else self.content

    @property
    def body(self) -> bytes:
        """The content with its chunks put together and its content encodings undone."""
        return self._unpacked(self.raw)

    def response(self, url: Url) -> Response:
        """The answer, with chunks and content encodings undone."""
        raw = self.raw
        return Response(url, self.status, self.headers, self._unpacked(raw), raw, at=self.at, address=self.address)

    def _unpacked(self, raw: bytes) -> bytes:
        encodings = b", ".join(self._values(b"content-encoding")).decode("latin-1")
        if not encodings:
            return raw
        return unpacked(raw, encodings, _NO_LIMIT, inf) if self.ours else unpacked(raw, encodings, LARGEST, _RATIO)

    def _values(self, name: bytes) -> list[bytes]:
        return [value.lower() for key, value in self.headers if key.lower() == name]


class OpenRecords(Protocol):
    """A WARC file that records are read from."""

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes, from there on; fewer if the file ends before."""

    def close(self) -> None:
        """Let go of it."""


class RecordFile(Protocol):
    """A WARC file that may lie elsewhere."""

    @property
    def name(self) -> str:
        """What it is called, wherever it lies."""

    def open_records(self) -> OpenRecords:
        """Open it; UnreadableRecord says in a sentence why that cannot be done."""


RecordFiles = Mapping[int, Path | RecordFile]
"""WARC files by number: here, or elsewhere."""


class LocalRecords:
    """A WARC file on this machine."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes, from there on; fewer if the file ends before."""
        return os.pread(self._descriptor, length, offset)

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


class Playback:
    """WARC files by number, each opened when it is first read from.

    In a crawl folder (`ours`) a file may be missing, after a power cut: then its records are unreadable, and that is no error.
    """

    def __init__(self, files: RecordFiles, *, ours: bool = True) -> None:
        self._files, self._ours = files, ours
        self._open: OrderedDict[int, OpenRecords] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        while self._open:
            self._open.popitem()[1].close()

    def read(self, place: Place) -> Message:
        """The HTTP answer in the response or revisit record at this place."""
        return message(self._bytes(place.file, place.offset, place.length), ours=self._ours)

    def before(self, place: Place) -> tuple[bytes, Rendition | None]:
        """The request that was sent, empty if it was not recorded, and what a reader or a browser made of the answer."""
        stored, _ = self.stored(place._replace(length=0))
        if not stored:
            return b"", None
        most = _NO_LIMIT if self._ours else LARGEST + HEAD_ROOM
        fields, block, rest = _first_member(stored, most)
        if fields.get(b"warc-type") != b"conversion":
            return block, None
        request = _first_member(rest, most)[1] if rest else b""
        return request, Rendition(block, fields.get(READER.lower().encode(), b"").decode("latin-1"))

    def stored(self, place: Place) -> tuple[bytes, bytes]:
        """What stands before the response (its conversion, its request, or nothing) and the response record, as the file has them."""
        whole = self._bytes(place.file, place.offset - place.request, place.request + place.length)
        return whole[: place.request], whole[place.request :]

    def _bytes(self, file: int, offset: int, length: int) -> bytes:
        try:
            return self._opened(file).read(offset, length)
        except (OSError, KeyError) as error:
            if not self._ours:
                raise
            why = f"the catalogue knows no WARC file {file}" if isinstance(error, KeyError) else str(error)
            raise UnreadableRecord(why) from error

    def _opened(self, file: int) -> OpenRecords:
        if file in self._open:
            self._open.move_to_end(file)
            return self._open[file]
        source = self._files[file]
        opened = self._open[file] = LocalRecords(source) if isinstance(source, Path) else source.open_records()
        if len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)[1].close()
        return opened


def message(stored: bytes, *, ours: bool = False) -> Message:
    """The HTTP answer in a record, which may be gzipped or plain."""
    fields, block = _block(_record(stored, _NO_LIMIT if ours else LARGEST + HEAD_ROOM))
    http, content = parted(block)
    status = status_of(http)
    if status is None:
        raise UnreadableRecord("the record has no HTTP answer")
    address = fields.get(b"warc-ip-address", b"").decode("latin-1")
    return Message(status, headers_of(http), content, _moment(fields.get(b"warc-date", b"")), address, ours)


def status_of(first_line: bytes) -> int | None:
    """The status in an answer's first line; None if it is none."""
    found = _STATUS.match(first_line)
    return int(found[1]) if found else None


def record_fields(stored: bytes) -> dict[bytes, bytes]:
    """The header fields of a record, by their names in lower case; its block is not read."""
    start = isal_zlib.decompressobj(wbits=31).decompress(stored, HEAD_ROOM) if stored.startswith(GZIP) else stored
    return fields_of(parted(start)[0])


def fields_of(head: bytes) -> dict[bytes, bytes]:
    """Header lines, by their names in lower case."""
    return {name.lower(): value for name, value in headers_of(head)}


def headers_of(head: bytes) -> Headers:
    """The header lines that follow the first line."""
    if b"\n " in head or b"\n\t" in head:
        head = _FOLDED.sub(b" ", head)
    pairs = (line.partition(b":") for line in head.split(b"\n")[1:])
    return tuple([(name.strip(), value.strip()) for name, colon, value in pairs if colon])


def parted(text: bytes) -> tuple[bytes, bytes]:
    """Head and rest; some servers end their lines with a line feed alone."""
    end = text.find(b"\r\n\r\n")
    bare = text.find(b"\n\n", 0, end if end >= 0 else len(text))
    if bare >= 0:
        return text[:bare], text[bare + 2 :]
    # An answer without a body may end with its head.
    return (text[:end], text[end + 4 :]) if end >= 0 else (text, b"")


def _record(stored: bytes, most: int) -> bytes:
    """A record without the gzip around it, whose checksum is compared."""
    return _member(stored, most)[0] if stored.startswith(GZIP) else stored


def _first_member(stored: bytes, most: int) -> tuple[dict[bytes, bytes], bytes, bytes]:
    """Fields and block of the first of several gzip members of ours, and the members behind it."""
    record, behind = _member(stored, most)
    return *_block(record), behind


def _member(stored: bytes, most: int) -> tuple[bytes, bytes]:
    """What the first gzip member holds, and what stands behind it."""
    stream = isal_zlib.decompressobj(wbits=31)
    try:
        record: bytes = stream.decompress(stored, most)
    except BROKEN_GZIP as error:
        raise UnreadableRecord(str(error)) from error
    if not stream.eof:
        raise UnreadableRecord("the gzip member is cut off")
    return record, stream.unused_data


def _block(record: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """The fields of a record, and what follows them."""
    head, block = parted(record)
    fields = fields_of(head)
    length = fields.get(b"content-length", b"")
    if not length.isdigit() or len(block) < int(length):
        raise UnreadableRecord("the record is cut off")
    return fields, block[: int(length)]


def _moment(date: bytes) -> float:
    with suppress(ValueError):
        return datetime.fromisoformat(date.decode("latin-1")).timestamp()
    return 0.0


def _unchunked(content: bytes) -> bytes:
    """The chunks put together; the content itself if it is not in chunks, for many recorders undo them and keep the header."""
    pieces: list[bytes] = []
    start = 0
    while (end := content.find(b"\n", start)) >= 0:
        size = content[start:end].partition(b";")[0].strip()
        # `int` would read `-5` too, and the next chunk would be this one again, for ever.
        if not size or len(size) > _LONGEST_SIZE or size.strip(_HEX):
            break
        length = int(size, 16)
        if length == 0:
            return b"".join(pieces)
        pieces.append(content[end + 1 : end + 1 + length])
        start = content.find(b"\n", end + 1 + length) + 1 or len(content)
    return content


def unpacked(raw: bytes, encodings: str, cap: int, ratio: float) -> bytes:
    """The content unpacked; as it is if it is not packed after all, and only its beginning if it is cut off or a bomb."""
    try:
        body = Body(encodings, cap=cap, ratio=ratio)
        body.feed(raw)
    except Spoiled as spoiled:
        return raw if spoiled.why == "bad-encoding" else body.unpacked
    with suppress(Spoiled):
        body.end()
        return body.unpacked
    return body.unpacked or raw
