"""SQLite that may be damaged, full or of a newer format: whatever it says of that becomes one of our errors, in one sentence.

A page of the file may turn out to be damaged only when a row on it is fetched, so the rows are guarded as well as the question. And
damage may go unnoticed by SQLite and make nonsense of a value: `blaming_damage` looks for it where nonsense made something fail.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from thresher.errors import DamagedState, DiskFull, FolderError, FolderVersion, ThresherError

VERSION = 2
"""The format of a crawl's database: 2 since urls are kept under keys by which those of one host stand together."""
SQLITE_ERRORS: tuple[type[Exception], ...] = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What SQLite raises. Where the name of a table is damaged, its complaint is no text; where the length of a value is, it asks for
all memory."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_NONSENSE = (ValueError, LookupError, TypeError, ArithmeticError, AssertionError)
"""What our own code raises where a value is none that it wrote."""


class GuardedRows(sqlite3.Cursor):
    """What a query found."""

    broken: Callable[[Exception], ThresherError]
    """Makes an error of ours of one of SQLite's."""

    def fetchone(self) -> Any:
        """The next row, or None."""
        try:
            return super().fetchone()
        except SQLITE_ERRORS as error:
            raise self.broken(error) from error

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        try:
            return super().fetchall()
        except SQLITE_ERRORS as error:
            raise self.broken(error) from error

    def __next__(self) -> Any:
        """The next row."""
        try:
            return super().__next__()
        except SQLITE_ERRORS as error:
            raise self.broken(error) from error

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # a call of `__next__` a row would cost more
        """The rows, one at a time."""
        try:
            yield from iter(super().fetchone, None)
        except SQLITE_ERRORS as error:
            raise self.broken(error) from error


class ReadOnly(sqlite3.Connection):
    """A crawl's database, opened to be read. `read_only` makes one."""

    path: Path
    views: object = None

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> GuardedRows:  # type: ignore[override]  # no table of names
        """Ask a question."""
        rows = self.cursor(GuardedRows)
        rows.broken = self._explained
        try:
            sqlite3.Cursor.execute(rows, sql, values)
        except SQLITE_ERRORS as error:
            raise self._explained(error) from error
        return rows

    def _explained(self, error: Exception) -> ThresherError:
        return explained(error, self.path)


def read_only(path: Path) -> ReadOnly:
    """Open a crawl's database to read it; a crawl that runs is not disturbed."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, factory=ReadOnly)
    except SQLITE_ERRORS as error:
        raise explained(error, path) from error
    connection.path = path
    try:
        check_version(connection.execute("PRAGMA user_version").fetchone()[0], path)
    except BaseException:
        connection.close()
        raise
    return connection


def check_version(found: int, path: Path | str) -> None:
    """A newer format may mean other things by the same names."""
    if found > VERSION:
        raise FolderVersion(f"{path} has format {found}, this Thresher reads up to {VERSION}: upgrade thresher")


def explained(error: Exception, path: Path | str) -> DiskFull | FolderError:
    """What went wrong, as an error of ours."""
    if _is_full(error, path):
        return DiskFull(f"no room left on the disk: {path} cannot be written to")
    return FolderError(f"{path} cannot be used as a crawl's database: {_words(error)}")


def is_damage(error: Exception) -> bool:
    """Whether SQLite says that the file itself is damaged."""
    return _kind(error) in _DAMAGED or not isinstance(error, sqlite3.Error)


def damage_in(path: Path) -> FolderError | None:
    """What is wrong with a database, if SQLite finds anything when it looks at all of it."""
    try:
        with closing(read_only(path)) as connection:
            found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except FolderError as error:
        return error
    return None if found == "ok" else FolderError(f"{path} is damaged: {' '.join(found.split())}")


@contextmanager
def blaming_damage(path: Path) -> Iterator[None]:
    """If something fails over a value that makes no sense, look whether the database is damaged, and say so."""
    try:
        yield
    except DamagedState as error:
        raise FolderError(f"{path}: {error}") from error
    except _NONSENSE as error:
        if (damage := damage_in(path)) is not None:
            raise damage from error
        raise


def _words(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "a value in it takes more memory than there is"
    if isinstance(error, UnicodeError):
        return "the names of its tables are no text"
    # SQLite may quote what it could not read.
    return " ".join(str(error).partition(" with text ")[0].split())


def _kind(error: Exception) -> int:
    """The kind of an error; SQLite has numbers for finer ones, above the first byte."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _is_full(error: Exception, path: Path | str) -> bool:
    """Whether the disk is full. SQLite says so, or speaks of an error of input or output where it could not make a file longer."""
    if _kind(error) == sqlite3.SQLITE_IOERR:
        with suppress(OSError):
            return os.statvfs(Path(path).parent).f_bavail == 0
    return _kind(error) == sqlite3.SQLITE_FULL
