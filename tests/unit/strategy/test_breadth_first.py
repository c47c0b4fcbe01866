from tests.unit.strategy.walks import links, order, page, visit

from thresher.strategy.breadth_first import BreadthFirst


def test_all_links_are_alike():
    assert BreadthFirst().score(visit(), links(3)) == [0.0, 0.0, 0.0]


async def test_a_crawl_visits_level_by_level():
    web = {"/": page("", "/a", "/b"), "/a": page("", "/a1", "/b"), "/b": page("", "/b1"), "/a1": page("", "/a2")}
    assert await order(web, BreadthFirst()) == ["/", "/a", "/b", "/a1", "/b1", "/a2"]
