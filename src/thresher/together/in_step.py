"""One worker keeps in step with the others: once a second it looks how the crawl stands, and does as all do."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from thresher.budget import Budget, SharedTally
from thresher.crawl import CrawlLoop
from thresher.errors import LedgerLost
from thresher.frontier.postgres import PostgresFrontier
from thresher.one_learner import in_a_team
from thresher.orders.effects import HALT, STOPPED
from thresher.orders.lasting import LEFT, MORE, budget_given, left_hosts, without
from thresher.orders.obey import InboxOrders
from thresher.orders.shared_workplace import SharedWorkplace
from thresher.orders.workplace import Workplace
from thresher.pauses import PAUSED, Paused
from thresher.ports import Steered, Strategy
from thresher.store.lesson_book import LessonBook
from thresher.store.shared_catalogue import STRATEGY
from thresher.together.classroom import Classroom, enrol

_EVERY = 1.0
"""Seconds between two looks."""
ANEW = "orders/anew"
"""The name under which a crawl remembers the visit after which a harvest that dried up got another chance."""


_OF_ALL = ("pages", "relevant", "bytes")
"""What of a budget all workers spend together."""


class News(NamedTuple):
    """How a crawl stands."""

    totals: tuple[int, int, int, int]
    """Visits, fetches, relevant pages and bytes of all workers."""
    labels: str
    """Another text after a label was given or taken back."""
    paused: bytes | None
    left: bytes | None
    more: bytes | None
    halt: bytes | None
    anew: bytes | None


class InStep:
    """What a worker does between its turns: the port `Orders` of the loop."""

    def __init__(  # noqa: PLR0913, PLR0917 - all that workers share
        self,
        place: SharedWorkplace,
        frontier: PostgresFrontier,
        orders: InboxOrders,
        configured: Budget,
        learn: Callable[[], Awaitable[None]],
        classroom: Classroom,
    ) -> None:
        """Begin.

        Args:
            place: the crawl, as this worker opened it.
            frontier: its part of the frontier.
            orders: what was ordered; any worker carries it out.
            configured: the budget without what was given later.
            learn: called after labels or hosts that are left out have changed: for those who fetch and judge.
            classroom: where strategies learn from each other.
        """
        self._place, self._store, self._frontier, self._orders = place, place.shared_store, frontier, orders
        self._configured, self._learn, self._classroom = configured, learn, classroom
        self._next = 0.0
        self._before: News | None = None
        # A pause that a fellow worker has ended must not be one for whoever carries out the next order.
        orders.catch_up = self._catch_up

    async def carry_out(self, crawl: Steered) -> None:
        """Carry out what was ordered, if no other worker does, and do what others did."""
        counted = bool(crawl.tally.recent)
        await self._orders.carry_out(crawl)
        if counted and not crawl.tally.recent:  # a harvest that dried up gets another chance
            self._store.remember(ANEW, str(crawl.tally.visits).encode())
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        try:
            self._frontier.count_workers()
            await self._catch_up(crawl)
            await self._classroom.attend(crawl)
        except LedgerLost:
            return  # whoever needs the server waits for it

    async def _catch_up(self, crawl: Steered) -> None:
        news = self._look()
        self._count(crawl, news)
        await self._follow(crawl, news)
        if self._before is not None and news.totals != self._before.totals:
            crawl.wake()  # what a fellow worker fetched may have given something to fetch, or spent the budget
        self._before = news

    def _look(self) -> News:
        remembered = map(self._store.recall, (PAUSED, LEFT, MORE, HALT, ANEW))
        return News(self._store.totals(), self._store.label_mark(), *remembered)

    def _count(self, crawl: Steered, news: News) -> None:
        """What all workers have fetched by now."""
        tally = crawl.tally
        if not isinstance(tally, SharedTally):
            return
        if self._before is not None and news.anew != self._before.anew:
            tally.look_anew()
        tally.take_in(news.totals, self._store.fetches(tally.visits, news.totals[0], crawl.budget.dry_window))

    async def _follow(self, crawl: Steered, news: News) -> None:
        """Do what a fellow worker was told, or found out."""
        before = self._before
        self._follow_budget(crawl, news)
        paused = Paused.from_bytes(news.paused)
        if (paused is None) != (crawl.paused is None):
            crawl.follow_pause(paused)
        if paused is not None and paused.spent in _OF_ALL and crawl.spent() is None:
            # Whoever paused it did not know yet that there is more.
            crawl.go_on()
            await crawl.learn_from_others(())  # a turn ends: so it is kept
        if news.halt and float(news.halt) > self._frontier.began:
            crawl.stop("ordered", STOPPED)
        if before is None or (news.left, news.labels) == (before.left, before.labels):
            return
        if news.left != before.left:
            crawl.scope = without(crawl.scope, left_hosts(news.left))
        await self._learn()
        if news.labels != before.labels:
            await crawl.heed(self._place.labels())

    def _follow_budget(self, crawl: Steered, news: News) -> None:
        given = budget_given(self._configured, news.more)
        if self._before is None or given != crawl.budget:
            crawl.budget = replace(given, when_spent=crawl.budget.when_spent)
            self._frontier.limit(crawl.budget.pages)


def join_fellows(
    crawl: CrawlLoop,
    place: Workplace,
    configured: Budget,
    learn: Callable[[], Awaitable[None]],
    made_anew: Callable[[], Strategy],
) -> None:
    """Make a crawl that was put together one of several workers: it keeps in step with them, and its strategy learns from theirs."""
    assert isinstance(place, SharedWorkplace)
    assert isinstance(crawl.frontier, PostgresFrontier)
    assert isinstance(crawl.orders, InboxOrders)
    store, book = place.shared_store, LessonBook(place.ledger)
    crawl.strategy = in_a_team(crawl.strategy)
    enrolled = enrol(book, crawl.strategy)
    store.learner = enrolled.number
    classroom = Classroom(book, crawl.strategy, enrolled, made_anew, lambda: store.recall_all(STRATEGY))
    crawl.teach, crawl.look_up = classroom.teach, store.look_up
    crawl.orders = InStep(place, crawl.frontier, crawl.orders, configured, learn, classroom)
