"""What breadth-first would have found in place of a crawl, as far as the crawl's own ledger can tell, without a request or a replay.

Breadth-first fetches the seeds, then everything that they link to. A crawl by any strategy fetches its seeds first too, so the ledger knows
these urls, all of them, in the scope of the crawl:

1. one that was fetched counts as what it was;
2. one that still waits counts as likely to be harvest as the fetched links of the same priority were. The strategy chose by priority, so
   what it passed over is like what it took at the same priority, and not like what it took on the whole.

There the estimate ends. Two links from the seeds, breadth-first would read what is on pages that the crawl has passed over, and nobody
knows what these link to. An estimate for the whole length of a crawl was tried and held against real breadth-first crawls of four webs: it
said 40, 10, 29 and 18 relevant pages where there were 34, 1, 15 and 36. Up to where it ends now it said 1, 0, 6.5 and 0.7 where there were
1, 0, 5 and 0.

How far to trust it: what waits with a lower priority than anything that was fetched counts as the worst that was fetched, which is too kind
to breadth-first. While the seeds are not all fetched, what the others link to is not in it. Priorities of a strategy that learns meant
other things when it began. It is an expectation and no crawl: `thresher advise` replays one, and `thresher compare` holds two real ones
against each other.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.frontier.reading import near_the_seeds
from thresher.results.archive import Archive
from thresher.store.overview import FetchedUrl, fetches_of, sample_of_links

_MOST = 20_000
"""Urls that are looked at, of those near the seeds and of those fetched: more would make the estimate hardly better, and slower."""
_FEWEST = 30
"""Fetched links: from fewer nothing can be said of a priority."""
_IN_A_CLASS, _MOST_CLASSES = 40, 25


class BreadthFirstEstimate(NamedTuple):
    """The first part of a breadth-first crawl from the same seeds: the seeds, and all that they link to."""

    seeds: int
    """Seeds that were fetched,"""
    of_seeds: int
    """and the relevant pages among them."""
    links: int
    """What they link to."""
    of_links: float
    """The relevant pages to be expected among these."""
    seen: float
    """The share of all these urls that the crawl has fetched too, so that it is known what they are."""

    @property
    def fetched(self) -> int:
        """How many fetches it goes."""
        return self.seeds + self.links

    @property
    def relevant(self) -> float:
        """How many relevant pages are to be expected in these."""
        return self.of_seeds + self.of_links

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Its corners: pages fetched, and the relevant ones to be expected among them. Straight in between."""
        return [(0.0, 0.0), (self.seeds, self.of_seeds), (self.fetched, self.relevant)]

    def at(self, fetched: float) -> float:
        """Relevant pages to be expected after so many fetches, up to `fetched`. The order of links says nothing: they rise evenly."""
        if fetched <= self.seeds:
            return self.of_seeds * fetched / self.seeds
        return self.of_seeds + self.of_links * min(1.0, (fetched - self.seeds) / self.links)


def breadth_first_estimate(archive: Archive) -> BreadthFirstEstimate | None:
    """The estimate for a crawl; None if it is breadth-first itself, or has fetched too little to tell. It takes less than a second."""
    if archive.settings.strategy["name"] == "breadth-first":
        return None
    links = sample_of_links(archive.read, _MOST)
    near = near_the_seeds(archive.read, _MOST)
    if len(links) < _FEWEST or not any(each.depth for each in near):
        return None
    made = fetches_of(archive.read, [each.url for each in near if each.priority is None])
    likely = _Likelihood(links)
    seeds = [made[each.url] for each in near if each.url in made and not each.depth]
    taken = [made[each.url] for each in near if each.url in made and each.depth]
    left = [likely(each.priority) for each in near if each.priority is not None and each.depth]
    if not seeds or not taken + left:
        return None
    size = len(taken) + len(left)
    found = sum(each.fresh for each in taken) + sum(left)
    seen = (len(seeds) + len(taken)) / (len(seeds) + size)
    return BreadthFirstEstimate(len(seeds), sum(each.fresh for each in seeds), size, found, seen)


class _Likelihood:
    """How likely a url is harvest, by its priority: rising, as what was fetched says."""

    def __init__(self, fetched: Iterable[FetchedUrl]) -> None:
        ranked = sorted(fetched)
        size = max(_IN_A_CLASS, -(-len(ranked) // _MOST_CLASSES))
        classes = [ranked[start : start + size] for start in range(0, len(ranked), size)]
        self._from = [each[0].priority for each in classes]
        self._rates = _rising([(sum(one.fresh for one in each), len(each)) for each in classes])

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
