import pytest
from tests.unit.strategy.walks import links, order, page, visit

from thresher.errors import BadInput
from thresher.model import SEED
from thresher.strategy.random import Random

STAR = {"/": page("", *(f"/{number}" for number in range(20)))}


async def test_a_seed_gives_the_same_crawl_and_another_seed_another():
    one, again, other = [await order(STAR, Random(seed=seed)) for seed in (1, 1, 2)]
    assert one == again
    assert sorted(one) == sorted(other)
    assert one != other


async def test_every_waiting_link_is_equally_likely_to_be_next_be_it_old_or_new():
    # Where /a comes first, it brings /c while /b has waited longer.
    web = {"/": page("", "/a", "/b"), "/a": page("", "/c")}
    crawls = [await order(web, Random(seed=seed)) for seed in range(1200)]
    after_a = [crawl[2] for crawl in crawls if crawl[1] == "/a"]
    # Four standard deviations; a plain random number for each url would give two thirds.
    assert len(after_a) / 1200 == pytest.approx(1 / 2, abs=0.06)
    assert after_a.count("/c") / len(after_a) == pytest.approx(1 / 2, abs=0.08)


def test_a_link_never_rings_before_the_page_it_is_on():
    for priority in (SEED, 0.0, -3.5):
        assert all(each < min(priority, 0.0) for each in Random().score(visit(priority=priority), links(50)))


def test_a_seed_out_of_range_is_named():
    with pytest.raises(BadInput, match=r"'random': seed is -1"):
        Random(seed=-1)
