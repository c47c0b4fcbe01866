"""The loop: claim → fetch → parse → judge → learn → score → keep → settle.

Standing workers each take one claim at a time through all the stages, so what is in memory is bounded by their number. The loop knows
ports and values only; which frontier, fetcher or strategy it drives is none of its business.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from math import inf
from typing import NamedTuple

from thresher.budget import Budget, Stop, Tally
from thresher.clock import Clock, Stopwatch, SystemClock
from thresher.errors import ThresherError
from thresher.events import (
    CrawlPaused,
    CrawlStarted,
    CrawlStopped,
    CrawlWaits,
    CrawlWentOn,
    Event,
    HostBackedOff,
    HostLosesTurns,
    PageVisited,
    Watcher,
)
from thresher.listed_links import LinkOptions, ListedLinks
from thresher.model import (
    DROP,
    PAGE,
    SEED,
    Candidate,
    Claim,
    Fetched,
    Judgement,
    Kept,
    LabelledPage,
    Later,
    Link,
    Outcome,
    Page,
    Refused,
    Response,
    Url,
    Visit,
)
from thresher.native import link_loops
from thresher.outcomes import by_form, kept_answer, outcome_of, redirect_target, redirected
from thresher.own_parts import Watchers, all_finite, awaited_judgement, check_priorities, plainly_sound, wrong_scores
from thresher.pauses import PAUSED, Paused
from thresher.ports import AsyncJudge, Fetcher, Frontier, Judge, Orders, Parser, Scope, Store, Strategy
from thresher.resting import LONGEST, Resting, nothing_left, what_for

_STRATEGY_STATE = "strategy/"
_STOPPED = "stopped"
_SEEDS = "seeds"
_NOTHING: tuple[Kept, tuple[tuple[Url, float], ...]] = Kept(), ()
_LOOK_EVERY = 0.25
"""Seconds between two looks at what was ordered."""


class _Read(NamedTuple):
    """What came of a fetch."""

    fetched: Fetched
    outcome: Outcome
    page: Page | None
    judgement: Judgement | None


class CrawlLoop:
    """One crawl for one topic, from seeds to a reason to stop."""

    def __init__(  # noqa: PLR0913 - the stages, each named once
        self,
        *,
        frontier: Frontier,
        fetcher: Fetcher,
        parser: Parser,
        scope: Scope,
        judge: Judge | AsyncJudge,
        strategy: Strategy,
        store: Store,
        seeds: Iterable[Url] = (),
        labels: Sequence[LabelledPage] = (),
        budget: Budget | None = None,
        clock: Clock | None = None,
        workers: int = 16,
        watchers: Sequence[Watcher] = (),
        links: LinkOptions | None = None,
        orders: Orders | None = None,
    ) -> None:
        self.frontier, self.fetcher, self.parser, self.scope = frontier, fetcher, parser, scope
        self.judge, self.strategy, self.store = judge, strategy, store
        self.seeds, self.labels = tuple(seeds), tuple(labels)
        self.budget = budget or Budget()
        self.clock = clock or SystemClock()
        self.workers = workers
        self.watchers = Watchers(watchers)
        self.orders = orders
        self.tally = Tally()
        self._lists = ListedLinks(store, links or LinkOptions())
        self.teach: Callable[[], None] | None = None
        """Called with each visit that was kept: where several workers share the crawl, they learn from each other."""
        self.look_up: Callable[[Response], Awaitable[None]] | None = None
        """Awaited with each answer before it is kept: for a store that must ask a server whether it was kept before."""
        self.shown: Callable[[Visit], Awaitable[None]] | None = None
        """Awaited with each visit that was kept, before its worker takes the next url: whoever is slow here slows the crawl down."""
        self.warm = False
        """Whether the strategy went through the earlier runs itself, so that what it saved must not be loaded into it once more."""
        self._visits = 0
        self._busy = 0
        self._resting = Resting(self.clock)
        self._stop: Stop | None = None
        self.paused: Paused | None = None
        """Why no new page is taken, if none is."""
        self._time = Stopwatch(self.clock)

    async def run(self) -> Stop:
        """Crawl until the budget is spent, nothing is left, or somebody calls `stop`."""
        self._time.start()
        self.tally = self.budget.tally(self.store.tally(self.budget.dry_window))
        self._visits = self.tally.visits
        if not self.warm and (parts := self.store.recall_all(_STRATEGY_STATE)):
            self.strategy.load(parts)
        self.store.remember(_STOPPED, b"")
        await self.heed(self.labels)
        await self._offer_seeds()
        self.tell(CrawlStarted(self.tally.visits, self.frontier.census()))
        await self._stay_paused()
        try:
            await self._all_work()
        except Exception as error:
            self._note(error)
            raise
        assert self._stop is not None
        self.store.remember(_STOPPED, "\n".join(self._stop).encode())
        self.tell(CrawlStopped(*self._stop))
        return self._stop

    def _note(self, error: Exception) -> None:
        """Keep what ended the crawl, without a reason by name: it is none of those for which a crawl stops."""
        with suppress(ThresherError):  # the disk may be what failed
            why = " ".join(f"{type(error).__name__}: {error}".split())
            self.store.remember(_STOPPED, f"\nan error ended it, {why:.300}".encode(errors="replace"))

    def stop(self, reason: str = "interrupted", message: str = "interrupted; run the same command to continue") -> None:
        """End the crawl once the pages under way are settled."""
        self._stop = self._stop or Stop(reason, message)
        self._resting.wake_all()

    def pause(self, why: str, spent: str = "") -> None:
        """Take no new page from now on; those under way end. A crawl that is started again is paused still."""
        paused = Paused(why, self.clock.now(), spent)
        self.store.remember(PAUSED, paused.to_bytes())
        self.follow_pause(paused)

    def go_on(self) -> None:
        """End a pause. Its time is not counted as time of the run."""
        if self.paused is not None:
            self.store.remember(PAUSED, b"")
            self.follow_pause(None)

    def follow_pause(self, paused: Paused | None) -> None:
        """Be paused from now on, or no more; whoever remembers it has done so."""
        self.paused = paused
        if paused is None:
            self.tell(CrawlWentOn(self._time.go_on()))
            self._resting.wake_one()
        else:
            self._time.pause()
            self.tell(CrawlPaused(paused.why, paused.spent))

    def wake(self) -> None:
        """What waits is not what it was: look now what can be fetched, whatever the workers wait for."""
        self._resting.wake_one()

    async def _stay_paused(self) -> None:
        """A crawl that a person paused is paused still when it is started again. A spent budget is seen anew."""
        before = Paused.from_bytes(self.store.recall(PAUSED))
        if before is not None and not before.spent:
            self.follow_pause(before)
        elif before is not None:
            self.store.remember(PAUSED, b"")
            # A turn ends: kept with the first page, it could end a pause that began meanwhile.
            await self.frontier.reprioritise(())

    async def heed(self, labels: Sequence[LabelledPage]) -> int:
        """Tell the strategy what a person said of pages, and move the urls that wait at once: so many. The crawl may be running."""
        if not labels:
            return 0
        moved = tuple(self.strategy.heed(labels))
        self._save_strategy()
        return await self.frontier.reprioritise(moved)

    async def learn_from_others(self, lessons: Sequence[bytes]) -> None:
        """Tell the strategy what those of other workers learnt, and move what waits. It ends a turn."""
        moved = tuple(self.strategy.take_in(lessons)) if lessons else ()
        self._save_strategy()
        await self.frontier.reprioritise(moved)

    async def _offer_seeds(self) -> None:
        """Hand each seed to the frontier once in the life of the crawl: again would undo what the strategy made of it since."""
        offered = (self.store.recall(_SEEDS) or b"").decode().split()
        known = set(offered)
        new = [url for url in self.seeds if url not in known]
        if new:
            # Before the frontier gets them, so that one commit holds both.
            self.store.remember(_SEEDS, "\n".join([*offered, *new]).encode())
            await self.frontier.add(Candidate(url, SEED) for url in new)

    async def _all_work(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                if self.orders is not None:
                    await self.orders.carry_out(self)
                working = [group.create_task(self._work()) for _ in range(self.workers)]
                if self.orders is not None:
                    obeying = group.create_task(self._obey(self.orders))
                    await asyncio.wait(working)
                    obeying.cancel()
        except BaseExceptionGroup as errors:
            # One is enough: the others are the same mistake met by other workers.
            raise errors.exceptions[0] from None

    async def _obey(self, orders: Orders) -> None:
        """Carry out what is ordered, beside the workers. Whenever this runs no turn is half done: its end is sent as one."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            await orders.carry_out(self)

    async def _work(self) -> None:
        while (claim := await self._next()) is not None:
            self._busy += 1
            try:
                await self._turn(claim)
            finally:
                self._busy -= 1

    async def _turn(self, claim: Claim) -> None:
        if not self.frontier.holds(claim):
            return  # The process stood still since it was lent, and the url is another worker's now.
        read = await self._read(claim, self._out_of_scope(claim) or await self.fetcher.fetch(claim.url))
        if not self.frontier.holds(claim):
            return  # The lease ran out meanwhile.
        # From here until it is settled nothing waits, so that what is learnt, numbered, kept and settled is in one order.
        visit, outcome = self._consider(claim, *read), read.outcome
        found = self._found(visit)
        # Keeping and settling follow each other without a wait, so that one commit holds both or neither.
        kept, moved = await self._kept(visit) if visit.outcome.final else _NOTHING
        if visit.page is not None:
            outcome = outcome._replace(alike=kept.alike or not kept.fresh)
        if await self.frontier.settle(claim, outcome, found, self.clock.now(), moved):
            self.tell(HostLosesTurns(claim.host, claim.url))
        self._report(visit, kept, len(found))
        if self.shown is not None and visit.outcome.final:
            await self.shown(visit)

    async def _read(self, claim: Claim, fetched: Fetched) -> _Read:
        """What came of a fetch: all that can be waited for before it is kept. Not worth the time once the claim is lost."""
        outcome = outcome_of(claim, fetched, self.clock.now())
        page, judgement = None, None
        if outcome.name == PAGE and isinstance(fetched, Response) and self.frontier.holds(claim):
            page = self.parser.parse(fetched)
            judgement = await self._judged(page)
            if page.form != PAGE:
                fetched = kept_answer(fetched, page)
                outcome, page, judgement = by_form(outcome, page, judgement)
        if self.look_up is not None and isinstance(fetched, Response):
            await self.look_up(fetched)
        return _Read(fetched, outcome, page, judgement)

    async def _kept(self, visit: Visit) -> tuple[Kept, tuple[tuple[Url, float], ...]]:
        """Keep a visit and what the strategy learnt from it; which urls that wait it moves."""
        kept, moved = await self.store.keep(visit), tuple(self.strategy.rerank())
        if self.teach is not None:
            self.teach()
        self._save_strategy()
        return kept, moved

    async def _judged(self, page: Page) -> Judgement:
        said = self.judge.judge(page)
        # `sound_judgement` looks closer at what is not plainly sound; nearly all are.
        if type(said) is Judgement and plainly_sound(said):
            return said
        return await awaited_judgement(self.judge, said, page)

    def _out_of_scope(self, claim: Claim) -> Refused | None:
        # Links were asked about when they were found; seeds, redirects and what an earlier run left waiting are asked about here.
        why = self.scope.refusal(claim.url, claim.candidate.depth)
        return None if why is None else Refused("scope", why)

    def _consider(
        self, claim: Claim, fetched: Fetched, outcome: Outcome, page: Page | None, judgement: Judgement | None
    ) -> Visit:
        """Number the visit, and learn from it."""
        self._visits += outcome.final
        visit = Visit(claim, self._visits, self.clock.now(), fetched, outcome, page, judgement)
        if outcome.final:
            self.strategy.learn(visit)
        return visit

    def _found(self, visit: Visit) -> list[Candidate]:
        """What the visit hands to the frontier: its links with their priorities, or where it redirects."""
        if visit.page is not None:
            return self._scored(visit, visit.page) if visit.page.follow else []
        if visit.outcome.name == "redirect" and isinstance(visit.fetched, Response):
            target = redirect_target(visit.fetched)
            return [redirected(visit.claim, target)] if target else []
        if isinstance(visit.fetched, Later) and visit.fetched.sitemaps:
            self._lists.remember(visit.claim.host, visit.fetched.sitemaps)
        return []

    def _scored(self, visit: Visit, page: Page) -> list[Candidate]:
        url, depth = visit.url, visit.claim.candidate.depth + 1
        refusal, links = self.scope.refusal, self.scope.within(page.links, depth)
        priorities = self.strategy.score(visit, links)
        if not hasattr(priorities, "__len__") or len(priorities) != len(links):
            raise wrong_scores(self.strategy, visit, links, priorities)
        found = _candidates(links, list(priorities), depth, url)
        if not all_finite(found):
            check_priorities(self.strategy, visit, found)
        found = self._lists.best_of(page, visit.claim.host, found)
        if visit.judgement is not None and visit.judgement.relevant:
            asked = self._lists.to_ask(visit, found)
            found += [each for each in asked if refusal(each.url, depth) is None]
        if page.refresh is not None and refusal(page.refresh, depth) is None:
            found.append(Candidate(page.refresh, visit.claim.candidate.priority, depth, url))
        return found

    def _save_strategy(self) -> None:
        for name, value in self.strategy.save().items():
            self.store.remember(_STRATEGY_STATE + name, value)

    def _report(self, visit: Visit, kept: Kept, found: int) -> None:
        if visit.outcome.strain:
            detail = getattr(visit.fetched, "detail", "")
            self.tell(HostBackedOff(visit.claim.host, visit.outcome.name, detail))
        if visit.outcome.final:
            self.tally.count(visit, kept)
            self.tell(PageVisited(visit, kept, found))

    async def _next(self) -> Claim | None:
        """The next claim; None when the crawl is over. Waits while no host may be visited."""
        while self._stop is None:
            if self.paused is not None or not self._may_fetch():
                await self._rest(None)
                continue
            now = self.clock.now()
            claims = await self.frontier.claim(1, now)
            if claims:
                self._resting.wake_one()
                return claims[0]
            due = self.frontier.due()
            if due is None and not self._busy:
                self.stop("empty", nothing_left(self.frontier.census()))
            else:
                await self._rest(None if due is None else due - now)
        return None

    def _may_fetch(self) -> bool:
        """Whether the budget allows one more page; ends or pauses the crawl when it is spent."""
        if (spent := self.spent()) is not None:
            if self.budget.when_spent == "stop":
                self.stop(*spent)
            else:
                self.pause(spent.message, spent.reason)
            return False
        pages = self.budget.pages
        return pages is None or self.tally.fetched + self._busy < pages

    def spent(self) -> Stop | None:
        """Why no more may be fetched; None while there is budget left."""
        return self.budget.spent(self.tally, self._time.seconds)

    async def _rest(self, seconds: float | None) -> None:
        """Wait until a page settles or so many seconds have passed."""
        if self._stop is not None:
            return
        pause = LONGEST if seconds is None else seconds
        if self.paused is None:
            self._say_what_for(seconds)
            pause = min(pause, self._time_left())
        else:
            await self.frontier.reprioritise(())  # a turn ends: so the pause is kept
        await self._resting.rest(pause)

    def _time_left(self) -> float:
        minutes = self.budget.minutes
        return inf if minutes is None else minutes * 60 - self._time.seconds

    def _say_what_for(self, seconds: float | None) -> None:
        if self._busy or seconds is None or seconds < 1 or len(self._resting) < self.workers - 1:
            return
        self.tell(CrawlWaits(seconds, what_for(self.frontier.census())))

    def tell(self, event: Event) -> None:
        """Tell all watchers what happened."""
        self.watchers.tell(event)


def _candidates(links: Sequence[Link], priorities: list[float], depth: int, url: Url) -> list[Candidate]:
    """A candidate of each link that is not dropped, with its anchor as it stands: the frontier tidies it for the few links that are new."""
    if link_loops is not None:
        return link_loops.candidates(Candidate, links, priorities, depth, url)
    # Made as bare tuples are, a third faster.
    new = tuple.__new__
    return [
        new(Candidate, (link.target, priority, depth, url, link.text[link.start : link.end], ()))
        for link, priority in zip(links, priorities, strict=False)
        if priority != DROP
    ]
