"""The figures of a crawl that may be running: each visit is taken in once, and what is kept of them does not grow with them.

>>> figures = RunningFigures()
>>> figures.take_in_all(archive)
>>> figures.relevant

A crawl of a million pages is not counted anew each second: whoever watches holds on to the figures and takes in what is new. If pages
were judged anew, or the folder holds another crawl than before, all is counted from the beginning.
"""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from heapq import heappush, heappushpop, nsmallest
from math import inf
from typing import NamedTuple

from thresher.model import PAGE, READ
from thresher.results.archive import Archive
from thresher.store.glances import Glance, glances_after, moment_of
from thresher.store.totals import LONGEST_GAP
from thresher.store.visits import newest_visit
from thresher.urls import host_of

MOST_POINTS = 240
"""Points of a curve, however long the crawl is."""
MOST_AT_ONCE = 20_000
MINUTE = 60.0
_MOST_MOMENTS = 20_000
_MOST_PROMISING = 60
_MOST_GIVEN_UP = 60
NOT_ALLOWED = frozenset({"robots", "scope", "reserved", "private-address", "bad-port", "denied"})
"""Outcomes of what was left out on purpose."""
GIVEN_UP = frozenset(
    {"too-slow", "too-large", "crashed", "document-too-slow", "document-too-large", "document-crashed"}
)
"""Outcomes of pages that took too much time or memory to read."""


class CurvePoint(NamedTuple):
    """How far a crawl had come."""

    fetched: int
    relevant: int
    seconds: float
    """Under way by then; breaks between its runs are left out."""

    @property
    def harvest(self) -> float:
        """Relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


class GrowingCurve:
    """A curve of bounded length: when it has too many points every second one goes, and from then on half as many come."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most, self._step = most, 1
        self._points: list[CurvePoint] = []
        self._last = (0, 0, 0.0)

    def add(self, fetched: int, relevant: int, seconds: float) -> None:
        """The crawl has fetched one more. This is done for each of a million fetches, so that a point is made only where one is kept."""
        self._last = fetched, relevant, seconds
        if fetched % self._step:
            return
        self._points.append(CurvePoint(fetched, relevant, seconds))
        if len(self._points) > self._most:
            self._points = self._points[1::2]
            self._step *= 2

    def points(self) -> tuple[CurvePoint, ...]:
        """The curve, up to the latest fetch."""
        ends = not self._points or self._points[-1].fetched == self._last[0]
        return tuple(self._points) if ends else (*self._points, CurvePoint(*self._last))


@dataclass(slots=True)
class HostTally:
    """What came of a host so far."""

    found_from: str | None
    """The host whose page led here first; None if it is a seed's."""
    fetched: int = 0
    relevant: int = 0
    troubles: int = 0
    retries: int = 0


@dataclass
class TroubleTally:
    """What went wrong so far."""

    kinds: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By outcome, how often on each host."""
    retries: int = 0
    """Tries that failed and were made again."""
    came_later: int = 0
    """Urls that gave something at a later try."""
    lost: int = 0
    """Urls that were tried again and gave nothing."""
    promising: list[tuple[float, int]] = field(default_factory=list)
    """A heap: the priority of what could not be read, and the number of the visit."""
    given_up: deque[int] = field(default_factory=lambda: deque(maxlen=_MOST_GIVEN_UP))
    """The latest visits whose pages took too much to read."""

    def note(self, visit: Glance) -> None:
        """Take note of a visit."""
        wrong = visit.outcome not in READ
        if visit.tries:
            self.retries += visit.tries
            self.lost += wrong
            self.came_later += not wrong
        if wrong:
            self._note_wrong(visit)

    def _note_wrong(self, visit: Glance) -> None:
        self.kinds[visit.outcome][visit.host] += 1
        if visit.outcome in GIVEN_UP:
            self.given_up.append(visit.number)
        if visit.outcome not in NOT_ALLOWED:
            push = heappush if len(self.promising) < _MOST_PROMISING else heappushpop
            push(self.promising, (visit.priority, visit.number))


class RunningFigures:
    """All figures that are counted visit by visit. It grows with the hosts, not with the visits."""

    def __init__(self) -> None:
        self._begin(None, 0)

    def _begin(self, judged: int | None, dry_window: int) -> None:
        self.visits = 0
        """The number of the latest visit that was taken in."""
        self.fetched = self.relevant = self.bytes = self.pages = 0
        self.seconds = 0.0
        self.curve = GrowingCurve()
        self.hosts: dict[str, HostTally] = {}
        self.trouble = TroubleTally()
        self.recent: deque[bool] = deque(maxlen=dry_window)
        """Of the latest fetches, as many as tell whether the harvest dries up: was it harvest?"""
        self.newest = 0
        """The number of the latest visit there is."""
        self._moments: deque[float] = deque(maxlen=_MOST_MOMENTS)
        self._before = inf
        self._latest: tuple[int, float] | None = None
        self._judged = judged

    @property
    def harvest(self) -> float:
        """Relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def counted(self) -> float:
        """The share of the visits that is counted; 1 if all are."""
        return self.visits / self.newest if self.visits < self.newest else 1.0

    def take_in(self, archive: Archive, most: int = MOST_AT_ONCE) -> bool:
        """Take in the next visits; True if all that are there are counted."""
        judged, window = archive.judged.number if archive.judged else None, archive.budget.dry_window
        known = judged == self._judged and window == self.recent.maxlen
        if not known or (self.visits and moment_of(archive.read, self.visits) != self._latest):
            self._begin(judged, window)
        self.newest = newest_visit(archive.read)
        if self.newest == self.visits:
            return True
        for visit in glances_after(archive.read, self.visits, most):
            self._count(visit)
        self._latest = moment_of(archive.read, self.visits)
        return self.visits >= self.newest

    def take_in_all(self, archive: Archive) -> None:
        """Take in all visits that are there; a second or more for each million."""
        while not self.take_in(archive):
            pass

    def _count(self, visit: Glance) -> None:
        outcome, name = visit.outcome, visit.host
        self.visits = visit.number
        host = self.hosts.get(name)
        if host is None:
            host = self.hosts[name] = HostTally(_host_of(visit.parent))
        if outcome == PAGE:
            self.pages += 1
        wrong = outcome not in READ
        if wrong or visit.tries:
            host.troubles += wrong
            host.retries += visit.tries
            self.trouble.note(visit)
        if visit.asked:
            self._count_fetch(visit, host)

    def _count_fetch(self, visit: Glance, host: HostTally) -> None:
        fresh, at = visit.fresh, visit.at
        self.fetched += 1
        self.bytes += visit.bytes
        self.relevant += fresh
        host.fetched += 1
        host.relevant += fresh
        self.recent.append(bool(fresh))
        if 0 <= at - self._before <= LONGEST_GAP:
            self.seconds += at - self._before
        self._before = at
        if visit.number > self.newest - _MOST_MOMENTS:
            self._moments.append(at)
        self.curve.add(self.fetched, self.relevant, self.seconds)

    def pace(self, now: float) -> float:
        """Fetches a second, over the latest minute."""
        while self._moments and self._moments[0] < now - MINUTE:
            self._moments.popleft()
        if not self._moments:
            return 0.0
        # Of a crawl that has just begun, or is very fast, fewer seconds than a minute are known.
        shorter = self.seconds < MINUTE or len(self._moments) == _MOST_MOMENTS
        return len(self._moments) / max(1.0, now - self._moments[0] if shorter else MINUTE)

    @property
    def mean_pace(self) -> float:
        """Fetches a second, over all the time that the crawl was under way."""
        return self.fetched / self.seconds if self.seconds > 0 else 0.0

    def best_hosts(self, most: int) -> list[tuple[str, HostTally]]:
        """The hosts with a harvest, most relevant pages first."""
        found = (each for each in self.hosts.items() if each[1].relevant)
        return nsmallest(most, found, key=lambda each: (-each[1].relevant, each[1].fetched, each[0]))


def _host_of(url: str | None) -> str | None:
    """Of a file that somebody sent, anything may stand where a url is expected."""
    return host_of(url) if url and url.count("/") > 1 else None  # type: ignore[arg-type]  # a url of the catalogue
