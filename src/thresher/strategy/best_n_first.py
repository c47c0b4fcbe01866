"""Best-N-first search: best-first, but N links are taken at once, and what they bring is ranked only when all N are visited.

Paper: Menczer, Pant and Srinivasan 2004, the crawlers that Kayışoğlu 2005, §2.4.1 builds on; N = 1 is best-first, except for
urls that are met again. The priority is that of best-first (equation 1). The larger the batch, the more is explored before the
crawler follows what looks best.

Links found during a batch are parked below everything else. A batch ends after N visits, or when none of its links is left, so that a
parked one is visited: then all parked links are lifted to their scores, and the next batch is the N best of all. So the first batch is the
seeds, the second their links, at most N of them.

N: 256 was the best of those compared in the Iowa studies, and the best crawler that does not learn; the price is a slow start ("penalty
early"). Their crawls had thousands of pages. For a budget of some hundred pages, 256 is hardly better than breadth-first: take a few
percent of the budget.

Unclear in the paper: a waiting url that is met again. "If it already exists in the queue then update its rank" (§2.3): it takes the
best score of the latest batch that met it, when that batch ends, be it lower than before. Where hosts must rest, a batch also ends when no
host with links of the batch may be visited.
"""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence

from thresher.model import Link, Response, Sharing, Url, Visit
from thresher.outcomes import redirect_target
from thresher.strategy.best_first import BestFirst
from thresher.strategy.parameters import within
from thresher.topic import Topic

# Scores are from 0 to 1: parked ones are from -2 to -1, in the same order.
_PARKED = -2.0
_VISITS = "visits"
_COUNT = struct.Struct("<q")


class BestNFirst(BestFirst):
    """The N best links, then the N best of what is known by then, and so on."""

    sharing: Sharing = "one learner"

    def __init__(self, topic: Topic, n: int = 256, nofollow: float = 1.0) -> None:
        super().__init__(topic, nofollow)
        within("best-n-first", 1, n=n)
        self._n = n
        self._visits = 0
        self._parked: dict[Url, float] = {}
        self._lifted: dict[Url, float] = {}
        self._changed: dict[str, bytes] = {}

    def learn(self, visit: Visit) -> None:
        """Count the visits of the batch; a visit to a parked link is the first of the next."""
        priority = visit.claim.candidate.priority
        if priority < 0:
            self._lift()
            if (heir := _heir(visit)) is not None:
                # It got the parked priority of the url whose place it takes, and would keep it.
                self._lifted[heir] = priority - _PARKED
        self._visits += 1

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Parked for now: below everything that waits."""
        scores = super().score(visit, links)
        # Of a target with several links on the page the best counts.
        found = dict(sorted(((link.target, score) for link, score in zip(links, scores, strict=True)), key=_by_score))
        self._park(found)
        self._changed[str(self._visits)] = json.dumps(found, ensure_ascii=False).encode()
        return [score + _PARKED for score in scores]

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """At the end of a batch, the scores of all that was found in it."""
        if self._visits >= self._n:
            self._lift()
        lifted, self._lifted = self._lifted, {}
        return lifted.items()

    def save(self) -> Mapping[str, bytes]:
        """The visits of the batch, and the links that the last one parked."""
        changed, self._changed = self._changed, {}
        return {**changed, _VISITS: _COUNT.pack(self._visits)}

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Park again what was found in the batch under way."""
        for name, part in parts.items():
            if name == _VISITS:
                (self._visits,) = _COUNT.unpack(part)
            else:
                self._park(json.loads(part))

    def _park(self, found: Mapping[Url, float]) -> None:
        for url, score in found.items():
            self._parked[url] = max(score, self._parked.get(url, 0.0))

    def _lift(self) -> None:
        self._lifted |= self._parked
        self._parked = {}
        self._changed |= {str(visit + 1): b"" for visit in range(self._visits)}
        self._visits = 0


def _by_score(found: tuple[Url, float]) -> float:
    return found[1]


def _heir(visit: Visit) -> Url | None:
    """The url that takes the place of the visited one: the target of its redirect, or of its page's refresh."""
    if visit.page is not None:
        return visit.page.refresh
    if visit.outcome.name != "redirect" or not isinstance(visit.fetched, Response):
        return None
    return redirect_target(visit.fetched)
