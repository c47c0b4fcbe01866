"""Find the labels of a topic or an ontology in a text, all at once, however many there are.

All labels become one Aho-Corasick automaton over bytes. It knows nothing of words, so labels and text are both laid out for it with a blank
on either side of every word: ` breast carcinoma `. A label then matches whole words only.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Literal, NamedTuple

import daachorse
import numpy as np

from thresher.errors import BadInput
from thresher.topic import bundle
from thresher.topic.flat import flat, places
from thresher.topic.names import Names, Stems
from thresher.topic.plain import PlainSearch

Overlap = Literal["independent", "longest"]
"""`independent`: every label counts wherever it stands. `longest`: of labels that overlap the leftmost counts, and of those the longest."""

_KINDS = {"independent": daachorse.MATCH_KIND_STANDARD, "longest": daachorse.MATCH_KIND_LEFTMOST_LONGEST}
# So many labels are counted faster by a plain search each: on 10 KB, 5 labels take .02 to .04 ms instead of .08, and 20 take .2.
_FEW = 12
# An automaton is read back by the version that wrote it: what another one makes of its bytes nobody promises.
_FILE = f"thresher matcher 1, daachorse {version('daachorse')}"


class Match(NamedTuple):
    """A label in a text: `text[start:end]` is what stands there."""

    label: str
    start: int
    end: int


class Matcher:
    """Finds labels as whole words in any script, blind to case and to what stands between the words of a phrase.

    With `stem`, words are compared by what it makes of them, on both sides. Labels of the same words are all found. Labels without a word
    are never found.

    >>> Matcher(["breast cancer", "cancer"]).count("Breast-cancer is a cancer.")
    Counter({'cancer': 2, 'breast cancer': 1})
    """

    def __init__(
        self, labels: Iterable[str], *, overlap: Overlap = "independent", stem: Callable[[str], str] | None = None
    ) -> None:
        if overlap not in _KINDS:
            raise BadInput(f"there is no overlap {overlap!r}; the choices: {', '.join(_KINDS)}")
        self._overlap: Overlap = overlap
        # Matches that may not overlap may not share a blank either. Where they may, one blank less a word is an eighth faster.
        self._gap = "  " if overlap == "longest" else " "
        self._stems = Stems(stem) if stem else None
        patterns = defaultdict[bytes, list[str]](list)
        for label in dict.fromkeys(labels):
            patterns[self._laid_out(flat(label))].append(label)
        patterns.pop(b"", None)
        automaton = daachorse.DoubleArrayAhoCorasick(list(patterns), _KINDS[overlap]) if patterns else None
        self._take(Names.of(patterns.values()), automaton)

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs; labels that do not are left out."""
        if self._plain:
            return self._plain.count(text)
        return self._labelled(list(map(itemgetter(2), self._hits(self._laid_out(flat(text))))))

    def count_each(self, texts: Sequence[str]) -> list[Counter[str]]:
        """The same as `[self.count(text) for text in texts]`, by one search: for many short texts, such as the links of a page."""
        if self._plain:
            return list(map(self._plain.count, texts))
        laid_out = [self._laid_out(flat(text)) for text in texts]
        # No word has a line break in it, so no match reaches from one text into the next.
        hits = self._hits(b"\n".join(laid_out))
        patterns, ends = list(map(itemgetter(2), hits)), list(map(itemgetter(1), hits))
        borders = accumulate(len(each) + 1 for each in laid_out)
        cuts = [0, *(bisect_left(ends, border) for border in borders)]
        return [self._labelled(patterns[first:last]) for first, last in pairwise(cuts)]

    def find(self, text: str) -> list[Match]:
        """Every occurrence with its place, in the order of the text."""
        flattened = flat(text)
        laid_out = self._laid_out(flattened)
        hits = self._hits(laid_out)
        if not hits:
            return []
        begin, end, patterns = np.fromiter(chain.from_iterable(hits), np.int64, 3 * len(hits)).reshape(-1, 3).T
        # As many blanks before every word: how many have passed says which word it is.
        word = (np.cumsum(np.frombuffer(laid_out, np.uint8) == ord(" ")) - 1) // len(self._gap)
        starts, ends = places(text, flattened)
        start, end = starts[word[begin + 1]], ends[word[end - 2]]
        order = np.lexsort((end, start))
        return self._named(patterns[order].tolist(), start[order].tolist(), end[order].tolist())

    def _labelled(self, patterns: list[int]) -> Counter[str]:
        found = Counter(map(self._names.__getitem__, patterns))
        if not self._names.shared.isdisjoint(patterns):
            for pattern, times in Counter(filter(self._names.shared.__contains__, patterns)).items():
                found.update(dict.fromkeys(self._names.others(pattern), times))
        return found

    def _named(self, patterns: list[int], starts: list[int], ends: list[int]) -> list[Match]:
        found = map(Match._make, zip(map(self._names.__getitem__, patterns), starts, ends, strict=True))
        if self._names.shared.isdisjoint(patterns):
            return list(found)
        others = map(self._names.others, patterns)
        return [
            match
            for first, labels in zip(found, others, strict=True)
            for match in (first, *(first._replace(label=label) for label in labels))
        ]

    def save(self, path: Path) -> None:
        """Write the compiled form: `load` has half a million labels back in a tenth of a second."""
        automaton = self._automaton.serialize() if self._automaton else b""
        facts = {"overlap": self._overlap, "stemmed": self._stems is not None}
        bundle.write(path, _FILE, facts, self._names.parts() | {"automaton": automaton})

    @classmethod
    def load(cls, path: Path, *, stem: Callable[[str], str] | None = None) -> "Matcher":
        """Read what `save` wrote; `stem` must be the one it was made with. A damaged file is `BadInput`."""
        facts, parts = bundle.read(path, _FILE)
        if facts["stemmed"] != (stem is not None):
            raise BadInput(f"{path}: made {'with' if facts['stemmed'] else 'without'} a stemmer, to be loaded alike")
        matcher = cls((), overlap=facts["overlap"], stem=stem)
        # The automaton trusts its bytes blindly; the bundle has checked them.
        automaton = daachorse.DoubleArrayAhoCorasick.deserialize(parts["automaton"]) if parts["automaton"] else None
        matcher._take(Names.taken(parts), automaton)
        return matcher

    def _take(self, names: Names, automaton: daachorse.DoubleArrayAhoCorasick | None) -> None:
        self._names = names
        self._automaton = automaton
        plain = self._stems is None and self._overlap == "independent" and len(names.labels) <= _FEW
        self._plain = PlainSearch.of(list(names.labels)) if plain else None

    def _laid_out(self, flattened: str) -> bytes:
        tokens = flattened.split()
        if not tokens:
            return b""
        return f" {self._gap.join(tokens if self._stems is None else map(self._stems.__getitem__, tokens))} ".encode()

    def _hits(self, laid_out: bytes) -> list[tuple[int, int, int]]:
        if self._automaton is None:
            return []
        search = self._automaton.find if self._overlap == "longest" else self._automaton.find_overlapping
        return search(laid_out)
