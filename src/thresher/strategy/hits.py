"""HITS crawling: the waiting url that the best hubs point to comes next.

Paper: Kayışoğlu 2005, §2.4.3, equations 3 and 4 (after Kleinberg 1999):

    A(p) = Σ_{q links to p} H(q)        H(p) = Σ_{p links to q} A(q)

over a base set: the root set, what it links to, and what links to it.

Unclear in the paper, and how it was read: the values grow without end unless each round ends with both lists of length 1, so it does, until
no value moves by more than 1e-8 (or 200 rounds). The root set is 200 hits of a search engine; in a crawl they are the 200 visited pages
of the highest relevance, older ones first. How often to compute is not said: every 25 pages, as for PageRank. The priority of a waiting url
is its authority (`by="authority"`), or the hub value of the best page that links to it (`by="hub"`); outside the base set it is 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.model import Link, Sharing, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.crawled_graph import CrawledGraph, Numbers
from thresher.strategy.parameters import within

Floats = NDArray[np.float64]
_DIGITS = 7
_ROUNDS = 200


class Hits(Strategy):
    """Follow the links that the best hubs among the most relevant pages point to."""

    sharing: Sharing = "one learner"

    def __init__(self, root: int = 200, every: int = 25, by: Literal["authority", "hub"] = "authority") -> None:
        within("hits", 1, root=root, every=every)
        self._root, self._every, self._by = root, every, by
        self._graph = CrawledGraph()
        self._told: dict[Url, float] = {}
        self._due = False

    def learn(self, visit: Visit) -> None:
        """A url that was visited waits no more."""
        self._graph.settle(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Nothing yet: a link has its value from the next computation on."""
        self._graph.add(visit, links)
        self._due = len(self._graph.pages) % self._every == 0
        return [0.0] * len(links)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """After every `every` pages, the urls whose value changed; a url that left the base set falls to 0."""
        if not self._due:
            return []
        self._due = False
        values = self._values()
        moved = [(url, value) for url, value in values.items() if self._told.get(url) != value]
        moved += [(url, 0.0) for url in self._told if url not in values]
        self._told = values
        return moved

    def save(self) -> Mapping[str, bytes]:
        """The visit's links; the values follow from the graph."""
        return self._graph.save()

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back the graph, and what was last computed from it."""
        self._graph.load(parts)
        self._told = self._values(len(self._graph.pages) // self._every * self._every)

    def _values(self, pages: int | None = None) -> dict[Url, float]:
        """The values of the waiting urls in the base set, as they were after so many pages."""
        # The base set gets numbers of its own, so that urls outside of it change neither the cost nor, by rounding, the values.
        numbers, places = np.unique(np.concatenate(self._base(pages)), return_inverse=True)
        sources, targets = np.split(places.astype(np.int32), 2)
        best, hubs = authorities_and_hubs(sources, targets, len(numbers))
        if self._by == "hub":
            best = np.zeros(len(numbers))
            np.maximum.at(best, targets, hubs[sources])
        values = dict(zip(numbers.tolist(), best.round(_DIGITS).tolist(), strict=True))
        return {self._graph.urls[number]: values[number] for number in self._graph.waiting(values) if values[number]}

    def _base(self, pages: int | None) -> tuple[Numbers, Numbers]:
        """The links between pages of the base set."""
        sources, targets = self._graph.links(pages)
        relevances = np.array(self._graph.relevances[:pages])
        best = (-relevances).argsort(kind="stable")[: self._root]
        root = np.zeros(len(self._graph), np.bool_)
        root[np.array(self._graph.pages[:pages], np.int32)[best]] = True
        base = root.copy()
        base[targets[root[sources]]] = True
        base[sources[root[targets]]] = True
        inside = base[sources] & base[targets]
        return sources[inside], targets[inside]


def authorities_and_hubs(
    sources: Numbers, targets: Numbers, size: int, tolerance: float = 1e-8
) -> tuple[Floats, Floats]:
    """The two values of each page, each list of length 1; all 0 where there are no links."""
    hubs = _unit(np.ones(size))
    authorities = np.zeros(size)
    for _ in range(_ROUNDS):
        before = authorities
        authorities = _unit(_sums(targets, hubs[sources], size))
        hubs = _unit(_sums(sources, authorities[targets], size))
        if np.abs(authorities - before).max(initial=0.0) <= tolerance:
            break
    return authorities, hubs


def _sums(places: Numbers, values: Floats, size: int) -> Floats:
    # Without links numpy would return integers.
    return np.bincount(places, values, size).astype(np.float64)


def _unit(values: Floats) -> Floats:
    length = float(np.sqrt(values @ values))
    return values / length if length else values
