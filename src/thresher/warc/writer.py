"""The crawl's WARC files: records are collected, and written together just before each commit of the ledger.

A file may be longer than what is committed (a kill, a full disk), never shorter while the machine stays up: the bytes
go out before the transaction that speaks of them. `files.recover` cuts the rest off when the folder is opened again.
"""

import os
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from time import gmtime, strftime

from thresher.disk.ledger import Ledger
from thresher.errors import DiskFull, FolderError
from thresher.model import Response
from thresher.warc.files import PREFIX, add_file, newest_file, note_size
from thresher.warc.format import Earlier, Place, records, warcinfo

_FLUSH_BYTES = 4_000_000
"""Gathered bytes are written early when they are more than this, so that memory stays bounded."""


class WarcWriter:
    """Appends responses to the newest WARC file and begins another when it is large."""

    def __init__(
        self,
        folder: Path,
        ledger: Ledger,
        prefix: str = PREFIX,
        rotate_bytes: int = 1_000_000_000,
        software: str = "Thresher",
    ) -> None:
        self._folder, self._ledger, self._prefix = folder, ledger, prefix
        self._rotate_bytes, self._software = rotate_bytes, software
        self._file = -1
        """The open file's descriptor; -1 if none is open."""
        self._number = 0
        self._written = 0
        """Bytes that the file has."""
        self._gathered: list[bytes] = []
        self._size = 0
        """Bytes that the file will have."""
        self._resume()
        ledger.before_commit.append(self.flush)

    def append(self, response: Response, at: float, digest: bytes, earlier: Earlier | None = None) -> Place:
        """Add a response and its request; a revisit record if the same bytes were kept earlier."""
        made = records(response, at, digest, earlier)
        if self._file < 0:
            self._begin(at)
        if made.request:
            self._gather(made.request)
        place = Place(self._number, self._size, len(made.response), len(made.request))
        self._gather(made.response)
        if self._size >= self._rotate_bytes:
            self._end()
        elif self._size - self._written > _FLUSH_BYTES:
            self.flush()
        return place

    def flush(self) -> None:
        """Hand everything to the operating system: with the next commit it is safe from kill -9."""
        if not self._gathered:
            return
        waiting = memoryview(b"".join(self._gathered))
        try:
            while waiting:
                waiting = waiting[os.write(self._file, waiting) :]
        except OSError as error:
            # Half a record would be cut off at the next opening; cutting it now leaves room for the last commit.
            with suppress(OSError):
                os.ftruncate(self._file, self._written)
            raise _explained(error, self._folder) from error
        self._gathered.clear()
        self._written = self._size
        note_size(self._ledger, self._number, self._size)

    def close(self) -> None:
        """Commit what waits, and close the file."""
        try:
            if self._gathered:
                self._ledger.commit()
        finally:
            with suppress(ValueError):
                self._ledger.before_commit.remove(self.flush)
            self._release()

    def _gather(self, member: bytes) -> None:
        self._gathered.append(member)
        self._size += len(member)

    def _resume(self) -> None:
        """Go on with the newest file, if it is not full."""
        newest = newest_file(self._ledger)
        if newest is None or newest.size >= self._rotate_bytes:
            return
        self._number, name, self._size = newest
        self._written = self._size
        self._open(name, os.O_WRONLY | os.O_APPEND)

    def _begin(self, at: float) -> None:
        newest = newest_file(self._ledger)
        number = newest.number + 1 if newest else 1
        name = f"{self._prefix}-{strftime('%Y%m%d%H%M%S', gmtime(at))}-{number:05}.warc.gz"
        self._open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        add_file(self._ledger, number, name)
        self._number, self._written, self._size = number, 0, 0
        self._gather(warcinfo(name, at, self._software))

    def _end(self) -> None:
        self.flush()
        self._release()

    def _open(self, name: str, flags: int) -> None:
        try:
            self._file = os.open(self._folder / name, flags | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise _explained(error, self._folder) from error

    def _release(self) -> None:
        if self._file >= 0:
            # Only here: a sync at each commit would make the crawl wait for the disk ten times a second.
            with suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1


def _explained(error: OSError, folder: Path) -> DiskFull | FolderError:
    if error.errno in {ENOSPC, EDQUOT, EFBIG}:
        return DiskFull(f"no room left to write pages into {folder}: {error.strerror}")
    return FolderError(f"cannot write pages into {folder}: {error.strerror}")
