"""The tables of a crawl, whichever database has them: how the rooms that own tables read and write them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Tables(Protocol):
    """The crawl's file (`Ledger`), or its part of a PostgreSQL database (`PostgresTables`)."""

    @property
    def before_commit(self) -> list[Callable[[], None]]:
        """Called just before each commit, in order: last writes that belong to the transaction."""

    def read(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run a query: a cursor over its rows."""

    def write(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run one statement inside the current transaction."""

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows inside the current transaction."""

    def turn_ends(self) -> None:
        """A turn of the loop is complete."""

    def as_one(self) -> AbstractContextManager[None]:
        """Commit all that is written inside as one, at the end."""

    def commit(self) -> None:
        """Make everything so far safe from kill -9."""
