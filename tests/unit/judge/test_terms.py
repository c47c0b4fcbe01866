import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.judge.terms import TermsJudge
from thresher.model import Evidence, Page, Url
from thresher.topic import Topic

IRIS = Topic.of("iris eye")
PROSE = "The garden is full of light and the bread is fresh. " * 20


def page(main="", title="", headings=()):
    return Page(Url("http://a.example/"), title=title, headings=headings, main=main, text=main)


def judge(of, mode="bm25"):
    return TermsJudge(IRIS, mode=mode).judge(of)


@pytest.mark.parametrize("mode", ["bm25", "cosine"])
def test_a_page_about_the_topic_is_more_relevant_than_one_that_names_it_once(mode):
    about = judge(page("The iris of the eye. The eye has an iris. " * 5 + PROSE), mode)
    names = judge(page("An iris, an eye. " + PROSE), mode)
    nothing = judge(page(PROSE), mode)
    assert about.relevance > names.relevance > nothing.relevance == 0.0


def test_the_title_counts_more_than_the_text():
    assert judge(page(PROSE, title="iris")).relevance > judge(page("iris " + PROSE)).relevance


def test_the_menu_does_not_count():
    menu = Page(Url("http://a.example/"), text="iris eye " * 50, main=PROSE)
    assert judge(menu).relevance == 0.0


def test_evidence_says_which_word_where_and_how_often():
    found = judge(page("the iris, an iris", title="Eye"))
    assert set(found.evidence) == {Evidence("eye", "title", 1), Evidence("iris", "text", 2)}


def test_words_are_whole_words():
    assert judge(page("irises eyelid irish")).relevance == 0.0


def test_an_unknown_mode_is_an_error_that_lists_the_choices():
    with pytest.raises(BadInput, match="bm25, cosine"):
        TermsJudge(IRIS, mode="magic")


@pytest.mark.parametrize("threshold", [7, -0.1, 1.01, float("nan")])
def test_a_threshold_that_no_relevance_has_is_refused(threshold):
    with pytest.raises(BadInput, match=rf"^judge 'terms': threshold is {threshold}, but must be from 0 to 1$"):
        TermsJudge(IRIS, threshold=threshold)


@given(st.text(), st.text(), st.sampled_from(["bm25", "cosine"]))
def test_relevance_lies_between_0_and_1_and_is_the_same_each_time(main, title, mode):
    judgement = judge(page("iris " + main, title), mode)
    assert 0.0 <= judgement.relevance <= 1.0
    assert judgement == judge(page("iris " + main, title), mode)


def test_a_page_of_nothing_but_the_topic_has_a_cosine_of_one():
    assert TermsJudge(Topic.of("iris"), mode="cosine").judge(page("iris")).relevance == pytest.approx(1.0)
