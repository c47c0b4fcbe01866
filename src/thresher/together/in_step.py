"""One worker keeps in step with the others: once a second it looks how the crawl stands, and does as all do."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from thresher.budget import Budget, SharedTally
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.errors import LedgerLost
from thresher.model import LabelledPage
from thresher.orders.effects import HALT, STOPPED
from thresher.orders.lasting import LEFT, MORE, budget_given, left_hosts, without
from thresher.orders.obey import InboxOrders
from thresher.pauses import PAUSED, Paused
from thresher.ports import Steered
from thresher.together.classroom import Classroom

_EVERY = 1.0
"""Seconds between two looks."""
ANEW = "orders/anew"
"""The name under which a crawl remembers the visit after which a harvest that dried up got another chance."""
_STATES = (PAUSED, LEFT, MORE, HALT, ANEW)
_NEWS = f"""
    SELECT visits, fetched, relevant, bytes, lending.pages, (SELECT ROW(count(*), max(at))::text FROM label),
        {", ".join("(SELECT value FROM state WHERE name = %s)" for _ in _STATES)}
    FROM totals, lending
"""  # noqa: S608 - as many questions as states
_FRESH = "SELECT fresh FROM visit WHERE number > %s AND asked ORDER BY number DESC LIMIT %s"
_LIMIT = "UPDATE lending SET pages = %s WHERE pages IS DISTINCT FROM %s"


class News(NamedTuple):
    """How a crawl stands."""

    visits: int
    fetched: int
    relevant: int
    received: int
    pages: int | None
    """How many pages the server lends in all."""
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
        ledger: PostgresLedger,
        orders: InboxOrders,
        configured: Budget,
        learn: Callable[[], Awaitable[None]],
        labels: Callable[[], list[LabelledPage]],
        classroom: Classroom,
        began: float,
    ) -> None:
        """Begin.

        Args:
            ledger: the crawl.
            orders: what was ordered; any worker carries it out.
            configured: the budget without what was given later.
            learn: called after labels or hosts that are left out have changed: for those who fetch and judge.
            labels: the pages that were labelled so far.
            classroom: where strategies learn from each other.
            began: when this worker joined, by the server's clock.
        """
        self._ledger, self._orders, self._configured = ledger, orders, configured
        self._learn, self._labels, self._classroom, self._began = learn, labels, classroom, began
        self._next = 0.0
        self._before: News | None = None

    async def carry_out(self, crawl: Steered) -> None:
        """Carry out what was ordered, if no other worker does, and do what others did."""
        await self._orders.carry_out(crawl)
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        try:
            news = self._look()
            self._count(crawl, news)
            await self._follow(crawl, news)
            await self._classroom.attend(crawl)
        except LedgerLost:
            return  # whoever needs the server waits for it
        self._before = news

    def _look(self) -> News:
        [row] = self._ledger.read(_NEWS, _STATES)
        return News(*row)

    def _count(self, crawl: Steered, news: News) -> None:
        """What all workers have fetched by now."""
        tally = crawl.tally
        if not isinstance(tally, SharedTally):
            return
        if self._before is not None and news.anew != self._before.anew:
            tally.look_anew()
        latest = self._ledger.read(_FRESH, (tally.visits, crawl.budget.dry_window))
        tally.take_in(news[:4], [fresh for (fresh,) in reversed(latest)])

    async def _follow(self, crawl: Steered, news: News) -> None:
        """Do what a fellow worker was told, or found out."""
        before = self._before
        self._follow_budget(crawl, news)
        paused = Paused.from_bytes(news.paused)
        if (paused is None) != (crawl.paused is None):
            crawl.follow_pause(paused)
        if news.halt and float(news.halt) > self._began:
            crawl.stop("ordered", STOPPED)
        if before is None or (news.left, news.labels) == (before.left, before.labels):
            return
        if news.left != before.left:
            crawl.scope = without(crawl.scope, left_hosts(news.left))
        await self._learn()
        if news.labels != before.labels:
            await crawl.heed(self._labels())

    def _follow_budget(self, crawl: Steered, news: News) -> None:
        given = budget_given(self._configured, news.more)
        if given != crawl.budget:
            crawl.budget = replace(given, when_spent=crawl.budget.when_spent)
        if news.pages != crawl.budget.pages:
            self._ledger.safely(_LIMIT, (crawl.budget.pages, crawl.budget.pages))
