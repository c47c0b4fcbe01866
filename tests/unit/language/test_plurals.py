"""Singular and plural of English words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language.word_forms import forms

PAIRS = """iris irises|eye eyes|disease diseases|bus buses|virus viruses|city cities|movie movies|box boxes|church churches|class classes
database databases|analysis analyses|potato potatoes|photo photos|key keys|horse horses|expression expressions|buzz buzzes"""


@pytest.mark.parametrize("pair", [each.split() for line in PAIRS.splitlines() for each in line.split("|")])
def test_singular_and_plural_find_each_other(pair):
    one, many = pair
    assert many in forms(one)
    assert one in forms(many)


@pytest.mark.parametrize("word", ["gas", "is", "bass", "as", "x", "c", "2", "आँख", ""])
def test_short_words_and_other_scripts_stay_as_they_are(word):
    assert word in forms(word)
    assert len(forms(word)) <= 2


@given(st.text("abcdeisxyz", min_size=1, max_size=12))
def test_a_word_has_few_forms_and_is_one_of_them(word):
    assert word in forms(word)
    assert len(forms(word)) <= 9
