"""The words of a page and of its links as small numbers, so that sixty links are a few sums over arrays.

A word is the hash of its stem, 1 to 65,535; 0 is "no word". A link is a row of forty numbers: six of its anchor, ten on each side of it,
the last eight of its address and six of the heading above it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

from thresher.language import words
from thresher.language.word_forms import stem
from thresher.model import Link, Page
from thresher.topic.link_text import href_words

Numbers = NDArray[np.uint16]
Places = NDArray[np.int64]

BUCKETS = 1 << 16
"""Different numbers there are."""
ANCHOR, BESIDE, ADDRESS, HEADING = 6, 10, 8, 6
WIDTH = ANCHOR + 2 * BESIDE + ADDRESS + HEADING
IN_CONTEXT = ANCHOR + 2 * BESIDE
IN_ADDRESS = IN_CONTEXT + ADDRESS
ZONES = {
    "anchor": slice(0, ANCHOR),
    "context": slice(0, IN_CONTEXT),
    "url": slice(IN_CONTEXT, IN_ADDRESS),
    "heading": slice(IN_ADDRESS, WIDTH),
}
"""Where the words of each place stand in a row. The words around a link are counted with its anchor."""

_REMEMBERED = 100_000
_LONGEST_REMEMBERED = 40
_LONGEST_TEXT = 200_000
_LONGEST_HEADING = 500
# No word of a language, so that the ends of links can be found again among the words of the text. Its number is 0.
_CUT = "xlinkqendsx"


class PageWords(NamedTuple):
    """The words of one page, and where its links stand among them."""

    text: Numbers
    distinct: Numbers
    """Each word of title and text once, in order of its number."""
    counts: NDArray[np.int64]
    cuts: Places
    """The places in the text where links begin and end, in order."""
    offsets: Places
    """How many words stand before each of them."""


class WordNumbers(dict[str, int]):
    """The number of each word, remembered for the words that come again and again."""

    def __init__(self) -> None:
        super().__init__({_CUT: 0})

    def __missing__(self, word: str) -> int:
        number = 1 + xxh32_intdigest(stem(word).encode("utf-8", "surrogatepass")) % (BUCKETS - 1)
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
                self[_CUT] = 0
            self[word] = number
        return number

    def of(self, text: str) -> Numbers:
        """The numbers of a text's words, in order."""
        return np.fromiter(map(self.__getitem__, words(text)), np.uint16)

    def page(self, page: Page) -> PageWords:
        """The words of a page; of a very long one, those at its beginning."""
        text = page.text[:_LONGEST_TEXT]
        ends = {link.start for link in page.links} | {link.end for link in page.links}
        cuts = sorted(ends)
        pieces = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
        numbers, offsets = self._joined(pieces)
        title = self.of(page.title[:_LONGEST_TEXT])
        title = title[title > 0]
        distinct, counts = np.unique(np.concatenate([title, numbers]), return_counts=True)
        return PageWords(numbers, distinct, counts, np.array(cuts, np.int64), offsets)

    def _joined(self, pieces: Sequence[str]) -> tuple[Numbers, Places]:
        """The words of all pieces, and how many there are before the end of each piece but the last."""
        numbers = self.of(f" {_CUT} ".join(pieces))
        marks = np.flatnonzero(numbers == 0)
        if len(marks) == len(pieces) - 1:
            return numbers[numbers > 0], marks - np.arange(len(marks))
        each = [piece[piece > 0] for piece in map(self.of, pieces)]  # the page itself writes our mark
        return np.concatenate(each), np.cumsum([len(piece) for piece in each])[:-1]

    def rows(self, page: PageWords, links: Sequence[Link]) -> Numbers:
        """The row of each link."""
        rows = np.zeros((len(links), WIDTH), np.uint16)
        if not links:
            return rows
        begin = _offsets(page, [link.start for link in links])
        end = np.maximum(_offsets(page, [link.end for link in links]), begin)
        _cut_out(page.text, begin, np.minimum(end, begin + ANCHOR), rows[:, :ANCHOR])
        _cut_out(page.text, np.maximum(begin - BESIDE, 0), begin, rows[:, ANCHOR : ANCHOR + BESIDE])
        _cut_out(page.text, end, end + BESIDE, rows[:, ANCHOR + BESIDE : IN_CONTEXT])
        self._addresses(links, rows[:, IN_CONTEXT:IN_ADDRESS])
        self._headings(links, rows[:, IN_ADDRESS:])
        return rows

    def _addresses(self, links: Sequence[Link], into: Numbers) -> None:
        # One call for all: cutting texts into words costs most at its beginning.
        paths = [link.target[link.target.find("/", 8) + 1 :] for link in links]
        numbers, ends = self._joined([href_words(path) if "%" in path else path for path in paths] + [""])
        starts = np.concatenate([[0], ends[:-1]])
        _cut_out(numbers, np.maximum(ends - ADDRESS, starts), ends, into)

    def _headings(self, links: Sequence[Link], into: Numbers) -> None:
        headings = dict.fromkeys((link.heading for link in links), 0)
        table = np.zeros((len(headings), HEADING), np.uint16)
        for number, heading in enumerate(headings):
            found = self.of(heading[:_LONGEST_HEADING])
            found = found[found > 0][:HEADING]
            table[number, : len(found)] = found
            headings[heading] = number
        into[:] = table[[headings[link.heading] for link in links]]


def _offsets(page: PageWords, places: Sequence[int]) -> Places:
    if not len(page.cuts):
        return np.zeros(len(places), np.int64)
    return page.offsets[np.minimum(np.searchsorted(page.cuts, places), len(page.cuts) - 1)]


def _cut_out(numbers: Numbers, begin: Places, end: Places, into: Numbers) -> None:
    """Write the words from each beginning to its end into a row each; what is left of a row stays 0."""
    places = begin[:, None] + np.arange(into.shape[1])
    there = places < np.minimum(end, len(numbers))[:, None]
    into[there] = numbers[places[there]]
