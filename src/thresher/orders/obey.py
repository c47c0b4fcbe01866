"""A crawl looks into its inbox and carries out what is there: the port `Orders` of the loop."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from thresher.budget import Budget
from thresher.disk.tables import Tables
from thresher.errors import BadInput
from thresher.events import OrderCarriedOut, OrdersUnreadable
from thresher.orders.carried_out import PENDING, Answer, last_of, make_carried_out, put_answer
from thresher.orders.effects import Bridge, Effect, ReadPage, carry_out
from thresher.orders.inbox_reader import AT_ONCE, Inbox, Unreadable
from thresher.orders.order import Order, StopCrawl, from_bytes, name_of
from thresher.ports import Steered
from thresher.store.labels import make_labels

Learn = Callable[[], Awaitable[None]]
_NO_ORDER = Effect("It is no order that this Thresher knows", done=False)


class InboxOrders:
    """The orders of one crawl, for whoever crawls."""

    def __init__(  # noqa: PLR0913 - where orders come from, and what they reach
        self,
        inbox: Inbox,
        ledger: Tables,
        read_page: ReadPage,
        configured: Budget,
        learn: Learn | None = None,
        *,
        runs: bool = True,
    ) -> None:
        """Say where orders come from.

        Args:
            inbox: where they are.
            ledger: the tables in which the answers are kept.
            read_page: the page of a label, as it was then.
            configured: the budget without what was given later.
            learn: called after labels have changed, when they are kept: for the judges.
            runs: False if no crawl runs, and somebody else carries its orders out.
        """
        self._ledger, self._read_page, self._configured, self._learn = ledger, read_page, configured, learn
        # Now, since to make tables ends a transaction, and whoever reads looks only once whether they are there.
        make_carried_out(ledger)
        make_labels(ledger)
        self._reader = inbox
        self._runs, self._begun = runs, False
        self.catch_up: Callable[[Steered], Awaitable[None]] | None = None
        """Called before orders are carried out: for who must hear first how the crawl stands by now."""
        self._done = _Done(ledger)
        self._trouble = ""

    async def carry_out(self, crawl: Steered) -> None:
        """Carry out what was ordered since the last look: each order once, in order, between two turns of the loop."""
        # What was ordered before the crawl was started is older than the start: it does not stop it.
        begun, self._begun = self._begun, True
        while self._reader.changed():
            given = self._look(crawl)
            try:
                if given and self.catch_up is not None:
                    await self.catch_up(crawl)
                learnt = [await self._one(crawl, name, number, said, begun=begun) for name, number, said in given]
            finally:
                self._reader.looked()
            if any(learnt) and self._learn is not None:
                await self._learn()
            if len(given) < AT_ONCE:
                return
            self._reader.look_again()
            if begun:  # however many there are, the workers get their turn
                await asyncio.sleep(0)

    def _look(self, crawl: Steered) -> list[tuple[str, int, bytes]]:
        try:
            found = self._reader.look(self._done)
        except Unreadable as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                crawl.tell(OrdersUnreadable(self._trouble))
            return []
        self._trouble = ""
        return [] if found is None else [(found.name, number, said) for number, said in found.given]

    async def _one(self, crawl: Steered, inbox: str, number: int, said: bytes, *, begun: bool) -> bool:
        """Carry out one order, in one transaction with its answer."""
        order = _order(said)
        runs = self._runs and (begun or not isinstance(order, StopCrawl))
        bridge = Bridge(crawl, self._ledger, self._configured, self._read_page, runs)
        with self._ledger.as_one():
            # Noted first: an order over which a part of the crawl fails is not met again at each start.
            put_answer(self._ledger, inbox, Answer(number, time.time(), PENDING, 0, done=False))
            effect = _NO_ORDER if order is None else await carry_out(order, number / 1000, bridge)
            put_answer(self._ledger, inbox, Answer(number, time.time(), effect.sentence, effect.moved, effect.done))
        self._done[inbox] = number
        crawl.tell(OrderCarriedOut(name_of(order) if order else "", effect.sentence, effect.moved, effect.done))
        return effect.learnt


class _Done(dict[str, int]):
    """The last order of each inbox that was carried out."""

    def __init__(self, ledger: Tables) -> None:
        super().__init__()
        self._ledger = ledger

    def __missing__(self, inbox: str) -> int:
        self[inbox] = last_of(self._ledger.read, inbox)
        return self[inbox]


def _order(said: bytes) -> Order | None:
    with contextlib.suppress(BadInput):
        return from_bytes(said)
    return None
