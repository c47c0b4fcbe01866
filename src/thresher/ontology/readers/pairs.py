"""Millions of pairs of numbers, eight bytes each: who is above whom in a large ontology, before it is one."""

from array import array
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

_BITS = 32
_LOW = (1 << _BITS) - 1
_BLOCK = 1 << 14


class Pairs:
    """Collected first, asked then: asking sorts them once and leaves out what came twice."""

    def __init__(self) -> None:
        self._added = array("q")
        self._sorted: NDArray[np.int64] | None = None

    def add(self, one: int, other: int) -> None:
        """Take a pair of numbers below 2³¹."""
        self._added.append(one << _BITS | other)

    def __len__(self) -> int:
        return len(self._pairs())

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The pairs in order.

        >>> pairs = Pairs()
        >>> pairs.add(7, 9), pairs.add(7, 8), pairs.add(7, 9)
        (None, None, None)
        >>> list(pairs)
        [(7, 8), (7, 9)]
        """
        pairs = self._pairs()
        for start in range(0, len(pairs), _BLOCK):
            block = pairs[start : start + _BLOCK]
            yield from zip((block >> _BITS).tolist(), (block & _LOW).tolist(), strict=True)

    def seconds(self) -> Collection[int]:
        """All that stand second in a pair."""
        return frozenset((self._pairs() & _LOW).tolist())

    def through(self, bridge: "Pairs") -> "Pairs":
        """From one to what the bridge leads to from the other; a bridge has one way for each. No number leads to itself."""
        pairs, ways = self._pairs(), bridge._pairs()  # noqa: SLF001 - its own class
        ones, others = pairs >> _BITS, pairs & _LOW
        at = np.searchsorted(ways >> _BITS, others)
        there = at < len(ways)
        there[there] = ways[at[there]] >> _BITS == others[there]
        ends = ways[at[there]] & _LOW
        ones = ones[there]
        result = Pairs()
        result._sorted = np.unique((ones << _BITS | ends)[ones != ends])
        return result

    def _pairs(self) -> NDArray[np.int64]:
        if self._sorted is None:
            pairs = np.frombuffer(self._added, dtype=np.int64)
            pairs.sort()  # in place: a copy of a full release's relations would cost hundreds of megabytes
            fresh = np.ones(len(pairs), dtype=bool)
            fresh[1:] = pairs[1:] != pairs[:-1]
            self._sorted = pairs[fresh]
            self._added = array("q")
        return self._sorted
