"""Find the labels of a topic or an ontology in a text, all at once, however many there are.

All labels become one Aho-Corasick automaton over bytes. It knows nothing of words, so labels and text are both laid out for it with a blank
on either side of every word: ` breast  carcinoma `. A label then matches whole words only, and neighbours share no blank.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Literal, NamedTuple

import daachorse
import numpy as np

from thresher.errors import BadInput
from thresher.language import words
from thresher.topic import bundle
from thresher.topic.columns import Strings
from thresher.topic.plain import PlainSearch

Overlap = Literal["independent", "longest"]
"""`independent`: every label counts wherever it stands. `longest`: of labels that overlap the leftmost counts, and of those the longest."""

# Up to here one plain search a label is faster than cutting the text into words.
_FEW = 20
_KINDS = {"independent": daachorse.MATCH_KIND_STANDARD, "longest": daachorse.MATCH_KIND_LEFTMOST_LONGEST}
_CACHED_STEMS = 200_000
_BLANK = 0x20
_KIND = "thresher matcher 1"


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
        self._overlap: Overlap = overlap
        self._stems = _Stems(stem) if stem else None
        known = defaultdict[bytes, list[str]](list)
        for label in dict.fromkeys(labels):
            if key := self._laid_out(words(label)):
                known[key].append(label)
        self._labels = Strings.of(label for same in known.values() for label in same)
        self._firsts = array("q", accumulate(map(len, known.values()), initial=0))
        self._automaton = daachorse.DoubleArrayAhoCorasick(list(known), _KINDS[overlap]) if known else None
        self._plain = self._plain_search()

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs; labels that do not are left out."""
        if self._plain:
            return self._plain.count(text)
        times = Counter(map(itemgetter(2), self._hits(self._laid_out(words(text)))))
        return Counter({label: count for key, count in times.items() for label in self._named(key)})

    def find(self, text: str) -> list[Match]:
        """Every occurrence with its place, in the order of the text."""
        tokens = words(text)
        laid_out = self._laid_out(tokens)
        hits = self._hits(laid_out)
        if not hits:
            return []
        # Each word has a blank before and after it, so the blanks up to a place say which word it belongs to.
        blanks = np.cumsum(np.frombuffer(laid_out, np.uint8) == _BLANK)
        begin, end, keys = np.array(hits).T
        first, last = blanks[begin] // 2, blanks[end - 1] // 2 - 1
        spans = list(_spans(text, tokens[: int(last.max()) + 1]))
        found = [
            Match(label, spans[one][0], spans[other][1])
            for one, other, key in zip(first.tolist(), last.tolist(), keys.tolist(), strict=True)
            for label in self._named(key)
        ]
        return sorted(found, key=itemgetter(1, 2))

    def save(self, path: Path) -> None:
        """Write the compiled form: `load` has half a million labels back in a tenth of a second."""
        arrays = {name: array.tobytes() for name, array in self._labels.arrays("labels").items()}
        automaton = self._automaton.serialize() if self._automaton else b""
        facts = {"overlap": self._overlap, "stemmed": self._stems is not None}
        bundle.write(path, _KIND, facts, arrays | {"firsts": self._firsts.tobytes(), "automaton": automaton})

    @classmethod
    def load(cls, path: Path, *, stem: Callable[[str], str] | None = None) -> "Matcher":
        """Read what `save` wrote; `stem` must be the one it was made with. A damaged file is `BadInput`."""
        facts, parts = bundle.read(path, _KIND)
        if facts["stemmed"] != (stem is not None):
            raise BadInput(f"{path}: made {'with' if facts['stemmed'] else 'without'} a stemmer, to be loaded alike")
        matcher = cls((), overlap=facts["overlap"], stem=stem)
        matcher._take(parts)
        return matcher

    def _take(self, parts: Mapping[str, bytes]) -> None:
        text, starts = np.frombuffer(parts["labels.text"], np.uint8), np.frombuffer(parts["labels.starts"], np.int64)
        self._labels = Strings(text, starts)
        self._firsts = array("q", parts["firsts"])
        # The automaton trusts its bytes blindly; the bundle has checked them.
        if parts["automaton"]:
            self._automaton = daachorse.DoubleArrayAhoCorasick.deserialize(parts["automaton"])
        self._plain = self._plain_search()

    def _plain_search(self) -> PlainSearch | None:
        if self._stems is not None or self._overlap == "longest" or len(self._labels) > _FEW:
            return None
        return PlainSearch.of(list(self._labels))

    def _named(self, key: int) -> list[str]:
        return [self._labels[place] for place in range(self._firsts[key], self._firsts[key + 1])]

    def _laid_out(self, tokens: list[str]) -> bytes:
        if not tokens:
            return b""
        return f" {'  '.join(map(self._stems.__getitem__, tokens) if self._stems is not None else tokens)} ".encode()

    def _hits(self, laid_out: bytes) -> list[tuple[int, int, int]]:
        if not self._automaton:
            return []
        return (
            self._automaton.find(laid_out) if self._overlap == "longest" else self._automaton.find_overlapping(laid_out)
        )


class _Stems(dict[str, str]):
    """What a stemmer made of each word so far: a text repeats its words, and a stemmer may be slow."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= _CACHED_STEMS:
            self.clear()
        # A word stays one word, whatever the stemmer says.
        self[word] = stem = "".join(self._stem(word).lower().split()) or word
        return stem


def _spans(text: str, tokens: list[str]) -> Iterator[tuple[int, int]]:
    """Where each token stands in the text."""
    lower = text.lower()
    # Only one letter grows in lower case, the Turkish İ; everywhere else the places are the same.
    origin = None if len(lower) == len(text) else [at for at, letter in enumerate(text) for _ in letter.lower()]
    end = 0
    for token in tokens:
        start = lower.find(token, end)
        end = start + len(token)
        yield (origin[start], origin[end - 1] + 1) if origin else (start, end)
