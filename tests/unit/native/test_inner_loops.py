"""The loops in C say what their twins say, to the last bit, and no page makes them slow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.language import word_numbers, words
from thresher.native import inner_loops
from thresher.parse import guard
from thresher.store import simhash
from thresher.topic import word_places

pytestmark = pytest.mark.skipif(inner_loops is None, reason="only a wheel is compiled, where there is a compiler")

SIZES = (1, 2, 7, 8, 9, 15, 16, 17, 24, 40)
LETTERS = st.sampled_from("aAzZ09éßİ眼आँख_-. \n\0\x7f\xa0")
WORDS = st.one_of(st.sampled_from([letter * size for letter in "aZ7" for size in SIZES]), st.text(max_size=20))
TEXTS = st.one_of(st.text(LETTERS), st.text(), st.lists(WORDS, max_size=400).map(" ".join))
NUMBERS = st.lists(st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 9)), max_size=900)


def without_loops(module, call, *arguments, **named):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "inner_loops", None)
        patched.setattr(word_numbers, "inner_loops", None)
        forget_texts()
        return call(*arguments, **named)


def with_loops(call, *arguments, **named):
    forget_texts()
    return call(*arguments, **named)


def forget_texts():
    word_numbers.counted_elsewhere("a text that no test has", bytes(8))
    word_numbers.times.cache_clear()


@given(TEXTS)
def test_every_word_has_the_same_number(text):
    numbers = with_loops(word_numbers.word_numbers, text).tolist()
    assert numbers == without_loops(word_numbers, word_numbers.word_numbers, text).tolist()
    assert len(numbers) == len(words(text))


@given(TEXTS, st.lists(WORDS, max_size=5))
def test_words_are_counted_alike(text, wanted):
    numbers = tuple(word_numbers.number_of(word) for word in wanted if len(words(word)) == 1)
    assert with_loops(word_numbers.times, text, numbers) == without_loops(
        word_numbers, word_numbers.times, text, numbers
    )
    assert with_loops(word_numbers.squares, text) == without_loops(word_numbers, word_numbers.squares, text)


@given(NUMBERS, st.integers(0, 2**63 - 1))
def test_squares_of_any_numbers_with_any_secret(numbers, secret):
    _, counts = np.unique(np.array(numbers, np.uint64), return_counts=True)
    assert inner_loops.squares(np.array(numbers, np.uint64), 2 * secret + 1) in {None, int(np.dot(counts, counts))}


@given(TEXTS)
def test_the_words_of_a_topic_stand_in_the_same_places(text):
    topic = word_places.TopicWords(["a", "aaaaaaaa", "ZZZZZZZZZZZZZZZZZ", "777777777"])
    long = text + " a" * word_numbers.LONG
    assert with_loops(topic.find, long, "en") == without_loops(word_places, topic.find, long, "en")


def test_so_many_places_at_most():
    topic = word_places.TopicWords(["iris"])
    assert len(topic.find("iris " * (word_places.MOST + 5), "en").places) == word_places.MOST


@given(TEXTS, st.booleans())
def test_a_text_has_the_same_fingerprint(text, digits):
    for said in (text, text + " one two three four five six seven eight nine ten" * 2, (text + " 1 ") * 40):
        expected = without_loops(simhash, simhash.simhash, said, digits=digits)
        assert with_loops(simhash.simhash, said, digits=digits) == expected


@given(NUMBERS)
def test_any_numbers_have_the_same_fingerprint(numbers):
    words_ = np.array(numbers, np.uint64)
    if len(words_) > 2:
        shingles = simhash._once(simhash._mixed(simhash._shingles(words_)))
        expected = simhash._majority(shingles[: simhash._VOTERS]) if len(shingles) > 17 else None
        assert inner_loops.simhash(words_, 17) == expected


def unmixed(number):
    """What `_mixed` makes this number of."""
    for factor in (0xC2B2AE3D27D4EB4F, 0x9E3779B97F4A7C15):
        number ^= number >> 32
        number = number * pow(factor, -1, 1 << 64) % (1 << 64)
    return number ^ number >> 32


def test_hashes_that_begin_alike_are_left_to_the_twin():
    # Words made so that the hashes of all shingles begin with the same bits, each smaller than the one before.
    odd_2, odd_3 = 0x165667B19E3779F9, 0xD6E8FEB86659FD93
    made = [1, 2]
    for number in range(5_000, 0, -1):
        rest = unmixed(number) - made[-2] - made[-1] * odd_2
        made.append(rest * pow(odd_3, -1, 1 << 64) % (1 << 64))
    hostile = np.array(made, np.uint64)
    assert simhash._mixed(simhash._shingles(hostile)).tolist() == list(range(5_000, 0, -1))
    with pytest.raises(OverflowError):
        inner_loops.simhash(hostile, 17)


def test_numbers_that_stand_in_one_place_are_left_to_the_twin():
    # Whoever knew the secret could make such a page; nobody does.
    secret = 0x9E3779B97F4A7C15
    inverse = pow(secret, -1, 1 << 64)
    slotted = [number * inverse % (1 << 64) for number in range(20_000)]
    hostile = np.array([number ^ number >> 32 for number in slotted], np.uint64)
    assert inner_loops.squares(hostile, secret) is None
    assert inner_loops.squares(hostile, secret ^ 0x5DEECE66C) == 20_000


BODIES = st.lists(
    st.sampled_from(
        [b"<", b"<html ", b"<BODY>", b"<b ", b"<B/", b"<br>", b"<i\n", b"x", b"\xff", b"hid", b"den", b"HIDDEN"]
    )
)


@given(BODIES.map(b"".join))
def test_tags_are_counted_alike(body):
    if len(body) > 2:
        assert inner_loops.tag_kinds(body, guard._KINDS) == guard._tag_kinds(body)


@given(st.one_of(BODIES.map(b"".join), st.binary()))
def test_the_word_hidden_is_seen(body):
    assert inner_loops.may_hide(body) == (b"hidden" in body.lower())


@given(st.text(st.characters(max_codepoint=127)))
def test_controls_are_seen(text):
    assert inner_loops.has_controls(text) == any(not (each.isprintable() or each in "\t\n\v\f\r") for each in text)


@pytest.mark.parametrize("size", range(3))
def test_next_to_nothing_is_no_trouble(size):
    body, none = b"<" * size, np.empty(0, np.uint64)
    assert inner_loops.tag_kinds(body, guard._KINDS) == (0, 0, 0)
    assert not inner_loops.may_hide(body)
    assert inner_loops.word_numbers(body, hash) == b""
    assert inner_loops.squares(none, 1) == 0
    assert inner_loops.times(none, (1, 2)) == (0, 0)
    assert inner_loops.simhash(np.zeros(size, np.uint64), 17) is None
