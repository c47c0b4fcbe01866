"""A 64-bit fingerprint of a text: nearly the same text, nearly the same bits (the simhash of Charikar 2002, over shingles).

Everything is done for all words at once in numpy: a loop over a thousand words in Python takes ten times as long.
"""

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

FEWEST_WORDS = 20
"""Shorter texts get no fingerprint: one changed word would change too many bits."""
_SHINGLE = 3
_LONGEST = 1 << 17
"""Bytes of a text that count; the rest is ignored."""
_VOTERS = 512
"""Shingles that vote: those with the smallest hashes, a fair sample, so that a long page takes little longer."""
_LETTERS = bytes(byte if byte >= 0x80 else ord(chr(byte).lower()) * chr(byte).isalnum() for byte in range(256))
"""ASCII letters in lower case; separators become zeros; beyond ASCII everything is a letter."""
_END = b"\0." + bytes(16)
"""A last word, whose start is the end of the word before; and padding, since eight bytes are read at a time."""
_FIRST = np.array([(1 << 8 * min(size, 8)) - 1 for size in range(17)], dtype=np.uint64)
"""By a word's size: a mask of those of its first eight bytes that belong to it."""
_SECOND = np.array([(1 << 8 * max(size - 8, 0)) - 1 for size in range(17)], dtype=np.uint64)
"""By a word's size: a mask of those of its bytes nine to sixteen that belong to it."""
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], dtype=np.uint64)
_HALF = np.uint64(32)


def simhash(text: str) -> int | None:
    """The fingerprint as an unsigned number; None if the text is too short to have one."""
    words = _words(text)
    if len(words) < FEWEST_WORDS:
        return None
    shingles = _once(_mixed(_shingles(words)))
    return _majority(shingles[:_VOTERS]) if len(shingles) > FEWEST_WORDS - _SHINGLE else None


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ. Takes signed ones too."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def _words(text: str) -> Words:
    """One number for each word, made from its first sixteen bytes."""
    # The blank makes even the first word begin behind a separator.
    letters = (b" " + text[:_LONGEST].encode("utf-8", "replace")[:_LONGEST]).translate(_LETTERS) + _END
    starts = _starts(np.frombuffer(letters, dtype=np.uint8), spaced=text.isascii())
    sizes = np.minimum(starts[1:] - starts[:-1], 16)
    eights: Words = np.ndarray(len(letters) - 7, "<u8", letters, strides=(1,))
    words: Words = (eights[starts[:-1]] & _FIRST[sizes]) * _ODD[0]
    words += (eights[starts[:-1] + 8] & _SECOND[sizes]) * _ODD[1]
    return words


def _starts(letters: NDArray[np.uint8], *, spaced: bool) -> NDArray[np.intp]:
    """Where words begin. Chinese and Japanese leave no spaces, so each of their characters is a word."""
    inside = letters != 0
    begins = inside[1:] > inside[:-1]
    if not spaced:
        begins |= (letters[1:] >= 0xE3) & (letters[1:] <= 0xE9)
    return np.flatnonzero(begins) + 1


def _shingles(words: Words) -> Words:
    count = len(words) - _SHINGLE + 1
    shingles: Words = words[:count] + words[1 : count + 1] * _ODD[2] + words[2:] * _ODD[3]
    return shingles


def _mixed(numbers: Words) -> Words:
    """Spread every bit over all others; otherwise the low bits of such sums would vote alike."""
    for factor in _ODD[:2]:
        numbers ^= numbers >> _HALF
        numbers *= factor
    numbers ^= numbers >> _HALF
    return numbers


def _once(numbers: Words) -> Words:
    """Each number once, in order; otherwise a phrase repeated a thousand times would decide the fingerprint alone."""
    numbers.sort()
    fresh = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=fresh[1:])
    return numbers[fresh]


def _majority(numbers: Words) -> int:
    """The number in which each bit is that of the majority; a draw is 0."""
    bits = np.unpackbits(numbers.astype("<u8").view(np.uint8), bitorder="little").reshape(-1, 64)
    votes = bits.sum(axis=0, dtype=np.uint16)
    return int.from_bytes(np.packbits(votes > len(numbers) // 2, bitorder="little").tobytes(), "little")
