"""PageRank crawling: the waiting url with the highest PageRank in the graph crawled so far comes next.

Paper: Kayışoğlu 2005, §2.4.2, equation 2 and Figure 7 (after Cho, Garcia-Molina and Page 1998):

    PR(p) = (1 − γ) + γ · Σ_{d links to p} PR(d) / out(d)

over the visited pages and what they link to, computed anew every 25 pages for the whole frontier.

Unclear in the paper, and how it was read: γ is not given: .85, as usual. A url met since the last computation gets the least that any can
have, 1 − γ, so it waits behind the rated ones in the order of discovery. Waiting urls have no links yet, so they pass nothing on. A
page's links count once each, and a redirect is a page with one link. Figure 7 puts the links of a page into the queue twice, with the
page's similarity to the topic and without; once is meant, and without, for the queue is one of PageRanks.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.model import Link, Sharing, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.crawled_graph import CrawledGraph, Numbers
from thresher.strategy.parameters import within

Floats = NDArray[np.float64]
_RANKS = "ranks"
_TOLERANCE, _DIGITS, _ROUNDS = 1e-8, 7, 1000
"""The iteration ends when no rank moves by more than 1e-8 (or after a thousand rounds): a smaller difference is none, and moves no url."""


class PageRank(Strategy):
    """Follow the links to the urls with the highest PageRank so far."""

    sharing: Sharing = "one learner"

    def __init__(self, damping: float = 0.85, every: int = 25) -> None:
        if not 0 <= damping < 1:
            raise BadInput(f"strategy 'pagerank': damping is {damping}, but must be from 0 to less than 1")
        within("pagerank", 1, every=every)
        self._damping, self._every = damping, every
        self._graph = CrawledGraph()
        self._ranks: Floats = np.zeros(0)
        """The ranks of the last computation: where the next one starts."""
        self._told: dict[int, float] = {}
        self._due = False
        self._computed = False

    def learn(self, visit: Visit) -> None:
        """A url that was visited waits no more."""
        self._graph.settle(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The rank of the last computation; the least there is for urls that were not part of it."""
        self._graph.add(visit, links)
        self._due = len(self._graph.pages) % self._every == 0
        return [1 - self._damping] * len(links)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """After every `every` pages, all waiting urls whose rank changed."""
        if not self._due:
            return
        self._due, self._computed = False, True
        self._ranks = ranks(*self._graph.links(), len(self._graph), self._damping, start=self._ranks)
        rounded = self._ranks.round(_DIGITS).tolist()
        for number in self._graph.waiting(range(len(rounded))):
            if rounded[number] != self._told.get(number):
                self._told[number] = rounded[number]
                yield self._graph.urls[number], rounded[number]

    def save(self) -> Mapping[str, bytes]:
        """The visit's links; after a computation the ranks."""
        parts = self._graph.save()
        if self._computed:
            parts[_RANKS] = self._ranks.tobytes()
            self._computed = False
        return parts

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back graph and ranks."""
        self._graph.load(parts)
        self._ranks = np.frombuffer(parts.get(_RANKS, b""))
        self._told = dict(enumerate(self._ranks.round(_DIGITS).tolist()))


def ranks(
    sources: Numbers, targets: Numbers, size: int, damping: float = 0.85, *, start: Floats | None = None
) -> Floats:
    """PageRank by equation 2, not divided by the number of pages: in a graph where every page has links the ranks sum up to it."""
    links_out = np.bincount(sources, minlength=size)
    shares = damping / links_out[sources]
    # Only ranks of pages with links pass anything on: the others need one round at the end.
    inner = links_out[targets] > 0
    inner_sources, inner_targets, inner_shares = sources[inner], targets[inner], shares[inner]
    rank = np.full(size, 1 - damping)
    if start is not None:
        rank[: len(start)] = start
    for _ in range(_ROUNDS):
        before = rank
        rank = 1 - damping + np.bincount(inner_targets, before[inner_sources] * inner_shares, size)
        if np.abs(rank - before)[links_out > 0].max(initial=0.0) <= _TOLERANCE:
            break
    return np.asarray(1 - damping + np.bincount(targets, rank[sources] * shares, size))
