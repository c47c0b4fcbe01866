"""Goes once through a WARC file, whoever wrote it, and says where each HTTP answer stands; what is damaged is skipped and counted.

Where a record is damaged, the next one is sought from its beginning on, so bytes are read again. A file made for it would be read again
from each of its records; so after four times its size the rest of a file counts as damaged.
"""

import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from thresher.errors import BadInput
from thresher.warc.format import READER
from thresher.warc.reader import (
    GZIP,
    LARGEST,
    UnreadableRecord,
    fields_of,
    message,
    parted,
    status_of,
)
from thresher.warc.record_stream import FileBytes, open_bytes

PLAIN = b"WARC/"
"""How a record begins."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 20
_PATIENCE = 4
"""How often as many bytes as a file has may be read in vain."""
_SMALL = 1 << 14
_READER = READER.lower().encode()


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
    before: int = 0
    """Length of what stands before it, from the conversion record that a crawl of ours wrote of it; 0 if it wrote none."""


class _Header(NamedTuple):
    """A record whose block is still to be read."""

    offset: int
    alone: bool
    """Whether it can be read from its offset: not in the middle of a gzip member."""
    fields: dict[bytes, bytes]
    length: int
    source: FileBytes


class _Scan:
    """A file that is being read, and how many bytes of it were read in vain."""

    def __init__(self, file: BinaryIO, mark: bytes) -> None:
        self.file, self.mark = file, mark
        self.size = os.fstat(file.fileno()).st_size
        self._patience = _PATIENCE * max(self.size, _SMALL)

    def source(self, start: int) -> FileBytes:
        """The bytes from an offset on."""
        return open_bytes(self.file, start, self.mark)

    def spent(self, in_vain: int) -> None:
        """So many bytes led to nothing."""
        self._patience -= in_vain

    @property
    def is_over(self) -> bool:
        """Whether the rest of the file is not worth the time."""
        return self._patience < 0


def answers(path: Path, notes: Counter[str], *, by_place: bool = True) -> Iterator[ScannedAnswer]:
    """All HTTP answers of a file, in order; what was passed over is counted in the notes.

    With `by_place=False`, one gzip stream over many records is accepted.
    """
    with path.open("rb") as file:
        scan = _Scan(file, _mark(file, path))
        start = 0
        while start < scan.size:
            start = yield from _stretch(scan, start, notes, by_place=by_place)


def _mark(file: BinaryIO, path: Path) -> bytes:
    """How a record begins in this file."""
    start = file.read(len(PLAIN))
    if not start or start.startswith(GZIP):
        return GZIP
    if start == PLAIN:
        return PLAIN
    kind = "is packed with zstd: unpack it first" if start.startswith(_ZSTD) else "is not a WARC file"
    raise BadInput(f"{path} {kind}; a recording is .warc, or .warc.gz with one gzip member a record")


def _stretch(scan: _Scan, start: int, notes: Counter[str], *, by_place: bool) -> Generator[ScannedAnswer, None, int]:
    """The answers from here to the end, or to where the file is damaged; returns where to go on."""
    last: ScannedAnswer | None = None
    converted: tuple[str, int] | None = None
    offset = start - 1
    source = scan.source(start)
    try:
        for record in _records(source):
            if last is not None:
                yield last._replace(length=record.offset - last.offset)
            last, offset = None, record.offset
            if by_place and not record.alone:
                raise BadInput(
                    f"{scan.file.name} is one gzip stream over many records, so that no page can be read without all before it: "
                    f"write it anew with `warcio recompress`, or unpack it"
                )
            last = _answer(record, notes)
            if last is not None and converted is not None and converted[0] == last.target:
                last = last._replace(before=offset - converted[1])
            converted = _converted(record, converted)
    except UnreadableRecord:
        notes["damaged"] += 1
        end = _next_start(scan, offset + 1)
        scan.spent(source.reached - end)
        # It may be this record that is damaged, or what came after it.
        if last is not None and (not by_place or _whole(scan.file, last.offset, end)):
            yield last._replace(length=end - last.offset)
        return end
    if last is not None:
        yield last._replace(length=scan.size - last.offset)
    return scan.size


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


def _converted(record: _Header, before: tuple[str, int] | None) -> tuple[str, int] | None:
    """Url and offset of the conversion that the next answer may belong to; only its request may stand between the two."""
    kind = record.fields.get(b"warc-type", b"").lower()
    if kind == b"conversion" and _READER in record.fields and record.length <= LARGEST:
        return _url(record, b"warc-target-uri"), record.offset
    return before if kind == b"request" else None


def _url(record: _Header, field: bytes) -> str:
    """Some old writers put urls in angle brackets."""
    return record.fields.get(field, b"").decode("utf-8", "replace").strip("<> ")


def _records(source: FileBytes) -> Iterator[_Header]:
    """The records that follow; the block of each must be read before the next."""
    while source.begin():
        offset, alone = source.place()
        fields = _fields(source)
        yield _Header(offset, alone, fields, int(fields[b"content-length"]), source)


def _fields(source: FileBytes) -> dict[bytes, bytes]:
    head = source.head()
    if not head.startswith(PLAIN):
        raise UnreadableRecord("no record begins here")
    fields = fields_of(head)
    if not fields.get(b"content-length", b"").isdigit():
        raise UnreadableRecord("the record does not say how long it is")
    return fields


def _next_start(scan: _Scan, after: int) -> int:
    """Where the next whole head of a record stands; the end of the file if there is none."""
    place, mark = after, scan.mark
    while chunk := os.pread(scan.file.fileno(), _CHUNK, place):
        found = chunk.find(mark)
        while found >= 0 and not scan.is_over:
            if _begins(scan, place + found):
                return place + found
            found = chunk.find(mark, found + 1)
        if len(chunk) < _CHUNK or scan.is_over:
            break
        place += _CHUNK - len(mark) + 1
    return scan.size


def _begins(scan: _Scan, offset: int) -> bool:
    source = scan.source(offset)
    try:
        if source.begin() and _fields(source):
            return True
    except UnreadableRecord:
        pass
    scan.spent(source.reached - offset)
    return False


def _whole(file: BinaryIO, offset: int, end: int) -> bool:
    try:
        message(os.pread(file.fileno(), min(end - offset, 2 * LARGEST), offset))
    except UnreadableRecord:
        return False
    return True
