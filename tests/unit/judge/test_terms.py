import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.judge.terms import TermsJudge
from thresher.language.extras import extra
from thresher.model import Evidence, Page, Url
from thresher.topic import Topic

IRIS = Topic.of("iris eye")
PROSE = "The garden is full of light and the bread is fresh. " * 20


def page(main="", title="", headings=()):
    return Page(Url("http://a.example/"), title=title, headings=headings, main=main, text=main)


def judge(of, mode="bm25", topic=IRIS):
    return TermsJudge(topic, mode=mode).judge(of)


def relevance(main="", topic="iris eye", **parts):
    return judge(page(main, **parts), topic=Topic.of(topic)).relevance


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


def test_headings_and_what_comes_first_count_more_than_a_mention_far_below():
    far = relevance(PROSE + "the iris of the eye")
    assert relevance("the iris of the eye " + PROSE) > far
    assert relevance(PROSE, headings=("The iris of the eye",)) > far


def test_a_phrase_counts_as_a_phrase():
    apart = "regular " + PROSE + " expression " + PROSE
    assert relevance("a regular expression. " + PROSE * 2, "regular expression") > relevance(
        apart, "regular expression"
    )


def test_the_words_of_a_phrase_may_stand_in_another_order_with_others_between():
    for said in ("the isolation of a transaction", "transaction isolation", "isolation, transaction"):
        found = judge(page(said), topic=Topic.of("transaction isolation"))
        assert Evidence("transaction isolation", "text", 1) in found.evidence
    apart = judge(page("the isolation of more than one such transaction"), topic=Topic.of("transaction isolation"))
    assert "transaction isolation" not in {each.what for each in apart.evidence}


def test_of_a_phrase_one_word_alone_counts_little_however_often_it_is_said():
    both = relevance("the regular expression " * 3 + PROSE, "regular expression")
    assert relevance("regular " * 500, "regular expression") < both / 3


def test_words_that_a_page_uses_often_count_even_where_they_never_stand_together():
    eye = page(main="The iris of a person narrows. Light enters the eye by the pupil. " * 6)
    flower = page(main="The iris of a garden has a rhizome. Plant the iris in the sun. " * 6)
    judge = TermsJudge(Topic.of("iris eye"))
    assert judge.judge(eye).relevant
    assert judge.judge(flower).relevance < 0.1


def test_a_single_mention_on_a_page_is_not_enough():
    once = judge(page("A regular walk. " + PROSE + "An expression of joy."), topic=Topic.of("regular expression"))
    assert 0 < once.relevance < 0.2
    assert not once.relevant


def test_a_phrase_does_not_reach_from_one_heading_into_the_next():
    found = judge(page(headings=("Regular", "Expression")), topic=Topic.of("regular expression"))
    assert {each.what for each in found.evidence} == {"regular", "expression"}


def test_commas_part_phrases_and_more_than_three_words_are_a_list():
    listed = judge(page("the exam, the lecture"), topic=Topic.of("course homework lecture exam"))
    assert {each.what for each in listed.evidence} == {"exam", "lecture"}
    parted = judge(page("isolation of transactions, and locks"), topic=Topic.of("transaction isolation, lock"))
    assert {each.what for each in parted.evidence} == {"transaction isolation", "transaction", "isolation", "lock"}


def test_evidence_says_which_word_where_and_how_often():
    found = judge(page("the iris, an iris", title="Eye"))
    assert set(found.evidence) == {Evidence("eye", "title", 1), Evidence("iris", "text", 2)}


def test_the_plural_finds_what_the_singular_finds():
    for main in ("An iris and an eye. " + PROSE, "Irises of eyes. " * 4 + PROSE * 9, "The iris. " * 40 + PROSE * 9):
        assert relevance(main, "irises eyes") == relevance(main, "iris eye") > 0


def test_words_are_whole_words():
    assert judge(page("irisate eyelid irish")).relevance == 0.0


@pytest.mark.skipif(extra("Stemmer") is None, reason="needs pip install 'thresher[languages]'")
def test_a_page_in_another_language_is_read_by_its_stems():
    for language, expected in (("de", True), ("en", False)):
        german = Page(Url("http://a.example/"), main="Die Krankheiten der Augen. " + PROSE, language=language)
        assert (TermsJudge(Topic.of("Krankheit")).judge(german).relevance > 0) is expected


def test_a_page_of_nothing_but_the_topic_is_read_up_to_a_limit():
    assert relevance("iris eye " * 500_000) > 0.3


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


def test_the_raw_score_puts_pages_in_the_same_order_as_the_probability():
    pages = [page("iris eye " * times + PROSE * long) for times in (1, 2, 5, 20) for long in (1, 5)]
    raw, probable = ([TermsJudge(IRIS, raw=raw).judge(each).relevance for each in pages] for raw in (True, False))
    assert raw != probable
    assert sorted(range(8), key=raw.__getitem__) == sorted(range(8), key=probable.__getitem__)
