"""Pages in other languages are judged by what they say."""

import math

import numpy as np
import pytest

from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy
from thresher.errors import Missing
from thresher.judge.transcribed import TranscribedJudge
from thresher.knowledge import on_demand, part
from thresher.lab.run.trial import unlabelled
from thresher.language.dictionaries import Dictionary, DictionaryEntry
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Evidence, Judgement, Page, Url
from thresher.testing import check_judge, iris
from thresher.topic import Topic

WORDS = {
    "पुतली": ("iris", "pupil"),
    "आँख": ("eye",),
    "रोशनी": ("light",),
    "फूल": ("flower", "bloom"),
    "बगीचा": ("garden",),
}
URL = Url("https://example.org/")
HINDI = Page(
    URL, "पुतली", language="hi", headings=("आँख",), main="पुतली आँख में रोशनी। आँख।", text="menu\nपुतली आँख में रोशनी। आँख।"
)
ENGLISH = Page(
    URL, "Iris", language="en", headings=("Eye",), main="The iris of the eye lets in light", text="Iris, eye"
)
FLOWERS = Page(URL, "फूल", language="hi", main="बगीचा फूल", text="बगीचा फूल")


@pytest.fixture
def hindi():
    return WordTranscriptor({"hi": Dictionary.of(DictionaryEntry(*each) for each in WORDS.items())})


@pytest.fixture
def given(hindi):
    return with_others(iris.needs(iris.web(size=20, hosts=2)), transcriptor=lambda: hindi, taxonomy=taxonomy)


def with_others(given, **makers):
    return unlabelled({**given, **on_demand(makers)})


def taxonomy():
    examples = [("iris eye pupil light", "eye"), ("garden flower petal", "flower")]
    return Taxonomy(Classifier.of(examples), ("eye",))


class Counting:
    """An encoder that counts two words."""

    def encode(self, texts):
        return np.array([[text.lower().count("eye"), text.lower().count("flower"), 0.1] for text in texts], np.float32)


JUDGES = [
    {"name": "terms"},
    {"name": "terms", "mode": "cosine", "threshold": 0.1},
    {"name": "concepts"},
    {"name": "concepts", "mode": "paper"},
    {"name": "classifier", "threshold": 0.6},
    {"name": "sense"},
    {"name": "meaning", "encoder": Counting(), "raw": True},
    {"name": "combine", "judges": ["terms", "concepts"], "threshold": 0.2},
]


@pytest.mark.parametrize(
    "table",
    JUDGES,
    ids=lambda table: "-".join(str(value) for value in list(table.values())[:2] if not isinstance(value, Counting)),
)
def test_every_judge_finds_a_hindi_page_about_the_topic_with_a_dictionary_and_not_without(given, table):
    without = part("judge", table, with_others(given, transcriptor=_none))
    assert without.judge(HINDI).relevance < without.threshold
    judge = part("judge", table, given)
    assert judge.judge(HINDI).relevant
    assert not judge.judge(FLOWERS).relevant
    assert judge.judge(ENGLISH) == without.judge(ENGLISH)


def _none():
    raise Missing("a dictionary")


def test_evidence_has_the_words_as_they_were_read_and_as_they_stood(hindi):
    judge = part(
        "judge", {"name": "terms"}, {"topic": Topic.of("iris, eye"), **on_demand({"transcriptor": lambda: hindi})}
    )
    assert judge.judge(HINDI).evidence == (
        Evidence("iris", "title, from पुतली", 1),
        Evidence("eye", "heading, from आँख", 1),
        Evidence("iris", "text, from पुतली", 1),
        Evidence("eye", "text, from आँख", 2),
    )


def test_where_the_page_says_it_in_english_too_evidence_says_also(hindi):
    said = TranscribedJudge(Saying("eye", "text"), hindi).judge(Page(URL, main="Eye drops: आँख", text=""))
    assert [each.where for each in said.evidence] == ["text, also from आँख"]


@pytest.mark.parametrize(
    ("what", "where", "shown"),
    [
        ("pupil (synonym)", "title", "title, from पुतली"),
        ("eyes", "text: iris.n.02", "text: iris.n.02, from आँख"),
        ("eye iris", "text", "text, from आँख, पुतली"),
        ("iris", "class", "class"),
        ("rainbow", "text", "text"),
        ("eye", "title", "title"),
    ],
)
def test_a_source_is_shown_only_where_the_words_stood(hindi, what, where, shown):
    said = TranscribedJudge(Saying(what, where), hindi).judge(HINDI)
    assert [each.where for each in said.evidence] == [shown]


class Saying:
    """A judge with one piece of evidence."""

    threshold = 0.5

    def __init__(self, what, where):
        self.evidence = (Evidence(what, where, 1.0),)

    def judge(self, page):
        return Judgement(1.0, relevant=True, evidence=self.evidence)


def test_evidence_of_concepts_still_adds_up(given):
    said = part("judge", {"name": "concepts"}, given).judge(HINDI)
    assert math.fsum(each.amount for each in said.evidence) == pytest.approx(said.relevance)


def test_judges_that_are_combined_read_a_page_once(given, hindi, monkeypatch):
    asked = []
    monkeypatch.setattr(hindi, "stretches", lambda text, language: asked.append(text) or ())
    part("judge", {"name": "combine", "judges": ["terms", "concepts", "classifier"]}, given).judge(HINDI)
    assert len(asked) == len(set(asked))


def test_a_judge_of_another_making_that_asks_for_the_transcriptor_sees_to_it_itself(given, monkeypatch):
    class Own(Saying):
        def __init__(self, transcriptor):
            super().__init__("eye", "text")

    monkeypatch.setattr("thresher.plugins.find", lambda *_: Own)
    assert type(part("judge", {"name": "own"}, given)) is Own


def test_a_judge_that_reads_keeps_its_promises(hindi):
    check_judge(lambda: TranscribedJudge(part("judge", {"name": "terms"}, {"topic": Topic.of("iris")}), hindi))
