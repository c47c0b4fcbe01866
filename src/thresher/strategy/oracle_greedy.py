"""Oracle: the upper bound. It reads the labels, so it knows how far each page is from a relevant one before anybody fetches it.

No crawler can do this on the live web, and no result of it is a result of a crawler: it says how much a recorded web had to give. Of the
links that wait, relevant pages come first, then those from which the fewest links lead to one:

    priority(link) = -distance(target)        0 links for a page that is relevant itself

It is greedy: a way to many relevant pages counts no more than an equally long way to one, so a cleverer oracle could do better.
Pages from which nothing relevant can be reached, or that the labels do not know, come after all others.
"""

from collections.abc import Mapping, Sequence

from thresher.model import Evidence, Link, Url, Visit
from thresher.ports import Strategy

UNKNOWN = -1e6


class OracleGreedy(Strategy):
    """Follow the links that are known to lead to relevant pages soonest; reads the labels, works only in the lab."""

    def __init__(self, distances: Mapping[Url, int]) -> None:
        self._distances = distances

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Minus the links that lie between the target and a relevant page."""
        return [self._priority(link.target) for link in links]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What the labels say."""
        known = link.target in self._distances
        return (Evidence("distance" if known else "unknown", "labels", self._priority(link.target)),)

    def _priority(self, url: Url) -> float:
        distance = self._distances.get(url)
        return UNKNOWN if distance is None else -float(distance)
