"""A bilingual dictionary: a word or a phrase in, its translations out.

All entries lie in one run of bytes and are found by the hash of their key: half a million German entries take 40 MB and load in a tenth
of a second, where a `dict` of tuples takes several times that.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import xxhash

from thresher.errors import BadInput
from thresher.language.tokens import normal, words

LONGEST_PHRASE = 6
"""Keys of more words are sentences, which no text repeats; they are left out."""

_SEPARATOR = "\x1f"
_VERSION = 1


class DictionaryEntry(NamedTuple):
    """A word or phrase with its translations, the best first."""

    word: str
    translations: tuple[str, ...]
    rank: int = 0
    """The lower, the better: in a dictionary turned round, the place of the word among the translations."""


def key_of(text: str) -> str:
    """What a word or phrase is looked up by: its normal words with a blank between.

    >>> key_of("Maladie d'Alzheimer")
    'maladie d alzheimer'
    """
    return " ".join(words(normal(text)))


def inverted_entries(entries: Iterable[DictionaryEntry]) -> Iterator[DictionaryEntry]:
    """The dictionary for the other direction: `eye → आँख` becomes `आँख → eye`."""
    for entry in entries:
        for rank, translation in enumerate(entry.translations):
            yield DictionaryEntry(translation, (entry.word,), rank)


class Dictionary:
    """Translations by word or phrase; read-only.

    >>> Dictionary.of([DictionaryEntry("आँख", ("eye",))]).get("आंख")
    ('eye',)
    """

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns
        # Plain memory instead of numpy: reading one number takes a tenth of the time.
        self._hashes = memoryview(columns["hashes"])
        self._offsets = memoryview(columns["offsets"])
        self._ranks = columns["ranks"].tobytes()
        self._blob = columns["blob"].tobytes()
        self._longest: bytes = columns["longest"].tobytes()
        self._mask = len(self._longest) - 1

    @classmethod
    def of(cls, entries: Iterable[DictionaryEntry]) -> "Dictionary":
        """The dictionary of these entries; entries of one word are put together, the lower rank first."""
        hashes, offsets, ranks, blob = array("Q"), array("Q", [0]), bytearray(), bytearray()
        longest: dict[int, int] = {}
        for word, translations, rank in entries:
            keyed = words(normal(word))
            if not translations or not 0 < len(keyed) <= LONGEST_PHRASE:
                continue
            key = " ".join(keyed)
            if len(keyed) > 1:
                for beginning in (_hash(keyed[0]), _hash(" ".join(keyed[:2]))):
                    longest[beginning] = max(longest.get(beginning, 0), len(keyed))
            hashes.append(_hash(key))
            blob += _SEPARATOR.join((key, *translations)).encode()
            offsets.append(len(blob))
            ranks.append(min(rank, 255))
        return cls(_sorted_columns(hashes, offsets, ranks, blob, longest))

    def get(self, key: str) -> tuple[str, ...]:
        """The translations of a word or phrase, the best first; none if it is not listed."""
        return self.look_up(key_of(key))

    def look_up(self, key: str) -> tuple[str, ...]:
        """The same for a key that `key_of` made."""
        hashed = _hash(key)
        at = bisect_left(self._hashes, hashed)
        found: list[tuple[int, list[str]]] = []
        while at < len(self._hashes) and self._hashes[at] == hashed:
            told, *translations = self._blob[self._offsets[at] : self._offsets[at + 1]].decode().split(_SEPARATOR)
            if told == key:
                found.append((self._ranks[at], translations))
            at += 1
        found.sort(key=lambda each: each[0])
        return tuple(dict.fromkeys(translation for _, translations in found for translation in translations))

    def longest_phrase(self, beginning: str) -> int:
        """How many words a phrase can have that begins with these one or two words; 0 if none does.

        Never too small; by chance too large for one word in thirty, which only costs a useless look-up.
        """
        return self._longest[_hash(beginning) & self._mask]

    def __len__(self) -> int:
        """How many entries there are; a word that has several counts several times."""
        return len(self._hashes)

    def __iter__(self) -> Iterator[str]:
        """The keys, in no order, a key of several entries several times."""
        for at in range(len(self)):
            yield self._blob[self._offsets[at] : self._offsets[at + 1]].decode().partition(_SEPARATOR)[0]

    def save(self, path: Path) -> None:
        """Write it to a file that `load` reads."""
        with path.open("wb") as file:
            np.savez(file, version=np.array([_VERSION]), **self._columns)

    @classmethod
    def load(cls, path: Path) -> "Dictionary":
        """Read what `save` wrote."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as columns:
                if columns["version"][0] != _VERSION:
                    raise BadInput(f"{path}: written by another version of Thresher")
                return cls({name: columns[name] for name in columns.files if name != "version"})
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise BadInput(f"{path}: is no compiled dictionary: {error}") from error


def _hash(key: str) -> int:
    return xxhash.xxh3_64_intdigest(key.encode())


def _sorted_columns(
    hashes: "array[int]", offsets: "array[int]", ranks: bytearray, blob: bytearray, longest: dict[int, int]
) -> dict[str, Any]:
    """The entries in the order of their hashes."""
    unsorted = np.array(hashes, dtype=np.uint64)
    order = np.argsort(unsorted, kind="stable")
    pieces = [blob[offsets[at] : offsets[at + 1]] for at in order.tolist()]
    return {
        "hashes": unsorted[order],
        "ranks": np.frombuffer(bytes(ranks), dtype=np.uint8)[order],
        "offsets": np.cumsum([0, *map(len, pieces)], dtype=np.uint64),
        "blob": np.frombuffer(b"".join(pieces), dtype=np.uint8),
        "longest": _table(longest),
    }


def _table(longest: dict[int, int]) -> Any:
    """A table of bytes indexed by the low bits of a hash, with at least sixteen times as many places as there are beginnings."""
    size = 1 << (16 * len(longest) + 1).bit_length()
    table = np.zeros(size, dtype=np.uint8)
    places = np.fromiter(longest, dtype=np.uint64, count=len(longest)) & np.uint64(size - 1)
    np.maximum.at(table, places.astype(np.intp), np.fromiter(longest.values(), dtype=np.uint8, count=len(longest)))
    return table
