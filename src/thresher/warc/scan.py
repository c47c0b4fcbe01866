"""Goes once through a WARC file, whoever wrote it, and says where each HTTP answer stands; what is damaged is skipped and counted.

By hand rather than with FastWARC: as fast on pages of usual size, and one reader of records is enough.
"""

import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from isal import isal_zlib

from thresher.errors import BadInput
from thresher.warc.reader import (
    BROKEN_GZIP,
    GZIP,
    HEAD_ROOM,
    LARGEST,
    UnreadableRecord,
    fields_of,
    message,
    parted,
    status_of,
)

PLAIN = b"WARC/"
"""How a record begins."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 20
_STEP = 1 << 14


class ScannedAnswer(NamedTuple):
    """Where an answer stands, and what the record's head says of it."""

    target: str
    """The url as it was recorded."""
    offset: int
    length: int
    status: int
    """0 if a revisit record says nothing of its own."""
    digest: str
    revisit: bool = False
    refers: str = ""
    """Of a revisit, the url that had the same answer before."""
    http: bytes = b""
    """The head of the answer."""


class _Header(NamedTuple):
    """A record whose block is still to be read."""

    offset: int
    alone: bool
    """Whether it can be read from its offset: not in the middle of a gzip member."""
    fields: dict[bytes, bytes]
    length: int
    source: "_Bytes"


def answers(path: Path, notes: Counter[str], *, by_place: bool = True) -> Iterator[ScannedAnswer]:
    """All HTTP answers of a file, in order; what was passed over is counted in the notes.

    Unless they are to be read by their places later, a file that is one gzip stream over many records will do.
    """
    with path.open("rb") as file:
        mark = _mark(file, path)
        size = os.fstat(file.fileno()).st_size
        start = 0
        while start < size:
            start = yield from _stretch(file, start, mark, notes, by_place=by_place)


def _mark(file: BinaryIO, path: Path) -> bytes:
    """How a record begins in this file."""
    start = file.read(len(PLAIN))
    if not start or start.startswith(GZIP):
        return GZIP
    if start == PLAIN:
        return PLAIN
    kind = "is packed with zstd: unpack it first" if start.startswith(_ZSTD) else "is not a WARC file"
    raise BadInput(f"{path} {kind}; a recording is .warc, or .warc.gz with one gzip member a record")


def _stretch(
    file: BinaryIO, start: int, mark: bytes, notes: Counter[str], *, by_place: bool
) -> Generator[ScannedAnswer, None, int]:
    """The answers from here to the end, or to where the file is damaged; returns where to go on."""
    last: ScannedAnswer | None = None
    offset = start - 1
    try:
        for record in _records(file, start, mark):
            if last is not None:
                yield last._replace(length=record.offset - last.offset)
            last, offset = None, record.offset
            if by_place and not record.alone:
                raise BadInput(
                    f"{file.name} is one gzip stream over many records, so that no page can be read without all before it: "
                    f"write it anew with `warcio recompress`, or unpack it"
                )
            last = _answer(record, notes)
    except UnreadableRecord:
        notes["damaged"] += 1
        end = _next_start(file, offset + 1, mark)
        # It may be this record that is damaged, or what came after it.
        if last is not None and (not by_place or _whole(file, last.offset, end)):
            yield last._replace(length=end - last.offset)
        return end
    end = os.fstat(file.fileno()).st_size
    if last is not None:
        yield last._replace(length=end - last.offset)
    return end


def _answer(record: _Header, notes: Counter[str]) -> ScannedAnswer | None:
    """What to know of a record, read to its end; None if it is no HTTP answer."""
    start = record.source.block(record.length)
    kind = record.fields.get(b"warc-type", b"").lower()
    if kind not in {b"response", b"revisit"}:
        return None
    status = status_of(start)
    if status is None and kind != b"revisit":
        return None
    if record.length > LARGEST:
        notes["too-large"] += 1
        return None
    return ScannedAnswer(
        _url(record, b"warc-target-uri"),
        record.offset,
        0,
        status or 0,
        record.fields.get(b"warc-payload-digest", b"").decode("latin-1"),
        kind == b"revisit",
        _url(record, b"warc-refers-to-target-uri"),
        parted(start)[0],
    )


def _url(record: _Header, field: bytes) -> str:
    """Some old writers put urls in angle brackets."""
    return record.fields.get(field, b"").decode("utf-8", "replace").strip("<> ")


def _records(file: BinaryIO, start: int, mark: bytes) -> Iterator[_Header]:
    """The records from an offset on; the block of each must be read before the next."""
    source = _source(file, start, mark)
    while source.begin():
        offset, alone = source.place()
        fields = _fields(source)
        yield _Header(offset, alone, fields, int(fields[b"content-length"]), source)


def _source(file: BinaryIO, start: int, mark: bytes) -> "_Bytes":
    return _Gzipped(file, start) if mark == GZIP else _Bytes(file, start)


def _fields(source: "_Bytes") -> dict[bytes, bytes]:
    head = source.head()
    if not head.startswith(PLAIN):
        raise UnreadableRecord("no record begins here")
    fields = fields_of(head)
    if not fields.get(b"content-length", b"").isdigit():
        raise UnreadableRecord("the record does not say how long it is")
    return fields


class _Bytes:
    """The bytes of a file from an offset on, of which a window is held."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file, self._next = file, start
        self._held = b""
        self._at = 0
        """Where in the held bytes the next record begins."""

    def place(self) -> tuple[int, bool]:
        """Where in the file the next record begins, and whether it can be read from there."""
        return self._next - len(self._held) + self._at, True

    def begin(self) -> bool:
        """Skip the line ends before the next record; False if there is none."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in b"\r\n":
                self._at += 1
            if self._at < len(self._held):
                return True
            if not self._more():
                return False

    def head(self) -> bytes:
        """The head of the record; what follows is its block."""
        while (end := self._held.find(b"\r\n\r\n", self._at)) < 0:
            if len(self._held) - self._at > HEAD_ROOM or not self._more():
                raise UnreadableRecord("the head of a record has no end")
        head = self._held[self._at : end]
        self._at = end + 4
        return head

    def block(self, length: int) -> bytes:
        """Go to the end of the block; returns how it begins."""
        self._need(min(length, HEAD_ROOM))
        start = self._held[self._at : self._at + min(length, HEAD_ROOM)]
        while (left := length - (len(self._held) - self._at)) > 0:
            self._at = len(self._held)
            length = left
            self._need(1)
        self._at += length
        return start

    def _need(self, size: int) -> None:
        while len(self._held) - self._at < size:
            if not self._more():
                raise UnreadableRecord("the record is cut off")

    def _more(self) -> bool:
        """Hold more bytes and let go of those that were read; False at the end of the file."""
        more = self._read()
        self._held = self._held[self._at :] + more
        self._at = 0
        return bool(more)

    def _read(self) -> bytes:
        more = os.pread(self._file.fileno(), HEAD_ROOM, self._next)
        self._next += len(more)
        return more


class _Gzipped(_Bytes):
    """The same for a file of gzip members, which are unpacked."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        super().__init__(file, start)
        self._packed = memoryview(b"")
        self._stream: isal_zlib.Decompress | None = None
        self._made = 0
        """How many bytes were unpacked so far."""
        self._members: dict[int, int] = {}
        """Where in the unpacked bytes members begin, and where in the file."""

    def place(self) -> tuple[int, bool]:
        """Where in the file the next record begins, and whether it can be read from there."""
        here = self._made - len(self._held) + self._at
        offset = self._members.get(here)
        self._members = {made: place for made, place in self._members.items() if made > here}
        return (self._next - len(self._packed), False) if offset is None else (offset, True)

    def _read(self) -> bytes:
        """What the next bytes unpack to; empty only at the end of the file."""
        made = b""
        while not made:
            if not self._packed:
                self._packed = memoryview(os.pread(self._file.fileno(), _CHUNK, self._next))
                self._next += len(self._packed)
            if not self._packed:
                break
            made = self._inflated(self._packed[:_STEP])
        if not made and self._stream is not None:
            raise UnreadableRecord("the gzip member is cut off")
        self._made += len(made)
        return made

    def _inflated(self, packed: memoryview) -> bytes:
        if self._stream is None:
            self._stream = isal_zlib.decompressobj(wbits=31)
            self._members[self._made] = self._next - len(self._packed)
        try:
            made: bytes = self._stream.decompress(packed)
        except BROKEN_GZIP as error:
            raise UnreadableRecord(str(error)) from error
        used = len(packed)
        if self._stream.eof:
            used -= len(self._stream.unused_data)
            self._stream = None
        self._packed = self._packed[used:]
        return made


def _next_start(file: BinaryIO, after: int, mark: bytes) -> int:
    """Where the next whole head of a record stands; the end of the file if there is none."""
    place = after
    while chunk := os.pread(file.fileno(), _CHUNK, place):
        found = chunk.find(mark)
        while found >= 0:
            if _begins(file, place + found, mark):
                return place + found
            found = chunk.find(mark, found + 1)
        if len(chunk) < _CHUNK:
            return place + len(chunk)
        place += _CHUNK - len(mark) + 1
    return place


def _begins(file: BinaryIO, offset: int, mark: bytes) -> bool:
    source = _source(file, offset, mark)
    try:
        return source.begin() and bool(_fields(source))
    except UnreadableRecord:
        return False


def _whole(file: BinaryIO, offset: int, end: int) -> bool:
    try:
        message(os.pread(file.fileno(), min(end - offset, 2 * LARGEST), offset))
    except UnreadableRecord:
        return False
    return True
