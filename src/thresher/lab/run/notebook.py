"""A store that only notes what was fetched: all that an experiment needs."""

from collections.abc import Iterator

from xxhash import xxh3_128_digest

from thresher.budget import Tally
from thresher.lab.run.measures import Fetch
from thresher.model import Kept, Response, Url, Visit
from thresher.store.memory import States


class Notebook(States):
    """Fetches in order; pages with the very same bytes are noted as duplicates, and nothing else is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.fetches: list[Fetch] = []
        """Every url that was asked for; `relevance` is the crawl's own judgement."""
        self._first: dict[bytes, Url] = {}

    async def keep(self, visit: Visit) -> Kept:
        """Note one visit."""
        kept = self._compared(visit)
        if visit.asked:
            relevance = visit.judgement.relevance if visit.judgement else 0.0
            depth = visit.claim.candidate.depth
            duplicate = kept.duplicate_of is not None
            self.fetches.append(Fetch(visit.url, depth, False, relevance, duplicate, visit.page is not None))
        return kept

    def _compared(self, visit: Visit) -> Kept:
        if visit.page is None or not isinstance(visit.fetched, Response):
            return Kept()
        first = self._first.setdefault(xxh3_128_digest(visit.fetched.body), visit.url)
        return Kept(None if first == visit.url else first)

    def visits(self) -> Iterator[Visit]:
        """None: pages are not kept."""
        return iter(())

    def tally(self, window: int) -> Tally:  # noqa: ARG002 - nothing is recent
        """Nothing: a notebook is as new as its crawl."""
        return Tally()
