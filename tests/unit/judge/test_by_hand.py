import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thresher.judge.by_hand import (
    LEAST_LABELS,
    LEAST_OF_EACH,
    HandJudge,
    Scored,
    _f1,
    by_hand,
    calibrated,
    enough,
)
from thresher.judge.terms import TermsJudge
from thresher.model import Evidence, Judgement, LabelledPage, Page, Url
from thresher.testing import iris
from thresher.testing.strategy import check_judge
from thresher.topic import Topic

UNIT = st.integers(0, 100).map(lambda each: each / 100)
LABELS = st.lists(st.builds(Scored, UNIT, st.booleans()), max_size=12)
T = st.integers(5, 95).map(lambda each: each / 100)


def page(number, text):
    return Page(Url(f"http://a.example/{number}"), title=f"Page {number}", main=text, text=text)


class Says:
    """A judge whose pages carry their relevance in the title."""

    def __init__(self, threshold=0.25):
        self.threshold = threshold

    def judge(self, page):
        relevance = float(page.title)
        return Judgement(relevance, relevance >= self.threshold, (Evidence("so", "title", relevance),))


def said(relevance, text="words"):
    return Page(Url("http://a.example/"), title=str(relevance), main=text)


def iris_examples(many):
    """Pages about the eye, which the person wants, and about the flower, which she does not."""
    eye, flower = "the pupil and the cornea of an eye with its lens", "petals of a garden flower with its rhizome"
    return [LabelledPage(page(i, f"iris {eye if i % 2 else flower} {i}"), bool(i % 2)) for i in range(many)]


def test_without_labels_the_judge_stays_what_it_is():
    judge = Says()
    assert by_hand(judge, []) is judge
    assert calibrated([], 0.25) == 0.25


@given(st.lists(UNIT, max_size=12), T)
def test_labels_that_agree_leave_the_threshold_where_it_is(relevances, configured):
    assert calibrated([Scored(each, each >= configured) for each in relevances], configured) == configured


@given(st.lists(UNIT, max_size=12), T)
def test_pages_that_are_all_relevant_never_raise_it_and_pages_that_are_all_not_never_lower_it(relevances, configured):
    assert calibrated([Scored(each, True) for each in relevances], configured) <= configured
    assert calibrated([Scored(each, False) for each in relevances], configured) >= configured


@given(LABELS, UNIT, T)
def test_one_more_relevant_page_below_never_raises_it(scored, relevance, configured):
    before = calibrated(scored, configured)
    assume(relevance < before)
    assert calibrated([*scored, Scored(relevance, True)], configured) <= before


@given(LABELS, UNIT, T)
def test_one_more_page_below_that_is_not_relevant_changes_nothing(scored, relevance, configured):
    before = calibrated(scored, configured)
    assume(relevance < before)
    assert calibrated([*scored, Scored(relevance, False)], configured) == before


@given(LABELS, T)
def test_no_threshold_on_a_fine_grid_does_better(scored, configured):
    best = _f1(calibrated(scored, configured), scored, configured, 10.0)
    assert all(_f1(step / 100, scored, configured, 10.0) <= best + 1e-9 for step in range(1, 101))


def test_one_label_moves_it_if_it_lies_near_and_three_if_they_lie_far():
    assert calibrated([Scored(0.2, True)], 0.25) == 0.2
    assert calibrated([Scored(0.3, False)], 0.25) == math.nextafter(0.3, 1)
    assert calibrated([Scored(0.05, True)], 0.25) == 0.25
    assert calibrated([Scored(0.05, True)] * 3, 0.25) == 0.05


def test_two_people_who_contradict_each_other_leave_it_where_it_is():
    assert calibrated([Scored(0.2, True), Scored(0.2, False)], 0.25) == 0.25
    assert calibrated([Scored(0.3, True), Scored(0.3, False)], 0.25) == 0.25


def test_a_page_with_nothing_to_say_for_it_is_never_relevant():
    judge = HandJudge(Says(0.05), [LabelledPage(said(0.0), True)] * 10)
    assert not judge.judge(said(0.0)).relevant


def test_the_judge_takes_over_the_threshold_and_leaves_relevances_as_they_are():
    judge = HandJudge(Says(), [LabelledPage(said(0.2), True)])
    assert (judge.configured, judge.threshold, judge.taught) == (0.25, 0.2, False)
    assert judge.judge(said(0.21)) == Judgement(0.21, True, (Evidence("so", "title", 0.21),))


def test_the_threshold_of_a_judge_that_does_not_tell_is_where_its_verdicts_change():
    silent = Says(0.4)
    judge = type("Silent", (), {"judge": lambda _, page: silent.judge(page)})()
    assert HandJudge(judge, [LabelledPage(said(0.3), False), LabelledPage(said(0.45), True)]).configured == 0.45


def test_a_classifier_needs_twenty_labels_with_five_of_each_kind():
    yes, no = LabelledPage(said(0.5), True), LabelledPage(said(0.5), False)
    assert not enough([yes] * LEAST_LABELS)
    assert not enough([yes] * (LEAST_LABELS - LEAST_OF_EACH + 1) + [no] * (LEAST_OF_EACH - 1))
    assert not enough([yes] * (LEAST_LABELS - LEAST_OF_EACH - 1) + [no] * LEAST_OF_EACH)
    assert enough([yes] * (LEAST_LABELS - LEAST_OF_EACH) + [no] * LEAST_OF_EACH)


def test_from_twenty_labels_on_it_tells_apart_what_the_topics_words_cannot():
    base = TermsJudge(Topic.of("iris"))
    eye, flower = (example.page for example in (iris_examples(100)[99], iris_examples(100)[98]))
    assert base.judge(eye).relevant == base.judge(flower).relevant
    for many, told_apart in ((LEAST_LABELS - 1, False), (LEAST_LABELS, True)):
        judge = HandJudge(base, iris_examples(many))
        assert judge.taught is told_apart
        assert (judge.judge(eye).relevant, judge.judge(flower).relevant) == (
            (True, False) if told_apart else (True, True)
        )


def test_the_relevance_is_the_mean_of_the_judges_and_the_classifiers():
    judge = HandJudge(TermsJudge(Topic.of("iris")), iris_examples(LEAST_LABELS))
    judgement = judge.judge(page(0, "iris " * 50))
    parts = {each.what: each.amount for each in judgement.evidence if each.where == "judge"}
    assert parts["the judge"] > judge.configured
    assert judgement.relevance == pytest.approx((parts["the judge"] + parts["the labels"]) / 2)


def test_of_a_page_without_the_topic_a_classifier_says_nothing():
    judge = HandJudge(TermsJudge(Topic.of("iris")), iris_examples(LEAST_LABELS))
    assert judge.judge(page(0, "the pupil and the cornea of an eye with its lens")).relevance == 0.0


def test_a_labelled_page_is_held_back_when_the_judge_is_held_against_it():
    told = HandJudge(Says(), [LabelledPage(said(0.2), True)])
    assert told.judge(said(0.2)).relevant
    assert told.held_out() == [False]


def test_a_judge_taught_by_hand_keeps_the_promises_of_a_judge():
    pages = list(iris.pages(iris.web()).values())[:LEAST_LABELS]
    base = TermsJudge(Topic.of("iris eye pupil"))
    examples = [LabelledPage(each, place % 3 == 0) for place, each in enumerate(pages)]
    check_judge(lambda: HandJudge(base, examples))
