"""PageRank and HITS: the papers' equations on graphs one can check on paper, and what they do to a frontier."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.model import Response, Url
from thresher.strategy.hits import Hits, authorities_and_hubs
from thresher.strategy.pagerank import PageRank, ranks
from thresher.testing.strategy import visit

HTML = ((b"content-type", b"text/html"),)


def numbers(*pairs):
    sources, targets = zip(*pairs, strict=True)
    return np.array(sources, np.int32), np.array(targets, np.int32)


def read(strategy, number, name, *targets, relevance=0.5):
    """Visit a page with these links; returns what was moved."""
    html = "".join(f"<a href=/{target}>x</a>" for target in targets).encode()
    seen = visit(number, Response(Url(f"http://a.example/{name}"), 200, HTML, html, html))
    object.__setattr__(seen.judgement, "relevance", relevance)
    strategy.learn(seen)
    strategy.score(seen, seen.page.links)
    return {url.rsplit("/", 1)[1]: priority for url, priority in strategy.rerank()}


def test_golden_18_equation_2_of_the_thesis_on_three_pages():
    found = ranks(*numbers((0, 1), (0, 2), (1, 2), (2, 0)), 3)
    assert found == pytest.approx([1.16337, 0.64443, 1.19220], abs=1e-5)
    assert found.sum() == pytest.approx(3)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40, unique=True))
def test_where_a_computation_starts_does_not_change_where_it_ends(pairs):
    cold = ranks(*numbers(*pairs), 10)
    assert ranks(*numbers(*pairs), 10, start=np.full(10, 5.0)) == pytest.approx(cold, abs=1e-6)
    assert (cold >= 0.15 - 1e-9).all()


def test_golden_19_equations_3_and_4_on_two_hubs_and_two_authorities():
    h1, h2, a1, a2 = range(4)
    authorities, hubs = authorities_and_hubs(*numbers((h1, a1), (h1, a2), (h2, a1)), 4)
    assert authorities[[a1, a2]] == pytest.approx([0.85065, 0.52573], abs=1e-5)
    assert hubs[[h1, h2]] == pytest.approx([0.85065, 0.52573], abs=1e-5)


def test_a_graph_without_links_has_neither_hubs_nor_authorities():
    empty = np.zeros(0, np.int32)
    authorities, hubs = authorities_and_hubs(empty, empty, 3)
    assert authorities.tolist() == hubs.tolist() == [0, 0, 0]


def test_a_link_waits_behind_all_rated_ones_until_the_next_computation():
    strategy = PageRank(every=2)
    assert read(strategy, 1, "one", "two", "x", "y") == {}
    moved = read(strategy, 2, "two", "x")
    assert moved["x"] > moved["y"] > 0.15
    seen = visit(3, Response(Url("http://a.example/x"), 200, HTML, b"", b""))
    assert strategy.score(seen, visit(4, Response(seen.url, 200, HTML, b"<a href=/new>n</a>", b"")).page.links) == [
        pytest.approx(0.15)
    ]


def test_only_urls_that_wait_and_whose_rank_changed_are_moved():
    strategy = PageRank(every=1)
    assert set(read(strategy, 1, "one", "x", "y")) == {"x", "y"}
    assert set(read(strategy, 2, "x", "z")) == {"z"}


def test_of_two_equal_urls_the_one_that_a_better_hub_names_comes_first():
    strategy = Hits(every=3)
    read(strategy, 1, "one", "a", "b", "x")
    read(strategy, 2, "two", "a", "b", "x")
    moved = read(strategy, 3, "three", "y")
    assert moved["x"] > moved.get("y", 0.0)


def test_only_what_the_most_relevant_pages_know_is_in_the_base_set():
    strategy = Hits(root=1, every=2)
    read(strategy, 1, "one", "x", "y", relevance=0.9)
    assert set(read(strategy, 2, "two", "z", relevance=0.1)) == {"x", "y"}


def test_a_url_that_leaves_the_base_set_falls_to_nothing():
    strategy = Hits(root=1, every=1)
    assert read(strategy, 1, "one", "x", relevance=0.2)["x"] > 0
    assert read(strategy, 2, "two", "y", relevance=0.9)["x"] == 0.0


def test_links_can_be_ranked_by_the_hub_they_stand_on():
    strategy = Hits(by="hub", every=3)
    read(strategy, 1, "one", "a", "b", "x")
    read(strategy, 2, "two", "a", "b")
    moved = read(strategy, 3, "three", "a", "y")
    assert moved["x"] > moved["y"] > 0


@pytest.mark.parametrize("wrong", [{"damping": 1.0}, {"every": 0}])
def test_pagerank_takes_only_values_that_make_sense(wrong):
    with pytest.raises(BadInput, match="strategy 'pagerank'"):
        PageRank(**wrong)


def test_hits_takes_only_values_that_make_sense():
    with pytest.raises(BadInput, match="strategy 'hits'"):
        Hits(root=0)
