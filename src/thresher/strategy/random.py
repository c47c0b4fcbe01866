"""Random order: every waiting link is equally likely to be next. A strategy must do better than this to be useful.

Not in the papers; the lower bound of every comparison. Each link gets an alarm that rings at a random time, and the earliest rings first:

    priority = −(clock + wait),   clock = −priority of the page it is on (0 for a seed),   wait = −ln u

where u, in (0, 1), is a hash of the `seed` and the url, so that nothing needs to be remembered. The wait is exponential, and such a wait
forgets how long it has lasted: when a page is visited, all links that still wait, old and new, are equally likely to be next. A plain
random number as the priority would not do: old links wait because theirs are low, so new ones would be preferred (2 : 1 instead of 1 : 1
for the first new link against the one old link left over of two).

It is exact where pages are visited in the order of their priorities: with one worker, and no host that must rest.
"""

import math
from collections.abc import Sequence

from xxhash import xxh3_64_intdigest

from thresher.model import SEED, Link, Merge, Url, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import within

_HASHES = 2**64


class Random(Strategy):
    """Any waiting link, each as likely as the others; the same ones for the same seed."""

    merge: Merge = "first"

    def __init__(self, seed: int = 0) -> None:
        within("random", 0, _HASHES - 1, seed=seed)
        self._seed = seed

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """When each link's alarm rings, the later the lower."""
        priority = visit.claim.candidate.priority
        # The priority of a redirected seed is slightly above that of a seed.
        now = 0.0 if priority >= SEED else priority
        return [now + math.log(self._uniform(link.target)) for link in links]

    def _uniform(self, url: Url) -> float:
        return (xxh3_64_intdigest(url.encode(), self._seed) + 0.5) / _HASHES
