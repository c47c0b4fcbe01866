"""The value of links and pages by the names of the topic's concepts, as Lokman has it (Kayışoğlu 2005), over numbered words.

A name of one word counts wherever it stands. A name of several counts in an anchor or an address that has all its words.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thresher.strategy.word_numbers import BUCKETS, ZONES, Numbers, WordNumbers

Values = NDArray[np.float64]
_OF_LINK, _OF_PAGE = 0.9, 0.1
_STRONGEST = 15.0
_MOST_OF_A_PAGE = 50.0
_AVERAGE_LENGTH = 3000.0


class ConceptValues:
    """Weights of names; the strongest counts 15, whatever scale the weights came in."""

    def __init__(self, labels: Mapping[str, float], numbers: WordNumbers) -> None:
        scale = _STRONGEST / max(labels.values(), default=1.0)
        self._single = np.zeros(BUCKETS)
        self._several: list[tuple[frozenset[int], float]] = []
        self._of_several = np.zeros(BUCKETS, bool)
        for label, weight in sorted(labels.items()):
            self._note(numbers.of(label), weight * scale)

    def _note(self, name: Numbers, weight: float) -> None:
        if len(name) == 1:
            self._single[name] = np.maximum(self._single[name], weight)
        elif len(name):
            self._several.append((frozenset(name.tolist()), weight))
            self._of_several[name] = True

    def of_links(self, words: Numbers, page: float) -> tuple[Values, Values]:
        """The value of each row of words on a page of that value, and of the words around; both as logarithms."""
        single = self._single.take(words)
        own = np.add.reduce(single[:, ZONES["anchor"]], 1) + np.add.reduce(single[:, ZONES["url"]], 1)
        for row in self._may_have_several(words):
            own[row] += sum(self._whole(words[row, ZONES[zone]]) for zone in ("anchor", "url"))
        around = np.add.reduce(single[:, ZONES["context"]], 1)
        return np.log1p(_OF_LINK * own + _OF_PAGE * page), np.log1p(around / _STRONGEST)

    def _may_have_several(self, words: Numbers) -> list[int]:
        """The rows that have at least two words of names of several words in one place."""
        if not self._several:
            return []
        of_several = self._of_several.take(words)
        counts = (of_several[:, ZONES[zone]].sum(1) for zone in ("anchor", "url"))
        found: list[int] = np.flatnonzero(np.maximum(*counts) > 1).tolist()
        return found

    def _whole(self, words: Numbers) -> float:
        found = set(words.tolist())
        return math.fsum(weight for name, weight in self._several if name <= found)

    def of_page(self, words: Numbers, counts: NDArray[np.int64], length: int, inherited: float) -> float:
        """The value of a page: what its own words are worth, damped by its length, and a tenth of what it inherited."""
        named = float(self._single.take(words) @ counts)
        longer = 0.25 + 0.75 * length / _AVERAGE_LENGTH
        own = _MOST_OF_A_PAGE * named / (named + _MOST_OF_A_PAGE * longer)
        return _OF_LINK * own + _OF_PAGE * inherited
