import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.walks import links, order, page, visit

from thresher.errors import BadInput
from thresher.model import DROP, SEED
from thresher.strategy.depth_first import DepthFirst

# Two branches, each four deep.
TREE = {
    "/": page("", "/a", "/b"),
    **{f"/{name}": page("", f"/{name}1", f"/{name}2") for name in ("a", "b", "a1", "b1", "a11", "b11")},
}


def test_the_newest_page_comes_first_and_its_links_in_order():
    strategy = DepthFirst()
    older, newer = strategy.score(visit(number=1), links(3)), strategy.score(visit(number=2), links(100))
    assert older == sorted(older, reverse=True)
    assert newer == sorted(newer, reverse=True)
    assert min(newer) > max(older)


def test_it_stops_at_its_limit():
    assert DepthFirst(limit=2).score(visit(depth=2), links(2)) == [DROP, DROP]
    assert DROP not in DepthFirst(limit=2).score(visit(depth=1), links(2))


async def test_a_crawl_goes_down_one_branch_before_the_next():
    assert await order(TREE, DepthFirst()) == [
        *["/", "/a", "/a1", "/a11", "/a111", "/a112", "/a12", "/a2"],
        *["/b", "/b1", "/b11", "/b111", "/b112", "/b12", "/b2"],
    ]


async def test_a_limit_cuts_the_branches_off():
    assert await order(TREE, DepthFirst(limit=2)) == ["/", "/a", "/a1", "/a2", "/b", "/b1", "/b2"]


async def test_deepening_visits_all_within_the_limit_before_anything_beyond_and_nothing_twice():
    assert await order(TREE, DepthFirst(limit=1, deepening=2)) == [
        *["/", "/a", "/b"],
        *["/b1", "/b11", "/b12", "/b2", "/a1", "/a11", "/a12", "/a2"],
        *["/a111", "/a112", "/b111", "/b112"],
    ]


async def test_deepening_loses_no_page_however_small_the_steps():
    assert sorted(await order(TREE, DepthFirst(limit=0, deepening=1))) == sorted(await order(TREE, DepthFirst()))


async def test_a_url_met_again_moves_to_the_top_but_never_into_a_later_round():
    web = {"/": page("", "/a", "/b", "/c"), "/a": page("", "/c", "/b")}
    assert await order(web, DepthFirst()) == ["/", "/a", "/c", "/b"]
    assert await order(web, DepthFirst(limit=1, deepening=1)) == ["/", "/a", "/b", "/c"]


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 10**7), st.integers(1, 10**7), st.integers(1, 5))
def test_a_later_round_is_below_every_earlier_one_and_seeds_above_all(depth, more, one, other, step):
    strategy = DepthFirst(limit=0, deepening=step)
    near = strategy.score(visit(depth=depth, number=one), links(3))
    far = strategy.score(visit(depth=depth + step + more, number=other), links(3))
    assert max(far) < min(near) < SEED


@pytest.mark.parametrize("keys", [{"limit": -1}, {"deepening": -1}])
def test_a_depth_is_never_negative(keys):
    with pytest.raises(BadInput, match=r"depth-first.*at least 0"):
        DepthFirst(**keys)
