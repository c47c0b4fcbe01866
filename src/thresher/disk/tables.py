"""The tables of a crawl as the process that crawls writes them, whichever database has them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from thresher.disk.rows import Tables


class TurnTables(Tables, Protocol):
    """The crawl's file (`Ledger`), or its part of a PostgreSQL database (`PostgresTables`): what a turn writes is kept as a whole."""

    @property
    def before_commit(self) -> list[Callable[[], None]]:
        """Called just before each commit, in order: last writes that belong to the transaction."""

    def turn_ends(self) -> None:
        """A turn of the loop is complete."""

    def as_one(self) -> AbstractContextManager[None]:
        """Commit all that is written inside as one, at the end."""
