"""Columns that hold hundreds of thousands of values without an object for each, so that an ontology loads in milliseconds."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

Arrays = Mapping[str, NDArray[Any]]


class Strings:
    """Texts, end to end in one buffer; each is made when it is asked for."""

    def __init__(self, text: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        self._text, self._starts = np.ascontiguousarray(text).data, np.ascontiguousarray(starts).data

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, place: int) -> str:
        return str(self._text[self._starts[place] : self._starts[place + 1]], "utf-8")

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Strings":
        """The texts of a stream."""
        pile = StringsBuilder()
        for text in texts:
            pile.add(text)
        return pile.strings()

    def to_arrays(self, name: str) -> Arrays:
        """What to save; `from_arrays` is the way back."""
        return {f"{name}.text": np.asarray(self._text), f"{name}.starts": np.asarray(self._starts)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> "Strings":
        """The texts that were saved under a name."""
        return cls(arrays[f"{name}.text"], arrays[f"{name}.starts"])


class StringsBuilder:
    """Collects texts one by one, then makes `Strings` of them."""

    def __init__(self) -> None:
        self._text, self._starts = bytearray(), array("q", [0])

    def add(self, text: str) -> None:
        """Add a text; what cannot be written as UTF-8 becomes a question mark."""
        self._text += text.encode("utf-8", "replace")
        self._starts.append(len(self._text))

    def strings(self) -> Strings:
        """All of them, in order."""
        return Strings(np.asarray(memoryview(self._text)), np.asarray(self._starts))


class Rows:
    """A list of numbers for each place, end to end in one buffer."""

    def __init__(self, values: NDArray[np.int32], starts: NDArray[np.int64]) -> None:
        self._values, self._starts = np.ascontiguousarray(values).data, np.ascontiguousarray(starts).data

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, place: int) -> "memoryview[int]":
        return self._values[self._starts[place] : self._starts[place + 1]]

    @classmethod
    def of(cls, length: int, owners: NDArray[np.int32], values: NDArray[np.int32]) -> "Rows":
        """Each value in its owner's row, in the order given."""
        starts = np.zeros(length + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=length), out=starts[1:])
        return cls(values[np.argsort(owners, kind="stable")], starts)

    def turned(self) -> "Rows":
        """The rows reversed: for each value the places whose row has it."""
        return Rows.of(len(self), self.values(), self.owners())

    def values(self) -> NDArray[np.int32]:
        """All numbers, row after row."""
        return np.asarray(self._values)

    def owners(self) -> NDArray[np.int32]:
        """For each value the place whose row it is in."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(np.asarray(self._starts)))

    def to_arrays(self, name: str) -> Arrays:
        """What to save; `from_arrays` is the way back."""
        return {f"{name}.values": np.asarray(self._values), f"{name}.starts": np.asarray(self._starts)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> "Rows":
        """The rows that were saved under a name."""
        return cls(arrays[f"{name}.values"], arrays[f"{name}.starts"])


def hash_of(key: str) -> int:
    """The 64-bit hash of a key."""
    return xxh3_64_intdigest(key.encode("utf-8", "replace"))


class HashIndex:
    """The places of a key, found by its hash: a sorted array, instead of a dictionary that would have to be built at each start."""

    def __init__(self, hashes: NDArray[np.uint64], places: NDArray[np.int32]) -> None:
        self._hashes, self._places = hashes, np.ascontiguousarray(places).data

    def candidates(self, key: str) -> "memoryview[int]":
        """The places of all keys with this key's hash; other keys can have the same hash, so compare the keys themselves."""
        wanted = np.uint64(hash_of(key))
        first = int(self._hashes.searchsorted(wanted))
        if first == len(self._hashes) or self._hashes[first] != wanted:
            return self._places[:0]
        return self._places[first : int(self._hashes.searchsorted(wanted, "right"))]

    @classmethod
    def of(cls, hashes: NDArray[np.uint64], ranks: NDArray[np.int32] | None = None) -> "HashIndex":
        """Hashes of keys in the order of their places; places of one key are found by rank, then as they come."""
        order = np.lexsort((hashes,) if ranks is None else (ranks, hashes)).astype(np.int32)
        return cls(hashes[order], order)

    def to_arrays(self, name: str) -> Arrays:
        """What to save; `from_arrays` is the way back."""
        return {f"{name}.hashes": self._hashes, f"{name}.places": np.asarray(self._places)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> "HashIndex":
        """The keys that were saved under a name."""
        return cls(arrays[f"{name}.hashes"], arrays[f"{name}.places"])
