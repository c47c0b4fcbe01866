import math

import pytest
from tests.unit.strategy.walks import order

from thresher.errors import BadInput
from thresher.model import DROP, Candidate, Claim, Evidence, Host, Link, Outcome, Page, Response, Url, Visit
from thresher.strategy.focused import Focused
from thresher.topic import Topic

HERE = Url("http://a.example/")
IRIS = Topic.of("iris")


def visit(text, depth=1):
    claim = Claim(Candidate(HERE, 1.0, depth), Host("a.example"), 1, 10.0)
    return Visit(claim, 1, 0.0, Response(HERE, 200, (), b"", b""), Outcome("page"), Page(HERE, main=text))


def link(anchor):
    return Link(HERE, Url("http://a.example/x"), anchor, 0, len(anchor))


def test_all_links_of_a_page_are_worth_its_cosine_with_the_focus_word():
    scores = Focused(IRIS).score(visit("Iris iris lens cornea"), [link("iris"), link("bread")])
    assert scores == pytest.approx([2 / math.sqrt(6)] * 2)


def test_the_anchor_counts_when_told_to():
    named, other = Focused(IRIS, anchor=0.5).score(visit("iris lens"), [link("the iris"), link("bread")])
    assert named == pytest.approx(1 / math.sqrt(2) + 0.5 / math.sqrt(2))
    assert other == pytest.approx(1 / math.sqrt(2))


def test_one_word_of_the_topic_can_be_in_focus():
    topic = Topic.of("iris eye")
    assert Focused(topic, word="eye").score(visit("iris"), [link("")]) == [0.0]
    assert Focused(topic).score(visit("iris"), [link("")]) == pytest.approx([1 / math.sqrt(2)])


def test_pruning_drops_the_links_of_pages_without_the_word_but_not_those_of_a_seed():
    strategy = Focused(IRIS, prune=True)
    assert strategy.score(visit("bread"), [link("iris")]) == [DROP]
    assert strategy.score(visit("bread", depth=0), [link("iris")]) == [0.0]
    assert strategy.score(visit("iris"), [link("bread")]) == [1.0]


def test_it_explains_what_the_page_and_the_anchor_add():
    strategy, seen = Focused(IRIS, anchor=2.0), visit("iris iris lens cornea")
    evidence = strategy.explain(seen, link("iris"))
    assert [(each.what, each.where) for each in evidence] == [("iris", "page"), ("iris", "anchor")]
    assert sum(each.amount for each in evidence) == pytest.approx(strategy.score(seen, [link("iris")])[0])
    assert Focused(IRIS).explain(visit("iris"), link("iris")) == (Evidence("iris", "page", 1.0),)


@pytest.mark.parametrize("keys", [{"anchor": -1.0}, {"anchor": math.inf}, {"word": "…"}])
def test_keys_that_make_no_sense_are_refused(keys):
    with pytest.raises(BadInput, match="focused"):
        Focused(IRIS, **keys)


async def test_it_follows_the_page_with_the_word_first():
    def page(text, *paths):
        return f"<p>{text}</p><nav>{''.join(f'<a href=/{path}>go</a>' for path in paths)}</nav>"

    web = {
        "/": page("home", "bread", "iris"),
        "/bread": page("bread and flour", "oven"),
        "/iris": page("the iris and the lens", "pupil"),
        "/oven": page("an oven"),
        "/pupil": page("the pupil of the iris"),
    }
    assert await order(web, Focused(IRIS)) == ["/", "/bread", "/iris", "/pupil", "/oven"]
