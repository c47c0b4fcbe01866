import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language import words
from thresher.language.tokens import LETTER, normal


def test_hindi_words_keep_their_vowel_signs():
    assert words("बीमारियों और आँख") == ["बीमारियों", "और", "आँख"]


def test_words_are_lower_case_and_without_punctuation():
    assert words("Iris-scan, snake_case; 2nd!") == ["iris", "scan", "snake", "case", "2nd"]


def test_a_decomposed_accent_stays_with_its_letter():
    assert words(unicodedata.normalize("NFD", "Café olé")) == [
        unicodedata.normalize("NFD", each) for each in ("café", "olé")
    ]


@pytest.mark.parametrize("kinds", [3, 3000])
def test_words_stand_between_signs_however_many_kinds_of_signs_there_are(kinds):
    signs = [chr(code) for code in range(0x2190, 0x1FB00) if unicodedata.category(chr(code))[0] == "S"][:kinds]
    assert words("Iris".join(signs)) == ["iris"] * (kinds - 1)


@given(st.text())
def test_nothing_but_letters_marks_and_digits_is_in_a_word(text):
    assert all(unicodedata.category(char)[0] in "LMN" for word in words(text) for char in word)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_english_and_other_text_are_cut_alike(text):
    assert words(text + " é") == [*words(text), "é"]


@given(st.text(alphabet=st.one_of(st.characters(exclude_categories=()), st.sampled_from("ab_ \u0301\u093e\u00a0-İ"))))
def test_words_are_the_longest_runs_of_letters_marks_and_digits(text):
    assert words(text) == re.findall(f"(?:{LETTER})+", text.lower())


# ── one spelling ──

DEVANAGARI = st.text(st.characters(min_codepoint=0x900, max_codepoint=0x97F) | st.sampled_from("\u200c\u200d "))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("आँख", "आंख"),  # candrabindu, anusvara
        ("हिन्दी", "हिंदी"),  # a nasal before its own class
        ("कम्प्यूटर", "कंप्यूटर"),
        ("डॉक्टर", "डाक्टर"),  # the vowel of English loans
        ("ज़िला", "जिला"),  # nukta
        ("\u095b\u093f\u0932\u093e", "ज़िला"),  # a letter with nukta, in one piece or two
        ("क्\u200dया", "क्या"),  # joiners
        ("Straße", "STRASSE"),
        ("œil", "oeil"),
        ("e\u0301cole", "École"),
    ],
)
def test_spellings_of_a_word_become_one(one, other):
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), [("मन", "मान"), ("जन्म", "जंम"), ("schön", "schon"), ("दिन", "दीन")])
def test_different_words_stay_different(one, other):
    assert normal(one) != normal(other)


@given(st.text() | DEVANAGARI)
def test_normalising_twice_changes_nothing_more(text):
    assert normal(normal(text)) == normal(text)


@given(DEVANAGARI)
def test_composed_and_decomposed_hindi_are_one(text):
    assert normal(unicodedata.normalize("NFD", text)) == normal(unicodedata.normalize("NFC", text))
