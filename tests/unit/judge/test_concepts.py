import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.judge.calibration import curve
from thresher.judge.concepts import ConceptsJudge
from thresher.model import Evidence, Page, Url
from thresher.topic import Topic
from thresher.topic.topic import Term

EYE = Topic(
    "eye",
    (
        Term("eye", 15, "exact"),
        Term("oculus", 12, "synonym"),
        Term("organ", 8, "broader"),
        Term("sense organ", 8, "broader"),
        Term("iris", 5, "context"),
        Term("pupil", 5, "context"),
        Term("lens", 5, "context"),
    ),
)
PROSE = "The garden is full of light and the bread is fresh. " * 20


def page(main="", title="", headings=(), text=None):
    return Page(
        Url("http://a.example/"), title=title, headings=headings, main=main, text=main if text is None else text
    )


def judge(of, **keys):
    return ConceptsJudge(EYE, **keys).judge(of)


def relevance(*args, **keys):
    return judge(page(*args, **keys)).relevance


# ── calibrated ──


def test_a_page_about_the_topic_is_relevant_and_one_that_names_it_once_is_not():
    about = judge(page("The eye sees. An eye has a lens. " * 5 + PROSE, title="The eye"))
    names = judge(page("An eye. " + PROSE * 5))
    assert about.relevant
    assert not names.relevant
    assert about.relevance > names.relevance > 0.0
    assert judge(page(PROSE)) == judge(page())


def test_what_is_only_broader_or_beside_never_makes_a_page_relevant():
    organs = page("The organ, a sense organ, an iris, a pupil, a lens. " * 100, title="Organ", headings=("Lens",))
    assert 0.3 < judge(organs, raw=True).relevance <= 1 / 3
    assert not judge(organs).relevant


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 9))
def test_the_curve_makes_a_probability_of_the_score_and_changes_no_verdict(eyes, lenses, prose):
    of = page("eye " * eyes + "lens " * lenses + PROSE * prose)
    said, score = judge(of), judge(of, raw=True)
    assert said.relevant == score.relevant
    assert said.relevance == curve("concepts")(score.relevance)


def test_what_is_beside_the_topic_lifts_a_page_that_names_it():
    assert relevance("An eye, an iris, a lens. " + PROSE) > relevance("An eye, a door, a roof. " + PROSE)


@pytest.mark.parametrize(("stronger", "weaker"), [("eye", "oculus"), ("oculus", "organ"), ("organ", "iris")])
def test_a_nearer_tier_counts_more(stronger, weaker):
    assert relevance(f"{stronger} " + PROSE) > relevance(f"{weaker} " + PROSE)


def test_the_title_counts_more_than_a_heading_and_that_more_than_the_text():
    in_title, in_heading = relevance(PROSE, title="eye"), relevance(PROSE, headings=("eye",))
    assert in_title > in_heading > relevance("eye " + PROSE)


def test_the_same_count_says_less_on_a_longer_page():
    assert relevance("eye " * 3 + PROSE) > relevance("eye " * 3 + PROSE * 10)


def test_repeating_a_word_says_less_each_time():
    once, twice, thrice = (relevance("eye " * times, title="x") for times in (1, 2, 3))
    assert twice - once > thrice - twice > 0


def test_the_menu_does_not_count():
    assert judge(page(PROSE, text="eye oculus " * 50)).relevance == 0.0


def test_only_the_proportions_of_the_weights_matter():
    small = Topic("eye", tuple(term._replace(weight=term.weight / 15) for term in EYE.terms))
    of = page("An eye with an iris is an organ. " + PROSE)
    assert ConceptsJudge(small).judge(of).relevance == pytest.approx(judge(of).relevance)


def test_evidence_says_which_concept_of_which_tier_where_and_how_much():
    found = judge(page("an iris " + PROSE, title="Oculus")).evidence
    assert [(each.what, each.where) for each in found] == [("oculus (synonym)", "title"), ("iris (context)", "text")]
    assert found[0].amount > found[1].amount > 0


def test_a_label_of_two_tiers_counts_in_the_nearer_one():
    twice = Topic("eye", (*EYE.terms, Term("Eye", 99, "context")))
    assert ConceptsJudge(twice).judge(page("eye")) == judge(page("eye"))


# ── the paper's ──


def test_the_paper_takes_any_concept_anywhere_for_relevance():
    in_menu = judge(page(PROSE, text="a lens in the menu"), mode="paper")
    assert in_menu.relevant
    assert in_menu.evidence == (Evidence("lens (context)", "text", 0.25),)
    assert not judge(page(PROSE), mode="paper").relevant


def test_the_paper_s_value_is_the_sum_of_counts_times_weights():
    found = judge(page("The eye, the oculus, the other eye."), mode="paper")
    assert found.relevance == pytest.approx(42 / (42 + 15))


def test_a_threshold_can_be_set_in_both_modes():
    lens = page("a lens")
    assert not judge(lens, mode="paper", threshold=0.3).relevant
    assert judge(lens, threshold=0.01).relevant


# ── both ──


@given(st.text(), st.text(), st.sampled_from(["calibrated", "paper"]), st.text("eyorganislh ", max_size=200))
def test_relevance_lies_between_0_and_1_is_the_same_each_time_and_is_what_the_evidence_adds_up_to(
    main, title, mode, more
):
    of = page(f"iris {main} eye {more}", title, ("organ",))
    judgement = judge(of, mode=mode)
    assert 0.0 <= judgement.relevance <= 1.0
    assert judgement == judge(of, mode=mode)
    assert math.fsum(each.amount for each in judgement.evidence) == pytest.approx(judgement.relevance)


def test_an_unknown_mode_is_an_error_that_lists_the_choices():
    with pytest.raises(BadInput, match="calibrated, paper"):
        ConceptsJudge(EYE, mode="magic")


@pytest.mark.parametrize("threshold", [7, -0.1, 1.01, float("nan")])
def test_a_threshold_that_no_relevance_has_is_refused(threshold):
    with pytest.raises(BadInput, match=rf"^judge 'concepts': threshold is {threshold}, but must be from 0 to 1$"):
        ConceptsJudge(EYE, threshold=threshold)


def test_a_topic_without_a_name_of_its_own_is_refused():
    with pytest.raises(BadInput, match="no exact or synonym label"):
        ConceptsJudge(Topic("eye", (Term("organ", 8, "broader"),)))
