"""Every extension point, on one page. What a part promises stands in its docstring; `thresher.testing` checks it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Protocol

from thresher.budget import Tally
from thresher.model import (
    Candidate,
    Census,
    Claim,
    Fetched,
    Judgement,
    Kept,
    Link,
    Merge,
    Outcome,
    Page,
    Response,
    Url,
    Visit,
)


class Frontier(Protocol):
    """What to visit next: best first among the hosts that may be visited now; ties oldest first.

    A url is never lent twice while it is claimed, and never again after it settled. A claim is a lease: it expires.
    """

    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in candidates; known ones are merged. Returns how many were new."""

    async def claim(self, limit: int, now: float) -> list[Claim]:
        """Lend up to so many urls. Empty if no host may be visited now."""

    async def settle(self, claim: Claim, outcome: Outcome, found: Iterable[Candidate], now: float) -> None:
        """End a claim and take in what its page gave, in one transaction. A claim that is no longer held changes nothing."""

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held, so that settling it would count."""

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> None:
        """Set the priorities of waiting urls."""

    def due(self) -> float | None:
        """When the next claim could succeed if nothing is settled before; None if never."""

    def census(self) -> Census:
        """The frontier in figures."""


class Fetcher(Protocol):
    """A url in, an answer out. Never raises for what the web does. Fetchers wrap fetchers."""

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, once; redirects are answers and are not followed."""

    async def close(self) -> None:
        """Let go of connections."""


class Parser(Protocol):
    """A response in, a page out. Never raises on any bytes."""

    def parse(self, response: Response) -> Page:
        """Read one response."""


class Scope(Protocol):
    """Which urls belong to the crawl at all."""

    def refusal(self, url: Url, depth: int) -> str | None:
        """The rule that keeps the url out, in words; None if it is in scope."""


class Judge(Protocol):
    """Is a page on topic? The same page always gets the same judgement, from 0 to 1, with evidence."""

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""


class Strategy:
    """Which links next? One finite float a link, in order, higher is sooner; or `DROP`. Deterministic given a seed."""

    merge: ClassVar[Merge] = "max"
    """What becomes of a waiting url that is met again."""

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The priorities of a page's links, as one batch."""
        raise NotImplementedError

    def learn(self, visit: Visit) -> None:
        """Take note of a visit, before its links are scored."""

    def save(self) -> bytes:
        """What was learned, so that a crawl can go on where it stopped."""
        return b""

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""


class Store(Protocol):
    """Keep what was visited. What is kept is readable after kill -9."""

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit."""

    def visits(self) -> Iterator[Visit]:
        """Everything kept, in the order of the visits."""

    def tally(self, window: int) -> Tally:
        """What was fetched so far, and of the latest so many fetches which were relevant."""

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state beside the visits, in the same transaction."""

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""
