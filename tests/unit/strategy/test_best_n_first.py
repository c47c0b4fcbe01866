import pytest
from tests.unit.strategy.walks import HOST, IRIS, URL, links, order, order_with_stops, page, visit

from thresher.errors import BadInput
from thresher.strategy.best_first import BestFirst
from thresher.strategy.best_n_first import BestNFirst
from thresher.testing.simulated_web import redirect

# The better a page, the more of its words are the topic's.
BEST, GOOD, FAIR, NONE = "iris", "iris lens", "iris lens eye lid", "bread"
WEB = {
    "/": page(GOOD, "/a", "/b", "/c"),
    "/a": page(BEST, "/a1", "/a2"),
    "/b": page(NONE, "/b1"),
    "/c": page(FAIR, "/c1"),
    "/a1": page(BEST, "/a11"),
}


async def test_with_n_1_it_is_best_first_where_no_url_is_met_again():
    assert await order(WEB, BestNFirst(IRIS, n=1)) == await order(WEB, BestFirst(IRIS))
    assert await order(WEB, BestFirst(IRIS)) == ["/", "/a", "/a1", "/a2", "/a11", "/b", "/c", "/c1", "/b1"]


async def test_what_a_batch_brings_waits_until_the_batch_is_done():
    # The seed; a and b, though a's links are better than b; then the best two of all.
    assert await order(WEB, BestNFirst(IRIS, n=2)) == ["/", "/a", "/b", "/a1", "/a2", "/a11", "/c", "/c1", "/b1"]


async def test_a_batch_ends_when_nothing_of_it_is_left():
    # With n = 100 every batch is all that is known: level by level, each in the order of its scores.
    assert await order(WEB, BestNFirst(IRIS, n=100)) == ["/", "/a", "/b", "/c", "/a1", "/a2", "/c1", "/b1", "/a11"]


def test_the_lifted_links_get_the_best_score_of_the_batch():
    strategy, seen = BestNFirst(IRIS, n=2), {}
    for here in (visit("iris"), visit("iris lens", number=2)):
        strategy.learn(here)
        assert all(priority < 0 for priority in strategy.score(here, links(2)))
        seen = dict(strategy.rerank())
    assert seen == dict.fromkeys((link.target for link in links(2)), 1.0)


def test_of_two_links_to_one_target_the_better_counts():
    strategy = BestNFirst(IRIS, n=1, nofollow=0.5)
    here = visit("iris")
    strategy.learn(here)
    strategy.score(here, [*links(1), *links(1, rel="nofollow")])
    assert list(strategy.rerank()) == [(links(1)[0].target, 1.0)]


@pytest.mark.parametrize(("location", "there"), [("/moved", "/moved"), ("/café", "/caf%C3%A9")])
async def test_where_a_parked_link_redirects_is_not_left_behind(location, there):
    web = WEB | {"/a": redirect(f"{HOST}/a", location), there: page(BEST, "/m")}
    assert await order(web, BestNFirst(IRIS, n=3)) == ["/", "/a", "/b", "/c", there, "/c1", "/b1", "/m"]


@pytest.mark.parametrize("n", [1, 2, 3, 100])
async def test_a_crawl_stopped_after_every_page_takes_the_same_way(n):
    whole = await order(WEB, BestNFirst(IRIS, n=n))
    assert await order_with_stops(WEB, lambda: BestNFirst(IRIS, n=n), range(1, len(whole) + 2)) == whole


def test_what_is_saved_of_a_visit_is_its_links_and_a_finished_batch_is_forgotten():
    strategy = BestNFirst(IRIS, n=2)
    parts = []
    for number in (1, 2):
        here = visit("iris", number=number, url=URL)
        strategy.learn(here)
        strategy.score(here, links(3))
        strategy.rerank()
        parts.append(strategy.save())
    assert set(parts[0]) == {"1", "visits"}
    assert parts[0]["1"]
    assert (parts[1]["1"], parts[1]["2"]) == (b"", b"")


def test_a_batch_has_at_least_one_link():
    with pytest.raises(BadInput, match="n is 0, but must be at least 1"):
        BestNFirst(IRIS, n=0)
