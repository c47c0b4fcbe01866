import pytest
from tests.unit.strategy.walks import HOST, IRIS, URL, links, order, order_with_stops, page, visit

from thresher.errors import BadInput
from thresher.model import DROP, SEED, Evidence, Link, Url
from thresher.strategy.fish_search import FishSearch
from thresher.topic import Topic

FOOD, NONE = "iris", "bread"
# Food on /a; behind /b there is none for three pages, then some.
SEA = {
    "/": page(NONE, "/b", "/a"),
    "/a": page(FOOD, "/a1"),
    "/a1": page(NONE, "/a2"),
    "/b": page(NONE, "/b1"),
    "/b1": page(NONE, "/b2"),
    "/b2": page(FOOD, "/b3"),
}


async def test_the_children_of_food_come_before_those_of_none():
    assert await order(SEA, FishSearch(IRIS)) == ["/", "/b", "/b1", "/b2", "/b3", "/a", "/a1", "/a2"]
    web = SEA | {"/b": page(FOOD, "/b1"), "/b1": page(NONE, "/b2")}
    assert await order(web, FishSearch(IRIS)) == ["/", "/b", "/b1", "/b2", "/b3", "/a", "/a1", "/a2"]
    web = {"/": page(FOOD, "/b", "/a"), "/b": page(NONE, "/b1"), "/a": page(FOOD, "/a1")}
    assert await order(web, FishSearch(IRIS)) == ["/", "/b", "/a", "/a1", "/b1"]


async def test_the_fish_die_after_so_many_pages_without_food():
    # Depth 1: the seed is the one page without food that they survive, then /a's food gives them one more.
    assert await order(SEA, FishSearch(IRIS, depth=1)) == ["/", "/b", "/a", "/a1", "/a2"]
    assert "/b3" not in await order(SEA, FishSearch(IRIS, depth=2))
    assert "/b3" in await order(SEA, FishSearch(IRIS, depth=3))


async def test_the_dead_can_wait_for_the_end():
    assert await order(SEA, FishSearch(IRIS, depth=1, dead="wait")) == [
        *["/", "/b", "/a", "/a1", "/a2"],
        *["/b1", "/b2", "/b3"],
    ]


async def test_a_crawl_stopped_after_every_page_takes_the_same_way():
    whole = await order(SEA, FishSearch(IRIS, depth=1))
    assert await order_with_stops(SEA, lambda: FishSearch(IRIS, depth=1), range(1, 9)) == whole


def test_the_depth_of_a_url_is_that_of_the_page_that_placed_it_best():
    strategy = FishSearch(IRIS, depth=2)
    parent = visit(NONE, url=Url(f"{HOST}/none"))
    strategy.score(parent, links(1))
    for grand in ("one", "two"):
        last = visit(NONE, url=Url(f"{HOST}/{grand}"), parent=parent.url)
        strategy.score(last, links(1))
        parent = last
    assert strategy.score(visit(NONE, parent=parent.url), links(1)) == [DROP]
    assert strategy.score(visit(NONE, parent=None), links(1)) != [DROP]


def test_only_so_many_links_go_to_their_place_and_those_to_other_hosts_first():
    here = [Link(URL, Url(f"{HOST}/{number}"), "", 0, 0) for number in range(9)]
    away = [Link(URL, Url(f"http://b.example/{number}"), "", 0, 0) for number in range(2)]
    scores = FishSearch(IRIS, width=4).score(visit(FOOD), [*here, *away])
    placed = [link.target for link, score in zip([*here, *away], scores, strict=True) if score > 0]
    assert len(placed) == 6
    assert {link.target for link in away} < set(placed)
    without = FishSearch(IRIS, width=4).score(visit(NONE), [*here, *away])
    assert sum(score > 0 for score in without) == 4
    assert min(scores) < 0
    assert max(scores) < SEED


@pytest.mark.parametrize(
    ("keys", "text", "food"),
    [
        ({}, "an eye", True),
        ({"all_words": True}, "an eye", False),
        ({"all_words": True}, "eye, iris", True),
        ({"pattern": "iris.*bulb"}, "an iris has a BULB", True),
        ({"pattern": "iris.*bulb"}, "an iris", False),
    ],
)
def test_food_is_any_word_or_all_words_or_a_pattern(keys, text, food):
    strategy, topic = FishSearch(Topic.of("iris eye"), **keys), visit("iris eye iris bulb")
    same = strategy.score(visit(text), links(1)) == strategy.score(topic, links(1))
    assert same == food


def test_its_reasons_are_what_was_found_and_the_depth():
    strategy = FishSearch(IRIS, depth=3)
    assert strategy.explain(visit("iris iris"), links(1)[0]) == (
        Evidence("iris", "page", 2),
        Evidence("depth", "link", 3),
    )
    assert strategy.explain(visit(NONE), links(1)[0]) == (Evidence("depth", "link", 2),)


@pytest.mark.parametrize(
    ("keys", "message"),
    [({"depth": 0}, "depth is 0"), ({"width": -1}, "width is -1"), ({"pattern": "("}, "not a regular expression")],
)
def test_a_wrong_key_is_named(keys, message):
    with pytest.raises(BadInput, match=message):
        FishSearch(IRIS, **keys)
