"""The crawl's WARC files: records are collected, and written together just before each commit of the ledger.

The bytes go out before the transaction that speaks of them. `files.recover` cuts off what no commit speaks of when the folder is
opened again.
"""

from contextlib import suppress
from pathlib import Path

from thresher.disk.ledger import Ledger
from thresher.model import Response
from thresher.warc.files import PREFIX, add_file, newest_file, note_size
from thresher.warc.format import Earlier, Place, records, warcinfo
from thresher.warc.growing_file import FLUSH_BYTES, GrowingFile, file_name


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
        self._file = self._resumed()
        ledger.before_commit.append(self.flush)

    def append(self, response: Response, at: float, digest: bytes, earlier: Earlier | None = None) -> Place:
        """Add a response and its request; a revisit record if the same bytes were kept earlier."""
        made = records(response, at, digest, earlier)
        if self._file is None:
            self._file = self._begun(at)
        place = self._file.add(made)
        if self._file.size >= self._rotate_bytes:
            self.flush()
            self._release()
        elif self._file.waiting > FLUSH_BYTES:
            self.flush()
        return place

    def flush(self) -> None:
        """Hand everything to the operating system: with the next commit it is safe from kill -9."""
        if self._file is not None and self._file.write():
            note_size(self._ledger, self._file.number, self._file.size)

    def close(self) -> None:
        """Commit what waits, and close the file."""
        try:
            if self._file is not None and self._file.waiting:
                self._ledger.commit()
        finally:
            with suppress(ValueError):
                self._ledger.before_commit.remove(self.flush)
            self._release()

    def _resumed(self) -> GrowingFile | None:
        """The newest file, to go on with, if it is not full."""
        newest = newest_file(self._ledger)
        if newest is None or newest.size >= self._rotate_bytes:
            return None
        return GrowingFile(self._folder / newest.name, number=newest.number, size=newest.size)

    def _begun(self, at: float) -> GrowingFile:
        newest = newest_file(self._ledger)
        number = newest.number + 1 if newest else 1
        name = file_name(self._prefix, at, number)
        file = GrowingFile(self._folder / name, number=number)
        add_file(self._ledger, number, name)
        file.gather(warcinfo(name, at, self._software))
        return file

    def _release(self) -> None:
        # The disk is waited for only here: a sync at each commit would make the crawl wait for it ten times a second.
        if self._file is not None:
            self._file.close()
            self._file = None
