"""What workers of one crawl tell each other: lessons as bytes, and strategies of which one worker learns for all."""

import tracemalloc
import zlib

import pytest

from thresher import plugins
from thresher.errors import DamagedState
from thresher.lessons import is_url, packed, unpacked
from thresher.model import Response, Url
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.ports import Strategy
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.best_first import BestFirst
from thresher.testing import iris
from thresher.testing.strategy import crawled, odd_visits, visit
from thresher.topic import Topic

SHARED = {
    "nothing": {
        "best-first", "breadth-first", "depth-first", "focused", "hard-focus", "lin", "lokman", "lokman-without-ontology",
        "oracle-greedy", "random", "soft-focus", "tf",
    },
    "lessons": {"apprentice", "best-best-first", "context-ontology", "fish-search", "interclass-rules", "shark-search"},
    "one learner": {"best-n-first", "hits", "pagerank", "priority-focused", "priority-semantic"},
}  # fmt: skip


@pytest.fixture(scope="module")
def web():
    return iris.web()


def made(name, web, **keys):
    return plugins.build("strategy", name, keys, **iris.needs(web))


def passed(strategy, visits):
    """Let visits pass through; what was moved, what was told, what was saved."""
    moved, lessons, parts = {}, [], {}
    for each in visits:
        strategy.learn(each)
        strategy.score(each, each.page.links)
        moved.update(strategy.rerank())
        lessons.append(strategy.lesson())
        parts.update(strategy.save())
    return moved, [lesson for lesson in lessons if lesson], {name: part for name, part in parts.items() if part}


def test_each_strategy_says_what_its_workers_share():
    own = [name for names in SHARED.values() for name in names]
    found = {name: plugins.find("strategy", name).sharing for name in own}
    assert found == {name: kind for kind, names in SHARED.items() for name in names}


# ── strategies that say nothing of it ──


def test_a_strategy_that_remembers_nothing_shares_nothing():
    class Own(Strategy):
        def score(self, visit, links):
            return [0.0] * len(links)

    assert Own.sharing == "nothing"
    assert (Own().lesson(), list(Own().take_in([]))) == (b"", [])
    assert isinstance(in_a_team(Own()), Own)


@pytest.mark.parametrize("method", ["learn", "rerank", "save", "load"])
def test_a_strategy_that_remembers_gets_one_learner_whatever_it_is_made_from(method):
    for base in (BestFirst, Apprentice):
        own = type("Own", (base,), {method: lambda self, *_: {}})
        assert own.sharing == "one learner"
    assert type("Own", (Apprentice,), {"explain": None}).sharing == "lessons"
    assert type("Own", (Apprentice,), {method: None, "sharing": "lessons"}).sharing == "lessons"


class Counting(Strategy):
    """Urls are worth how often the last word of a page's title was seen so far: somebody's own strategy, without a word on workers."""

    def __init__(self):
        self.seen = {}

    def learn(self, visit):
        self.seen[visit.url] = visit.number

    def score(self, visit, links):
        self.last = {link.target: float(len(self.seen)) for link in links}
        return [float(len(self.seen))] * len(links)

    def rerank(self):
        return self.last.items()

    def save(self):
        return {"seen": str(len(self.seen)).encode()}


def test_somebodys_own_strategy_learns_from_the_visits_of_all_by_one_learner(web):
    visits = crawled(lambda: made("best-first", web), web, (30,))
    worker, learner = in_a_team(Counting()), in_a_team(Counting())
    learner.elect(learner.strategy, 0)
    moved, lessons, parts = passed(worker, visits[::2])
    assert (moved, parts, len(lessons)) == ({}, {}, 15)
    passed(learner, visits[1::2])
    assert learner.lesson() == b""
    told = dict(learner.take_in(lessons))
    assert set(learner.strategy.seen) == {each.url for each in visits}
    assert len(set(learner.strategy.seen.values())) == 30, "two visits have one number"
    assert max(told.values()) == 30.0
    assert learner.save() == {"seen": b"30"}


# ── another learner ──


@pytest.mark.parametrize("name", sorted(SHARED["one learner"]))
def test_an_elected_worker_goes_on_where_the_last_learner_was(name, web):
    visits = crawled(lambda: made(name, web), web, (60,))
    wanted, _, _ = passed(made(name, web), visits)
    first = TeamStrategy(made(name, web))
    first.elect(first.strategy, 0)
    _, _, parts = passed(first, visits[:30])
    before = passed(made(name, web), visits[:30])[0]
    second = in_a_team(made(name, web))
    _, lessons, _ = passed(second, visits[30:])
    fresh = made(name, web)
    fresh.load(parts)
    second.elect(fresh, 30)
    found = {**before, **dict(second.take_in(lessons))}
    gone = {each.url for each in visits}
    assert {url: priority for url, priority in found.items() if url not in gone} == {
        url: priority for url, priority in wanted.items() if url not in gone
    }


# ── bytes ──


def test_a_lesson_of_an_odd_page_is_bounded_and_can_be_read(web):
    for name in (*SHARED["lessons"], *SHARED["one learner"]):
        teller, hearer = in_a_team(made(name, web)), in_a_team(made(name, web))
        for each in odd_visits():
            teller.learn(each)
            if each.page is not None:
                teller.score(each, each.page.links)
            lesson = teller.lesson()
            assert len(lesson) < 1 << 18
            for moved in hearer.take_in([lesson] if lesson else []):
                assert moved


def test_a_page_of_many_links_and_words_is_told_in_part():
    links = "".join(f'<a href="/{number}">iris {number}</a> ' for number in range(4000))
    words = " ".join(f"word{number}" for number in range(9000))
    html = f"<title>x</title><p>{links}<p>{words}".encode()
    page = visit(1, Response(Url("http://a.example/"), 200, ((b"content-type", b"text/html"),), html, html))
    teller, hearer = Apprentice(Topic.of("iris")), Apprentice(Topic.of("iris"))
    teller.learn(page)
    teller.score(page, page.page.links)
    assert len(teller.lesson()) < 100_000
    list(hearer.take_in([teller.lesson()]))
    assert (
        hearer.learner.shares(Url("http://a.example/499")) != {},
        hearer.learner.shares(Url("http://a.example/500")),
    ) == (True, {})


def test_a_lesson_that_would_fill_the_memory_is_refused_before_it_does():
    bomb = zlib.compress(bytes(256 << 20))
    tracemalloc.start()
    with pytest.raises(DamagedState, match="what another worker has learnt is damaged"):
        unpacked(bomb, list[int])
    assert tracemalloc.get_traced_memory()[1] < 32 << 20
    tracemalloc.stop()


def test_what_was_packed_is_unpacked():
    assert unpacked(packed([1, 2]), list[int]) == [1, 2]
    with pytest.raises(DamagedState):
        unpacked(packed([1, 2])[:-1], list[int])


@pytest.mark.parametrize("text", ["", "x", "http:/a/b/c", "http://a.example", "http://a.example?q=/", "mailto:a@b"])
def test_no_url_is_taken_for_one(text):
    assert not is_url(text)


def test_lessons_that_are_damaged_teach_nothing():
    teller, hearer = Apprentice(Topic.of("iris")), Apprentice(Topic.of("iris"))
    html = b"<p>iris <a href=/1>iris</a>"
    page = visit(1, Response(Url("http://a.example/"), 200, ((b"content-type", b"text/html"),), html, html))
    teller.learn(page)
    teller.score(page, page.page.links)
    with pytest.raises(DamagedState):
        hearer.take_in([teller.lesson(), b"damaged"])
    assert hearer.learner.visits == 0
    assert hearer.save() == {}
