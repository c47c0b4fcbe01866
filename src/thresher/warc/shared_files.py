"""The table `warc` of a crawl with several workers: which file lies where, and how much of it is committed.

A worker writes its own files. A file's number is given to it for good before its first byte is written, so that no two files ever have
the same, not even after a crash of the server. Its size grows with each row that names a record in it, which the server sees to.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from thresher.disk.postgres_ledger import PostgresLedger, patiently
from thresher.warc.file_places import FilePlace, S3Store, WarcFolder, this_machine
from thresher.warc.reader import LocalRecords, OpenRecords, UnreadableRecord

_COLUMNS = "SELECT id, name, size, coalesce(place, '') FROM warc"
# Sent again if its answer was lost: then the row is there.
_BEGIN = """
    INSERT INTO warc (name, size, place) VALUES (%s, 0, %s) ON CONFLICT (name) DO UPDATE SET place = excluded.place RETURNING id
"""
_SHORTEN = "UPDATE warc SET size = %s WHERE id = %s"
_MOVED = "UPDATE warc SET place = %s WHERE id = %s"
_GONE = "UPDATE warc SET place = NULL WHERE id = %s"
_DROP = "DELETE FROM warc WHERE id = %s AND size = 0"


class SharedFile(NamedTuple):
    """One file of a crawl with several workers; `Playback` reads it wherever it lies."""

    number: int
    name: str
    size: int
    """Bytes that belong to what is committed."""
    place: str
    """As in `FilePlace`; empty if the file is lost for good."""

    def open_records(self) -> OpenRecords:
        """Open it where it lies; where it was to be moved to, if it is not there any more."""
        if not self.place:
            raise UnreadableRecord(f"{self.name} is lost")
        at, bound_for = FilePlace.of(self.place)
        if isinstance(at, S3Store):
            return _StoredRecords(at, self.name)
        try:
            return LocalRecords(at.path / self.name)
        except FileNotFoundError:
            if bound_for is not None and bound_for.size(self.name) is not None:
                return _StoredRecords(bound_for, self.name)
            raise UnreadableRecord(self._why(at)) from None

    def _why(self, folder: WarcFolder) -> str:
        if folder.is_there():
            return f"{self.name} is missing from {folder.path}"
        if folder.machine == this_machine():
            return f"{self.name} lies in {folder.path}, which is not there now"
        return f"{self.name} lies in {folder.path} of the machine {folder.machine}, which cannot be reached from here"


class _StoredRecords:
    """A WARC file in a store: each record is one request for its range."""

    def __init__(self, store: S3Store, name: str) -> None:
        self._store, self._name = store, name

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes, from there on; fewer if the file ends before."""
        if not length:
            return b""
        try:
            return self._store.read(self._name, offset, length)
        except FileNotFoundError:
            raise UnreadableRecord(f"{self._name} is missing from {self._store.name}") from None
        except OSError:
            raise UnreadableRecord(f"{self._name} in {self._store.name} ends before the record") from None

    def close(self) -> None:
        """Nothing is held for one file."""


class SharedFiles(Protocol):
    """The table of files, as workers and readers use it."""

    @property
    def crawl(self) -> str:
        """What tells this crawl from all others."""

    def begin(self, name: str, place: str) -> int:
        """A file begins, empty; returns its number. It is kept at once and for good."""

    def shorten(self, number: int, size: int) -> None:
        """Bytes are lost that were committed; at once."""

    def moved(self, number: int, place: str) -> None:
        """A file lies elsewhere from now on. It is kept at once and for good: then the old one may be removed."""

    def gone(self, number: int) -> None:
        """A file is lost for good."""

    def drop(self, number: int) -> None:
        """Forget a file of which nothing was ever committed."""

    def every(self) -> list[SharedFile]:
        """All files, in the order of their numbers."""

    def named(self, names: Iterable[str]) -> list[SharedFile]:
        """The files of these names."""


class PostgresWarcFiles:
    """The table in PostgreSQL."""

    def __init__(self, ledger: PostgresLedger) -> None:
        self._ledger = ledger

    @property
    def crawl(self) -> str:
        """What tells this crawl from all others."""
        return self._ledger.crawl()

    def begin(self, name: str, place: str) -> int:
        """A file begins, empty; returns its number. It is kept at once and for good."""
        [(number,)] = patiently(lambda: self._ledger.safely(_BEGIN, (name, place)))
        return int(number)

    def shorten(self, number: int, size: int) -> None:
        """Bytes are lost that were committed; at once."""
        self._ledger.safely(_SHORTEN, (size, number))

    def moved(self, number: int, place: str) -> None:
        """A file lies elsewhere from now on. It is kept at once and for good: then the old one may be removed."""
        self._ledger.safely(_MOVED, (place, number))

    def gone(self, number: int) -> None:
        """A file is lost for good."""
        self._ledger.safely(_GONE, (number,))

    def drop(self, number: int) -> None:
        """Forget a file of which nothing was ever committed."""
        self._ledger.safely(_DROP, (number,))

    def every(self) -> list[SharedFile]:
        """All files, in the order of their numbers."""
        return _files(self._ledger.read(f"{_COLUMNS} ORDER BY id"))

    def named(self, names: Iterable[str]) -> list[SharedFile]:
        """The files of these names."""
        return _files(self._ledger.read(f"{_COLUMNS} WHERE name = ANY (%s) ORDER BY id", (list(names),)))


def _files(rows: Iterable[Sequence[Any]]) -> list[SharedFile]:
    return [SharedFile(*row) for row in rows]
