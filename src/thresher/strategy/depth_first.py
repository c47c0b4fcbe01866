"""Depth-first search: always onward from the newest page, down to a limit, then back to the page before.

Paper: Kayışoğlu 2005, §2.2.2: a stack, last in, first out. "A depth-first crawler may never turn back", so a maximum depth is needed; the
paper names none, and 10 is ours. Its other remedy is iterative deepening, a limit that grows.

    priority = number of the visit + 1 − (place + 1) / (links + 1) − rounds · 10⁸
    rounds   = 0 within the limit, else ceil((depth − limit) / deepening)

Iterative deepening differs from the textbook's, which starts again from the root with every new limit, because it remembers nothing. Here
nothing is fetched twice: links beyond the limit wait below all others. When everything within the limit has been visited, the limit has
grown by `deepening`, and so on; no link is ever dropped. The set of pages visited within each limit is the same, but for pages first
reached by a long way: the links of such a page count from that way, for it is not visited again by a shorter one.

A waiting url that is met again moves to the top of the stack (`max`: the newest link has the highest priority), unless that would take it
into a later round; it is then as deep as the link that brought it there.
"""

from collections.abc import Sequence

from thresher.model import DROP, Link, Merge, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import within

BAND = 1e8
"""More than the visits of any crawl: a priority raised (or lowered) by this much is above (or below) all others."""


class DepthFirst(Strategy):
    """Newest page's first link first, down to a limit."""

    merge: Merge = "max"

    def __init__(self, limit: int = 10, deepening: int = 0) -> None:
        within("depth-first", 0, limit=limit, deepening=deepening)
        self._limit, self._deepening = limit, deepening

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Later visits above earlier ones; beyond the limit below everything, or dropped."""
        beyond = visit.claim.candidate.depth + 1 - self._limit
        if beyond <= 0:
            return newest_first(visit, links)
        if not self._deepening:
            return [DROP] * len(links)
        rounds = -(-beyond // self._deepening)
        return [priority - rounds * BAND for priority in newest_first(visit, links)]


def newest_first(visit: Visit, links: Sequence[Link]) -> list[float]:
    """Links of later visits above those of earlier ones; within a page in document order. From 1 up to `BAND`."""
    return [visit.number + 1 - (place + 1) / (len(links) + 1) for place in range(len(links))]
