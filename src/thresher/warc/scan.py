"""Goes through a WARC file of anybody's once, and says where each HTTP answer stands; what is damaged is passed over and counted."""

import os
import warnings
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from thresher.errors import BadInput
from thresher.warc.message import GZIP, LARGEST, Unreadable, message, status_of

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator, WarcRecordType

_PLAIN = b"WARC/"
_ZSTD = b"\x28\xb5\x2f\xfd"
_BROKEN = (OSError, ValueError, RuntimeError)
_CHUNK = 1 << 20


class Found(NamedTuple):
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


class _Torn(ValueError):
    pass


def answers(path: Path, notes: Counter[str]) -> Iterator[Found]:
    """All HTTP answers of a file, in order; what was passed over is counted in the notes."""
    with path.open("rb") as file:
        mark = _mark(file, path)
        size = os.fstat(file.fileno()).st_size
        start = 0
        while start < size:
            start = yield from _stretch(file, start, mark, notes)


def _mark(file: BinaryIO, path: Path) -> bytes:
    """How a record begins in this file."""
    start = file.read(len(_PLAIN))
    if not start or start.startswith(GZIP):
        return GZIP
    if start == _PLAIN:
        return _PLAIN
    kind = "is packed with zstd: unpack it first" if start.startswith(_ZSTD) else "is not a WARC file"
    raise BadInput(f"{path} {kind}; a recording is .warc, or .warc.gz with one gzip member a record")


def _stretch(file: BinaryIO, start: int, mark: bytes, notes: Counter[str]) -> Generator[Found, None, int]:
    """The answers from here to the end, or to where the file is damaged; returns where to go on."""
    last: Found | None = None
    offset = start - 1
    file.seek(start)
    try:
        for record in ArchiveIterator(file, parse_http=False):
            if last is not None:
                yield last._replace(length=record.stream_pos - last.offset)
            last, offset = None, record.stream_pos
            _check_alone(file, offset, mark)
            last = _found(record, notes)
    except _BROKEN:
        notes["damaged"] += 1
        end = _next_start(file, offset + 1, mark)
        # It may be this record that is damaged, or what came after it.
        if last is not None and _whole(file, last.offset, end):
            yield last._replace(length=end - last.offset)
        return end
    end = os.fstat(file.fileno()).st_size
    if last is not None:
        yield last._replace(length=end - last.offset)
    return end


def _found(record: Any, notes: Counter[str]) -> Found | None:
    """What to know of a record, read to its end; None if it is no HTTP answer."""
    headers, reader = record.headers, record.reader
    first = reader.readline() if record.record_type & _ANSWERS else b""
    if len(first) + reader.consume() < record.content_length:
        raise _Torn
    target = (headers.get("WARC-Target-URI") or "").strip("<> ")
    revisit = record.record_type == WarcRecordType.revisit
    status = status_of(first)
    if not record.record_type & _ANSWERS or (status is None and not revisit):
        return None
    if record.content_length > LARGEST:
        notes["too-large"] += 1
        return None
    digest = headers.get("WARC-Payload-Digest") or ""
    refers = (headers.get("WARC-Refers-To-Target-URI") or "").strip("<> ")
    return Found(target, record.stream_pos, 0, status or 0, digest, revisit, refers)


_ANSWERS = WarcRecordType.response | WarcRecordType.revisit


def _check_alone(file: BinaryIO, offset: int, mark: bytes) -> None:
    """A record must begin where a gzip member does: within one, nothing can be read by its place."""
    if mark == GZIP and os.pread(file.fileno(), len(GZIP), offset) != GZIP:
        raise BadInput(
            f"{file.name} is one gzip stream over many records, so that no page can be read without all before it: "
            f"write it anew with `warcio recompress`, or unpack it"
        )


def _next_start(file: BinaryIO, after: int, mark: bytes) -> int:
    """Where the next whole head of a record stands; the end of the file if there is none."""
    place = after
    while chunk := os.pread(file.fileno(), _CHUNK, place):
        found = chunk.find(mark)
        while found >= 0:
            if _begins(file, place + found):
                return place + found
            found = chunk.find(mark, found + 1)
        if len(chunk) < _CHUNK:
            return place + len(chunk)
        place += _CHUNK - len(mark) + 1
    return place


def _begins(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    try:
        return next(iter(ArchiveIterator(file, parse_http=False)), None) is not None
    except _BROKEN:
        return False


def _whole(file: BinaryIO, offset: int, end: int) -> bool:
    try:
        message(os.pread(file.fileno(), min(end - offset, 2 * LARGEST), offset))
    except Unreadable:
        return False
    return True
