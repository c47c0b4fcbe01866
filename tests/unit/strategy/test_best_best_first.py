from dataclasses import replace

import pytest
from tests.unit.strategy.walks import IRIS, order, page

from thresher.errors import BadInput, DamagedState
from thresher.model import Judgement, Response, Url
from thresher.strategy.best_best_first import BestBestFirst
from thresher.strategy.best_first import BestFirst
from thresher.testing.strategy import visit


def seen(number, text, *links, relevant=False):
    """A visit to a page with a text, and links far from it that say something."""
    gap = f"<p>{'so ' * 25}</p>"
    anchors = "".join(f"{gap}<p><a href=/p{to}>{said}</a></p>" for to, said in links)
    html = f"<p>{text}</p>{anchors}".encode()
    url = Url(f"http://a.example/p{number}")
    made = visit(number, Response(url, 200, ((b"content-type", b"text/html"),), html, html))
    return replace(made, judgement=Judgement(0.9 if relevant else 0.1, relevant=relevant))


def passed_through(strategy, here):
    strategy.learn(here)
    return list(strategy.score(here, here.page.links))


def teach(strategy):
    """Links that say petal lead to pages with petals, which are relevant, and links that say bread do not."""
    for number in range(40):
        relevant = number % 2 == 0
        text = "petal" if relevant else "bread"
        passed_through(strategy, seen(1000 + number, "iris garden", (number, text)))
        passed_through(strategy, seen(number, f"{text} {text} page", relevant=relevant))
    return dict(strategy.rerank())


def taught(**keys):
    strategy = BestBestFirst(IRIS, **{"every": 40, **keys})
    teach(strategy)
    return strategy


def priorities(strategy, *texts):
    return passed_through(strategy, seen(5000, "iris garden", *enumerate(texts, 6000)))


def url(number):
    return Url(f"http://a.example/p{number}")


async def test_before_there_is_a_tree_it_is_best_first():
    web = {"/": page("iris lens", "/a", "/b"), "/a": page("iris", "/c"), "/b": page("bread", "/d")}
    assert await order(web, BestBestFirst(IRIS)) == await order(web, BestFirst(IRIS))


def test_words_of_relevant_pages_become_informative_and_links_that_have_them_come_first():
    petal, bread, nothing = priorities(taught(), "petal", "bread", "a")
    assert petal > 0.8
    assert bread == nothing < 0.2


def test_without_terms_only_the_topics_own_words_count():
    petal, bread = priorities(taught(terms=0), "petal", "bread")
    assert petal == bread


def test_links_that_wait_are_ranked_anew_by_each_tree():
    strategy = BestBestFirst(IRIS, every=40)
    before = passed_through(strategy, seen(999, "iris", (7000, "petal"), (7001, "bread")))
    assert before[0] == before[1]
    moved = teach(strategy)
    assert moved[url(7000)] > 0.8
    assert moved[url(7001)] < 0.2
    assert url(0) not in moved, "it was visited"


def test_it_says_which_answers_led_to_the_leaf():
    strategy = taught()
    here = seen(5000, "iris garden", (1, "petal"))
    tree, cosine = strategy.explain(here, here.page.links[0])
    assert "words > " in tree.what
    assert tree.where == "tree: 20 of 20 such links led to relevant pages"
    assert [tree.amount + cosine.amount] == pytest.approx(passed_through(strategy, here))


def test_so_many_waiting_links_are_remembered_and_no_more():
    strategy = BestBestFirst(IRIS, room=3)
    passed_through(strategy, seen(1, "iris", *((number, "petal") for number in range(20, 30))))
    assert list(strategy._waiting) == [url(27), url(28), url(29)]


def test_a_link_that_redirects_is_remembered_where_it_leads():
    strategy = BestBestFirst(IRIS)
    passed_through(strategy, seen(1, "iris", (20, "petal")))
    strategy.learn(visit(2, Response(url(20), 301, ((b"location", b"/p30"),), b"", b"")))
    assert list(strategy._waiting) == [url(30)]


@pytest.mark.parametrize("trees", [1, 20])
def test_what_is_saved_is_all_there_is_to_know(trees, monkeypatch):
    monkeypatch.setattr("thresher.strategy.best_best_first._SNAPSHOT_EVERY", trees)
    kept, strategy = {}, BestBestFirst(IRIS, every=10)
    for number in range(65):
        text = "petal" if number % 3 == 0 else "bread"
        links = (number + 1, text), (number + 500, "garden")
        passed_through(strategy, seen(number, f"{text} iris", *links, relevant=number % 3 == 0))
        list(strategy.rerank())
        kept = {name: part for name, part in {**kept, **strategy.save()}.items() if part}
    twin = BestBestFirst(IRIS, every=10)
    twin.load(kept)
    assert list(twin._waiting) == list(strategy._waiting)
    assert priorities(twin, "petal", "bread") == priorities(strategy, "petal", "bread")
    assert ("snapshot" in kept) == (trees == 1)


@pytest.mark.parametrize("parts", [{"snapshot": b"x"}, {"visit/1": b"x"}, {"visit/7": b""}])
def test_a_damaged_state_is_one_sentence(parts):
    with pytest.raises(DamagedState, match="what the strategy has learnt is damaged"):
        BestBestFirst(IRIS).load(parts)


@pytest.mark.parametrize("keys", [{"terms": -1}, {"every": 0}, {"room": 0}])
def test_a_wrong_key_is_named(keys):
    with pytest.raises(BadInput, match=f"strategy 'best-best-first': {next(iter(keys))} is"):
        BestBestFirst(IRIS, **keys)
