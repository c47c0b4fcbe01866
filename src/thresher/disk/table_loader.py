"""Tables that are read and filled as a whole, when a crawl moves from one database to the other.

A row is the same in both: what is yes or no is 1 or 0, and no text has a NUL, which PostgreSQL cannot keep.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from thresher.disk.found_rows import Read, has_table
from thresher.disk.ledger import Ledger

Moved = tuple[Any, ...]
"""A row, as it is in both databases."""
BATCH = 5000
"""Rows that are written at a time."""


class Loader(Protocol):
    """Fills tables of a crawl that nobody else sees yet."""

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Moved]) -> None:
        """Add rows to a table."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Do something else to the tables."""


class SqliteLoader:
    """Fills the file of a folder."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Moved]) -> None:
        """Add rows to a table."""
        marks = ", ".join("?" * len(columns))
        self.ledger.write_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608 - names of our own
        self.ledger.turn_ends()

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Do something else to the tables."""
        self.ledger.write(sql, values)


class SameTable(NamedTuple):
    """A table that has the same columns in both databases."""

    name: str
    columns: tuple[str, ...]
    order: str
    """The columns by which its rows are unique, and are read in order."""
    where: str = ""

    def rows(self, read: Read) -> Iterator[Moved]:
        """All rows, in order. A table that is made when it is first needed may not be there."""
        if not has_table(read, self.name):
            return iter(())
        asked = f"SELECT {', '.join(self.columns)} FROM {self.name} {self.where} ORDER BY {self.order}"  # noqa: S608 - names of our own
        return map(plain_row, read(asked))

    def fill(self, loader: Loader, rows: Sequence[Moved]) -> None:
        """Add rows."""
        loader.load(self.name, self.columns, rows)


def plain_row(row: Sequence[Any]) -> Moved:
    """The row as it is in both databases."""
    return tuple([value if type(value) in _AS_IT_IS else _plain(value) for value in row])


_AS_IT_IS = frozenset({int, float, bytes, type(None)})


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in value else value
    if isinstance(value, bool):
        return int(value)
    return bytes(value) if isinstance(value, memoryview | bytearray) else value
