"""The figures of a running crawl, once a minute, by the crawl's own clock."""

from thresher.crawl import CrawlLoop
from thresher.event_records import Record

_MINUTE = 60.0


class Minute:
    """Knows when a minute is over, and what was fetched in it."""

    def __init__(self, crawl: CrawlLoop) -> None:
        self._crawl = crawl
        self.begin()

    def begin(self) -> None:
        """Count from now."""
        self._at, self._fetched = self._crawl.clock.now(), self._crawl.tally.fetched

    def over(self) -> bool:
        """Whether a minute has passed. A clock that was set back must not silence us for hours."""
        return not 0 <= self._crawl.clock.now() - self._at < _MINUTE

    def figures(self) -> Record:
        """What a person wants to know of the crawl; the next minute begins."""
        tally, census = self._crawl.tally, self._crawl.frontier.census()
        seconds = self._crawl.clock.now() - self._at
        rate = (tally.fetched - self._fetched) / seconds if seconds > 0 else 0.0
        self.begin()
        return {
            "fetched": tally.fetched,
            "relevant": tally.relevant,
            "harvest": round(tally.harvest, 4),
            "rate": round(rate, 2),
            "waiting": census.waiting,
            "hosts": census.hosts,
            "resting": census.resting,
        }
