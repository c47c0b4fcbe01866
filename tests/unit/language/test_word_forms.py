import pytest

from thresher.install_hint import install_hint
from thresher.language import extras, lemma, stem, stems, stop_words
from thresher.language import word_forms as inflection
from thresher.language.extras import unavailable


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(inflection, "extra", lambda name: None)
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    for cached in (inflection._snowball, inflection._lemmatiser):
        cached.cache_clear()
    yield
    for cached in (inflection._snowball, inflection._lemmatiser):
        cached.cache_clear()


def test_forms_of_a_word_have_one_stem():
    pytest.importorskip("Stemmer")
    assert stem("diseases") == stem("disease")
    assert stem("Krankheiten".lower(), "de") == stem("krankheit", "de")
    assert stem("आँखों", "hi") == "आँख"
    assert stems(["eyes", "eye"]) == ["eye", "eye"]


def test_a_lemma_is_a_word():
    pytest.importorskip("simplemma")
    assert lemma("Häuser", "de") == "Haus"
    assert lemma("maladies", "fr") == "maladie"
    assert lemma("बीमारियों", "hi") == "बीमारी"


def test_a_language_nobody_knows_leaves_words_as_they_are():
    assert stem("wanderings", "tlh") == "wanderings"
    assert stems(["wanderings"], "tlh") == ["wanderings"]
    assert lemma("wanderings", "tlh") == "wanderings"
    assert stop_words("tlh") == frozenset()


def test_without_the_packages_words_stay_as_they_are_and_it_is_said(nothing_installed):
    assert stem("diseases") == "diseases"
    assert lemma("Häuser", "de") == "Häuser"
    assert unavailable()[-1] == f"{install_hint('languages')} brings what is missing"


def test_english_stop_words_are_few_so_that_they_eat_no_topic():
    assert "the" in stop_words("en")
    assert not {"second", "computer", "health", "car"} & stop_words("en")


def test_other_languages_have_stop_words_but_no_nouns_among_the_hindi_ones():
    pytest.importorskip("stopwordsiso")
    assert {"und", "der"} <= stop_words("de")
    assert "के" in stop_words("hi")
    assert "घर" not in stop_words("hi")
