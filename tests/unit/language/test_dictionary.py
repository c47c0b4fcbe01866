import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.language.dictionary_files import dictd, stardict

from thresher.errors import BadInput
from thresher.language.dictionaries import (
    Dictionary,
    DictionaryEntry,
    find_dictionary,
    installed_dictionaries,
    inverted_entries,
    open_dictionary,
)
from thresher.language.dictionaries.dictionary import LONGEST_PHRASE, key_of

WORDS = st.text(st.sampled_from("abcआँखिक़् "), min_size=1, max_size=12)
ENTRIES = st.lists(
    st.builds(DictionaryEntry, WORDS, st.lists(WORDS, min_size=1, max_size=3).map(tuple), st.integers(0, 300))
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@given(ENTRIES)
def test_a_dictionary_answers_as_a_dict_would(entries):
    plain = {}
    for entry in sorted(entries, key=lambda entry: min(entry.rank, 255)):
        if 0 < len(key_of(entry.word).split()) <= LONGEST_PHRASE:
            plain.setdefault(key_of(entry.word), {}).update(dict.fromkeys(entry.translations))
    dictionary = Dictionary.of(entries)
    assert {key: tuple(translations) for key, translations in plain.items()} == {
        key: dictionary.get(key) for key in dictionary
    }
    assert dictionary.get("never listed") == ()


@given(ENTRIES)
def test_no_phrase_is_longer_than_its_beginning_says(entries):
    dictionary = Dictionary.of(entries)
    for key in dictionary:
        words = key.split()
        if len(words) > 1:
            assert dictionary.longest_phrase(words[0]) >= len(words)
            assert dictionary.longest_phrase(" ".join(words[:2])) >= len(words)


def test_saved_and_loaded_it_is_the_same(tmp_path):
    dictionary = Dictionary.of([DictionaryEntry("आँख", ("eye",)), DictionaryEntry("मधुमेह रोग", ("diabetes",))])
    dictionary.save(tmp_path / "kept.npz")
    again = Dictionary.load(tmp_path / "kept.npz")
    assert sorted(again) == sorted(dictionary)
    assert again.get("मधुमेह रोग") == ("diabetes",)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY", b"nonsense" * 100])
def test_a_file_that_is_no_dictionary_is_refused(tmp_path, content):
    path = tmp_path / "kept.npz"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is no compiled dictionary"):
        Dictionary.load(path)


def test_turned_round_the_first_meaning_of_a_word_comes_first():
    entries = [DictionaryEntry("jug", ("सुराही", "आँख")), DictionaryEntry("eye", ("आँख", "नेत्र"))]
    assert Dictionary.of(inverted_entries(entries)).get("आंख") == ("eye", "jug")


def test_a_dictionary_is_found_by_its_languages_and_turned_round_if_need_be(tmp_path):
    dictd(tmp_path, {"eye": "eye\n1. आँख\n"}, name="freedict-eng-hin")
    found = find_dictionary("hi", "en", [tmp_path / "missing", tmp_path])
    assert found is not None
    assert (found.path.name, found.inverted) == ("freedict-eng-hin.index", True)
    assert found.open().get("आंख") == ("eye",)
    assert not find_dictionary("eng", "hin", [tmp_path]).inverted
    assert find_dictionary("de", "en", [tmp_path]) is None


def test_the_larger_direction_is_taken_and_the_users_own_folder_comes_first(tmp_path):
    dictd(
        tmp_path / "system",
        {"eye": "eye\n1. आँख\n", "bloom": "bloom\n1. फूल\n", "fever": "fever\n1. बुखार\n"},
        name="eng-hin",
    )
    dictd(tmp_path / "system", {"आँख": "आँख\neye\n"}, name="hin-eng")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "hi-en.tsv").write_text("मधुमेह\tdiabetes\n")
    assert find_dictionary("hi", "en", [tmp_path / "system"]).path.stem == "eng-hin"
    assert find_dictionary("hi", "en", [tmp_path / "own", tmp_path / "system"]).path.name == "hi-en.tsv"


def test_the_environment_names_more_folders(tmp_path, monkeypatch):
    stardict(tmp_path / "a", {"आँख": b"eye"})
    monkeypatch.setenv("THRESHER_DICTIONARIES", os.pathsep.join([str(tmp_path / "b"), str(tmp_path / "a")]))
    assert (tmp_path / "a" / "hin-eng.ifo") in {found.path for found in installed_dictionaries()}


def test_what_was_read_once_comes_from_the_cache_until_the_file_changes(tmp_path, cache):
    path = tmp_path / "hi-en.tsv"
    path.write_text("आँख\teye\n")
    assert open_dictionary(path).get("आँख") == ("eye",)
    (kept,) = cache.iterdir()
    Dictionary.of([DictionaryEntry("आँख", ("from the cache",))]).save(kept)
    assert open_dictionary(path).get("आँख") == ("from the cache",)
    path.write_text("आँख\toptic\n")
    assert open_dictionary(path).get("आँख") == ("optic",)


def test_a_damaged_cache_is_made_again(tmp_path, cache):
    path = tmp_path / "hi-en.tsv"
    path.write_text("आँख\teye\n")
    open_dictionary(path)
    (kept,) = cache.iterdir()
    kept.write_bytes(b"damaged")
    assert open_dictionary(path).get("आँख") == ("eye",)
    assert Dictionary.load(kept).get("आँख") == ("eye",)


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "file"))
    (tmp_path / "hi-en.tsv").write_text("आँख\teye\n")
    assert open_dictionary(tmp_path / "hi-en.tsv").get("आँख") == ("eye",)


def test_a_file_of_another_kind_or_none_at_all_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"cannot tell the format from the name; known: \.index, \.ifo, \.tsv"):
        open_dictionary(tmp_path / "words.doc")
    with pytest.raises(BadInput, match="there is no such dictionary"):
        open_dictionary(tmp_path / "words.tsv")
