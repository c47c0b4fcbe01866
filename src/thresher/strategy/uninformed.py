"""Strategies that look at nothing but the order of discovery: the baselines of the field.

Paper: Kayışoğlu 2005, §2.2 (breadth-first and depth-first search as crawling strategies).
"""

from collections.abc import Sequence

from thresher.model import DROP, Link, Merge, Visit
from thresher.ports import Strategy


class BreadthFirst(Strategy):
    """Oldest link first: every priority is equal, and the frontier breaks ties by age."""

    merge: Merge = "first"

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The same for all."""
        return [0.0] * len(links)


class DepthFirst(Strategy):
    """Newest page's first link first, down to a limit.

    The paper names no limit; without one a crawl never comes back from an endless site, so links deeper than `limit` are dropped.
    """

    merge: Merge = "last"

    def __init__(self, limit: int = 10) -> None:
        self._limit = limit

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Later visits above earlier ones; within a page in document order."""
        if visit.claim.candidate.depth >= self._limit:
            return [DROP] * len(links)
        return [visit.number + 1 - (place + 1) / (len(links) + 1) for place in range(len(links))]
