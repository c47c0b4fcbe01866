"""Where the words of a topic stand in a text, in any form, and where several of them stand together.

English words are found in singular and plural, whatever is installed; those of other languages by their stems, if there is a stemmer for
the page's language.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from thresher.language import stem, words
from thresher.language.word_forms import forms, has_stems
from thresher.language.word_numbers import LONG, number_of, word_numbers
from thresher.native import inner_loops
from thresher.topic.matching import Stems

SLACK = 2
"""So many other words may stand among those of a phrase: `isolation of the transactions` is `transaction isolation`."""
MOST = 10_000
"""Places that are looked at in a text: a page of nothing but the topic's words takes no longer than others."""
_BITS = 12
_TOP = np.uint64(64 - _BITS)
_LANGUAGES = 3
"""Languages whose stems are remembered: a web may declare one after the other."""


WordPlace = tuple[int, int]
"""A word of the topic in a text: how many words stand before it, and which word of the topic it is. A plain pair: a page has hundreds."""


class FoundWords(NamedTuple):
    """The words of a topic in a text, in order, and how many words the text has."""

    places: Sequence[WordPlace]
    length: int


class TopicWords:
    """Finds words in any form.

    >>> TopicWords(["iris", "eye"]).find("Irises of the eye", "en").places
    [(0, 0), (3, 1)]
    """

    def __init__(self, wanted: Iterable[str]) -> None:
        self.words: list[str] = []
        """Each word once: forms of one word are one."""
        self._forms: dict[str, int] = {}
        for word in wanted:
            if word not in self._forms:
                self._forms |= {form: len(self.words) for form in forms(word) if form not in self._forms}
                self.words.append(word)
        self._numbers = {number_of(form): word for form, word in self._forms.items()}
        # Most words of a page are none of the topic's: one look into a small table tells, and only the others are looked up.
        self._maybe = np.zeros(1 << _BITS, np.uint8)
        self._maybe[[number >> (64 - _BITS) for number in self._numbers]] = 1
        self._stemmed: dict[str, tuple[dict[str, int], Stems]] = {}
        """By language: the words by their stems, and the stems of what was met."""

    def number(self, word: str) -> int:
        """Which word of the topic that is."""
        return self._forms[word]

    def find(self, text: str, language: str) -> FoundWords:
        """The words in a text of a page in this language."""
        if language != "en" and has_stems(language):
            by_stem, stems = self._stemmed.get(language) or self._by_stem(language)
            return _found([by_stem.get(stems[word]) for word in words(text)])
        if inner_loops is not None:
            numbers = word_numbers(text)
            return FoundWords(inner_loops.places(numbers, self._maybe, self._numbers, MOST), len(numbers))
        return self._in_long(text) if len(text) >= LONG else _found(list(map(self._forms.get, words(text))))

    def _in_long(self, text: str) -> FoundWords:
        numbers = word_numbers(text)
        # As in `word_numbers`: `take` needs two thirds of the time of an index.
        maybe = self._maybe.take(numbers >> _TOP).nonzero()[0]
        which = map(self._numbers.get, numbers.take(maybe).tolist())
        found = [(place, word) for place, word in zip(maybe.tolist(), which, strict=True) if word is not None]
        return FoundWords(found[:MOST], len(numbers))

    def _by_stem(self, language: str) -> tuple[dict[str, int], Stems]:
        if len(self._stemmed) >= _LANGUAGES:
            self._stemmed.clear()
        stems = Stems(lambda word: stem(word, language))
        by_stem = {stems[word]: number for number, word in reversed(list(enumerate(self.words)))}
        return self._stemmed.setdefault(language, (by_stem, stems))


def _found(which: Sequence[int | None]) -> FoundWords:
    found = [(place, word) for place, word in enumerate(which) if word is not None]
    return FoundWords(found[:MOST], len(which))


def together(places: Iterable[WordPlace], wanted: Collection[int]) -> list[int]:
    """Where all of these words stand together, in any order; each word counts once."""
    found, last, free = list[int](), dict.fromkeys(wanted, -SLACK - len(wanted)), 0
    for place, word in places:
        if word in last:
            last[word] = place
            begin = min(last.values())
            if begin >= free and place - begin < len(wanted) + SLACK:
                found.append(place)
                free = place + 1
    return found
