import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from thresher.language import words
from thresher.language.tokens import LETTER


def test_hindi_words_keep_their_vowel_signs():
    assert words("बीमारियों और आँख") == ["बीमारियों", "और", "आँख"]


def test_words_are_lower_case_and_without_punctuation():
    assert words("Iris-scan, snake_case; 2nd!") == ["iris", "scan", "snake", "case", "2nd"]


def test_a_decomposed_accent_stays_with_its_letter():
    assert words(unicodedata.normalize("NFD", "Café olé")) == [
        unicodedata.normalize("NFD", each) for each in ("café", "olé")
    ]


@given(st.text())
def test_nothing_but_letters_marks_and_digits_is_in_a_word(text):
    assert all(unicodedata.category(char)[0] in "LMN" for word in words(text) for char in word)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_english_and_other_text_are_cut_alike(text):
    assert words(text + " é") == [*words(text), "é"]


@given(st.text(alphabet=st.one_of(st.characters(exclude_categories=()), st.sampled_from("ab_ \u0301\u093e\u00a0-İ"))))
def test_words_are_the_longest_runs_of_letters_marks_and_digits(text):
    assert words(text) == re.findall(f"(?:{LETTER})+", text.lower())
