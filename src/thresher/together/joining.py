"""A crawl that was put together becomes one of several workers."""

from collections.abc import Awaitable, Callable

from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.frontier.postgres import PostgresFrontier
from thresher.one_learner import in_a_team
from thresher.orders.obey import InboxOrders
from thresher.orders.shared_workplace import SharedWorkplace
from thresher.orders.workplace import Workplace
from thresher.ports import Strategy
from thresher.store.shared_catalogue import STRATEGY
from thresher.together.classroom import Classroom, enrol
from thresher.together.in_step import InStep


def join_fellows(
    crawl: CrawlLoop,
    place: Workplace,
    configured: Budget,
    learn: Callable[[], Awaitable[None]],
    made_anew: Callable[[], Strategy],
) -> None:
    """Let a worker keep in step with the others, and let its strategy learn from theirs."""
    assert isinstance(place, SharedWorkplace)
    assert isinstance(crawl.frontier, PostgresFrontier)
    assert isinstance(crawl.orders, InboxOrders)
    ledger, store = place.ledger, place.shared_store
    crawl.strategy = in_a_team(crawl.strategy)
    enrolled = enrol(ledger, crawl.strategy)
    store.learner = enrolled.number
    classroom = Classroom(ledger, crawl.strategy, enrolled, made_anew, lambda: store.recall_all(STRATEGY))
    crawl.teach = classroom.teach
    began = crawl.frontier.began
    crawl.orders = InStep(ledger, crawl.orders, configured, learn, place.labels, classroom, began)
