"""What was found out about urls, for pages that repeat the links of others."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from thresher.model import Url
from thresher.native import link_loops

_TRUSTED = (
    sys.hash_info.width == 64
    and sys.hash_info.algorithm.startswith("siphash")  # of others, collisions do not depend on the seed
    and (os.environ.get("PYTHONHASHSEED") or "random") == "random"
)
"""Whether no web can foresee which hash a url has: whoever knows the seed finds two urls of the same hash in minutes."""


class Remembered:
    """What a function says of urls, where that is a whole number. A table of fixed size: a newer url takes the place of an older one.

    Where a url stands its hash says, which Python keeps with it and which no web can foresee. Neither the url is kept nor looked at: to
    compare it with another would take the way to both through memory, which costs more than all the rest. Two urls with the same 64 bits
    would count as one; where hashes can be foreseen, nothing is remembered. Urls are ASCII. Texts with other letters are not remembered:
    they may share their bytes in memory with a url, and so their hash.
    """

    def __init__(self, ask: Callable[[Url], int], column: int, slots: int = 1 << 17) -> None:
        """Say what to ask, and in which column of a row its url stands."""
        assert slots > 0, "at least one"
        assert slots & (slots - 1) == 0, "a power of two"
        self._ask, self._column = ask, column
        self._table = np.zeros((slots, 2), np.int64)
        """For each place the hash of the url that has it, and its number."""
        self._table[0, 0] = -1  # the hash of no text; one with the hash 0 would stand there

    def of(self, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        """The numbers of the urls in many rows."""
        if not _TRUSTED:
            return [self._ask(row[self._column]) for row in rows]
        if link_loops is not None:
            return link_loops.numbers_of(rows, self._column, self._table, self._ask)
        urls = [row[self._column] for row in rows]
        if not all(map(str.isascii, urls)):
            return list(map(self._ask, urls))
        marks = np.fromiter(map(hash, urls), np.int64, len(urls))
        slots = marks & (len(self._table) - 1)
        found = self._table.take(slots, axis=0)
        numbers: list[int] = found[:, 1].tolist()
        for place in (found[:, 0] != marks).nonzero()[0].tolist():
            numbers[place] = self._ask(urls[place])
            self._table[slots[place]] = marks[place], numbers[place]
        return numbers
