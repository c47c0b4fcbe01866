"""Keep a crawl fresh: look at kept pages again, as politely as a crawl does, and keep what was found beside what was there.

The loop of a crawl does it, with a frontier that holds the pages which are due, a fetcher that asks on conditions, a strategy that is
asked and not taught, and a store that writes a row a look. New links join the crawl's own frontier in the transaction of the look that
found them.
"""

import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thresher import plugins
from thresher.assembly import assembled, polite_fetcher
from thresher.budget import Budget
from thresher.crawl import Crawl
from thresher.events import Watcher
from thresher.frontier import MemoryFrontier, SqliteFrontier
from thresher.model import Candidate, Census, Claim, Evidence, Link, Outcome, Url, Visit
from thresher.ports import Strategy
from thresher.results.archive import Archive
from thresher.results.revisit.due import Due
from thresher.results.revisit.last_seen import ConditionalFetcher, Memory
from thresher.results.revisit.store import Revisits
from thresher.settings import Manners
from thresher.store.catalogue import Catalogue
from thresher.urls import url_hash

_KNOWN_URL = "SELECT 1 FROM url WHERE hash = ?"


class Round:
    """The frontier of a round of revisits: lends what is due, and hands what is new to the crawl's own."""

    def __init__(self, due: MemoryFrontier, crawls: SqliteFrontier, revisits: Revisits) -> None:
        self._due, self._crawls, self._revisits = due, crawls, revisits

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
        moved: Iterable[tuple[Url, float]] = (),  # noqa: ARG002 - what waits, waits where the crawl has put it
    ) -> None:
        """End a claim; the row of the look and the links it found are one transaction."""
        held = self._due.holds(claim)
        await self._due.settle(claim, outcome, (), now)
        if not outcome.final or not held:
            return
        new = self._unknown(found) if self._revisits.leads_on(claim.url) else []
        self._revisits.write(claim.url, len(new))
        await self._crawls.add(new)

    def _unknown(self, found: Iterable[Candidate]) -> list[Candidate]:
        """Only these: links that were met before would count twice with strategies that add up."""
        read = self._crawls.ledger.read
        first = {candidate.url: candidate for candidate in reversed(list(found))}
        return [each for each in first.values() if not read(_KNOWN_URL, (url_hash(each.url),)).fetchone()]

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held."""
        return self._due.holds(claim)

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> None:
        """Nothing: all that is due is looked at."""

    def due(self) -> float | None:
        """When the next claim could succeed."""
        return self._due.due()

    def census(self) -> Census:
        """What is due, in figures."""
        return self._due.census()


class Advice(Strategy):
    """The crawl's strategy, asked about links. What it would learn from a second visit it forgets: it counts each page once."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def learn(self, visit: Visit) -> None:
        """See a page before it is asked about its links, as it is used to."""
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


class Running(NamedTuple):
    """A round of revisits: what turns, and what it finds."""

    crawl: Crawl
    revisits: Revisits


@contextlib.asynccontextmanager
async def revisiting(path: Path, due: Sequence[Due], watchers: Sequence[Watcher] = ()) -> AsyncIterator[Running]:
    """A round over pages that are due, ready to run. The folder is locked meanwhile; each look is safe from kill -9 by itself."""
    with Archive.open(path) as archive:
        settings = archive.settings
        memory = Memory(archive, {each.url: each.number for each in due})
        async with assembled(archive.folder, settings) as crawl, contextlib.AsyncExitStack() as stack:
            assert isinstance(crawl.frontier, SqliteFrontier)
            assert isinstance(crawl.store, Catalogue)
            revisits = Revisits(crawl.store, crawl.frontier.ledger, memory)
            manners = plugins.construct(Manners, settings.polite, "[polite]")
            fetcher = polite_fetcher(settings, manners, lambda pages: ConditionalFetcher(pages, memory))
            stack.push_async_callback(fetcher.close)
            waiting = _calendar(settings.frontier, manners)
            await waiting.add(memory.candidates())
            # As after a crash: the crawl may have asked any host a moment ago.
            waiting.take_back()
            yield Running(
                Crawl(
                    frontier=Round(waiting, crawl.frontier, revisits),
                    fetcher=fetcher,
                    parser=crawl.parser,
                    scope=crawl.scope,
                    judge=crawl.judge,
                    strategy=Advice(crawl.strategy),
                    store=revisits,
                    budget=Budget(dry_share=0.0),
                    workers=settings.workers,
                    watchers=watchers,
                ),
                revisits,
            )


def _calendar(table: Mapping[str, Any], manners: Manners) -> MemoryFrontier:
    """The same manners as while crawling; but what is due is neither too much nor too many of a host, and all of it is wanted."""
    kept = {key: value for key, value in table.items() if key not in {"cap", "quota", "spread"}}
    made: MemoryFrontier = plugins.construct(
        MemoryFrontier, kept, "[frontier]", delay=manners.delay, per_host=manners.per_host, merge="max", spread=0
    )
    return made
