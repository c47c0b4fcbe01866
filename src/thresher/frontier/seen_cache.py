"""What need not be looked up: links met lately, with the priority up to which meeting them again changes nothing."""

from array import array
from collections.abc import Iterable
from math import inf

from thresher.model import Candidate
from thresher.urls import url_hash


class Floors:
    """A table of fixed size; a newer link takes the place of an older one with the same low bits.

    Most links of a page are menus and neighbours that were met before. A look-up costs 3 µs or more in SQLite and .2 µs
    here; an entry takes 16 bytes here and 150 in a dict.
    """

    def __init__(self, slots: int = 1 << 19) -> None:
        assert slots & (slots - 1) == 0, "a power of two"
        self._mask = slots - 1
        self._hashes = array("q", bytes(8 * slots))
        self._floors = array("d", [-inf]) * slots

    def __getitem__(self, url_hash: int) -> float:
        """Links to the url with this priority or a lower one change nothing."""
        slot = url_hash & self._mask
        return self._floors[slot] if self._hashes[slot] == url_hash else -inf

    def __setitem__(self, url_hash: int, floor: float) -> None:
        slot = url_hash & self._mask
        self._hashes[slot] = url_hash
        self._floors[slot] = floor

    def above(self, candidates: Iterable[Candidate]) -> list[tuple[int, Candidate]]:
        """The candidates that may change something, with their hashes."""
        # Every link of every page passes here, so the loop is written out: half the time of asking self[...] for each.
        mask, hashes, floors, hash_of = self._mask, self._hashes, self._floors, url_hash
        found = []
        for candidate in candidates:
            number = hash_of(candidate.url)
            slot = number & mask
            if hashes[slot] != number or floors[slot] < candidate.priority:
                found.append((number, candidate))
        return found
