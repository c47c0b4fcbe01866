"""A crawl at a glance, to be seen beside others: what it is about, how it stands, and its curve."""

from typing import NamedTuple

from thresher.orders.state import CrawlState, crawl_state
from thresher.results.archive import Archive
from thresher.results.plain_text import one_line, short_line
from thresher.results.watch.running_figures import CurvePoint, RunningFigures
from thresher.store.glances import moment_of

_LONGEST_TOPIC = 120


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


def crawl_overview(archive: Archive, figures: RunningFigures) -> CrawlOverview:
    """How a crawl stands now, by the figures that were counted of it."""
    settings, first, last = archive.settings, moment_of(archive.read, 1), moment_of(archive.read, figures.newest)
    return CrawlOverview(
        short_line(settings.topic, _LONGEST_TOPIC),
        one_line(settings.strategy["name"]),
        one_line(settings.judge["name"]),
        crawl_state(archive.folder),
        figures.fetched,
        figures.relevant,
        figures.bytes,
        sum(host.fetched > 0 for host in figures.hosts.values()),
        figures.seconds,
        first and first[1],
        last and last[1],
        figures.counted,
        figures.curve.points(),
    )
