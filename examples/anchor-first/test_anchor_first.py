"""Anchor first keeps what every strategy promises, and does what its name says."""

from anchor_first import AnchorFirst

from thresher import DROP, Topic, Url, Visit
from thresher.model import Response
from thresher.testing.strategy import check_strategy, visit

TOPIC = Topic.of("iris eye pupil")


def test_it_keeps_the_promises_of_a_strategy() -> None:
    check_strategy(lambda: AnchorFirst(TOPIC))


def test_links_that_name_the_topic_come_first() -> None:
    assert scored(AnchorFirst(TOPIC)) == [0.5, 1.5, 2.5]


def test_what_is_below_the_least_priority_is_dropped() -> None:
    assert scored(AnchorFirst(TOPIC, least=1.0)) == [DROP, 1.5, 2.5]


def test_a_host_with_a_relevant_page_is_worth_more() -> None:
    strategy = AnchorFirst(TOPIC, host=0.25)
    strategy.learn(seen())
    assert scored(strategy) == [0.75, 1.75, 2.75]


def test_the_reasons_add_up_to_the_priority() -> None:
    page = seen().page
    assert page
    strategy = AnchorFirst(TOPIC)
    for link, priority in zip(page.links, scored(strategy), strict=True):
        assert sum(reason.amount for reason in strategy.explain(seen(), link)) == priority


def seen() -> Visit:
    """A page of relevance 0.5 with three links."""
    html = b"<a href=/1>more</a> <a href=/2>the iris</a> <a href=/3>iris and pupil</a>"
    return visit(1, Response(Url("http://a.example/"), 200, ((b"content-type", b"text/html"),), html, html))


def scored(strategy: AnchorFirst) -> list[float]:
    page = seen().page
    assert page
    return strategy.score(seen(), page.links)
