import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.strategy.classed_web import TitledClasses, html, order_of_visits, rules_of, visit

from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.language.dictionaries import Dictionary
from thresher.language.dictionaries.tsv import read
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import DROP, Evidence, Link, Page, Url
from thresher.strategy.context_ontology import ContextOntology

# Kumar and Vig, Tables 1 and 2.
IMPORTANCE = {
    "Comp. Sc. And Engg.": 1.0,
    "Comp. Engg.": 0.9,
    "Comp. Sc.": 0.8,
    "Information Tech.": 0.5,
    "Computer": 0.4,
    "Engineering": 0.3,
}
TABLE_2 = {
    "CSE": {"IT": 8, "ENGG": 1, "COMP": 1},
    "IT": {"CSE": 2, "IT": 4, "ENGG": 4},
    "ENGG": {"CSE": 3, "IT": 4, "ENGG": 3},
    "COMP": {"COMP": 10},
}
BRANCHES = TitledClasses(("ENGG",), rules_of(TABLE_2), ("CSE", "IT", "ENGG", "COMP"))
DEPARTMENT = "Dept of Comp. Sc. And Engg. offers Information Tech. and Computer Engineering"
STRENGTHS = {"strong": 6.0, "fair": 4.0, "weak": 2.0}


def link(text, anchor="", heading=""):
    start = text.index(anchor)
    return Link(Url("http://a.example/"), Url("http://a.example/x"), text, start, start + len(anchor), heading)


def scores(strategy, *texts, title="COMP", **said):
    return list(strategy.score(visit(title, **said), [link(text, text) for text in texts]))


# ── OBRS ──


@pytest.mark.parametrize(("overlap", "score"), [("independent", 3.0), ("longest", 2.2)])
def test_golden_7_the_department_of_table_1(overlap, score):
    strategy = ContextOntology(IMPORTANCE, min_ont_rel=0.0, overlap=overlap)
    assert strategy.score(visit("COMP"), [link(DEPARTMENT, "Information")]) == [pytest.approx(score)]


def test_the_context_is_150_letters_on_either_side_and_the_heading():
    strategy = ContextOntology({"term": 1.0}, min_ont_rel=0.0)
    near, far = "a" * 140, "a" * 150
    assert strategy.score(visit("COMP"), [link(f"term {near} click {near} term", "click")]) == [2.0]
    assert strategy.score(visit("COMP"), [link(f"term {far} click {far} term", "click")]) == [DROP]
    assert strategy.score(visit("COMP"), [link("click", "click", heading="A term, a term")]) == [2.0]
    wider = ContextOntology({"term": 1.0}, min_ont_rel=0.0, context_chars=160)
    assert wider.score(visit("COMP"), [link(f"term {far} click {far} term", "click")]) == [2.0]


# ── admission ──


def test_above_5_a_link_is_admitted_and_at_5_it_is_discarded():
    strategy = ContextOntology({"term": 1.0})
    assert scores(strategy, "term " * 6, "term " * 5) == [6.0, DROP]


@pytest.mark.parametrize(
    ("title", "admitted"),
    [("CSE", True), ("IT", True), ("ENGG", False), ("COMP", False)],  # 4.2, 4.2, 3.0 and no path: more than 3 is wanted
)
def test_below_5_it_is_admitted_if_its_page_is_of_a_class_that_leads_to_the_target(title, admitted):
    strategy = ContextOntology(STRENGTHS, BRANCHES)
    assert scores(strategy, "fair", "nothing", title=title) == ([4.0, 0.0] if admitted else [DROP, DROP])


def test_a_probability_alone_never_exceeds_3():
    assert scores(ContextOntology(STRENGTHS, BRANCHES, la_scale=1.0), "fair", title="CSE") == [DROP]
    assert scores(ContextOntology(STRENGTHS, BRANCHES, la_scale=1.0, min_la_rel=0.4), "fair", title="CSE") == [4.0]
    assert scores(ContextOntology(STRENGTHS, BRANCHES, max_depth=1), "fair", title="CSE") == [DROP]


def test_without_rules_nothing_is_looked_ahead_to():
    for taxonomy in (None, TitledClasses(("ENGG",), None, ("CSE", "ENGG"))):
        assert scores(ContextOntology(STRENGTHS, taxonomy), "strong", "fair", title="CSE") == [6.0, DROP]


def test_a_reserve_waits_below_everything_in_its_own_order():
    kept = scores(ContextOntology(STRENGTHS, reserve="keep"), "strong", "nothing", "fair", "weak")
    assert kept[0] == 6.0
    assert 0 > kept[2] > kept[3] > kept[1] > DROP


WEB = {
    "": html("CSE", "weak", "comp-strong", "fair"),
    "comp-strong": html("COMP", "fair-2", "weak-2", "strong-2"),
    "weak": html("COMP"),
    "fair": html("IT", "nothing"),
    **{path: html("COMP") for path in ("fair-2", "weak-2", "strong-2", "nothing")},
}


async def test_links_above_the_threshold_come_first_then_those_looked_ahead_to_by_their_terms():
    order = await order_of_visits(ContextOntology(STRENGTHS, BRANCHES, context_chars=0), WEB)
    assert order == ["", "comp-strong", "strong-2", "fair", "weak", "nothing"]


async def test_with_a_reserve_the_others_come_last():
    order = await order_of_visits(ContextOntology(STRENGTHS, BRANCHES, context_chars=0, reserve="keep"), WEB)
    assert order == ["", "comp-strong", "strong-2", "fair", "weak", "nothing", "fair-2", "weak-2"]


def test_it_says_which_terms_and_which_path():
    strategy = ContextOntology(STRENGTHS, BRANCHES)
    assert strategy.explain(visit("CSE"), link("fair, fair and weak")) == (
        Evidence("fair", "context", 8.0),
        Evidence("weak", "context", 2.0),
        Evidence("CSE → IT → ENGG", "look-ahead", pytest.approx(4.2)),
    )
    assert strategy.explain(visit("COMP"), link("nothing")) == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"percentile": 100.0}, "percentile is 100"),
        ({"context_chars": -1}, "context_chars is -1"),
        ({"max_depth": 0}, "strategy 'context-ontology': max_depth is 0"),
        ({"la_scale": -1.0}, "la_scale is -1"),
        ({"reserve": "burn"}, "discard, keep"),
        ({"min_ont_rel": "median"}, "min_ont_rel is 'median'"),
        ({"overlap": "both"}, "independent, longest"),
        ({"profile": "rubust"}, "its profiles: paper, robust"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, words):
    with pytest.raises(BadInput, match=words):
        ContextOntology(STRENGTHS, BRANCHES, **options)


# ── the percentile ──

pages = st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=8), min_size=1, max_size=8)


def feed(strategy, number, page):
    at = visit("COMP", number)
    strategy.learn(at)
    return list(strategy.score(at, [link("term " * times) for times in page]))


@given(pages, st.sampled_from([10.0, 50.0, 75.0, 90.0]))
def test_the_threshold_is_a_percentile_of_all_that_was_seen_so_far(walk, percentile):
    strategy, seen = ContextOntology({"term": 0.5}, profile="robust", percentile=percentile), []
    for number, page in enumerate(walk):
        given = feed(strategy, number, page)
        seen += page
        least = np.percentile(seen, percentile, method="inverted_cdf")
        assert [priority >= 0 for priority in given] == [times > least for times in page]
        strategy.save()


@given(pages, pages)
def test_a_crawl_that_was_killed_and_resumed_admits_the_same_links(before, after):
    whole, parts = ContextOntology({"term": 0.3}, profile="robust"), {}
    for number, page in enumerate(before):
        feed(whole, number, page)
        parts |= whole.save()
    resumed = ContextOntology({"term": 0.3}, profile="robust")
    resumed.load(parts)
    for number, page in enumerate(after):
        assert feed(resumed, number, page) == feed(whole, number, page)
        assert resumed.save() == whole.save()


def test_to_score_a_page_again_gives_the_same():
    strategy = ContextOntology({"term": 1.0}, profile="robust")
    feed(strategy, 1, [1, 2, 3, 4])
    first = feed(strategy, 2, [4, 4, 5, 9])
    at = visit("COMP", 2)
    assert strategy.score(at, [link("term " * times) for times in [4, 4, 5, 9]]) == first
    assert strategy.save() != {}
    assert strategy.save() == {}


def test_what_is_saved_does_not_grow_with_the_links():
    strategy = ContextOntology({"a": 1.0, "b": 0.01, "c": 0.1234}, profile="robust")
    for number in range(100):
        at = visit("COMP", number)
        strategy.learn(at)
        strategy.score(at, [link("a " * (number % 9) + "b " * k + "c " * (number % 7)) for k in range(60)])
        size = len(strategy.save()["seen"])
    assert size < 3000


def test_the_paper_keeps_no_state():
    strategy = ContextOntology(STRENGTHS)
    scores(strategy, "fair")
    assert strategy.save() == {}


# ── other languages ──

HINDI = {"कंप्यूटर": "computer", "विज्ञान": "science\tknowledge", "छात्र": "student", "विभाग": "department"}
COMPUTING = {"computer science": 0.8, "computer": 0.4}


@pytest.fixture
def hindi(tmp_path):
    path = tmp_path / "hi-en.tsv"
    path.write_text("".join(f"{word}\t{english}\n" for word, english in HINDI.items()), encoding="utf-8")
    return WordTranscriptor({"hi": Dictionary.of(read(path))})


def test_golden_9_a_hindi_context_scores_with_the_transcriptor_and_not_without(hindi):
    context = "प्रवेश: कंप्यूटर विज्ञान विभाग"
    assert scores(ContextOntology(COMPUTING, min_ont_rel=0.0), context) == [DROP]
    assert scores(ContextOntology(COMPUTING, transcriptor=hindi, min_ont_rel=0.0), context) == [pytest.approx(1.2)]


def test_the_paper_replaces_words_and_robust_adds_to_them(hindi):
    terms = {"computer": 0.4, "कंप्यूटर": 0.4}
    paper, robust = (
        ContextOntology(terms, transcriptor=hindi, profile=profile, min_ont_rel=0.0) for profile in ("paper", "robust")
    )
    assert scores(paper, "कंप्यूटर") == [pytest.approx(0.4)]
    assert scores(robust, "कंप्यूटर") == [pytest.approx(0.8)]
    assert scores(ContextOntology(terms, transcriptor=hindi, min_ont_rel=0.0, transcribe="add"), "कंप्यूटर") == [
        pytest.approx(0.8)
    ]


def test_its_reasons_show_the_words_as_they_stood(hindi):
    strategy = ContextOntology(COMPUTING, transcriptor=hindi)
    found = strategy.explain(visit("COMP"), link("कंप्यूटर विज्ञान"))
    assert [(each.what, each.where) for each in found] == [
        ("computer science", "context, from कंप्यूटर, विज्ञान"),
        ("computer", "context, from कंप्यूटर"),
    ]


MIXED = {
    "": "<title>University</title><p><a href=/hindi>कंप्यूटर विज्ञान</a></p><p><a href=/cricket>Cricket</a></p>",
    "hindi": "<title>विभाग</title><p>छात्र <a href=/english>computer science courses</a></p>",
    "english": "<title>Courses</title><p>Computer science courses.</p>",
    "cricket": "<title>Cricket</title><p>Bat and ball.</p>",
}


async def test_the_way_to_an_english_page_leads_through_a_hindi_one(hindi):
    options = {"min_ont_rel": 0.0, "context_chars": 0}
    assert await order_of_visits(ContextOntology(COMPUTING, **options), MIXED) == [""]
    with_it = await order_of_visits(ContextOntology(COMPUTING, transcriptor=hindi, **options), MIXED)
    assert with_it == ["", "hindi", "english"]


async def test_on_english_pages_the_transcriptor_changes_nothing(hindi):
    plain = await order_of_visits(ContextOntology(STRENGTHS, BRANCHES, context_chars=0), WEB)
    assert await order_of_visits(ContextOntology(STRENGTHS, BRANCHES, hindi, context_chars=0), WEB) == plain


def test_the_page_is_transcribed_too_before_its_class_is_told(hindi):
    classifier = Classifier.of(
        [("student department computer", "CSE"), ("bat ball cricket", "SP"), ("gear bolt", "ENGG")]
    )
    taxonomy = Taxonomy(classifier, ("ENGG",), rules_of({"CSE": {"ENGG": 10}}))
    said = {"main": "छात्र विभाग कंप्यूटर bat", "text": "छात्र विभाग कंप्यूटर bat"}
    assert scores(ContextOntology({}, taxonomy), "click", title="", **said) == [DROP]
    assert scores(ContextOntology({}, taxonomy, hindi), "click", title="", **said) == [0.0]


def test_a_page_without_a_foreign_word_is_classified_once(hindi):
    asked = []

    class Counting(TitledClasses):
        def distribution(self, page):
            asked.append(page)
            return super().distribution(page)

    taxonomy = Counting(("ENGG",), rules_of(TABLE_2), ("CSE", "ENGG"))
    at = visit("CSE", main="plain English")
    ContextOntology({}, taxonomy, hindi).score(at, [link("click")])
    assert all(page is at.page for page in asked)
    assert isinstance(asked[0], Page)
