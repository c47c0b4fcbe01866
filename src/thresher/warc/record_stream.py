"""A WARC file as a stream of records: the bytes from an offset on, unpacked, of which only a window is held.

By hand rather than with FastWARC: as fast on pages of usual size, and one reader of records is enough.
"""

import os
import re
from typing import BinaryIO

from isal import isal_zlib

from thresher.warc.reader import BROKEN_GZIP, GZIP, HEAD_ROOM, UnreadableRecord

_RECORD = re.compile(rb"[^\r\n]")
_CHUNK = 1 << 16
_STEP = 1 << 14
_HEAD_READS = 16
"""How often more is read for a head: enough for the longest, unless it was packed in many small pieces to hold us up."""


def open_bytes(file: BinaryIO, start: int, mark: bytes) -> "FileBytes":
    """The bytes of a file whose records begin with this mark."""
    return UnpackedBytes(file, start) if mark == GZIP else FileBytes(file, start)


class FileBytes:
    """The bytes of a file from an offset on, of which a window is held."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file, self._next = file, start
        self._held = b""
        self._at = 0
        """Where in the held bytes the next record begins."""

    def place(self) -> tuple[int, bool]:
        """Where in the file the next record begins, and whether it can be read from there."""
        return self._next - len(self._held) + self._at, True

    @property
    def reached(self) -> int:
        """How far into the file bytes were read."""
        return self._next

    def begin(self) -> bool:
        """Skip the line ends before the next record; False if there is none."""
        while True:
            if found := _RECORD.search(self._held, self._at):
                self._at = found.start()
                return True
            self._at = len(self._held)
            if not self._more():
                return False

    def head(self) -> bytes:
        """The head of the record; what follows is its block."""
        for _ in range(_HEAD_READS):
            if (end := self._held.find(b"\r\n\r\n", self._at)) >= 0:
                head = self._held[self._at : end]
                self._at = end + 4
                return head
            if len(self._held) - self._at > HEAD_ROOM or not self._more():
                break
        raise UnreadableRecord("the head of a record has no end")

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


class UnpackedBytes(FileBytes):
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
