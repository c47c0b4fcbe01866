"""Find the labels of a topic or an ontology in a text, all at once, however many there are.

`Matcher` is what others use. All labels become one Aho-Corasick automaton over bytes. The automaton knows nothing of words, so labels and
text are both laid out for it with a blank on either side of every word: ` breast carcinoma `. A label then matches whole words only.
A few labels are counted faster by one plain search each (`PlainSearch`).
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

import daachorse
import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.language import words
from thresher.language.tokens import LETTER, LONGEST_WORD, MARKS
from thresher.language.word_numbers import LONG, number_of, times

Overlap = Literal["independent", "longest"]
"""`independent`: every label counts wherever it stands. `longest`: of labels that overlap the leftmost counts, and of those the longest."""

_KINDS = {"independent": daachorse.MATCH_KIND_STANDARD, "longest": daachorse.MATCH_KIND_LEFTMOST_LONGEST}
# Up to this many labels are counted faster by a plain search each: on 10 KB, 5 labels take .02 to .04 ms instead of .08, and 20 take .2.
_FEW = 12
# A crawl may meet any number of words: at this many stems all are forgotten.
_MOST_STEMS = 200_000
_ASCII = {code: chr(code) if chr(code).isalnum() else " " for code in range(128)}
_BYTES = bytes(ord(_ASCII.get(code, chr(code))) for code in range(256))
_STRANGE = re.compile(rf"[^\x00-\x7f\w{MARKS}]")
_BLANK = ord(" ")
_BETWEEN = rf"(?:(?!{LETTER})[\s\S])++"


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
        # Matches that may not overlap may not share a blank, so words need two. Otherwise one blank is enough, and an eighth faster.
        self._gap = "  " if overlap == "longest" else " "
        self._stems = Stems(stem) if stem else None
        groups = defaultdict[bytes, list[str]](list)
        for label in dict.fromkeys(labels):
            groups[self._laid_out(flat(label))].append(label)
        groups.pop(b"", None)
        self._automaton = daachorse.DoubleArrayAhoCorasick(list(groups), _KINDS[overlap]) if groups else None
        self._labels = [group[0] for group in groups.values()]
        """The label of each pattern; of several labels with the same words the first."""
        self._more = {pattern: group[1:] for pattern, group in enumerate(groups.values()) if len(group) > 1}
        """The other labels of a pattern."""
        self._plain = self._plain_search(list(chain.from_iterable(groups.values())))

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
        # Every word has the same number of blanks before it, so the blanks so far give the number of the word.
        word = (np.cumsum(np.frombuffer(laid_out, np.uint8) == _BLANK) - 1) // len(self._gap)
        starts, ends = _word_places(text, flattened)
        start, end = starts[word[begin + 1]], ends[word[end - 2]]
        order = np.lexsort((end, start))
        return self._named(patterns[order].tolist(), start[order].tolist(), end[order].tolist())

    def _plain_search(self, labels: list[str]) -> "PlainSearch | None":
        if self._stems is not None or self._overlap != "independent" or len(labels) > _FEW:
            return None
        return PlainSearch.of(labels)

    def _labelled(self, patterns: list[int]) -> Counter[str]:
        found = Counter(map(self._labels.__getitem__, patterns))
        if not self._more.keys().isdisjoint(patterns):
            for pattern, times in Counter(filter(self._more.__contains__, patterns)).items():
                found.update(dict.fromkeys(self._more[pattern], times))
        return found

    def _named(self, patterns: list[int], starts: list[int], ends: list[int]) -> list[Match]:
        found = map(Match._make, zip(map(self._labels.__getitem__, patterns), starts, ends, strict=True))
        if self._more.keys().isdisjoint(patterns):
            return list(found)
        return [
            match
            for first, pattern in zip(found, patterns, strict=True)
            for match in (first, *(first._replace(label=label) for label in self._more.get(pattern, ())))
        ]

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


class Stems(dict[str, str]):
    """What a stemmer made of each word so far: a text repeats its words, and a stemmer may be slow."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        # A word stays one word in lower case, whatever the stemmer says.
        stem = "".join(self._stem(word).lower().split()) or word
        if len(word) <= LONGEST_WORD:
            if len(self) >= _MOST_STEMS:
                self.clear()
            self[word] = stem
        return stem


# ── a text as the automaton sees it ──


def flat(text: str) -> str:
    """The text in lower case, with a blank for every character that belongs to no word; `flat(text).split()` is `words(text)`.

    It is as long as the text in lower case, so that every word keeps its place.

    >>> flat("Iris-scan, 2nd")
    'iris scan  2nd'
    """
    lower = text.lower()
    if lower.isascii():
        return lower.translate(_ASCII)
    # The bytes of other letters are left alone, and one curly quote does not make a page slow: 10 KB of English with some take .12 ms, in
    # words one by one .30.
    return _STRANGE.sub(" ", lower).encode().translate(_BYTES).decode()


def _word_places(text: str, flattened: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each word begins and ends in the text that was made flat."""
    code = np.frombuffer(flattened.encode("utf-32-le"), np.uint32)
    edges = np.flatnonzero(np.diff(code != _BLANK, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    if len(flattened) == len(text):
        return starts, ends
    # Only one letter grows in lower case, the Turkish İ.
    origin = np.repeat(np.arange(len(text)), [len(letter.lower()) for letter in text])
    return origin[starts], origin[ends - 1] + 1


# ── a few labels ──


class PlainSearch:
    """Counts labels as whole words, blind to case, with one search a label and without cutting the text into words.

    In a long text labels of one word are counted by their numbers, which judge, strategy and store share.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self._searches = [(label, *_search(words(label))) for label in labels]
        self._words = [label for label in labels if len(words(label)) == 1]
        self._numbers = tuple(map(number_of, self._words))

    @classmethod
    def of(cls, labels: Sequence[str]) -> "PlainSearch | None":
        """None if a label can overlap itself, as `so and so` does: a plain search would miss the second occurrence."""
        return None if any(_repeats(words(label)) for label in labels) else cls(labels)

    def count(self, text: str) -> Counter[str]:
        """How often each label occurs; labels that do not are left out."""
        long = len(text) >= LONG
        known = dict(zip(self._words, times(text, self._numbers), strict=True)) if long else {}
        lower = text.lower() if len(known) < len(self._searches) else ""
        found = Counter[str]()
        for label, first, pattern in self._searches:
            number = known[label] if label in known else first in lower and len(pattern.findall(lower))
            if number:
                found[label] = number
        return found


def _search(tokens: list[str]) -> tuple[str, re.Pattern[str]]:
    first, *rest = map(re.escape, tokens)
    # The pattern begins with a plain word, so that `re` can skip to it, and only then looks back at what stands before it. One alternation
    # of all labels, looking back at every character, took 2.5 ms for 50 KB of text; this takes .2.
    phrase = _BETWEEN.join([f"{first}(?<!{LETTER}{first})", *rest])
    return tokens[0], re.compile(f"{phrase}(?!{LETTER})")


def _repeats(tokens: list[str]) -> bool:
    return tokens[0] in tokens[1:]
