"""Which labels a pattern stands for, and what a word is compared by: both made when first asked for, and remembered."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from thresher.ontology.columns import Strings

# So much is remembered, then all is forgotten: a crawl may meet any number of words.
_REMEMBERED = 200_000


class Names(dict[int, str]):
    """The first label of each pattern. Those not yet found in any text stay packed, so that half a million are loaded in no time."""

    def __init__(self, labels: Strings, firsts: Sequence[int]) -> None:
        super().__init__()
        self.labels = labels
        self._firsts = firsts
        self.shared = frozenset(np.flatnonzero(np.diff(np.asarray(firsts, np.int64)) > 1).tolist())
        """Patterns that have several labels, all of the same words."""

    @classmethod
    def of(cls, groups: Iterable[Sequence[str]]) -> "Names":
        """One group of labels a pattern."""
        firsts = array("q", [0])
        labels: list[str] = []
        for group in groups:
            labels.extend(group)
            firsts.append(len(labels))
        return cls(Strings.of(labels), firsts)

    def __missing__(self, pattern: int) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[pattern] = label = self.labels[self._firsts[pattern]]
        return label

    def others(self, pattern: int) -> list[str]:
        """The labels of a pattern but for its first."""
        return [self.labels[place] for place in range(self._firsts[pattern] + 1, self._firsts[pattern + 1])]

    def parts(self) -> dict[str, bytes]:
        """What to save; `taken` is the way back."""
        arrays = {**self.labels.arrays("labels"), "firsts": np.asarray(self._firsts, np.int64)}
        return {name: numbers.tobytes() for name, numbers in arrays.items()}

    @classmethod
    def taken(cls, parts: Mapping[str, bytes]) -> "Names":
        """The labels that were saved."""
        text, starts = np.frombuffer(parts["labels.text"], np.uint8), np.frombuffer(parts["labels.starts"], np.int64)
        return cls(Strings(text, starts), array("q", parts["firsts"]))


class Stems(dict[str, str]):
    """What a stemmer made of each word so far: a text repeats its words, and a stemmer may be slow."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        # A word stays one word in lower case, whatever the stemmer says.
        self[word] = stem = "".join(self._stem(word).lower().split()) or word
        return stem
