"""A crawl that does not run, as orders see it: what they change is kept, and holds when the crawl goes on."""

import time
from collections.abc import Coroutine, Sequence
from functools import cached_property
from typing import Any

from thresher import plugins
from thresher.budget import Budget, Stop
from thresher.disk.crawl_home import Home
from thresher.events import Event
from thresher.fetchers import scope_rules
from thresher.model import LabelledPage
from thresher.orders.lasting import LEFT, left_hosts, settled_budget, without
from thresher.orders.obey import InboxOrders
from thresher.orders.workplace import Workplace, workplace
from thresher.pauses import PAUSED, Paused
from thresher.ports import Frontier, Scope
from thresher.settings import Manners, Settings


class StoppedCrawl:
    """A crawl on which nobody else works now."""

    def __init__(self, place: Workplace, settings: Settings, configured: Budget) -> None:
        self._place, self._settings = place, settings
        self.store = store = place.store
        self.scope: Scope = without(scope_rules(settings), left_hosts(store.recall(LEFT)))
        self.budget = settled_budget(configured, store)
        self.tally = self.budget.tally(store.tally(self.budget.dry_window))

    @cached_property
    def frontier(self) -> Frontier:
        """Its frontier: few orders need it, and to open a large one takes a moment."""
        manners: Manners = plugins.construct(Manners, self._settings.polite, "[polite]")
        return self._place.make_frontier(delay=manners.delay, per_host=manners.per_host)

    @property
    def paused(self) -> Paused | None:
        """The pause in which it will be started."""
        return Paused.from_bytes(self.store.recall(PAUSED))

    def spent(self) -> Stop | None:
        """Nothing is spent that could keep a crawl paused which does not run."""
        return None

    def pause(self, why: str, spent: str = "") -> None:
        """Remember the pause."""
        self.store.remember(PAUSED, Paused(why, time.time(), spent).to_bytes())

    def go_on(self) -> None:
        """Forget the pause."""
        self.store.remember(PAUSED, b"")

    def follow_pause(self, paused: Paused | None) -> None:
        """Nobody crawls who could be followed."""

    def stop(self, reason: str, message: str) -> None:
        """It has stopped."""

    def wake(self) -> None:
        """Nobody waits."""

    async def heed(self, labels: Sequence[LabelledPage]) -> int:  # noqa: ARG002 - of the port
        """The strategy hears of all labels when the crawl goes on."""
        return 0

    async def learn_from_others(self, lessons: Sequence[bytes]) -> None:
        """There is no strategy that could learn."""

    def tell(self, event: Event) -> None:
        """Nobody watches."""


def carry_out_waiting(home: Home, settings: Settings) -> None:
    """Carry out what waits in the inbox of a crawl that does not run."""
    configured: Budget = plugins.construct(Budget, settings.budget, "[budget]")
    with workplace(home, settings, keeps=False) as place:
        crawl = StoppedCrawl(place, settings, configured)
        orders = InboxOrders(place.inbox, place.tables, place.labelled_page, configured, runs=False)
        _at_once(orders.carry_out(crawl))


def _at_once(work: Coroutine[Any, Any, None]) -> None:
    """Do what never waits; so it can be done inside any event loop, and without one."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("carrying out an order must not wait")
