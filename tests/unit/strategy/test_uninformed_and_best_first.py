import math

import pytest

from thresher.model import DROP, Candidate, Claim, Host, Link, Outcome, Page, Response, Url, Visit
from thresher.strategy.best_first import BestFirst
from thresher.strategy.uninformed import BreadthFirst, DepthFirst
from thresher.topic import Topic

URL = Url("http://a.example/")


def visit(text="", number=1, depth=0):
    claim = Claim(Candidate(URL, 1.0, depth), Host("a.example"), 1, 10.0)
    return Visit(claim, number, 0.0, Response(URL, 200, (), b"", b""), Outcome("page"), Page(URL, main=text))


def links(count, rel=""):
    return [Link(URL, Url(f"http://a.example/{n}"), "", 0, 0, position=n, rel=rel) for n in range(count)]


def test_breadth_first_likes_all_links_alike():
    assert BreadthFirst().score(visit(), links(3)) == [0.0, 0.0, 0.0]


def test_depth_first_takes_the_newest_page_first_and_its_links_in_order():
    strategy = DepthFirst()
    older, newer = strategy.score(visit(number=1), links(3)), strategy.score(visit(number=2), links(100))
    assert older == sorted(older, reverse=True)
    assert newer == sorted(newer, reverse=True)
    assert min(newer) > max(older)


def test_depth_first_stops_at_its_limit():
    assert DepthFirst(limit=2).score(visit(depth=2), links(2)) == [DROP, DROP]
    assert DROP not in DepthFirst(limit=2).score(visit(depth=1), links(2))


def test_best_first_is_the_cosine_of_equation_1():
    # Topic (iris 1, eye 1), page (iris 2, eye 1, lens 1): 3 / sqrt(2 * 6).
    score = BestFirst(Topic.of("iris eye")).score(visit("Iris, iris: eye, lens"), links(2))
    assert score == pytest.approx([3 / math.sqrt(12)] * 2)


def test_best_first_gives_a_page_without_the_words_nothing():
    assert BestFirst(Topic.of("iris")).score(visit("bread"), links(1)) == [0.0]


def test_best_first_weighs_a_link_that_the_page_does_not_vouch_for_by_half():
    strategy = BestFirst(Topic.of("iris"))
    vouched, not_vouched = strategy.score(visit("iris"), [*links(1), *links(1, rel="nofollow ugc")])
    assert not_vouched == vouched / 2


def test_best_first_can_take_the_paper_at_its_word():
    strategy = BestFirst(Topic.of("iris"), nofollow=1.0)
    assert len(set(strategy.score(visit("iris"), [*links(1), *links(1, rel="nofollow")]))) == 1
