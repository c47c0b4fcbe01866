"""Words as numbers."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language import words
from thresher.language.word_numbers import counted_by_now, counted_elsewhere, number_of, squares, times, word_numbers

# Words of one script, words that share their first sixteen bytes, and what stands between words.
WORD = st.sampled_from(
    ["iris", "Iris", "irises", "a", "straße", "बीमारियों", "虹膜", "incomprehensibility", "incomprehensibilities", "2nd"]
)
BETWEEN = st.sampled_from([" ", "\n", ", ", "_", "-", "…", "\u00a0", "\0", "“", "\u200b"])
TEXT = st.lists(st.tuples(WORD, BETWEEN), max_size=60).map(lambda pairs: "".join(map("".join, pairs)))


@given(TEXT | st.text(max_size=300))
def test_there_is_one_number_for_each_word_and_the_same_for_the_same(text):
    said, numbers = words(text), word_numbers(text).tolist()
    assert len(numbers) == len(said)
    assert len(set(zip(said, numbers, strict=True))) == len(set(said)) == len(set(numbers))


@given(TEXT)
def test_the_number_of_a_word_is_that_of_the_word_alone(text):
    assert [number_of(word) for word in words(text)] == word_numbers(text).tolist()


@pytest.mark.parametrize("more", [0, 20], ids=["few", "many"])
@given(text=TEXT)
def test_words_are_counted_as_a_counter_counts_them(text, more):
    wanted = ["iris", "absent", "straße", "incomprehensibilities", *(f"other{place}" for place in range(more))]
    counts = Counter(words(text))
    assert times(text, tuple(map(number_of, wanted))) == tuple(counts[word] for word in wanted)
    assert squares(text) == sum(count * count for count in counts.values())


def test_what_one_process_counted_another_needs_not_count_again():
    text = "Iris, iris: eye " * 200
    assert counted_by_now(text) is None
    counted = word_numbers(text).tobytes()
    assert counted_by_now(text) == counted
    word_numbers("another text")
    counted_elsewhere(text, counted)
    assert counted_by_now(text) == counted
    assert times(text, (number_of("iris"),)) == (400,)


@pytest.mark.parametrize("nonsense", [b"", b"x", bytes(15)])
def test_numbers_that_make_no_sense_are_counted_again(nonsense):
    text = "a text of its own"
    counted_elsewhere(text, nonsense)
    assert len(word_numbers(text)) == 5


def test_what_is_remembered_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        word_numbers("iris")[0] = np.uint64(1)
