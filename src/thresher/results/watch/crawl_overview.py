"""Several crawls at a glance: what each is about, how it stands, and its curve."""

import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from thresher.disk.folder import CrawlFolder
from thresher.orders.state import CrawlState, crawl_state
from thresher.results.archive import Archive
from thresher.results.plain_text import one_line, short_line
from thresher.results.watch.running_figures import CurvePoint, RunningFigures
from thresher.store.glances import moment_of

_LONGEST_TOPIC = 120
_SECONDS = 0.5
"""A crawl is counted for so long at a time; what is left is counted when it is asked again."""


class CrawlOverview(NamedTuple):
    """A crawl in a line."""

    topic: str
    strategy: str
    judge: str
    state: CrawlState
    fetched: int
    relevant: int
    bytes: int
    hosts: int
    seconds: float
    """Under way; breaks between its runs are left out."""
    begun: float | None
    """When the first page came, in seconds since 1970."""
    latest: float | None
    """When the latest came."""
    counted: float
    """The share of its visits that is counted; 1 if all are."""
    curve: tuple[CurvePoint, ...]

    @property
    def harvest(self) -> float:
        """Relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


class Overviews:
    """The figures of all crawls that were asked for. Each visit is counted once, whoever asks."""

    def __init__(self) -> None:
        self._figures: dict[Path, RunningFigures] = {}
        self._locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)

    def of(self, folder: CrawlFolder) -> CrawlOverview:
        """How a crawl stands now. It may be asked from any thread."""
        with self._locks[folder.path], Archive.open(folder.path) as archive:
            figures = self._figures.setdefault(folder.path, RunningFigures())
            _take_in(figures, archive)
            return _overview(archive, figures, crawl_state(folder))


def _take_in(figures: RunningFigures, archive: Archive) -> None:
    until = time.monotonic() + _SECONDS
    while not figures.take_in(archive) and time.monotonic() < until:
        pass


def _overview(archive: Archive, figures: RunningFigures, state: CrawlState) -> CrawlOverview:
    settings, first, last = archive.settings, moment_of(archive.read, 1), moment_of(archive.read, figures.newest)
    return CrawlOverview(
        short_line(settings.topic, _LONGEST_TOPIC),
        one_line(settings.strategy["name"]),
        one_line(settings.judge["name"]),
        state,
        figures.fetched,
        figures.relevant,
        figures.bytes,
        sum(host.fetched > 0 for host in figures.hosts.values()),
        figures.seconds,
        first and first[1],
        last and last[1],
        figures.visits / figures.newest if figures.newest else 1.0,
        figures.curve.points(),
    )
