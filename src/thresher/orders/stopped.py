"""A crawl that does not run, as orders see it: what they change is kept, and holds when the crawl goes on."""

import time
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack, closing
from functools import cached_property
from typing import Any

from thresher import plugins
from thresher.budget import Budget, Stop
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import blaming_damage
from thresher.disk.ledger import Ledger
from thresher.events import Event
from thresher.fetchers import scope_rules
from thresher.frontier import SqliteFrontier
from thresher.model import LabelledPage
from thresher.orders.lasting import LEFT, left_hosts, settled_budget, without
from thresher.orders.obey import InboxOrders
from thresher.pauses import PAUSED, Paused
from thresher.ports import Scope
from thresher.settings import Manners, Settings
from thresher.store.catalogue import Catalogue


class StoppedCrawl:
    """The crawl of a folder whose lock we hold."""

    def __init__(self, ledger: Ledger, store: Catalogue, settings: Settings, configured: Budget) -> None:
        self._ledger, self._settings = ledger, settings
        self.store = store
        self.scope: Scope = without(scope_rules(settings), left_hosts(store.recall(LEFT)))
        self.budget = settled_budget(configured, store)
        self.tally = self.budget.tally(store.tally(self.budget.dry_window))

    @cached_property
    def frontier(self) -> SqliteFrontier:
        """Its frontier: few orders need it, and to open a large one takes a moment."""
        manners: Manners = plugins.construct(Manners, self._settings.polite, "[polite]")
        given = {"delay": manners.delay, "per_host": manners.per_host}
        frontier: SqliteFrontier = plugins.construct(
            SqliteFrontier, self._settings.frontier, "[frontier]", ledger=self._ledger, **given
        )
        return frontier

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


def carry_out_waiting(folder: CrawlFolder, settings: Settings) -> None:
    """Carry out what waits in the inbox of a crawl that does not run, under the lock of its folder."""
    configured: Budget = plugins.construct(Budget, settings.budget, "[budget]")
    with ExitStack() as stack:
        stack.enter_context(CrawlFolder(folder.path))
        stack.enter_context(blaming_damage(folder.database))
        ledger = stack.enter_context(closing(Ledger(folder.database)))
        store = plugins.construct(Catalogue, settings.store, "[store]", ledger=ledger, warc_folder=folder.warc)
        stack.enter_context(closing(store))
        crawl = StoppedCrawl(ledger, store, settings, configured)
        _at_once(InboxOrders(folder, ledger, configured, runs=False).carry_out(crawl))


def _at_once(work: Coroutine[Any, Any, None]) -> None:
    """Do what never waits; so it can be done inside any event loop, and without one."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("carrying out an order must not wait")
