"""Every extension point, on one page. What a part promises stands in its docstring; `thresher.testing` checks it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.budget import Budget, Stop, Tally
from thresher.events import Event
from thresher.model import (
    Candidate,
    Census,
    Claim,
    Evidence,
    Fetched,
    Host,
    Judgement,
    Kept,
    LabelledPage,
    Link,
    Merge,
    Outcome,
    Page,
    Response,
    Sharing,
    Standing,
    Url,
    Visit,
)
from thresher.pauses import Paused


class Frontier(Protocol):
    """What to visit next: best first among the hosts that may be visited now; ties oldest first.

    A url is never lent twice while it is claimed, and never again after it settled. A claim is a lease: it expires.
    """

    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in candidates; known ones are merged. Returns how many were new."""

    async def claim(self, limit: int, now: float) -> list[Claim]:
        """Lend up to so many urls. Empty if no host may be visited now."""

    async def settle(
        self,
        claim: Claim,
        outcome: Outcome,
        found: Iterable[Candidate],
        now: float,
        moved: Iterable[tuple[Url, float]] = (),
    ) -> bool:
        """End a claim, take in what its page gave, then give waiting urls other priorities, all in one transaction.

        A claim that is no longer held changes nothing. True if its host begins to lose turns, since its pages look alike.
        """

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held, so that settling it would count."""

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> int:
        """Set the priorities of waiting urls, but not of those that were put first. Returns how many really moved."""

    async def put_first(self, candidate: Candidate) -> Standing:
        """Lend this url before all others, as soon as its host may be visited; add it if it is unknown. Returns how it stood before."""

    async def leave(self, host: Host) -> int:
        """Forget all urls that wait on a host, in one go. Returns how many."""

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

    def within(self, links: Sequence[Link], depth: int) -> list[Link]:
        """The links of a page that are in scope."""
        return [link for link in links if self.refusal(link.target, depth) is None]


class Judge(Protocol):
    """Is a page on topic? The same page always gets the same judgement, from 0 to 1, with evidence."""

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""


class AsyncJudge(Protocol):
    """A judge that waits: for a service, or for a model on another machine. Other pages are fetched meanwhile.

    It judges in the process of the crawl, whatever hands there are.
    """

    async def judge(self, page: Page) -> Judgement:
        """Judge one page. Up to as many pages as there are workers are judged at the same time."""


class Encoder(Protocol):
    """Texts in, vectors out: the nearer two texts are in meaning, the smaller the angle. The same text always has the same vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of finite numbers a text, all of one length."""


class Translator(Protocol):
    """Texts of another language in, what they say in English out. The same text always has the same translation."""

    def translate(self, texts: Sequence[str], language: str) -> Sequence[str]:
        """One translation a text, in order; an empty one if it cannot be told. `language` is a code such as `hi`."""


class Strategy(ABC):
    """Which links next? One finite float a link, in order, higher is sooner; or `DROP`. Deterministic given a seed.

    A visit passes through it in this order: `learn`, `score` (if there is a page to follow), `rerank`, `save`. Where several workers
    share a crawl, each has a strategy of its own; `lesson` is asked before `save`, and `take_in` is called between visits.
    """

    merge: Merge = "max"
    """What becomes of a waiting url that is met again."""
    sharing: Sharing = "nothing"
    """What workers must tell each other. Unless a class says it itself, it is one learner if the class remembers anything: whatever it
    remembers, that is right."""

    def __init_subclass__(cls) -> None:
        """Say for a class that does not say it what its workers must tell each other."""
        super().__init_subclass__()
        if "sharing" not in vars(cls) and not _REMEMBERING.isdisjoint(vars(cls)):
            cls.sharing = "one learner"

    @abstractmethod
    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The priorities of a page's links, as one batch."""

    def learn(self, visit: Visit) -> None:  # noqa: B027 - most strategies have nothing to learn
        """Take note of a visit, before its links are scored; failures and redirects too."""

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """Other priorities for urls that wait already, after a visit; `DROP` forgets one. Urls that do not wait are passed over."""
        return ()

    def heed(self, labels: Sequence[LabelledPage]) -> Iterable[tuple[Url, float]]:  # noqa: ARG002 - for those who learn
        """Take note of what a person said of pages; other priorities for urls that wait. Labels that it heeded before change nothing.

        `save` is called afterwards.
        """
        return ()

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:  # noqa: ARG002 - for those who have a reason to give
        """For people: what the priority of a link is made of."""
        return ()

    def save(self) -> Mapping[str, bytes]:
        """What changed since `save` was last called, in named parts; an empty part is forgotten.

        So a large state is kept a little at a time: the parts, each in its latest form, are all that `load` needs.
        """
        return {}

    def load(self, parts: Mapping[str, bytes]) -> None:  # noqa: B027 - nor anything to take back
        """Take back all parts that were saved, before a crawl goes on: then every choice is as if it had never stopped."""

    def lesson(self) -> bytes:
        """What was learnt from the last visit, for the strategies of other workers, a few kilobytes; nothing if it is empty.

        Asked only where workers share a crawl, and their `sharing` is `lessons`. What a person says of pages is told to every worker.
        """
        return b""

    def take_in(self, lessons: Sequence[bytes]) -> Iterable[tuple[Url, float]]:  # noqa: ARG002 - for those who share
        """Learn what other workers learnt, in order; other priorities for urls that wait. `save` is called afterwards.

        Bytes that are no lesson are a DamagedState, and then nothing was learnt. No worker is given its own lessons.
        """
        return ()


_REMEMBERING = frozenset({"learn", "rerank", "save", "load"})
"""Methods of strategies that remember what they saw."""


class Orders(Protocol):
    """What a person orders while a crawl runs. The loop looks four times a second, so a look must cost next to nothing."""

    async def carry_out(self, crawl: "Steered") -> None:
        """Carry out what was ordered since the last look: each order once, in order, between two turns of the loop."""


class Steered(Protocol):
    """A crawl, as orders see it."""

    scope: Scope
    budget: Budget
    tally: Tally

    @property
    def frontier(self) -> Frontier:
        """What it visits next."""

    @property
    def store(self) -> "Store":
        """What it keeps."""

    @property
    def paused(self) -> Paused | None:
        """Why it is paused, if it is."""

    def spent(self) -> Stop | None:
        """Why no more may be fetched; None while there is budget left."""

    def pause(self, why: str, spent: str = "") -> None:
        """Take no new page."""

    def go_on(self) -> None:
        """End a pause."""

    def follow_pause(self, paused: Paused | None) -> None:
        """Be paused as another worker of the same crawl is, or go on as it does."""

    def stop(self, reason: str, message: str) -> None:
        """End the crawl once the pages under way are settled."""

    def wake(self) -> None:
        """Look now what can be fetched: what waits is not what it was."""

    async def heed(self, labels: Sequence[LabelledPage]) -> int:
        """Tell the strategy what a person said of pages; returns how many waiting urls moved."""

    async def learn_from_others(self, lessons: Sequence[bytes]) -> None:
        """Tell the strategy what those of other workers learnt, and move what waits."""

    def tell(self, event: Event) -> None:
        """Tell all watchers what happened."""


class Store(Protocol):
    """Keep what was visited. What is kept is readable after kill -9."""

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit."""

    def visits(self) -> Iterator[Visit]:
        """Everything kept, in the order of the visits."""

    def tally(self, window: int) -> Tally:
        """What was fetched so far, and of the latest so many fetches which were relevant."""

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state beside the visits, in the same transaction; an empty one is forgotten."""

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """What was remembered under all names that begin so, by the rest of the name."""
