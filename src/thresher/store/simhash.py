"""A 64-bit fingerprint of a text: nearly the same text, nearly the same bits (the simhash of Charikar 2002, over shingles).

Everything is done for all words at once, in C or in numpy: a loop over a thousand words in Python takes ten times as long.
"""

import re
from contextlib import suppress

import numpy as np

from thresher.language.word_numbers import Numbers, Places, letters_of, numbers_at, starts_in, word_numbers
from thresher.native import inner_loops

FEWEST_WORDS = 20
"""Shorter texts get no fingerprint: one changed word would change too many bits."""
_SHINGLE = 3
_LONGEST = 1 << 15
"""Words of a text that count; the rest is ignored."""
_VOTERS = 512
"""Shingles that vote: those with the smallest hashes, a fair sample, so that a long page takes little longer."""
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], dtype=np.uint64)
_HALF = np.uint64(32)
_UNSPACED = re.compile("[\u3000-\u9fff]")
_WITHOUT_DIGITS = bytes(0 if chr(code).isdecimal() else code for code in range(128)) + bytes(range(128, 256))


def simhash(text: str, *, digits: bool = True) -> int | None:
    """The fingerprint as an unsigned number; None if the text is too short to have one. Without `digits`, 0 to 9 are read as blanks."""
    words = _words(text, digits=digits)
    if len(words) < FEWEST_WORDS:
        return None
    if inner_loops is not None:
        with suppress(OverflowError):
            return inner_loops.simhash(words, FEWEST_WORDS - _SHINGLE)
    shingles = _once(_mixed(_shingles(words)))
    return _majority(shingles[:_VOTERS]) if len(shingles) > FEWEST_WORDS - _SHINGLE else None


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ. Takes signed ones too."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def _words(text: str, *, digits: bool) -> Numbers:
    """One number for each word. Chinese and Japanese leave no spaces, so each of their characters is a word."""
    spaced = text.isascii() or not _UNSPACED.search(text)
    if spaced and digits:
        return word_numbers(text)[:_LONGEST]
    letters = letters_of(text) if digits else letters_of(text).translate(_WITHOUT_DIGITS)
    starts = starts_in(letters)
    return numbers_at(letters, starts if spaced else np.union1d(starts, _characters(letters)))[:_LONGEST]


def _characters(letters: bytes) -> Places:
    codes = np.frombuffer(letters, np.uint8)
    return np.flatnonzero((codes >= 0xE3) & (codes <= 0xE9))


def _shingles(words: Numbers) -> Numbers:
    count = len(words) - _SHINGLE + 1
    shingles: Numbers = words[:count] + words[1 : count + 1] * _ODD[2] + words[2:] * _ODD[3]
    return shingles


def _mixed(numbers: Numbers) -> Numbers:
    """Spread every bit over all others; otherwise the low bits of such sums would vote alike."""
    for factor in _ODD[:2]:
        numbers ^= numbers >> _HALF
        numbers *= factor
    numbers ^= numbers >> _HALF
    return numbers


def _once(numbers: Numbers) -> Numbers:
    """Each number once, in order; otherwise a phrase repeated a thousand times would decide the fingerprint alone."""
    numbers.sort()
    fresh = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=fresh[1:])
    return numbers[fresh]


def _majority(numbers: Numbers) -> int:
    """The number in which each bit is that of the majority; a draw is 0."""
    bits = np.unpackbits(numbers.astype("<u8").view(np.uint8), bitorder="little").reshape(-1, 64)
    votes = bits.sum(axis=0, dtype=np.uint16)
    return int.from_bytes(np.packbits(votes > len(numbers) // 2, bitorder="little").tobytes(), "little")
