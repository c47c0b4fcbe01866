import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language.normalise import normal

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
