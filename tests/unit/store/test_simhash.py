"""Fingerprints of texts."""

import random
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from thresher.store.simhash import FEWEST_WORDS, distance, simhash
from thresher.testing.store_contract import prose

WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyzäöü", min_size=1, max_size=20), min_size=FEWEST_WORDS, max_size=300)


def word_by_word(text):
    """The same fingerprint, slowly, with Python's own numbers."""
    mask, odd = (1 << 64) - 1, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
    hashes = [
        int.from_bytes(word[:8], "little") * odd[0] + int.from_bytes(word[8:16], "little") * odd[1]
        if len(word) <= 16
        else xxh3_64_intdigest(word)
        for word in text.encode().split()
    ]
    voters = set()
    for one, two, three in zip(hashes, hashes[1:], hashes[2:], strict=False):
        number = (one + two * odd[2] + three * odd[3]) & mask
        for factor in odd[:2]:
            number = (number ^ number >> 32) * factor & mask
        voters.add(number ^ number >> 32)
    chosen = sorted(voters)[:512]
    return sum(1 << bit for bit in range(64) if sum(number >> bit & 1 for number in chosen) > len(chosen) // 2)


@given(WORDS)
def test_the_fingerprint_is_the_one_that_a_loop_over_the_words_gives(words):
    text = " ".join(words)
    assert simhash(text) in {None, word_by_word(text)}


def test_the_fingerprint_is_the_same_on_every_machine():
    assert simhash(prose(1, 300)) == 9059912663314046798 == word_by_word(prose(1, 300))
    assert simhash(prose(1, 3000)) == word_by_word(prose(1, 3000))


@given(WORDS)
def test_case_and_spacing_do_not_matter(words):
    ascii_words = [word.encode("ascii", "replace").decode().replace("?", "q") for word in words]
    assert simhash(" ".join(ascii_words)) == simhash(" \n, ".join(ascii_words).upper())


@given(st.text(max_size=3000))
def test_any_text_has_a_fingerprint_of_64_bits_or_none(text):
    number = simhash(text)
    assert number is None or 0 <= number < 1 << 64


def test_one_changed_word_of_two_thousand_seldom_changes_more_than_three_bits():
    chance, changes = Random(5), []
    for number in range(1, 201):
        words = prose(number, 2000).split()
        place = chance.randrange(2000)
        changed = [*words[:place], "changed", *words[place + 1 :]]
        changes.append(distance(simhash(" ".join(words)), simhash(" ".join(changed))))
    assert sum(bits <= 3 for bits in changes) >= 0.9 * len(changes)
    assert sum(bits <= 6 for bits in changes) >= 0.98 * len(changes)


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_unrelated_texts_are_far_apart(one, other):
    far = distance(simhash(prose(one)), simhash(prose(other)))
    assert far >= 10 if one != other else far == 0


def test_the_order_of_words_matters():
    words = prose(1, 300).split()
    shuffled = random.Random(1).sample(words, len(words))
    assert distance(simhash(" ".join(words)), simhash(" ".join(shuffled))) >= 10


def test_a_text_of_few_words_has_none():
    assert simhash("") is None
    assert simhash(" ".join(["word"] * (FEWEST_WORDS - 1))) is None


def test_a_phrase_a_thousand_times_is_a_text_of_few_words():
    assert simhash("the same phrase again " * 1000) is None


def test_a_phrase_a_thousand_times_does_not_drown_the_rest():
    noise = " la" * 2000
    assert distance(simhash(prose(1) + noise), simhash(prose(2) + noise)) >= 10


@pytest.mark.parametrize("beginning", ["abcdefghijklmn", "abcdefghijklmnopqrstuvw"])
def test_words_are_told_apart_to_their_last_byte(beginning):
    long = [f"{beginning}{number:02}" for number in range(90)]
    assert distance(simhash(" ".join(long)), simhash(" ".join(reversed(long)))) >= 10


def test_chinese_needs_no_spaces():
    one = "".join(chr(0x4E00 + place * place % 2003) for place in range(800))
    two = "".join(chr(0x4E00 + place * place * 7 % 2003) for place in range(800))
    assert distance(simhash(one), simhash(one + "。")) <= 3
    assert distance(simhash(one), simhash(two)) >= 10


def test_distance_takes_signed_numbers():
    assert distance(-1, 1) == 63
    assert distance(-1, (1 << 64) - 1) == 0


@given(st.text("abΑΣς漢字 \n19é_", max_size=400))
def test_without_digits_a_text_is_read_as_with_blanks_in_their_place(text):
    blank = "".join(" " if letter in "0123456789" else letter for letter in text)
    assert simhash(text, digits=False) == simhash(blank)
