"""Several workers on one web: what it costs that each chooses before it has heard what the others found.

Each has a strategy and a loop of its own; all share one frontier. A fetch takes half a second to one and a half, by a turned clock, so the
same trial always goes the same way. Each has one page in flight, and a host may be asked by all at once: so the order of pages is the
strategies' own. What they learn they tell each other every so many seconds (`lessons_every`); of those that need one learner, the first
worker is it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from thresher.budget import Budget, Stop
from thresher.clock import Clock
from thresher.crawl import CrawlLoop
from thresher.frontier import MemoryFrontier
from thresher.model import Evidence, Fetched, Link, Sharing, Url, Visit
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.ports import Fetcher, Judge, Parser, Scope, Store, Strategy

_FASTEST = 0.5
"""Seconds that a fetch takes at least; the slowest take a second more."""


class CommonParts(NamedTuple):
    """What the workers share."""

    fetcher: Fetcher
    parser: Parser
    scope: Scope
    judge: Judge
    store: Store
    seeds: Sequence[Url]
    pages: int
    lessons_every: float


class Board:
    """Lessons in the order in which they were told, each with the number of the worker that told it."""

    def __init__(self) -> None:
        self.lessons: list[tuple[int, bytes]] = []
        self.size = 0
        """Bytes of all of them."""

    def tell(self, worker: int, lesson: bytes) -> None:
        """Add one."""
        if lesson:
            self.lessons.append((worker, lesson))
            self.size += len(lesson)


class Colleague(Strategy):
    """The strategy of one worker, which tells the others what it learns."""

    sharing: Sharing = "lessons"

    def __init__(self, strategy: Strategy, number: int, board: Board) -> None:
        self._strategy, self._number, self._board = in_a_team(strategy), number, board
        if isinstance(self._strategy, TeamStrategy) and number == 0:
            self._strategy.elect(strategy, 0)
        self._tells = strategy.sharing != "nothing"
        self._hears = strategy.sharing == "lessons" or getattr(self._strategy, "elected", False)
        self.merge = strategy.merge
        self._heard = 0

    def learn(self, visit: Visit) -> None:
        """Learn from a visit of this worker."""
        self._strategy.learn(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The priorities of its links."""
        return self._strategy.score(visit, links)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """What it moves."""
        return self._strategy.rerank()

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What its strategy says."""
        return self._strategy.explain(visit, link)

    def save(self) -> Mapping[str, bytes]:
        """The visit is over: tell the others. Nothing is kept."""
        if self._tells:
            self._board.tell(self._number, self._strategy.lesson())
        self._strategy.save()
        return {}

    def hear(self) -> tuple[tuple[Url, float], ...]:
        """Take in what the others told since the last time; what is moved by it."""
        news = self._board.lessons[self._heard :]
        self._heard = len(self._board.lessons)
        lessons = [lesson for worker, lesson in news if worker != self._number]
        return tuple(self._strategy.take_in(lessons)) if lessons and self._hears else ()


class SeveralWorkers:
    """The workers of one crawl."""

    def __init__(self, shared: CommonParts, strategies: Sequence[Strategy], clock: Clock) -> None:
        self._shared, self._clock = shared, clock
        self.board = Board()
        self._frontier = MemoryFrontier(
            merge=strategies[0].merge, delay=0.0, alike_turns=0, per_host=len(strategies), spread=0
        )
        self._colleagues = [Colleague(each, number, self.board) for number, each in enumerate(strategies)]
        self._crawls = [self._crawl(each) for each in self._colleagues]
        self._fetched = 0

    def _crawl(self, strategy: Strategy) -> CrawlLoop:
        shared = self._shared
        crawl = CrawlLoop(
            frontier=self._frontier,
            fetcher=_Slow(shared.fetcher, self._clock),
            parser=shared.parser,
            scope=shared.scope,
            judge=shared.judge,
            strategy=strategy,
            store=shared.store,
            seeds=shared.seeds,
            budget=Budget(dry_share=0.0),
            clock=self._clock,
            workers=1,
        )
        crawl.shown = self._note
        return crawl

    async def run(self) -> Stop:
        """Crawl until so many pages were fetched, those in flight beyond them, or nothing is left."""
        async with asyncio.TaskGroup() as group:
            hearing = [group.create_task(self._hear(each)) for each in self._colleagues]
            stops = await asyncio.gather(*(crawl.run() for crawl in self._crawls))
            for each in hearing:
                each.cancel()
        return stops[0]

    def stop(self, reason: str, message: str = "") -> None:
        """End the crawl once the pages under way are settled."""
        for crawl in self._crawls:
            crawl.stop(reason, message)

    async def _note(self, visit: Visit) -> None:
        self._fetched += visit.asked
        if self._fetched >= self._shared.pages:
            self.stop("pages")
        for crawl in self._crawls:
            crawl.wake()  # there may be links for those that have nothing to do

    async def _hear(self, colleague: Colleague) -> None:
        while True:
            await self._clock.sleep(self._shared.lessons_every)
            await self._frontier.reprioritise(colleague.hear())


class _Slow:
    """A fetcher of which each answer takes its time, the same for the same url."""

    def __init__(self, fetcher: Fetcher, clock: Clock) -> None:
        self._fetcher, self._clock = fetcher, clock

    async def fetch(self, url: Url) -> Fetched:
        """The answer, after a while."""
        await self._clock.sleep(_FASTEST + xxh3_64_intdigest(url.encode()) / 2**64)
        return await self._fetcher.fetch(url)

    async def close(self) -> None:
        """Let go of what it asks."""
        await self._fetcher.close()
