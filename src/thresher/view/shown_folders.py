"""Which crawls, and which results of the lab, the window shows: folders in, short names for their addresses out."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.lab.run.results_file import holds_results
from thresher.start import folder_name

_MOST = 1000
"""Crawls of one folder that are shown: more would be no list for a person."""


class Places:
    """The folders that were named, and the crawls and results of the lab in them, looked up anew each time."""

    def __init__(self, named: Iterable[Path]) -> None:
        """Look into these folders; each is a crawl, a result of the lab, or has some of them in it."""
        self.named = list(dict.fromkeys(path.absolute() for path in named))
        for path in self.named:
            if fault := _fault(path):
                raise BadInput(f"{path} {fault}: name the folder of a crawl, of several, or of results of the lab")

    @property
    def new_crawls(self) -> Path:
        """Where a crawl that is started here gets its folder."""
        first = self.named[0]
        return first.parent if _is_crawl(first) or holds_results(first) else first

    def crawls(self) -> dict[str, CrawlFolder]:
        """The crawls by their names in addresses."""
        return {name: CrawlFolder(path) for name, path in _by_name(self._paths(_is_crawl)).items()}

    def experiments(self) -> dict[str, Path]:
        """The results of the lab by their names in addresses."""
        return _by_name(self._paths(holds_results))

    def add(self, folder: Path) -> None:
        """Show one more crawl, wherever it lies."""
        path = folder.absolute()
        if path not in self.named and path.parent not in self.named:
            self.named.append(path)

    def name_of(self, folder: Path) -> str | None:
        """The name of a crawl in addresses; None if it is not shown."""
        return next((name for name, each in self.crawls().items() if each.path == folder.absolute()), None)

    def _paths(self, wanted: Callable[[Path], bool]) -> Iterator[Path]:
        for path in self.named:
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


def _by_name(paths: Iterable[Path]) -> dict[str, Path]:
    """Each path under the name of its folder; of several with one name, all but the first have a number."""
    found: dict[str, Path] = {}
    for path in dict.fromkeys(paths):
        name, number = folder_name(path.name), 1
        while name in found:
            number += 1
            name = f"{folder_name(path.name)}-{number}"
        found[name] = path
    return found
