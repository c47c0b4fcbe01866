"""Where a crawl lives: in a folder of its own, or in a part of a PostgreSQL database that several machines share."""

from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Readable
from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.tables import Tables
from thresher.errors import BadInput

Place = Path | LedgerAddress
"""What a user names a crawl by."""


class Home(Protocol):
    """One crawl's place, whether a crawl was begun there or not."""

    @property
    def path(self) -> Place:
        """How a user names it."""

    @property
    def name(self) -> str:
        """What files that are made of it are called after."""

    @property
    def settings_name(self) -> str:
        """How messages call its settings."""

    @property
    def exists(self) -> bool:
        """Whether a crawl was started here."""

    @property
    def begun(self) -> bool:
        """Whether it has tables to read."""

    @property
    def fault(self) -> str:
        """Why it is no crawl, if it is none: the end of a sentence that begins with its path."""

    def settings_text(self) -> str:
        """The settings that it goes on with, as a crawl file."""

    def write_settings(self, text: str) -> None:
        """Keep the settings for the next run."""

    def check_empty(self) -> None:
        """A new crawl must not be begun where other things are."""

    def in_use(self) -> bool:
        """Whether a process is crawling into it now."""

    def at_work(self) -> list[str] | None:
        """Who crawls into it now, each by machine and process; None where there is never more than one process."""

    def began(self) -> float | None:
        """When the process that crawls into it began, in seconds since 1970; None if there is none."""

    def changed(self) -> object:
        """What differs after anything was kept: a look that costs next to nothing."""

    def catalogue(self) -> Readable:
        """Its tables, to be read."""

    def tables(self) -> AbstractContextManager[Tables]:
        """Its tables, to be written to by whoever holds its lock."""

    def blaming_damage(self) -> AbstractContextManager[None]:
        """If something fails over a value that makes no sense, look whether the tables are damaged, and say so."""

    def __enter__(self) -> Self:
        """Lock it: one process at a time changes what was kept."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Unlock it."""


def home_of(place: Place) -> Home:
    """Where the crawl of that name lives."""
    if isinstance(place, Path):
        return CrawlFolder(place)
    from thresher.disk.postgres_home import PostgresHome  # noqa: PLC0415 - psycopg is an extra

    return PostgresHome(place)


def folder_of(home: Home, doing: str) -> CrawlFolder:
    """The folder that a crawl lives in, for what can be done with folders alone."""
    if isinstance(home, CrawlFolder):
        return home
    raise BadInput(f"{home.path} is in a database, and {doing} needs a folder: thresher move copies it into one")


def absolute(place: Place) -> Place:
    """The same place, whichever folder one is in, and however it was spelt."""
    return place.resolve() if isinstance(place, Path) else place


def place_of(text: str) -> Place:
    """What a text names: the address of a database, or a folder."""
    return LedgerAddress.of(text) or Path(text)
