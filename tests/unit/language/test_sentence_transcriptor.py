"""Sentences of other languages, read by a model of one's own."""

import pytest

from thresher.errors import BadInput
from thresher.judge.terms import TermsJudge
from thresher.judge.transcribed import TranscribedJudge
from thresher.knowledge import Knowledge, needs
from thresher.language.sentence_transcriptor import SentenceTranscriptor
from thresher.language.transcriptor import WordReading
from thresher.model import Page, Url
from thresher.testing import check_translator
from thresher.topic import Topic

SENTENCES = {"आँख की पुतली गोल है।": "The iris of the eye is round.", "रोग": "disease"}


class Model:
    """Knows two sentences, and notes what it was asked."""

    def __init__(self):
        self.asked = []

    def translate(self, texts, language):
        self.asked.append((list(texts), language))
        return [SENTENCES.get(text, "") for text in texts]


class NeedsMore(Model):
    def __init__(self, size):
        self.size = size


OBJECT = Model()
NOT_ONE = object()


@pytest.fixture
def spoken():
    return SentenceTranscriptor(Model(), ["hi"])


def test_a_sentence_is_followed_by_what_it_says(spoken):
    assert spoken.transcribe("See: आँख की पुतली गोल है। Read on") == (
        "See: आँख की पुतली गोल है। The iris of the eye is round. Read on"
    )
    assert spoken.by("replace").transcribe("See: रोग") == "See:  disease"


def test_a_sentence_that_the_model_does_not_know_stays_as_it_is(spoken):
    assert spoken.transcribe("अज्ञात") == "अज्ञात"
    assert spoken.by("replace").transcribe("अज्ञात").strip() == "अज्ञात"


def test_sentences_are_told_apart_and_each_is_read_by_itself(spoken):
    found = list(spoken.stretches("रोग। आँख की पुतली गोल है।\nEnglish."))
    assert [each.readings for each in found] == [
        (WordReading("रोग।", ()),),
        (WordReading("आँख की पुतली गोल है।", ("The iris of the eye is round.",)),),
    ]
    assert {each.language for each in found} == {"hi"}


def test_a_language_that_was_not_named_is_left_alone(spoken):
    assert spoken.transcribe("Это глаз.") == "Это глаз."


def test_a_page_is_asked_about_at_once_and_a_sentence_only_once(spoken):
    page = Page(Url("https://example.org/"), "रोग", main="रोग\nआँख की पुतली गोल है।", text="रोग\nआँख की पुतली गोल है।")
    spoken.page(page)
    spoken.transcribe("रोग")
    assert spoken._translator.asked == [(["रोग", "आँख की पुतली गोल है।"], "hi")]


def test_a_page_of_more_sentences_than_are_remembered_is_asked_about_at_once_too(spoken):
    spoken.page(Page(Url("https://example.org/"), main="\n".join(f"रोग {number}" for number in range(2_500)), text=""))
    spoken.page(Page(Url("https://example.org/next"), "रोग", main="", text=""))
    assert [len(texts) for texts, _ in spoken._translator.asked] == [2_500, 1]
    assert len(spoken._known) == 1, "and it is forgotten when the next page comes"


def test_judges_read_by_it_and_show_the_sentence_as_it_stood(spoken):
    page = Page(Url("https://example.org/"), main="आँख की पुतली गोल है।", text="")
    said = TranscribedJudge(TermsJudge(Topic.of("iris")), spoken).judge(page)
    assert [(each.what, each.where) for each in said.evidence] == [("iris", "text, from आँख की पुतली गोल है।")]


def test_a_crawl_file_names_the_model():
    known = Knowledge(languages=["hi"], translator=f"{__name__}:OBJECT", transcribe="replace")
    assert needs("iris", known)["transcriptor"].make().transcribe("रोग").strip() == "disease"
    known = Knowledge(languages=["hi"], translator=f"{__name__}:Model")
    assert needs("iris", known)["transcriptor"].make().transcribe("रोग") == "रोग disease"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere:Model", "cannot be imported"),
        ("nothing", "write 'module:name'"),
        (".nearby:Model", "cannot be imported"),
        (f"{__name__}:NeedsMore", "cannot be made: .* 'size'"),
        (f"{__name__}:NOT_ONE", "has no translate"),
    ],
)
def test_a_model_that_is_none_is_refused(name, words):
    with pytest.raises(BadInput, match=words):
        needs("iris", Knowledge(languages=["hi"], translator=name))["transcriptor"].make()


def test_a_translator_that_keeps_its_promises_passes_and_one_that_does_not_is_told_which():
    check_translator(Model)

    class Forgetful(Model):
        def translate(self, texts, language):
            return super().translate(texts, language)[:1]

    with pytest.raises(AssertionError, match="1 translations of 7 texts"):
        check_translator(Forgetful)
