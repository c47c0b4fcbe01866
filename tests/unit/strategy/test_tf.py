import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.walks import order

from thresher.errors import BadInput
from thresher.language import stem
from thresher.language.extras import extra
from thresher.model import DROP, Candidate, Claim, Host, Link, Outcome, Page, Response, Url, Visit
from thresher.parse.html import HtmlParser
from thresher.strategy.tf import TermFrequency
from thresher.topic import Topic

URL = Url("http://a.example/")
IRIS = Topic.of("iris")


def page_of(html):
    body = html.encode()
    return HtmlParser().parse(Response(URL, 200, ((b"content-type", b"text/html"),), body, body))


def visit(page):
    return Visit(Claim(Candidate(URL, 1.0), Host("a.example"), 1, 9.0), 1, 0.0, None, Outcome("page"), page)


def scores(html, topic=IRIS, **keys):
    page = page_of(html)
    return TermFrequency(topic, **keys).score(visit(page), page.links)


def link(text, anchor):
    start = text.index(anchor)
    return Link(URL, Url("http://a.example/x"), text, start, start + len(anchor))


def score(text, anchor, topic=IRIS, **keys):
    return TermFrequency(topic, **keys).score(visit(Page(URL)), [link(text, anchor)])[0]


def test_a_link_is_worth_the_cosine_of_its_window_and_the_topic():
    # Without stop words: iris 2, bulb 1, garden 1.
    assert score("the iris and the bulb of an iris in the garden", "bulb") == pytest.approx(2 / math.sqrt(6))


def test_for_a_topic_of_several_words_all_of_them_count():
    # Topic (iris 1, eye 1); window iris 1, eye 1, lens 1.
    assert score("iris eye lens", "lens", Topic.of("iris eye")) == pytest.approx(2 / math.sqrt(2 * 3))


def test_a_link_without_the_topics_words_is_dropped_or_kept_at_the_floor():
    assert score("bread and butter", "butter") == DROP
    assert score("bread and butter", "butter", floor=0.01) == 0.01


def test_words_are_compared_by_their_stems():
    if extra("Stemmer") is None:
        pytest.skip("no stemmer is installed: pip install 'thresher[languages]'")
    assert score("many gardens", "gardens", Topic.of("gardening")) == pytest.approx(1 / math.sqrt(2))


def test_the_window_is_ten_words_on_each_side_of_the_anchor():
    near, far = "iris " + "bread " * 9 + "here", "iris " + "bread " * 10 + "here"
    assert score(near, "here") > 0
    assert score(far, "here") == DROP
    assert score(far, "here", window=11) > 0


def test_each_link_of_a_page_has_its_own_window():
    filler = "<p>" + "bread " * 25 + "</p>"
    found = scores(f"<p>an iris: <a href=/1>look</a></p>{filler}<p><a href=/2>look</a></p>{filler}<a href=/3>iris</a>")
    assert found[1] == DROP
    assert 0 < found[0] < 1
    assert 0 < found[2] < 1


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_priority_is_a_fraction_or_the_link_is_dropped(before, after):
    found = score(f"{before} anchor {after}", "anchor", Topic.of("iris anchor"))
    assert found == DROP or 0 < found <= 1 + 1e-12


def test_it_explains_which_word_adds_how_much():
    strategy = TermFrequency(Topic.of("iris eye"))
    where = link("iris iris eye lens", "lens")
    found = strategy.explain(visit(Page(URL)), where)
    assert [(each.what, each.where) for each in found] == [(stem("iris"), "window"), ("eye", "window")]
    assert sum(each.amount for each in found) == pytest.approx(strategy.score(visit(Page(URL)), [where])[0])


@pytest.mark.parametrize(("keys", "words"), [({"window": -1}, "window is -1"), ({"floor": 2.0}, "floor is 2.0")])
def test_a_wrong_key_is_named(keys, words):
    with pytest.raises(BadInput, match=words):
        TermFrequency(IRIS, **keys)


async def test_it_visits_links_with_the_topics_words_around_them_best_first_and_no_others():
    filler = "<p>" + "bread " * 25 + "</p>"
    web = {
        "/": f"<p>one iris among many other words: <a href=/some>this</a></p>{filler}"
        f"<p>no more <a href=/none>here</a></p>{filler}<p>iris, iris: <a href=/most>iris</a></p>",
        "/most": "<a href=/next>iris</a>",
        "/some": "<p>nothing</p>",
        "/next": "<p>nothing</p>",
    }
    assert await order(web, TermFrequency(IRIS)) == ["/", "/most", "/next", "/some"]
