"""Which links change nothing? A cache of recent ones, so that most links of a page need no look-up in the file."""

from collections.abc import Sequence
from math import inf
from operator import itemgetter

import numpy as np

from thresher.frontier.keys import remembered_keys
from thresher.model import Candidate
from thresher.native import link_loops

_PRIORITY = itemgetter(1)


class SeenCache:
    """Cache of recent links; for each, the highest priority at which seeing it again changes nothing. These need no look-up in the file.

    A table of fixed size; a newer link takes the place of an older one with the same low bits.

    Most links of a page are menus and neighbours that were met before. A look-up costs 3 µs or more in SQLite and .2 µs
    here; an entry takes 16 bytes here and 150 in a dict. All links of a page are looked up at once: their places are far apart in
    memory, and numpy need not wait for one before it asks for the next.
    """

    def __init__(self, slots: int = 1 << 19) -> None:
        assert slots & (slots - 1) == 0, "a power of two"
        self._mask = slots - 1
        # Side by side, so that both are there when one of them was asked for.
        self._table = np.zeros((slots, 2), np.int64)
        self._keys, self._floors = self._table[:, 0], self._table[:, 1].view(np.float64)
        self._floors[:] = -inf

    def __setitem__(self, key: int, floor: float) -> None:
        """From now on links to the url with this priority or a lower one change nothing."""
        slot = key & self._mask
        self._keys[slot] = key
        self._floors[slot] = floor

    def update(self, keys: Sequence[int], floors: Sequence[float] | float) -> None:
        """The same for many urls, each with its priority, or all with one. Of two in one place the last stays."""
        numbers = np.array(keys, np.int64)
        slots = numbers & self._mask
        self._keys[slots] = numbers
        self._floors[slots] = floors

    def above(self, candidates: list[Candidate]) -> list[tuple[int, Candidate]]:
        """The candidates that may change something, with their keys."""
        keys = remembered_keys.of(candidates)
        if link_loops is not None:
            return link_loops.above(candidates, keys, self._table)
        numbers = np.array(keys, np.int64)
        slots = numbers & self._mask
        # Not `take`, which would first copy the whole column, since it lies between the other one's rows.
        unknown = self._keys[slots] != numbers
        unknown |= self._floors[slots] < np.array(list(map(_PRIORITY, candidates)), np.float64)
        return [(keys[place], candidates[place]) for place in unknown.nonzero()[0].tolist()]
