"""What the window remembers of a crawl while somebody looks: figures that are counted once, and shared by all who look.

A crawl of a million pages is counted in stretches of less than half a second, so that the first picture comes at once and the rest follows.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from thresher.disk.folder import CrawlFolder
from thresher.results.archive import Archive
from thresher.results.breadth_first_estimate import BreadthFirstEstimate, breadth_first_estimate
from thresher.results.watch.found_tree import FoundTree
from thresher.results.watch.now import Now, now_of
from thresher.results.watch.running_figures import RunningFigures
from thresher.results.watch.topic_now import RunningSightings, TopicNow, topic_now
from thresher.results.watch.trouble import Troubles, troubles

_MOST_CRAWLS = 16
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


_known: OrderedDict[Path, Watched] = OrderedDict()


def watched(folder: CrawlFolder) -> Watched:
    """What is remembered of a crawl; of many crawls, those that were looked at last."""
    found = _known.pop(folder.path, None) or Watched()
    _known[folder.path] = found
    while len(_known) > _MOST_CRAWLS:
        _known.popitem(last=False)
    return found


class Changes:
    """Whether a crawl has changed since somebody looked: a look at its files, which costs nothing."""

    def __init__(self, folder: CrawlFolder) -> None:
        """Watch a folder."""
        self._folder = folder
        self._seen: object = None

    def there_are(self) -> bool:
        """Whether there is something new; of a crawl that runs, always."""
        running = self._folder.in_use()
        now = (running, *map(_stamp, self._files()))
        changed, self._seen = now != self._seen, now
        return changed or running

    def again(self) -> None:
        """Not all was shown: look again, whatever the files say."""
        self._seen = None

    def _files(self) -> tuple[Path, ...]:
        database = self._folder.database
        return database, database.with_name(f"{database.name}-wal"), self._folder.settings


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
