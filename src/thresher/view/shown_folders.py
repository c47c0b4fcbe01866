"""Which crawls, and which results of the lab, the window shows: folders and databases in, short names for their addresses out."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from thresher.disk.crawl_home import Home, Place
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput, LedgerError
from thresher.lab.run.results_file import holds_results
from thresher.start import folder_name

_Named = TypeVar("_Named", Path, Place)
_MOST = 1000
"""Crawls of one folder that are shown: more would be no list for a person."""


class Places:
    """What was named. The crawls and results of the lab in folders are looked up anew each time."""

    def __init__(self, named: Iterable[Place]) -> None:
        """Look into these folders, each a crawl, a result of the lab, or with some of them in it; and at crawls in databases."""
        given = list(named)
        self.folders = list(dict.fromkeys(each.absolute() for each in given if isinstance(each, Path)))
        self._databases = {each: _in_database(each) for each in given if isinstance(each, LedgerAddress)}
        for path in self.folders:
            if fault := _fault(path):
                raise BadInput(f"{path} {fault}: name the folder of a crawl, of several, or of results of the lab")

    @property
    def named(self) -> list[Place]:
        """The folders and databases."""
        return [*self.folders, *self._databases]

    @property
    def new_crawls(self) -> Path:
        """Where a crawl that is started here gets its folder."""
        first = next(iter(self.folders), Path().absolute())
        return first.parent if _is_crawl(first) or holds_results(first) else first

    def crawls(self) -> dict[str, Home]:
        """The crawls by their names in addresses."""
        places: list[Place] = [*self._paths(_is_crawl), *self._databases]
        found = _by_name(places)
        return {name: CrawlFolder(at) if isinstance(at, Path) else self._databases[at] for name, at in found.items()}

    def away(self) -> list[str]:
        """What is wrong with servers that cannot be asked now, in a sentence each. It is an error if one has no such crawl."""
        return [why for home in self._databases.values() if (why := _why_away(home))]

    def experiments(self) -> dict[str, Path]:
        """The results of the lab by their names in addresses."""
        return _by_name(self._paths(holds_results))

    def add(self, folder: Path) -> None:
        """Show one more crawl, wherever it lies."""
        path = folder.absolute()
        if path not in self.folders and path.parent not in self.folders:
            self.folders.append(path)

    def name_of(self, folder: Path) -> str | None:
        """The name of a crawl in addresses; None if it is not shown."""
        return next((name for name, each in self.crawls().items() if each.path == folder.absolute()), None)

    def _paths(self, wanted: Callable[[Path], bool]) -> Iterator[Path]:
        for path in self.folders:
            if wanted(path):
                yield path
            else:
                yield from sorted(each for each in _inside(path) if _allowed(each) and wanted(each))[:_MOST]


def _fault(path: Path) -> str:
    """Why nothing can be shown of what is there; empty if something can."""
    if not path.is_dir():
        return "is a file" if path.exists() else "is not there"
    return "" if _allowed(path) else "may not be read"


def _inside(path: Path) -> list[Path]:
    try:
        return list(path.iterdir())
    except OSError:  # it has vanished
        return []


def _allowed(path: Path) -> bool:
    """Whether it is a folder that may be looked into. To ask for a file in another would fail."""
    return path.is_dir() and os.access(path, os.R_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def _is_crawl(path: Path) -> bool:
    return CrawlFolder(path).exists


def _in_database(address: LedgerAddress) -> Home:
    """A crawl in a database. It is asked every second, by connections that are used again."""
    from thresher.disk.postgres_home import PostgresHome  # noqa: PLC0415 - psycopg is an extra

    return PostgresHome(address, spares=True)


def _why_away(home: Home) -> str:
    try:
        if not home.exists:
            raise BadInput(f"{home.path} {home.fault}")
    except LedgerError as error:
        return str(error)
    return ""


def _by_name(paths: Iterable[_Named]) -> dict[str, _Named]:
    """Each place under the name of its folder or crawl; of several with one name, all but the first have a number."""
    found: dict[str, _Named] = {}
    for path in dict.fromkeys(paths):
        name, number = folder_name(path.name), 1
        while name in found:
            number += 1
            name = f"{folder_name(path.name)}-{number}"
        found[name] = path
    return found
