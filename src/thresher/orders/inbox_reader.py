"""The inbox, as the crawl reads it: whether anything may have come, for the price of a `stat`, and what.

Whatever lies there may be damaged or made to do harm: rows are read up to a bounded size, and a query that takes too long is ended.
"""

import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from thresher.disk.guarded_sqlite import SQLITE_ERRORS
from thresher.errors import FolderError
from thresher.orders.inbox import HIGHEST
from thresher.orders.order import MOST_BYTES

AT_ONCE = 64
"""So many orders are read at a time."""
_UNSURE = 2.0
"""Seconds after a change in which another may have the same time: file systems have coarse clocks."""
_STEPS, _MOST_STEPS = 1000, 200
"""SQLite is asked every so many steps whether it takes too long: after so many times it does."""
_NAME = "SELECT substr(name, 1, 64) FROM inbox LIMIT 1"
# The length of a BLOB is known without reading it. What is no BLOB, or too long, is no order.
_GIVEN = f"""
    SELECT number, CASE WHEN typeof(said) = 'blob' AND length(said) <= {MOST_BYTES} THEN said END
    FROM given WHERE number > ? AND number < {HIGHEST} AND typeof(number) = 'integer' ORDER BY number LIMIT {AT_ONCE}"""  # noqa: S608 - numbers of our own


class Unreadable(FolderError):
    """The inbox cannot be read."""


class InboxLook(NamedTuple):
    """What was found in an inbox."""

    name: str
    """Which inbox it is."""
    given: list[tuple[int, bytes]]
    """Numbers and orders, in order."""


class Inbox(Protocol):
    """Where a crawl looks for its orders."""

    def changed(self) -> bool:
        """Whether anything may have come since the last look."""

    def look(self, after: dict[str, int]) -> InboxLook | None:
        """The first orders that were not carried out; None if it cannot be looked now."""

    def look_again(self) -> None:
        """There may be more."""

    def looked(self) -> None:
        """What was found is carried out."""


class InboxReader:
    """Looks into an inbox. It never writes into it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, ...] | None = None
        """The file as it was when it was last read."""

    def changed(self) -> bool:
        """Whether anything may have come since the last look."""
        try:
            found = self.path.stat()
        except OSError:
            self._seen = None
            return False
        now = found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
        if now == self._seen:
            return False
        # Nearer to the change than the clock can tell, it is looked at again.
        self._seen = now if abs(time.time() - found.st_mtime) > _UNSURE else None
        return True

    def look(self, after: dict[str, int]) -> InboxLook | None:
        """The name of the inbox, and the first orders beyond those after which each inbox is read.

        None if others are writing now, or if it is gone.
        An inbox that nobody has read before is read from its beginning: `after` says so by raising KeyError.
        """
        try:
            return self._read(after)
        except FileNotFoundError:  # somebody has just removed it
            return None
        except SQLITE_ERRORS as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                self.look_again()
                return None
            raise Unreadable(
                f"the orders in {self.path} cannot be read: {' '.join(str(error).split()):.200}"
            ) from error

    def look_again(self) -> None:
        """There may be more, although the file does not change."""
        self._seen = None

    def looked(self) -> None:
        """Whoever holds the lock of the folder carries its orders out alone: there is nobody to tell."""

    def _read(self, after: dict[str, int]) -> InboxLook | None:
        if not stat.S_ISREG(self.path.stat().st_mode):
            raise sqlite3.DatabaseError("it is no file")
        # Not `mode=ro`: after a writer was killed the reader must undo what that one began.
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)) as connection:
            _limit(connection)
            row = connection.execute(_NAME).fetchone()
            name = str(row[0]) if row else ""
            return InboxLook(name, [(n, said or b"") for n, said in connection.execute(_GIVEN, (after[name],))])


def _limit(connection: sqlite3.Connection) -> None:
    steps = iter(range(_MOST_STEPS))
    connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1 << 20)
    connection.execute("PRAGMA trusted_schema=OFF")
