"""The crawl's one SQLite file: one connection, one writer, commits in groups.

The frontier and the store both write here, so that keeping a page, settling its claim and taking in its links are one transaction.
A commit falls at the end of a turn of the loop (`turn_ends`), at most every tenth of a second when the crawl is fast, at once when
it is slow; what a kill takes away is therefore whole turns, never halves.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from thresher.errors import DiskFull, FolderVersion

VERSION = 1


class Ledger:
    """A SQLite file with grouped commits."""

    def __init__(self, path: Path | str, *, commit_every: float = 0.1) -> None:
        self.path = path
        self.before_commit: list[Callable[[], None]] = []
        """Called just before each commit, in order: last writes that belong to the transaction."""
        self._commit_every = commit_every
        self._committed_at = 0.0
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._check_version()
        # WAL survives kill -9 without a sync at each commit; a power cut can only take whole recent commits.
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-65536", "wal_autocheckpoint=8000"):
            self._connection.execute(f"PRAGMA {pragma}")

    def _check_version(self) -> None:
        found = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            self._connection.close()
            raise FolderVersion(f"{self.path} has format {found}, this Thresher reads up to {VERSION}: upgrade thresher")
        self._connection.execute(f"PRAGMA user_version={VERSION}")

    def script(self, sql: str) -> None:
        """Run a schema file; outside any transaction."""
        self.commit()
        self._connection.executescript(sql)

    def write(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement inside the current transaction."""
        self._begin()
        return self._guarded(self._connection.execute, sql, values)

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows inside the current transaction."""
        self._begin()
        self._guarded(self._connection.executemany, sql, rows)

    def read(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a query; it sees what this transaction wrote."""
        return self._connection.execute(sql, values)

    def turn_ends(self) -> None:
        """A turn of the loop is whole: commit if the last commit is long enough ago."""
        if time.monotonic() - self._committed_at >= self._commit_every:
            self.commit()

    def commit(self) -> None:
        """Make everything so far safe from kill -9."""
        if not self._connection.in_transaction:
            return
        for last_write in self.before_commit:
            last_write()
        self._guarded(self._connection.execute, "COMMIT")
        self._committed_at = time.monotonic()

    def close(self) -> None:
        """Commit and close."""
        self.commit()
        self._connection.close()

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")

    @staticmethod
    def _guarded(call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except sqlite3.OperationalError as error:
            if "full" in str(error):
                raise DiskFull(f"no room left on the disk: {error}") from error
            raise
