"""The crawl's one SQLite file: one connection, one writer, commits in groups.

The frontier and the store both write here, so that keeping a page, settling its claim and taking in its links are one
transaction. A commit falls at the end of a turn of the loop (`turn_ends`): at once when the crawl is slow, a fifth of a
second later when it is fast, up to a second later when commits are slow. What a kill takes away is therefore whole turns,
never halves, and none that ended more than a second before.

Nothing could be noted that would spare a killed crawl those turns: a page that was asked for and not kept must be asked for
again, or be lost. Only a shorter group makes them fewer. At 500 pages a second commits take 19 µs of CPU a turn in groups of
half a second, 33 in groups of a fifth, 57 of a tenth, and 300 if each turn is committed by itself.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from thresher.disk.guarded_sqlite import SQLITE_ERRORS, VERSION, GuardedRows, check_version, explained
from thresher.errors import ThresherError

_PRAGMAS = (
    # WAL survives kill -9 without a sync at each commit; a power cut can only take whole recent commits.
    "journal_mode=WAL",
    "synchronous=NORMAL",
    # At most 128 MB, taken as the file grows. Though the system keeps the rest in memory too, each page that is read again is a call and
    # a copy: with 16 MB a million urls are added at 45,000 a second instead of 72,000.
    "cache_size=-131072",
    # `_empty_log` does it.
    "wal_autocheckpoint=0",
)
_LOG = 32 * 2**20
"""A log with more bytes is emptied; it is also cut to this size."""
_LONGEST_LOG = 4 * _LOG
"""At so many bytes the writer empties the log itself, and waits for the disk, however busy the machine is."""
_COMMIT_SHARE = 48
"""After a commit there is none for so many times as long as it took, so that commits take at most a fiftieth of the time while groups
are shorter than the longest. A fast crawl changes the same pages of its file again and again: larger groups write each of them once."""
_LONGEST_GROUP = 1.0


class Ledger:
    """A SQLite file with grouped commits."""

    def __init__(self, path: Path | str, *, commit_every: float = 0.2) -> None:
        self.path = path
        self.before_commit: list[Callable[[], None]] = []
        """Called just before each commit, in order: last writes that belong to the transaction."""
        self._commit_every = commit_every
        self._next_commit = 0.0
        self._one = False
        """Whether what is written now must be committed as one."""
        self._checkpoint: Thread | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._broken: ThresherError | None = None
        """What went wrong with the file; after that nothing more is written."""
        self._connection: sqlite3.Connection = self._guarded(_connect, path)
        try:
            self._check_version()
            for pragma in (*_PRAGMAS, f"journal_size_limit={_LOG}"):
                self.read(f"PRAGMA {pragma}")
        except BaseException:
            self._connection.close()
            raise

    def _check_version(self) -> None:
        found = self.read("PRAGMA user_version").fetchone()[0]
        check_version(found, self.path)
        if found < VERSION:
            self.read(f"PRAGMA user_version={VERSION}")

    def script(self, sql: str) -> None:
        """Run a schema file; outside any transaction."""
        self.commit()
        self._guarded(self._connection.executescript, sql)

    def function(self, name: str, call: Callable[[Any], Any]) -> None:
        """Let SQL call a function of one argument by this name."""
        self._guarded(self._connection.create_function, name, 1, call)

    def write(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement inside the current transaction."""
        # Not by `_guarded`: a page takes a dozen statements, and a call more for each.
        if self._broken is not None or not self._connection.in_transaction:
            self._begin()
        try:
            return self._connection.execute(sql, values)
        except SQLITE_ERRORS as error:
            raise self._break(error) from error

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows inside the current transaction."""
        if self._broken is not None or not self._connection.in_transaction:
            self._begin()
        try:
            self._connection.executemany(sql, rows)
        except SQLITE_ERRORS as error:
            raise self._break(error) from error

    def read(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a query; it sees what this transaction wrote."""
        rows = self._connection.cursor(GuardedRows)
        rows.broken = self._break
        try:
            rows.execute(sql, values)
        except SQLITE_ERRORS as error:
            raise self._break(error) from error
        return rows

    def turn_ends(self) -> None:
        """A turn of the loop is complete: commit now if the last commit is long enough ago, otherwise as soon as it is."""
        if self._one:
            return
        wait = self._next_commit - time.monotonic()
        if wait <= 0:
            self.commit()
        elif self._alarm is None:
            self._alarm = _call_later(wait, self._commit_by_itself)

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Commit all that is written inside as one, at the end; what was complete before is committed first. Nothing may wait inside."""
        self.commit()
        self._one = True
        try:
            yield
        finally:
            self._one = False
        self.commit()

    def commit(self) -> None:
        """Make everything so far safe from kill -9."""
        self._cancel_alarm()
        if not self._connection.in_transaction:
            return
        self._refuse_if_broken()
        start = time.monotonic()
        try:
            for last_write in self.before_commit:
                last_write()
        except ThresherError as error:
            self._broken = error
            raise
        self._guarded(self._connection.execute, "COMMIT")
        end = time.monotonic()
        self._next_commit = end + max(self._commit_every, min(_COMMIT_SHARE * (end - start), _LONGEST_GROUP))
        self._empty_log()

    def _commit_by_itself(self) -> None:
        # Nobody called this, so nobody can be told what went wrong; the next write raises it.
        with suppress(ThresherError):
            self.commit()

    def close(self) -> None:
        """Commit and close. After the disk was full, or the file broken, only what was committed before is kept."""
        self._cancel_alarm()
        try:
            if self._broken is None:
                self.commit()
        finally:
            self._wait_for_checkpoint()
            self._connection.close()

    def _empty_log(self) -> None:
        """Move what is in the log into the file; in a thread, because it waits for the disk."""
        log = Path(f"{self.path}-wal")
        if _is_long(log, _LONGEST_LOG):
            # What was written since the thread began keeps the log from being begun anew. While nobody writes, all of it goes.
            self._wait_for_checkpoint()
            _checkpoint(self.path)
            return
        under_way = self._checkpoint is not None and self._checkpoint.is_alive()
        if under_way or not _is_long(log, _LOG):
            return
        self._checkpoint = Thread(target=_checkpoint, args=(self.path,), name="ledger-checkpoint", daemon=True)
        self._checkpoint.start()

    def _wait_for_checkpoint(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.join()

    def _begin(self) -> None:
        self._refuse_if_broken()
        if not self._connection.in_transaction:
            self._guarded(self._connection.execute, "BEGIN")

    def _refuse_if_broken(self) -> None:
        if self._broken is not None:
            raise type(self._broken)(*self._broken.args)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _guarded(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """An error of SQLite becomes one of ours, here and in the three above."""
        try:
            return call(*arguments)
        except SQLITE_ERRORS as error:
            raise self._break(error) from error

    def _break(self, error: Exception) -> ThresherError:
        # SQLite may have rolled back half a turn. What is written later would be kept without it, so nothing more is written.
        self._broken = explained(error, self.path)
        return self._broken


def _connect(path: Path | str) -> sqlite3.Connection:
    # The look-ups of the frontier are some seventy statements, one for each number of links.
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)


def _is_long(log: Path, most: int) -> bool:
    return log.exists() and log.stat().st_size > most


def _checkpoint(path: Path | str) -> None:
    # Passive: it never makes the writer wait, and what it leaves undone comes next time. If the disk is full, the next
    # commit will say so.
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle | None:
    try:
        return asyncio.get_running_loop().call_later(seconds, call)
    except RuntimeError:  # no loop is running, so nothing can be called later
        return None
