"""One WARC file that is being written: records are gathered, and go out together just before the commit that names them.

A file may be longer than what is committed (a kill, a full disk), never shorter while the machine stays up.
"""

import os
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from time import gmtime, strftime

from thresher.errors import DiskFull, FolderError
from thresher.warc.format import Place, Records

FLUSH_BYTES = 4_000_000
"""Gathered bytes are written early when they are more than this, so that memory stays bounded."""


class GrowingFile:
    """A file, open for writing. It may be a new one, or one that goes on behind what is committed of it."""

    def __init__(self, path: Path, *, number: int = 0, size: int | None = None) -> None:
        """Without a size it is a new file, and nothing of that name may be there."""
        self.path, self.number = path, number
        self.size = size or 0
        """Bytes that the file will have."""
        self._written = self.size
        """Bytes that it has."""
        self._gathered: list[bytes] = []
        new = os.O_CREAT | os.O_EXCL if size is None else 0
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC | new, 0o644)
        except OSError as error:
            raise explained(error, path.parent) from error

    def add(self, made: Records) -> Place:
        """Gather the records of one answer; returns where they will stand."""
        if made.request:
            self.gather(made.request)
        place = Place(self.number, self.size, len(made.response), len(made.request))
        self.gather(made.response)
        return place

    def gather(self, member: bytes) -> None:
        """Have this written next."""
        self._gathered.append(member)
        self.size += len(member)

    @property
    def waiting(self) -> int:
        """Bytes that are gathered."""
        return self.size - self._written

    def write(self) -> bool:
        """Hand everything to the operating system: with the next commit it is safe from kill -9. False if there was nothing."""
        if not self._gathered:
            return False
        waiting, at = memoryview(b"".join(self._gathered)), self._written
        try:
            while waiting:
                # Where a row says that it stands, whatever else became of the file.
                count = os.pwrite(self._descriptor, waiting, at)
                waiting, at = waiting[count:], at + count
        except OSError as error:
            # Half a record would be cut off at the next opening; cutting it now leaves room for the last commit.
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._written)
            raise explained(error, self.path.parent) from error
        self._gathered.clear()
        self._written = self.size
        return True

    def sync(self) -> None:
        """Wait until the disk has what was written."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise explained(error, self.path.parent) from error

    def close(self) -> None:
        """Let go of the file. What is gathered and not written is gone."""
        with suppress(OSError):
            os.fsync(self._descriptor)
        os.close(self._descriptor)


def file_name(prefix: str, at: float, serial: int, worker: str = "") -> str:
    """`thresher-20260131120000-00001.warc.gz`, and with the worker before the ending if there are several."""
    behind = f"-{worker}" if worker else ""
    return f"{prefix}-{strftime('%Y%m%d%H%M%S', gmtime(at))}-{serial:05}{behind}.warc.gz"


def explained(error: OSError, folder: Path) -> DiskFull | FolderError:
    """What the system says of a folder that pages are written into, as one of our errors."""
    if error.errno in {ENOSPC, EDQUOT, EFBIG}:
        return DiskFull(f"no room left to write pages into {folder}: {error.strerror}")
    return FolderError(f"cannot write pages into {folder}: {error.strerror}")
