"""The words of a text as 64-bit numbers, for whoever counts or compares all words of a page.

Judge, strategy and fingerprint ask for the same words one after the other, so those of the latest text are remembered. Of a page of 1,700
words the numbers take .01 ms by a loop in C and .04 by numpy, where a list of strings and a count of each take .16.
"""

import os
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from thresher.language.tokens import spaced
from thresher.native import inner_loops

Numbers = NDArray[np.uint64]
Places = NDArray[np.intp]
_Kind = TypeVar("_Kind", np.uint16, np.uint64)

LONG = 2000
"""Characters from which on the words of a text are counted faster as numbers than as strings."""
_WIDE = 16
"""Bytes of a word that make its number by arithmetic; a longer word is hashed."""
_LETTERS = bytes(code if code >= 0x80 else ord(chr(code).lower()) * chr(code).isalnum() for code in range(256))
"""ASCII letters and digits in lower case; all else of ASCII becomes zero."""
_END = b"\0." + bytes(_WIDE)
"""A last word, whose start is the end of the word before; and padding, since eight bytes are read at a time."""
_FIRST = np.array([(1 << 8 * min(size, 8)) - 1 for size in range(_WIDE + 1)], dtype=np.uint64)
"""By a word's size: a mask of those of its first eight bytes that belong to it."""
_SECOND = np.array([(1 << 8 * max(size - 8, 0)) - 1 for size in range(_WIDE + 1)], dtype=np.uint64)
"""By a word's size: a mask of those of its bytes nine to sixteen that belong to it."""
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
_FEW = 16
"""Up to this many words are counted by one comparison each, and more by a search in the sorted numbers."""
_SECRET = int.from_bytes(os.urandom(8), "little") | 1
"""Another one in each process, so that no page can be made to be counted slowly."""


class _Latest(NamedTuple):
    """A text and its numbers."""

    text: str
    numbers: Numbers


_latest = [_Latest("", np.empty(0, np.uint64))]


def word_numbers(text: str) -> Numbers:
    """One number for each of `words(text)`: the same for the same word, another for another."""
    if _latest[0].text != text:
        numbers = _numbers_of(text)
        numbers.setflags(write=False)  # they are remembered
        _latest[0] = _Latest(text, numbers)
    return _latest[0].numbers


def _numbers_of(text: str) -> Numbers:
    if inner_loops is not None:
        return np.frombuffer(inner_loops.word_numbers(_said(text), xxh3_64_intdigest), np.uint64)
    letters = letters_of(text)
    return numbers_at(letters, starts_in(letters))


def counted_by_now(text: str) -> bytes | None:
    """The numbers of a text for another process, if they are remembered."""
    return _latest[0].numbers.tobytes() if text and _latest[0].text == text else None


def counted_elsewhere(text: str, numbers: bytes) -> None:
    """Remember what another process counted, if it makes sense."""
    if numbers and len(numbers) % 8 == 0:
        _latest[0] = _Latest(text, np.frombuffer(numbers, np.uint64))


def letters_of(text: str) -> bytes:
    """The text in lower case and UTF-8, with a zero for whatever belongs to no word, a zero before it and `numbers_at`'s end behind it."""
    return (b"\0" + _said(text)).translate(_LETTERS) + _END


def _said(text: str) -> bytes:
    return text.encode() if text.isascii() else spaced(text)


def starts_in(letters: bytes | NDArray[np.uint8]) -> Places:
    """Where the words begin, and at last where the end does."""
    inside = np.frombuffer(letters, np.uint8) != 0
    begins: Places = (inside[1:] > inside[:-1]).nonzero()[0] + 1
    return begins


def numbers_at(letters: bytes, starts: Places) -> Numbers:
    """The numbers of the words that begin there."""
    first, gaps = starts[:-1], starts[1:] - starts[:-1]
    sizes = np.minimum(gaps, _WIDE)
    # `take` needs two thirds of the time of an index, and would make this copy each time.
    eights: Numbers = np.ascontiguousarray(np.ndarray(len(letters) - 7, "<u8", letters, strides=(1,)))
    numbers: Numbers = (eights.take(first) & _FIRST.take(sizes)) * _ODD[0]
    numbers += (eights.take(first + 8) & _SECOND.take(sizes)) * _ODD[1]
    for place in (gaps > _WIDE).nonzero()[0].tolist():
        word = letters[starts[place] : starts[place + 1]].rstrip(b"\0")
        if len(word) > _WIDE:
            numbers[place] = xxh3_64_intdigest(word)
    return numbers


def number_of(word: str) -> int:
    """The number of one word."""
    (number,) = word_numbers(word).tolist()
    return int(number)


@lru_cache(1)
def times(text: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """How often the words of these numbers occur in a text. Judge and strategy mostly ask for the same."""
    if len(numbers) <= _FEW:
        found = word_numbers(text)
        if inner_loops is not None:
            return inner_loops.times(found, numbers)
        return tuple(int(np.count_nonzero(found == np.uint64(number))) for number in numbers)
    distinct, counts = _counted(text)
    if not len(distinct):
        return (0,) * len(numbers)
    wanted = np.array(numbers, dtype=np.uint64)
    places = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
    return tuple(np.where(distinct[places] == wanted, counts[places], 0).tolist())


def squares(text: str) -> int:
    """The sum of the squares of how often each word occurs in a text."""
    total = None if inner_loops is None else inner_loops.squares(word_numbers(text), _SECRET)
    if total is None:
        _, counts = _counted(text)
        total = int(np.dot(counts, counts))
    return total


@lru_cache(1)
def _counted(text: str) -> tuple[Numbers, Places]:
    """The distinct numbers in order, and how often each occurs."""
    return counted(word_numbers(text))


def counted(numbers: NDArray[_Kind]) -> tuple[NDArray[_Kind], Places]:
    """The distinct ones of some numbers in order, and how often each is there. So few take `np.unique` ten times as long."""
    ordered = numbers.copy()
    ordered.sort()
    is_last = np.empty(len(ordered), np.bool_)
    is_last[-1:] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
    last = is_last.nonzero()[0]
    # By hand: `np.diff` takes five times as long for as few.
    counts = last + 1
    counts[1:] -= last[:-1] + 1
    return ordered[last], counts
