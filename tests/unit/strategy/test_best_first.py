import math

import pytest
from tests.unit.strategy.walks import IRIS, links, order, page, visit

from thresher.errors import BadInput
from thresher.model import Evidence
from thresher.strategy.best_first import BestFirst
from thresher.topic import Topic


def test_a_link_is_worth_the_cosine_of_equation_1():
    # Topic (iris 1, eye 1), page (iris 2, eye 1, lens 1): 3 / sqrt(2 * 6).
    score = BestFirst(Topic.of("iris eye")).score(visit("Iris, iris: eye, lens"), links(2))
    assert score == pytest.approx([3 / math.sqrt(12)] * 2)


def test_the_links_of_a_page_without_the_words_are_worth_nothing():
    assert BestFirst(IRIS).score(visit("bread"), links(1)) == [0.0]


def test_a_link_that_the_page_does_not_vouch_for_can_be_worth_half():
    vouched, not_vouched = BestFirst(IRIS, nofollow=0.5).score(
        visit("iris"), [*links(1), *links(1, rel="nofollow ugc")]
    )
    assert not_vouched == vouched / 2


def test_all_links_of_a_page_are_worth_the_same_as_in_the_paper():
    strategy = BestFirst(IRIS)
    assert len(set(strategy.score(visit("iris"), [*links(1), *links(1, rel="nofollow")]))) == 1


def test_its_reasons_are_the_words_found_and_add_up():
    strategy, here = BestFirst(Topic.of("iris eye"), nofollow=0.5), visit("iris iris eye lens")
    [link] = links(1, rel="nofollow")
    iris, eye = strategy.explain(here, link)
    assert iris == Evidence("iris", "page", 2 * eye.amount)
    assert iris.amount + eye.amount == pytest.approx(strategy.score(here, [link])[0])


async def test_a_crawl_follows_the_page_that_says_most():
    web = {
        "/": page("iris lens eye", "/bread", "/iris"),
        "/bread": page("bread and iris and more and more bread", "/flour"),
        "/iris": page("iris iris", "/pupil"),
    }
    assert await order(web, BestFirst(IRIS)) == ["/", "/bread", "/iris", "/pupil", "/flour"]


def test_a_factor_out_of_range_is_named():
    with pytest.raises(BadInput, match=r"nofollow is 2, but must be from 0 to 1"):
        BestFirst(IRIS, nofollow=2)
