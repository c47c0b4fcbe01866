"""What breadth-first would have found in place of a crawl: an estimate from the crawl's own ledger, without a request or a replay.

Breadth-first fetches the seeds, then everything that they link to, then everything that this links to. The ledger knows those urls, by their
distance from a seed: the ones that were fetched, with what came of them, and the ones that still wait, with their priorities.

1. A url that was fetched counts as what it was.
2. A url that waits counts as likely to be harvest as the fetched urls of the same priority were. The strategy chose by priority, so what it
   passed over is like what it took at the same priority, and not like what it took on the whole.
3. Distance by distance these are added up, until as many urls are fetched as the crawl fetched. Within one distance the order says nothing.

How far to trust it. The crawl follows links of promising pages first, so what it knows two links and more from the seeds comes from better
pages than breadth-first would have read: there the estimate is too kind to breadth-first. What waits with a lower priority than anything
that was fetched counts as the worst that was fetched: too kind again. Too hard on it is that a url counts at the distance at which it was
found first, which may not be its shortest. A strategy whose priorities say nothing of relevance (`random`, `depth-first`) gets an estimate
that is its own harvest. It is an expectation and no crawl: `thresher advise` replays one, `thresher lab` compares them on webs that stand still.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.frontier.waiting_list import sample_of_waiting
from thresher.results.archive import Archive
from thresher.store.overview import VisitSample, sample_of_fetches

_MOST = 20_000
"""Urls that are looked at, of those fetched and of those known: more would make the estimate hardly better, and slower."""
_FEWEST = 30
"""Fetches of links: from fewer nothing can be said of a priority."""
_IN_A_CLASS, _MOST_CLASSES = 40, 25


class BreadthFirstEstimate(NamedTuple):
    """The harvest that breadth-first would have had, about."""

    curve: list[tuple[float, float]]
    """Corners of the curve: pages fetched, and the relevant ones to be expected among them. Straight in between."""
    seen: float
    """The share of its fetches whose outcome is known, because the crawl made them too. The rest is estimated."""

    @property
    def relevant(self) -> float:
        """Relevant pages after as many fetches as the crawl made."""
        return self.curve[-1][1]

    def at(self, fetched: float) -> float:
        """Relevant pages to be expected after so many fetches."""
        return _between(self.curve, fetched)


class _Distance(NamedTuple):
    """What breadth-first finds at one distance from the seeds."""

    made: float
    """Urls that the crawl fetched."""
    waiting: float
    relevant: float
    """Of both together."""


def breadth_first_estimate(archive: Archive) -> BreadthFirstEstimate | None:
    """The estimate for a crawl; None if it was breadth-first itself, or has fetched too little to tell. It takes less than a second."""
    fetched = sample_of_fetches(archive.read, _MOST)
    links = [(priority, fresh) for depth, priority, fresh in fetched.urls if depth]
    if archive.settings.strategy["name"] == "breadth-first" or len(links) < _FEWEST:
        return None
    likely = _Likelihood(links)
    waiting = sample_of_waiting(archive.read, _MOST)
    urls = [(depth, likely(priority)) for depth, priority in waiting.urls]
    return _walk(_distances(fetched, urls, waiting.each), sum(fetched.each for _ in fetched.urls))


class _Likelihood:
    """How likely a url is harvest, by its priority: rising, as what was fetched says."""

    def __init__(self, fetched: Iterable[tuple[float, bool]]) -> None:
        ranked = sorted(fetched)
        size = max(_IN_A_CLASS, -(-len(ranked) // _MOST_CLASSES))
        classes = [ranked[start : start + size] for start in range(0, len(ranked), size)]
        self._from = [each[0][0] for each in classes]
        self._rates = _rising([(sum(fresh for _, fresh in each), len(each)) for each in classes])

    def __call__(self, priority: float) -> float:
        return self._rates[max(0, bisect_right(self._from, priority) - 1)]


def _rising(classes: Sequence[tuple[int, int]]) -> list[float]:
    """The rates of classes, neighbours that fall made one: the nearest rates that never fall.

    >>> _rising([(1, 10), (0, 10), (5, 10)])
    [0.05, 0.05, 0.5]
    """
    merged: list[list[int]] = []
    for found, size in classes:
        merged.append([found, size, 1])
        while len(merged) > 1 and merged[-2][0] * merged[-1][1] > merged[-1][0] * merged[-2][1]:
            last = merged.pop()
            merged[-1] = [mine + theirs for mine, theirs in zip(merged[-1], last, strict=True)]
    return [found / size for found, size, classes_in_it in merged for _ in range(classes_in_it)]


def _distances(fetched: VisitSample, waiting: Iterable[tuple[int, float]], each: int) -> list[_Distance]:
    """What there is at each distance, the nearest first."""
    found: dict[int, _Distance] = defaultdict(lambda: _Distance(0.0, 0.0, 0.0))
    for depth, _, fresh in fetched.urls:
        made, left, relevant = found[depth]
        found[depth] = _Distance(made + fetched.each, left, relevant + fresh * fetched.each)
    for depth, likely in waiting:
        made, left, relevant = found[depth]
        found[depth] = _Distance(made, left + each, relevant + likely * each)
    return [found[depth] for depth in sorted(found)]


def _walk(distances: Iterable[_Distance], budget: float) -> BreadthFirstEstimate:
    """Distance by distance, until the budget is spent."""
    curve, seen = [(0.0, 0.0)], 0.0
    for made, waiting, relevant in distances:
        so_far, before = curve[-1]
        size = made + waiting
        taken = min(1.0, (budget - so_far) / size)
        curve.append((so_far + taken * size, before + taken * relevant))
        seen += taken * made
        if taken < 1.0:
            break
    return BreadthFirstEstimate(curve, seen / budget)


def _between(corners: Sequence[tuple[float, float]], at: float) -> float:
    for (x, y), (next_x, next_y) in zip(corners, corners[1:], strict=False):
        if at <= next_x:
            return y + (next_y - y) * (at - x) / (next_x - x) if next_x > x else next_y
    return corners[-1][1]
