"""How many links lists may bring in, and when sitemaps are asked for."""

import pytest

from thresher.errors import BadInput
from thresher.listed_links import LinkOptions, ListedLinks, sitemaps_named
from thresher.model import SEED, Candidate, Claim, Failed, Host, Outcome, Page, Url, Visit
from thresher.store.memory_store import MemoryStore

HOST, HERE = Host("a.example"), Url("http://a.example/here")
MAPS = (Url("http://a.example/1.xml"), Url("http://a.example/2.xml"))


def visit(priority: float = 0.5) -> Visit:
    return Visit(Claim(Candidate(HERE, priority, 3), HOST, 1, 1e12), 1, 0.0, Failed("timeout"), Outcome("page"))


def candidates(*priorities: float) -> list[Candidate]:
    return [Candidate(Url(f"http://a.example/{number}"), each) for number, each in enumerate(priorities)]


def test_of_a_list_the_best_are_taken_and_of_equals_the_first():
    lists, found = ListedLinks(MemoryStore(), LinkOptions(per_list=3)), candidates(0.1, 0.5, 0.9, 0.5, 0.5)
    assert lists.best_of(Page(HERE, form="feed"), HOST, found) == [found[2], found[1], found[3]]


def test_of_a_page_all_are_taken():
    found = candidates(0.1, 0.5)
    assert ListedLinks(MemoryStore(), LinkOptions(per_list=0)).best_of(Page(HERE), HOST, found) is found


def test_a_host_has_so_many_in_all_and_this_is_kept_with_the_visits():
    store, options, page = MemoryStore(), LinkOptions(per_list=4, per_host=6), Page(HERE, form="sitemap")
    taken = [len(ListedLinks(store, options).best_of(page, HOST, candidates(1, 2, 3, 4, 5))) for _ in range(3)]
    assert taken == [4, 2, 0]
    assert len(ListedLinks(store, options).best_of(page, Host("b.example"), candidates(1))) == 1


def test_sitemaps_are_asked_for_once_when_their_host_gave_enough_relevant_pages():
    store, options = MemoryStore(), LinkOptions(sitemaps_after=3)
    ListedLinks(store, options).remember(HOST, MAPS)
    asked = [ListedLinks(store, options).to_ask(visit(), ()) for _ in range(5)]
    assert [len(some) for some in asked] == [0, 0, 2, 0, 0]
    first = asked[2][0]
    assert (first.url, first.depth, first.parent) == (MAPS[0], 4, HERE)
    assert 0.4999 < first.priority < 0.5
    assert sitemaps_named(store.recall("sitemaps/a.example")) == list(MAPS)


def test_a_robots_txt_that_is_read_again_changes_nothing():
    lists = ListedLinks(MemoryStore(), LinkOptions(sitemaps_after=1))
    lists.remember(HOST, MAPS)
    assert lists.to_ask(visit(), ())
    lists.remember(HOST, MAPS[:1])
    assert lists.to_ask(visit(), ()) == []


def test_behind_a_seed_a_sitemap_waits_among_links_and_not_among_seeds():
    for found, level in ((candidates(0.2, 0.7), 0.7), ((), 0.0)):
        lists = ListedLinks(MemoryStore(), LinkOptions(sitemaps_after=1))
        lists.remember(HOST, MAPS[:1])
        (asked,) = lists.to_ask(visit(SEED), found)
        assert level - 1e-9 < asked.priority < level


@pytest.mark.parametrize(("key", "least"), [("per_list", 0), ("per_host", 0), ("sitemaps_after", 1)])
def test_a_number_that_makes_no_sense_is_told(key, least):
    with pytest.raises(BadInput, match=rf"\[links\]: {key} is -1, but must be {least} or more"):
        LinkOptions(**{key: -1})
