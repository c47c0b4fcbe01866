import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.assembly import assembled
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, Missing, UnknownPart
from thresher.judge.combine import CombineJudge
from thresher.judge.terms import TermsJudge
from thresher.knowledge import Knowledge, needs, part
from thresher.model import Evidence, Judgement, Page, Url
from thresher.settings import settle_settings
from thresher.topic import Topic

PAGE = Page(Url("http://a.example/"), title="Iris", main="The iris is a part of the eye.")


class Says:
    """A judge that always says the same."""

    def __init__(self, name):
        self.relevance = float(name)

    def judge(self, page):
        return Judgement(self.relevance, True, (Evidence(page.title, "title", 1.0),))


def combined(*relevances, **keys):
    judge = CombineJudge(lambda table: Says(table["name"]), [str(each) for each in relevances], **keys)
    return judge.judge(PAGE)


def build(**table):
    return part("judge", {"name": "combine", **table}, needs("iris eye", Knowledge()))


@pytest.mark.parametrize(
    ("how", "relevance"), [("mean", 0.5), ("product", math.sqrt(0.16)), ("min", 0.2), ("max", 0.8)]
)
def test_relevances_become_one_in_four_ways(how, relevance):
    assert combined(0.2, 0.8, how=how).relevance == pytest.approx(relevance)


def test_weights_say_whom_to_believe_more():
    assert combined(0.2, 0.8, weights=[3, 1]).relevance == pytest.approx(0.35)
    assert combined(0.2, 0.8, weights=[3, 1], how="product").relevance == pytest.approx(0.2**0.75 * 0.8**0.25)
    assert combined(0.0, 0.8, weights=[0, 1], how="product").relevance == pytest.approx(0.8)


def test_one_judge_that_finds_nothing_spoils_the_product_and_not_the_mean():
    assert combined(0.0, 1.0, how="product").relevance == 0.0
    assert combined(0.0, 1.0, how="mean").relevance == 0.5


UNIT = st.floats(0, 1)


@given(st.lists(UNIT, min_size=1, max_size=5), st.sampled_from(["mean", "product", "min", "max"]))
def test_the_verdict_lies_between_the_strictest_and_the_kindest(relevances, how):
    found = combined(*relevances, how=how).relevance
    assert min(relevances) - 1e-9 <= found <= max(relevances) + 1e-9


@given(UNIT, st.sampled_from(["mean", "product", "min", "max"]), st.integers(1, 5))
def test_judges_who_agree_are_not_talked_out_of_it(relevance, how, many):
    assert combined(*[relevance] * many, how=how).relevance == pytest.approx(relevance)


@given(st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=4), st.sampled_from(["mean", "product", "min", "max"]))
def test_no_judge_makes_a_page_less_relevant_by_saying_more(pairs, how):
    less, more = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    assert combined(*less, how=how).relevance <= combined(*more, how=how).relevance + 1e-12


def test_evidence_says_what_each_judge_said_and_what_they_found_once():
    assert combined(0.2, 0.8).evidence == (
        Evidence("0.2", "judge", 0.2),
        Evidence("0.8", "judge", 0.8),
        Evidence("Iris", "title", 1.0),
    )


def test_the_threshold_is_its_own():
    assert combined(0.2, 0.8, threshold=0.5).relevant
    assert not combined(0.2, 0.7, threshold=0.5).relevant


def test_judges_are_made_with_what_they_need_and_their_own_keys():
    judge = build(judges=["terms", {"name": "terms", "mode": "cosine"}], weights=[1, 1])
    topic = Topic.of("iris eye")
    alone = [TermsJudge(topic).judge(PAGE).relevance, TermsJudge(topic, mode="cosine").judge(PAGE).relevance]
    assert alone[0] != alone[1]
    assert judge.judge(PAGE).relevance == pytest.approx(sum(alone) / 2)


def test_judges_may_be_combinations_themselves():
    judge = build(judges=[{"name": "combine", "judges": ["terms"]}], how="min")
    assert judge.judge(PAGE).relevance == pytest.approx(TermsJudge(Topic.of("iris eye")).judge(PAGE).relevance)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"judges": []}, "judges is empty"),
        ({"judges": [{"mode": "bm25"}]}, "judges has {'mode': 'bm25'}, but must have names, or tables with one"),
        ({"judges": ["terms"], "weights": [1, 2]}, r"weights is \[1, 2\], but must be 1 numbers from 0 on"),
        ({"judges": ["terms"], "weights": [-1]}, "from 0 on"),
        ({"judges": ["terms"], "weights": [0]}, "not all 0"),
        ({"judges": ["terms"], "weights": [1], "how": "min"}, "weights mean nothing to how = 'min'"),
        ({"judges": ["terms"], "how": "vote"}, "how is 'vote', but must be one of 'mean', 'min', 'max', 'product'"),
        ({"judges": ["terms"], "threshold": 2}, "threshold is 2, but must be from 0 to 1"),
        ({"judges": [{"name": "terms", "mode": "magic"}]}, "judge 'terms': mode is 'magic'"),
        ({"judge_of": "terms"}, "has no key 'judge_of'"),
    ],
)
def test_a_wrong_key_is_named(table, words):
    with pytest.raises(BadInput, match=words):
        build(**table)


def test_a_judge_that_is_not_there_or_lacks_something_is_named():
    with pytest.raises(UnknownPart, match="there is no judge 'term' "):
        build(judges=["term"])
    with pytest.raises(Missing, match="judge 'classifier' needs a taxonomy: give --taxonomy"):
        build(judges=["terms", "classifier"])


async def test_a_crawl_file_can_name_judges_with_their_keys(tmp_path):
    table = {"name": "combine", "judges": ["terms", {"name": "terms", "mode": "cosine"}], "how": "max"}
    wanted = {"topic": "iris eye", "seeds": ["http://a.example/"], "judge": table}
    folder = CrawlFolder(tmp_path / "crawl")
    async with assembled(folder, settle_settings(folder, wanted, "here")) as crawl:
        assert crawl.judge.judge(PAGE).relevant
    assert settle_settings(folder, {}, "here").judge == table
