"""What each order does to a crawl, and the sentence that answers it.

Nothing here waits: an order is carried out between two turns of the loop, in one transaction with its answer. The same code serves a
crawl that runs and one that has stopped.
"""

from collections.abc import Callable
from typing import NamedTuple, assert_never

from thresher.budget import Budget
from thresher.disk.tables import Tables
from thresher.model import Candidate, LabelledPage, Standing, Url
from thresher.orders.lasting import (
    LEFT,
    forget_before,
    label_before,
    left_hosts,
    remember_before,
    remember_left,
    remember_more,
    without,
)
from thresher.orders.order import First, GoOn, Label, Leave, More, Order, Pause, StopCrawl, TakeBack
from thresher.ports import Steered
from thresher.store.labels import HandLabel, is_page, label_of, remove_label, word_of, write_label

BY_ORDER = "a person paused it"
STOPPED = "stopped by order; run the same command to continue"
HALT = "orders/halt"
"""The name under which a crawl remembers when it was ordered to stop: all workers that began before do."""
_UNITS = {"pages": "pages", "relevant": "relevant pages", "bytes": "bytes", "minutes": "minutes a run"}
_FIRST: dict[Standing, tuple[str, bool]] = {
    "unknown": ("is fetched next, as soon as its host may be visited; no link to it was known", True),
    "waiting": ("is fetched next, as soon as its host may be visited", True),
    "closed": (
        "is first now, but its host is not asked any more in this run: it gave no good answers, or its quota is used up",
        True,
    ),
    "claimed": ("is being fetched already", False),
    "settled": ("was visited already: thresher why tells what came of it", False),
}


ReadPage = Callable[[HandLabel], LabelledPage | None]
"""The page of a label, as it was then; None if it cannot be read any more."""


class Effect(NamedTuple):
    """What came of an order."""

    sentence: str
    moved: int = 0
    done: bool = True
    learnt: bool = False
    """Whether labels or hosts that are left out have changed, which whoever fetches and judges must hear of."""


class Bridge(NamedTuple):
    """From where a crawl is steered."""

    crawl: Steered
    ledger: Tables
    configured: Budget
    """The budget without what was given later."""
    read_page: ReadPage
    runs: bool
    """Whether the crawl was running when the order was given."""


async def carry_out(order: Order, given_at: float, bridge: Bridge) -> Effect:  # noqa: PLR0911 - an order each
    """Do what is ordered."""
    match order:
        case Pause():
            return _pause(bridge)
        case GoOn():
            return _go_on(bridge)
        case StopCrawl():
            return _stop(given_at, bridge)
        case More():
            return _more(order, bridge)
        case Leave():
            return await _leave(order, bridge)
        case First():
            return await _first(order, bridge)
        case Label():
            return await _label(order, given_at, bridge)
        case TakeBack():
            return await _take_back(order, bridge)
        case _:
            assert_never(order)


def _pause(bridge: Bridge) -> Effect:
    paused = bridge.crawl.paused
    if paused is not None and not paused.spent:
        return Effect("It is paused already", done=False)
    bridge.crawl.pause(BY_ORDER)
    if bridge.runs:
        return Effect("It is paused: pages under way end, and no other is fetched until the order to go on")
    return Effect("It does not run now; when it is started it is paused until the order to go on")


def _go_on(bridge: Bridge) -> Effect:
    crawl = bridge.crawl
    paused = crawl.paused
    if paused is None:
        return Effect(
            "It is not paused" if bridge.runs else "It is not paused: run the same command to continue", done=False
        )
    if paused.spent == "dry":
        crawl.tally.look_anew()
    if (spent := crawl.spent()) is not None:
        if not paused.spent:  # what a person paused is over; from now on it waits for budget alone
            crawl.pause(spent.message, spent.reason)
        return Effect(f"It stays paused: {spent.message}; give more first", done=False)
    crawl.go_on()
    return Effect("It goes on" if bridge.runs else "It is not paused any more: run the same command to continue")


def _stop(given_at: float, bridge: Bridge) -> Effect:
    if not bridge.runs:
        return Effect("It has stopped already")
    bridge.crawl.store.remember(HALT, repr(given_at).encode())
    bridge.crawl.stop("ordered", STOPPED)
    return Effect("It stops: pages under way end; run the same command to continue")


def _more(order: More, bridge: Bridge) -> Effect:
    crawl = bridge.crawl
    if getattr(crawl.budget, order.key) is None:
        return Effect(f"There is no limit of {_UNITS[order.key]} that could be raised", done=False)
    crawl.budget = crawl.budget.raised(order.key, order.amount)
    remember_more(crawl.store, order.key, bridge.configured, crawl.budget)
    limit = (
        f"{getattr(crawl.budget, order.key):,g}" if order.key == "minutes" else f"{getattr(crawl.budget, order.key):,}"
    )
    said = f"The budget is {limit} {_UNITS[order.key]} now"
    if not bridge.runs:
        return Effect(f"{said}: run the same command to continue")
    if crawl.paused is None or not crawl.paused.spent:
        return Effect(said if crawl.paused is None else f"{said}; it is still paused")
    if (spent := crawl.spent()) is not None:
        return Effect(f"{said}; it stays paused: {spent.message}")
    crawl.go_on()
    return Effect(f"{said}, and it goes on")


async def _leave(order: Leave, bridge: Bridge) -> Effect:
    crawl, host = bridge.crawl, order.host
    left = left_hosts(crawl.store.recall(LEFT))
    if host in left:
        return Effect(f"{host} is left out already", done=False)
    remember_left(crawl.store, [*left, host])
    crawl.scope = without(crawl.scope, [*left, host])
    count = await crawl.frontier.leave(host)
    crawl.wake()
    given_up = (
        f"{count:,} url{'s' * (count != 1)} that waited there {'is' if count == 1 else 'are'} given up"
        if count
        else "no url of it was waiting"
    )
    return Effect(f"{host} is left out from now on; {given_up}", count, learnt=True)


async def _first(order: First, bridge: Bridge) -> Effect:
    crawl, url = bridge.crawl, order.url
    if (why := crawl.scope.refusal(url, 0)) is not None:
        return Effect(f"{_shown(url)} is not in scope ({why})", done=False)
    sentence, done = _FIRST[await crawl.frontier.put_first(Candidate(url, 0.0))]
    crawl.wake()
    return Effect(f"{_shown(url)} {sentence}", int(done), done)


async def _label(order: Label, given_at: float, bridge: Bridge) -> Effect:
    ledger, store, url = bridge.ledger, bridge.crawl.store, order.url
    if not is_page(ledger.read, url):
        return Effect(f"{_shown(url)} is no page that the crawl has kept: only such can be labelled", done=False)
    before = label_of(ledger.read, url)
    remember_before(store, url, before)
    label = HandLabel(url, order.relevant, given_at)
    write_label(ledger, label)
    said = f"{_shown(url)} is {word_of(order.relevant) or 'skipped'}"
    return await _heard(said, label, bridge)


async def _take_back(order: TakeBack, bridge: Bridge) -> Effect:
    ledger, store, url = bridge.ledger, bridge.crawl.store, order.url
    if label_of(ledger.read, url) is None:
        return Effect(f"{_shown(url)} has no label that could be taken back", done=False)
    before = label_before(store, url)
    forget_before(store, url)
    if before is None:
        remove_label(ledger, url)
        return Effect(f"{_shown(url)} has no label any more", learnt=True)
    write_label(ledger, before)
    said = f"{_shown(url)} is {word_of(before.relevant) or 'skipped'} again"
    return await _heard(said, before, bridge)


async def _heard(said: str, label: HandLabel, bridge: Bridge) -> Effect:
    """What the strategy makes of a label."""
    if not bridge.runs:
        return Effect(f"{said}; the crawl hears of it when it goes on")
    page = None if label.relevant is None else bridge.read_page(label)
    moved = 0 if page is None else await bridge.crawl.heed([page])
    return Effect(f"{said}; {moved:,} waiting url{'s' * (moved != 1)} moved", moved, learnt=True)


def _shown(url: Url) -> str:
    """A url that fits into a sentence."""
    return url if len(url) <= 200 else f"{url[:199]}…"
