"""What the window remembers of a crawl while somebody looks: figures that are counted once, and shared by all who look.

A crawl of a million pages is counted in stretches of less than half a second, so that the first picture comes at once and the rest follows.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

from thresher.disk.crawl_home import Home, Place
from thresher.results.archive import Archive
from thresher.results.breadth_first_estimate import BreadthFirstEstimate, breadth_first_estimate
from thresher.results.watch.crawl_overview import CrawlOverview, crawl_overview
from thresher.results.watch.found_tree import FoundTree
from thresher.results.watch.now import Now, now_of
from thresher.results.watch.running_figures import RunningFigures
from thresher.results.watch.topic_now import RunningSightings, TopicNow, topic_now
from thresher.results.watch.trouble import Troubles, troubles

_MOST_CRAWLS = 16
"""Crawls whose figures are remembered; they grow with the hosts of a crawl."""
_MOST_LINES = 1000
"""Crawls whose overviews are remembered; each takes up to 40 kB."""
_STRETCH = 0.6
"""Seconds that counting may take before something is shown."""
_ESTIMATE_EVERY, _ESTIMATE_SHARE = 10.0, 100
"""Seconds between two estimates; more where an estimate takes long, so that they take no more than one part in so many."""


class Watched:
    """One crawl that is looked at."""

    def __init__(self) -> None:
        """Begin to watch."""
        self._figures, self._sightings = RunningFigures(), RunningSightings()
        self._lock = Lock()
        self._estimate: BreadthFirstEstimate | None = None
        self._estimate_due, self._estimated_of = 0.0, -1
        self._tree: tuple[int, FoundTree] | None = None

    def now(self, archive: Archive) -> tuple[Now, BreadthFirstEstimate | None]:
        """How far the crawl is, and what breadth-first would have found."""
        with self._lock:
            self._take_in(archive)
            return now_of(archive, self._figures, time.time()), self._expected(archive)

    def overview(self, archive: Archive) -> CrawlOverview:
        """The crawl in a line."""
        with self._lock:
            self._take_in(archive)
            return crawl_overview(archive, self._figures)

    def troubles(self, archive: Archive) -> Troubles:
        """What went wrong."""
        with self._lock:
            self._take_in(archive)
            return troubles(archive, self._figures)

    def tree(self, archive: Archive) -> FoundTree:
        """The hosts, each under the one that led to it."""
        with self._lock:
            self._take_in(archive)
            if self._tree is None or self._tree[0] != self._figures.visits:
                self._tree = self._figures.visits, FoundTree(self._figures)
            return self._tree[1]

    def topic(self, archive: Archive) -> TopicNow:
        """The topic as the crawl has met it."""
        with self._lock:
            _for_a_while(lambda: self._sightings.take_in(archive))
            return topic_now(archive, self._sightings)

    def _take_in(self, archive: Archive) -> None:
        _for_a_while(lambda: self._figures.take_in(archive))

    def _expected(self, archive: Archive) -> BreadthFirstEstimate | None:
        """The estimate, made anew only every so often: it takes longer than all the rest."""
        began = time.monotonic()
        if began >= self._estimate_due and self._estimated_of != self._figures.visits:
            self._estimate, self._estimated_of = breadth_first_estimate(archive), self._figures.visits
            took = time.monotonic() - began
            self._estimate_due = began + max(_ESTIMATE_EVERY, _ESTIMATE_SHARE * took)
        return self._estimate


def _for_a_while(step: Callable[[], bool]) -> None:
    until = time.monotonic() + _STRETCH
    while not step() and time.monotonic() < until:
        pass


class _Line:
    """The overview of a crawl, made anew only if something was kept since."""

    def __init__(self) -> None:
        self._kept: tuple[object, CrawlOverview] | None = None

    def of(self, home: Home) -> CrawlOverview:
        running, stamps = home.in_use(), home.changed()
        if not running and self._kept is not None and self._kept[0] == stamps:
            return self._kept[1]
        with Archive.of(home) as archive:
            found = watched(home).overview(archive)
        self._kept = (stamps, found) if found.counted == 1 and not running else None
        return found


@lru_cache(_MOST_CRAWLS)
def _watched_at(_: Place) -> Watched:
    return Watched()


@lru_cache(_MOST_LINES)
def _line_of(_: Place) -> _Line:
    return _Line()


def watched(home: Home) -> Watched:
    """What is remembered of a crawl; of many crawls, those that were looked at last."""
    return _watched_at(home.path)


def overview(home: Home) -> CrawlOverview:
    """A crawl in a line, as far as it is counted. Of one that stands still nothing is read again. It may be asked from any thread."""
    return _line_of(home.path).of(home)


class Changes:
    """Whether a crawl has changed since somebody looked: a look at its files, or a question to its server, which costs next to nothing."""

    def __init__(self, home: Home) -> None:
        """Watch a crawl."""
        self._home = home
        self._seen: object = None

    def there_are(self) -> bool:
        """Whether there is something new; of a crawl that runs, always. A server may take its time to answer."""
        running = self._home.in_use()
        now = running, self._home.changed()
        changed, self._seen = now != self._seen, now
        return changed or running

    def again(self) -> None:
        """Not all was shown: look again, whatever was kept."""
        self._seen = None
