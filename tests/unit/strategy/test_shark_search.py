import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.walks import HOST, IRIS, URL, order, order_with_stops, page, visit

from thresher.errors import BadInput
from thresher.model import DROP, Evidence, Link, Url
from thresher.strategy.shark_search import SharkSearch
from thresher.topic import Topic


def text(**counts):
    """So many of each word."""
    return " ".join(f"{word} " * count for word, count in counts.items()).strip()


def link(around, anchor, target=f"{HOST}/x"):
    start = around.index(anchor)
    return Link(URL, Url(target), around, start, start + len(anchor))


# 2 / sqrt(4 + 16 + 4 + 1) = .4; 3 / sqrt(9 + 16) = .6; 3 / sqrt(9 + 81 + 9 + 1) = .3
ALIKE_4 = text(iris=2, a=4, b=2, c=1)
ALIKE_6 = text(iris=3, a=4)
ALIKE_3 = f"{text(iris=3, a=5)} more {text(a=4, b=3)}"


def test_golden_20_a_link_that_smells_scores_44_and_one_beside_the_smell_13():
    smelling, beside = link(ALIKE_6, ALIKE_6), link(ALIKE_3, "more")
    scores = SharkSearch(IRIS, delta=0.5, beta=0.8, r=0.5).score(visit(ALIKE_4), [smelling, beside])
    assert scores == pytest.approx([0.44, 0.13])


def test_a_page_without_the_words_hands_down_half_of_what_it_inherited():
    strategy, plain = SharkSearch(IRIS), [link("this", "this")]
    strategy.score(visit(ALIKE_4), plain)
    child = visit("bread", url=Url(f"{HOST}/child"), parent=URL)
    assert strategy.score(child, plain) == pytest.approx([0.5 * 0.5 * 0.5 * 0.4])
    grandchild = visit("bread", url=Url(f"{HOST}/grandchild"), parent=child.url)
    assert strategy.score(grandchild, plain) == pytest.approx([0.5 * 0.5 * 0.5 * 0.5 * 0.4])


def test_a_url_inherits_from_the_page_that_its_candidate_names():
    strategy, plain = SharkSearch(IRIS), [link("this", "this")]
    poor, rich = Url(f"{HOST}/poor"), Url(f"{HOST}/rich")
    strategy.score(visit(ALIKE_4, url=poor), plain)
    strategy.score(visit("iris", url=rich), plain)
    [less] = strategy.score(visit("bread", parent=poor), plain)
    [more] = strategy.score(visit("bread", parent=rich), plain)
    assert more == pytest.approx(less / 0.4)


IRIS_ROAD = {
    "/": page("bread", "/b", "/a"),
    "/a": page("iris", "/a1"),
    "/a1": page("bread", "/a2"),
    "/a2": page("bread", "/a3"),
    "/a3": page("iris", "/a4"),
    "/b": page("bread", "/b1") + page("", "/b2", anchor="iris"),
}


async def test_a_crawl_follows_the_smell_and_gives_up_where_there_is_none_for_long():
    # /b2 has the word on its link, /b1 stands beside it, /a1 inherits from /a. Two pages on, /a3 is not followed any more.
    assert await order(IRIS_ROAD, SharkSearch(IRIS, depth=2)) == ["/", "/b", "/b2", "/b1", "/a", "/a1", "/a2", "/a3"]


async def test_a_page_at_the_end_of_the_way_can_be_revived_by_its_own_smell():
    assert "/a4" in await order(IRIS_ROAD, SharkSearch(IRIS, depth=2, revive=True))
    assert "/a4" in await order(IRIS_ROAD, SharkSearch(IRIS, depth=3))


async def test_a_crawl_stopped_after_every_page_takes_the_same_way():
    whole = await order(IRIS_ROAD, SharkSearch(IRIS, depth=2))
    assert await order_with_stops(IRIS_ROAD, lambda: SharkSearch(IRIS, depth=2), range(1, 10)) == whole


WORDS = st.lists(st.sampled_from(["iris", "eye", "lens", "of"]), max_size=8).map(" ".join)


@given(WORDS, WORDS, WORDS, WORDS, st.floats(0, 1), st.floats(0, 1))
def test_its_reasons_add_up_to_the_score(main, before, anchor, after, beta, r):
    strategy = SharkSearch(Topic.of("iris eye"), beta=beta, r=r)
    around = f"{before} [{anchor}] {after}"
    start = len(before) + 2
    found = Link(URL, Url(f"{HOST}/x"), around, start, start + len(anchor))
    [score] = strategy.score(visit(main), [found])
    assert 0 <= score <= 1
    assert sum(each.amount for each in strategy.explain(visit(main), found)) == pytest.approx(score)


def test_its_reasons_name_the_words_and_where_they_stand():
    reasons = SharkSearch(IRIS).explain(visit("iris"), link("about the iris of the eye", "eye"))
    assert [each[:2] for each in reasons] == [("iris", "context"), ("inherited", "page")]
    assert reasons[1] == Evidence("inherited", "page", 0.25)


def test_the_links_of_a_page_at_the_end_of_the_way_are_dropped_and_have_no_reasons():
    strategy, plain = SharkSearch(IRIS, depth=1), link("this", "this")
    strategy.score(visit("bread"), [plain])
    last = visit("bread", url=Url(f"{HOST}/last"), parent=URL)
    assert strategy.score(last, [plain]) == [DROP]
    assert strategy.explain(last, plain) == ()


@pytest.mark.parametrize("keys", [{"delta": 1.5}, {"beta": -0.1}, {"r": 2}, {"depth": 0}, {"window": 0}])
def test_a_wrong_key_is_named(keys):
    with pytest.raises(BadInput, match=f"shark-search.*{next(iter(keys))} is"):
        SharkSearch(IRIS, **keys)
