import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language import STOP_WORDS
from thresher.topic.cosine import Cosine

TEXT = st.lists(st.sampled_from(["iris", "eye", "lens", "the", "Éire", "\n", "-"]), max_size=12).map(" ".join)
WEIGHTS = st.dictionaries(st.sampled_from(["iris", "eye", "eye lens", "", "the"]), st.floats(0, 15))


def test_it_is_equation_1():
    # Topic (iris 1, eye 1), text (iris 2, eye 1, lens 1): 3 / sqrt(2 * 6).
    assert Cosine({"iris": 1, "eye": 1}).similarity("Iris, iris: eye, lens") == pytest.approx(3 / math.sqrt(12))


def test_for_one_word_it_is_the_words_share_of_the_length_of_the_text():
    assert Cosine({"iris": 7}).similarity("iris iris iris eye eye eye eye") == pytest.approx(3 / 5)


def test_a_phrase_gives_its_weight_to_each_of_its_words():
    assert Cosine({"blue iris": 2, "iris": 1}).similarity("blue") == pytest.approx(2 / math.hypot(2, 3))


def test_stop_words_count_on_neither_side():
    plain, without = Cosine({"iris": 1}), Cosine({"the": 5, "iris": 1}, stop_words=STOP_WORDS)
    assert without.similarity("the iris of the eye") == plain.similarity("iris eye")


def test_inflected_words_count_as_one():
    alike = Cosine({"crawlers": 1}, stem=lambda word: word.removesuffix("s"))
    assert alike.similarity("crawler crawlers web") == pytest.approx(2 / math.sqrt(5))


@given(WEIGHTS, TEXT)
def test_it_is_from_0_to_1_and_its_shares_add_up_to_it(weights, text):
    alike = Cosine(weights)
    assert 0 <= alike.similarity(text) <= 1
    assert sum(alike.shares(text).values()) == pytest.approx(alike.similarity(text))


@given(WEIGHTS, st.lists(TEXT, max_size=4))
def test_a_batch_is_as_one_by_one(weights, texts):
    alike = Cosine(weights)
    assert alike.similarities(texts) == [alike.similarity(text) for text in texts]


@given(TEXT.filter(str.strip))
def test_repeating_a_text_changes_nothing(text):
    alike = Cosine({"iris": 2, "eye": 1})
    assert alike.similarity(f"{text} {text}") == pytest.approx(alike.similarity(text))
