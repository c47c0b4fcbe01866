"""One round of revisits: look at the pages that are due, as politely as a crawl does, and report what was found.

The loop of the crawl does the work, with other parts: a frontier that holds the pages that are due, a fetcher that asks on conditions, a
strategy that is asked and does not learn, and a store that writes one row for each look. New links join the crawl's own frontier in the
transaction of the look that found them.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from thresher import plugins
from thresher.assembly import assembled
from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Place, home_of
from thresher.disk.found_rows import Read
from thresher.errors import FolderLocked
from thresher.events import Watcher
from thresher.fetch import HttpFetcher
from thresher.fetchers import page_fetcher
from thresher.frontier import MemoryFrontier
from thresher.frontier.reading import is_known
from thresher.model import Candidate, Census, Claim, Evidence, Fetched, Host, Link, Outcome, Standing, Url, Visit
from thresher.ports import Frontier, Strategy
from thresher.results.archive import Archive
from thresher.results.revisit.due import DuePage
from thresher.results.revisit.look_store import LookStore, SeenPages
from thresher.settings import Manners
from thresher.store.catalogue import VisitKeeper


class RoundFrontier:
    """The frontier of a round: lends the pages that are due, and hands new links to the crawl's own frontier."""

    def __init__(self, due: MemoryFrontier, crawl_frontier: Frontier, looks: LookStore, read: Read) -> None:
        self._due, self._crawl_frontier, self._looks, self._read = due, crawl_frontier, looks, read

    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in pages that are due."""
        return await self._due.add(candidates)

    async def claim(self, limit: int, now: float) -> list[Claim]:
        """Lend up to so many pages."""
        return await self._due.claim(limit, now)

    async def settle(
        self,
        claim: Claim,
        outcome: Outcome,
        found: Iterable[Candidate],
        now: float,
        moved: Iterable[tuple[Url, float]] = (),  # noqa: ARG002 - a round moves no url that waits
    ) -> bool:
        """End a claim; the row of the look and the links it found are one transaction."""
        held = self._due.holds(claim)
        await self._due.settle(claim, outcome, (), now)
        if not outcome.final or not held:
            return False
        new = self._unknown(found) if self._looks.leads_on(claim.url) else []
        self._looks.write(claim.url, len(new))
        await self._crawl_frontier.add(new)
        return False  # a round looks at known pages, and compares none with others

    def _unknown(self, found: Iterable[Candidate]) -> list[Candidate]:
        """The links that the crawl does not know. Known ones would count twice with strategies that add up."""
        first = {candidate.url: candidate for candidate in reversed(list(found))}
        return [each for each in first.values() if not is_known(self._read, each.url)]

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held."""
        return self._due.holds(claim)

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> int:  # noqa: ARG002 - of the port
        """Do nothing: all pages that are due are looked at."""
        return 0

    async def put_first(self, candidate: Candidate) -> Standing:
        """Look at this page next, as soon as its host may be visited."""
        return await self._due.put_first(candidate)

    async def leave(self, host: Host) -> int:
        """Look at no more pages of a host."""
        return await self._due.leave(host)

    def due(self) -> float | None:
        """When the next claim could succeed."""
        return self._due.due()

    def census(self) -> Census:
        """What is due, in figures."""
        return self._due.census()


class AskedStrategy(Strategy):
    """The crawl's strategy, asked about new links. What it learns here is not kept: it has counted each page once already."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def learn(self, visit: Visit) -> None:
        """See a page before its links are scored, as in a crawl."""
        if visit.page is not None:
            self._strategy.learn(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The priorities of a page's links."""
        return self._strategy.score(visit, links)

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What the priority of a link is made of."""
        return self._strategy.explain(visit, link)

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back what the crawl has learnt."""
        self._strategy.load(parts)


class ConditionalFetcher:
    """Asks for a page only if it has changed since it was last seen."""

    def __init__(self, http: HttpFetcher, pages: SeenPages) -> None:
        self._http, self._pages = http, pages

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, once, with its validators as a condition."""
        return await self._http.fetch(url, self._pages.recall(url).conditions)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.close()


class RoundReport(NamedTuple):
    """What a round of revisits came to."""

    due: int
    found: dict[str, int]
    """How many looks found what: see `FOUND` in `store.looks`."""
    new_links: int
    changed: list[Url]
    gone: list[Url]
    left: int
    """Pages that were due and not looked at."""
    stopped: str


class RevisitRound(NamedTuple):
    """A round of revisits: the loop, and the store of what it finds."""

    crawl: CrawlLoop
    looks: LookStore


async def look_again(
    path: Place,
    due: Sequence[DuePage],
    watchers: Sequence[Watcher] = (),
    begun: Callable[[CrawlLoop], object] = lambda _: None,
) -> RoundReport:
    """Look at the pages that are due; `begun` is given the running crawl, so that it can be stopped."""
    if home_of(path).in_use():
        raise FolderLocked(f"{path} is being crawled into: look at its pages again when the crawl has stopped")
    if not due:
        return RoundReport(0, {}, 0, [], [], 0, "empty")
    async with revisiting(path, due, watchers) as (crawl, looks):
        begun(crawl)
        stop = await crawl.run()
    left = len(due) - looks.counts.total()
    return RoundReport(len(due), dict(looks.counts), looks.new_links, looks.changed, looks.gone, left, stop.reason)


@contextlib.asynccontextmanager
async def revisiting(
    path: Place, due: Sequence[DuePage], watchers: Sequence[Watcher] = ()
) -> AsyncIterator[RevisitRound]:
    """A round over pages that are due, ready to run. The folder is locked meanwhile; each look is safe from kill -9 by itself."""
    with Archive.open(path) as archive:
        settings = archive.settings
        pages = SeenPages(archive, {each.url: each.number for each in due})
        async with assembled(archive.folder, settings) as crawl, contextlib.AsyncExitStack() as stack:
            assert isinstance(crawl.store, VisitKeeper)
            looks = LookStore(crawl.store, pages)
            manners = plugins.construct(Manners, settings.polite, "[polite]")
            fetcher = page_fetcher(settings, manners, lambda http: ConditionalFetcher(http, pages))
            stack.push_async_callback(fetcher.close)
            waiting = _calendar(settings.frontier, manners)
            await waiting.add(pages.candidates())
            # As after a crash: the crawl may have asked any host a moment ago.
            waiting.take_back()
            yield RevisitRound(
                CrawlLoop(
                    frontier=RoundFrontier(waiting, crawl.frontier, looks, crawl.store.tables.read),
                    fetcher=fetcher,
                    parser=crawl.parser,
                    scope=crawl.scope,
                    judge=crawl.judge,
                    strategy=AskedStrategy(crawl.strategy),
                    store=looks,
                    budget=Budget(dry_share=0.0),
                    workers=settings.workers,
                    watchers=watchers,
                ),
                looks,
            )


def _calendar(table: Mapping[str, Any], manners: Manners) -> MemoryFrontier:
    """A frontier with the manners of the crawl, but without its limits: all pages that are due are wanted."""
    kept = {key: value for key, value in table.items() if key not in {"cap", "quota", "spread"}}
    made: MemoryFrontier = plugins.construct(
        MemoryFrontier, kept, "[frontier]", delay=manners.delay, per_host=manners.per_host, merge="max", spread=0
    )
    return made
