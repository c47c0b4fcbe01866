"""What a question to a crawl's database gives, in SQLite and in PostgreSQL alike.

Who reads a crawl takes a way to read (`Read`): the `execute` of a connection, or the `read` of a ledger. Questions are asked in words that
both databases understand; `shared_sql` says what they are.
"""

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Protocol


class Row(Protocol):
    """A row, by the places and by the names of its columns."""

    def __getitem__(self, key: int | str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def keys(self) -> list[str]:
        """The names of the columns."""


class FoundRows(Protocol):
    """What a question found."""

    @property
    def description(self) -> Any:
        """For each column a sequence that begins with its name."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""


Read = Callable[..., FoundRows]
"""Takes SQL and its values."""


class Readable(Protocol):
    """A connection that reads a crawl."""

    views: object
    """Which temporary views it was given, for whoever gives them; None if none, or if more was made since."""

    def execute(self, sql: str, values: Any = ..., /) -> FoundRows:
        """Ask a question."""

    def close(self) -> None:
        """Leave."""


def by_name(rows: FoundRows) -> FoundRows:
    """The same rows, so that columns can be asked for by their names."""
    if isinstance(rows, sqlite3.Cursor):
        rows.row_factory = sqlite3.Row
    return rows


def has_table(read: Read, name: str) -> bool:
    """Whether there is a table of that name."""
    return read("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone() is not None


def columns_of(read: Read, table: str) -> list[str]:
    """The names of the columns of a table or view."""
    return [column[0] for column in read(f"SELECT * FROM {table} LIMIT 0").description]  # noqa: S608 - a name of our own
