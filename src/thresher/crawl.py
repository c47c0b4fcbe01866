"""The loop: claim → fetch → parse → judge → learn → score → keep → settle.

Standing workers each take one claim at a time through all the stages, so what is in memory is bounded by their number. The loop knows
ports and values only; which frontier, fetcher or strategy it drives is none of its business.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from math import inf, isfinite
from operator import itemgetter

from thresher.budget import Budget, Stop, Tally
from thresher.clock import Clock, SystemClock
from thresher.errors import ThresherError
from thresher.event_loops import rare_garbage_collection
from thresher.events import (
    CrawlStarted,
    CrawlStopped,
    CrawlWaits,
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
    Outcome,
    Page,
    Refused,
    Response,
    Url,
    Visit,
)
from thresher.outcomes import by_form, kept_answer, outcome_of, redirect_target, redirected
from thresher.own_parts import Watchers, awaited_judgement, check_priorities, wrong_scores
from thresher.ports import AsyncJudge, Fetcher, Frontier, Judge, Parser, Scope, Store, Strategy

_STRATEGY_STATE = "strategy/"
_STOPPED = "stopped"
_SEEDS = "seeds"
_LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.005
_PRIORITY = itemgetter(1)


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
    ) -> None:
        self.frontier, self.fetcher, self.parser, self.scope = frontier, fetcher, parser, scope
        self.judge, self.strategy, self.store = judge, strategy, store
        self.seeds, self.labels = tuple(seeds), tuple(labels)
        self.budget = budget or Budget()
        self.clock = clock or SystemClock()
        self.workers = workers
        self.watchers = Watchers(watchers)
        self.tally = Tally()
        self._lists = ListedLinks(store, links or LinkOptions())
        self.shown: Callable[[Visit], Awaitable[None]] | None = None
        """Awaited with each visit that was kept, before its worker takes the next url: whoever is slow here slows the crawl down."""
        self.warm = False
        """Whether the strategy went through the earlier runs itself, so that what it saved must not be loaded into it once more."""
        self._visits = 0
        self._busy = 0
        self._parked: deque[asyncio.Future[None]] = deque()
        self._stop: Stop | None = None

    async def run(self) -> Stop:
        """Crawl until the budget is spent, nothing is left, or somebody calls `stop`."""
        self._started = self.clock.now()
        self.tally = self.budget.tally(self.store.tally(self.budget.dry_window))
        self._visits = self.tally.visits
        if not self.warm and (parts := self.store.recall_all(_STRATEGY_STATE)):
            self.strategy.load(parts)
        self.store.remember(_STOPPED, b"")
        await self.heed(self.labels)
        await self._offer_seeds()
        self.tell(CrawlStarted(self.tally.visits, self.frontier.census()))
        try:
            with rare_garbage_collection():
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
        while self._parked:
            self._wake_one()

    async def heed(self, labels: Sequence[LabelledPage]) -> None:
        """Tell the strategy what a person said of pages, and move the urls that wait at once. The crawl may be running."""
        if labels:
            moved = tuple(self.strategy.heed(labels))
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
                for _ in range(self.workers):
                    group.create_task(self._work())
        except BaseExceptionGroup as errors:
            # One is enough: the others are the same mistake met by other workers.
            raise errors.exceptions[0] from None

    async def _work(self) -> None:
        while (claim := await self._next()) is not None:
            self._busy += 1
            try:
                await self._turn(claim)
            finally:
                self._busy -= 1

    async def _turn(self, claim: Claim) -> None:
        fetched = self._out_of_scope(claim) or await self.fetcher.fetch(claim.url)
        if not self.frontier.holds(claim):
            return  # The lease ran out, and the url is another worker's now.
        outcome = outcome_of(claim, fetched, self.clock.now())
        page, judgement = None, None
        if outcome.name == PAGE and isinstance(fetched, Response):
            page = self.parser.parse(fetched)
            said = self.judge.judge(page)
            # `sound_judgement` looks closer at what is not plainly sound; nearly all are.
            if type(said) is Judgement and _plainly_sound(said):
                judgement = said
            else:
                judgement = await awaited_judgement(self.judge, said, page)
                if not self.frontier.holds(claim):
                    return
            if page.form != PAGE:
                fetched = kept_answer(fetched, page)
                outcome, page, judgement = by_form(outcome, page, judgement)
        # From here to the end of the turn nothing waits, so that what is learnt, numbered, kept and settled is in one order.
        visit = self._consider(claim, fetched, outcome, page, judgement)
        found = self._found(visit)
        # Keeping and settling follow each other without a wait, so that one commit holds both or neither.
        kept, moved = Kept(), tuple[tuple[Url, float], ...]()
        if visit.outcome.final:
            kept, moved = await self.store.keep(visit), tuple(self.strategy.rerank())
            self._save_strategy()
            if visit.page is not None:
                outcome = outcome._replace(alike=kept.alike or not kept.fresh)
        if await self.frontier.settle(claim, outcome, found, self.clock.now(), moved):
            self.tell(HostLosesTurns(claim.host, claim.url))
        self._report(visit, kept, len(found))
        if self.shown is not None and visit.outcome.final:
            await self.shown(visit)

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
        refusal = self.scope.refusal
        links = [link for link in page.links if refusal(link.target, depth) is None]
        priorities = self.strategy.score(visit, links)
        if not hasattr(priorities, "__len__") or len(priorities) != len(links):
            raise wrong_scores(self.strategy, visit, links, priorities)
        # The anchor as it stands; the frontier tidies it for the few links that are new. Made as bare tuples are, a third faster.
        new = tuple.__new__
        found = [
            new(Candidate, (link.target, priority, depth, url, link.text[link.start : link.end], ()))
            for link, priority in zip(links, priorities, strict=False)
            if priority != DROP
        ]
        if not _finite(found):
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
            if not self._may_fetch():
                await self._rest(None)
                continue
            now = self.clock.now()
            claims = await self.frontier.claim(1, now)
            if claims:
                self._wake_one()
                return claims[0]
            due = self.frontier.due()
            if due is None and not self._busy:
                self.stop("empty", self._nothing_left())
            else:
                await self._rest(None if due is None else due - now)
        return None

    def _may_fetch(self) -> bool:
        """Whether the budget allows one more page; ends the crawl when it is spent and nothing is under way."""
        spent = self.budget.spent(self.tally, self.clock.now() - self._started)
        if spent is not None:
            self.stop(*spent)
            return False
        pages = self.budget.pages
        return pages is None or self.tally.fetched + self._busy < pages

    async def _rest(self, seconds: float | None) -> None:
        """Wait until a page settles or so many seconds have passed."""
        if self._stop is not None:
            return
        self._say_what_for(seconds)
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parked.append(woken)
        pause = max(
            min(_LONGEST_PAUSE if seconds is None else seconds, self._time_left(), _LONGEST_PAUSE), _SHORTEST_PAUSE
        )
        sleeper = asyncio.ensure_future(self.clock.sleep(pause))
        try:
            await asyncio.wait((woken, sleeper), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
            if not woken.done():
                self._parked.remove(woken)

    def _time_left(self) -> float:
        minutes = self.budget.minutes
        return inf if minutes is None else minutes * 60 - (self.clock.now() - self._started)

    def _wake_one(self) -> None:
        # One at a time: whoever gets a claim wakes the next, so as many wake as there is work for, and no crowd for one url. Who is done
        # with a page wakes nobody: the next claim is its own.
        if self._parked:
            self._parked.popleft().set_result(None)

    def _say_what_for(self, seconds: float | None) -> None:
        if self._busy or seconds is None or seconds < 1 or len(self._parked) < self.workers - 1:
            return
        census = self.frontier.census()
        self.tell(CrawlWaits(seconds, f"{_some(census.waiting, 'url')} on {_some(census.resting, 'resting host')}"))

    def _nothing_left(self) -> str:
        closed = self.frontier.census().closed
        rest = (
            f"; {_some(closed, 'url')} {'is' if closed == 1 else 'are'} left on hosts that gave no answer or whose quota is used up"
            if closed
            else ""
        )
        return f"nothing is left to fetch{rest}"

    def tell(self, event: Event) -> None:
        """Tell all watchers what happened."""
        self.watchers.tell(event)


def _plainly_sound(said: Judgement) -> bool:
    return type(said.relevance) is float and 0.0 <= said.relevance <= 1.0 and type(said.relevant) is bool


def _finite(found: Sequence[Candidate]) -> bool:
    """Whether all priorities are finite, in one sum; a sum that overflows says no although they are."""
    try:
        return isfinite(sum(map(_PRIORITY, found)))
    except (TypeError, OverflowError):
        return False


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
