"""The words of a page and of its links as small numbers, so that sixty links are a few sums over arrays.

A word is the hash of its stem, 1 to 65,535; 0 is "no word". A link is a row of forty numbers: six of its anchor, ten on each side of it,
the last eight of its address and six of the heading above it.
"""

from array import array
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

from thresher.language import words
from thresher.language.word_forms import stem, stems
from thresher.language.word_numbers import counted, letters_of, numbers_at, starts_in
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
_TEXTS_REMEMBERED = 20_000
_LONGEST_KEPT = 200
# No word of a language, so that the ends of links can be found again among the words of the text. Its number is 0.
_CUT = "xlinkqendsx"
_ROWS = 1 << 17
_TO_ROW = np.uint64(64 - 17)
_IN_ANCHOR, _BEHIND = np.arange(ANCHOR), np.arange(BESIDE)
_IN_ANCHOR_AND_BEFORE = np.concatenate((_IN_ANCHOR, _BEHIND - BESIDE))
_NO_WORDS = np.zeros(BESIDE, np.uint16)
_NO_LETTERS = letters_of("")
_KIND_OF_BYTE, _LATER_BYTE = np.uint8(0b1100_0000), np.uint8(0b1000_0000)
"""The bits that tell bytes of UTF-8 apart, and how they are in all bytes of a character but the first."""


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
        # The same by the 64 bits that stand for a word in a text, a row each: where two words fall on one row, the later one takes it.
        self._words = np.zeros(_ROWS, np.uint64)
        self._numbers = np.zeros(_ROWS, np.uint16)
        self._addresses: dict[str, bytes] = {}
        self._headings: dict[str, bytes] = {}

    def __missing__(self, word: str) -> int:
        return _number(stem(word))

    def _each(self, some: Sequence[str]) -> list[int]:
        """The number of each word. The stems of new ones are looked up together, which is faster."""
        new = [word for word in dict.fromkeys(some) if word not in self and len(word) <= _LONGEST_REMEMBERED]
        if new:
            if len(self) + len(new) > _REMEMBERED:
                self.clear()
                self[_CUT] = 0
            self.update(zip(new, map(_number, stems(new)), strict=True))
        return [self[word] for word in some]

    def of(self, text: str) -> Numbers:
        """The numbers of a text's words, in order."""
        letters = letters_of(text)
        return self._numbered(letters, starts_in(letters))

    def _numbered(self, letters: bytes, starts: Places) -> Numbers:
        said = numbers_at(letters, starts)
        rows = (said >> _TO_ROW).astype(np.intp)
        numbers: Numbers = self._numbers.take(rows)
        others = (self._words.take(rows) != said).nonzero()[0]
        if len(others):
            numbers[others] = self._read(letters, starts, others, said.take(others).tolist())
            self._numbers[rows.take(others)], self._words[rows.take(others)] = numbers.take(others), said.take(others)
        return numbers

    def _read(self, letters: bytes, starts: Places, some: Places, said: list[int]) -> list[int]:
        """The numbers of some of the words, which the texts before did not have."""
        places = dict(
            zip(said, zip(starts.take(some).tolist(), starts.take(some + 1).tolist(), strict=True), strict=True)
        )
        spelt = [letters[start:end].rstrip(b"\0").decode("utf-8", "surrogatepass") for start, end in places.values()]
        numbers = dict(zip(places, self._each(spelt), strict=True))
        return [numbers[each] for each in said]

    def page(self, page: Page) -> PageWords:
        """The words of a page; of a very long one, those at its beginning."""
        text, title = page.text[:_LONGEST_TEXT], page.title[:_LONGEST_TEXT]
        cuts = [link.start for link in page.links] + [link.end for link in page.links]
        numbers, places, offsets = self._in_one(text, title, cuts) or self._in_pieces(text, title, sorted(set(cuts)))
        words = numbers if np.logical_and.reduce(numbers) else numbers[numbers > 0]
        return PageWords(numbers[: int(offsets[-1])], *counted(words), places, offsets)

    def _in_one(self, text: str, title: str, cuts: Sequence[int]) -> tuple[Numbers, Places, Places] | None:
        """The words of text and title, and where those of the text begin, if no link begins or ends in a word."""
        both = f"{text}\n{title}"
        letters = letters_of(both)
        inside = np.frombuffer(letters, np.uint8)
        if not both.isascii():
            inside = inside[inside & _KIND_OF_BYTE != _LATER_BYTE]
            if len(inside) != len(both) + len(_NO_LETTERS):  # a letter in lower case can be two
                return None
        places = np.minimum(np.array(cuts, np.int64), len(text))
        if np.logical_or.reduce(np.minimum(inside.take(places), inside.take(places + 1))):
            return None
        starts = starts_in(letters)
        begins = starts if both.isascii() else starts_in(inside)
        of_text = begins[: int(begins.searchsorted(len(text) + 1, "right"))] - 1
        return self._numbered(letters, starts), of_text, np.arange(len(of_text) + 1)

    def _in_pieces(self, text: str, title: str, cuts: Sequence[int]) -> tuple[Numbers, Places, Places]:
        """The same of any text, and how many words stand before each of these cuts."""
        pieces = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
        numbers, offsets = self._joined([*pieces, title])
        return numbers, np.array(cuts, np.int64), offsets

    def _joined(self, pieces: Sequence[str]) -> tuple[Numbers, Places]:
        """The words of all pieces, and how many there are before the end of each piece but the last."""
        numbers = self.of(f" {_CUT} ".join(pieces))
        marks = (numbers == 0).nonzero()[0]
        if len(marks) == len(pieces) - 1:
            return numbers[numbers > 0], marks - np.arange(len(marks))
        each = [piece[piece > 0] for piece in map(self.of, pieces)]  # the page itself writes our mark
        return np.concatenate(each), np.cumsum([len(piece) for piece in each])[:-1]

    def rows(self, page: PageWords, links: Sequence[Link]) -> Numbers:
        """The row of each link."""
        rows = np.zeros((len(links), WIDTH), np.uint16)
        if not links:
            return rows
        # All columns at once, in half the time that these four take one by one.
        _, targets, _, starts, ends, headings, *_ = zip(*links, strict=True)
        begin, end = _offsets(page, starts, ends)
        _cut_out(page.text, begin, np.maximum(end, begin), rows)
        rows[:, IN_CONTEXT:IN_ADDRESS] = self._remembered(targets, self._addresses, ADDRESS)
        rows[:, IN_ADDRESS:] = self._remembered(headings, self._headings, HEADING)
        return rows

    def _remembered(self, texts: Sequence[str], known: dict[str, bytes], size: int) -> Numbers:
        """The words of short texts, a row each. Most of a page's addresses and headings stood on an earlier page too."""
        try:
            found = list(map(known.__getitem__, texts))
        except KeyError:
            found = self._looked_up(texts, known, size)
        return np.frombuffer(b"".join(found), np.uint16).reshape(-1, size)

    def _looked_up(self, texts: Sequence[str], known: dict[str, bytes], size: int) -> list[bytes]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, self._short(new, size), strict=True))
        found = list(map(known.__getitem__, texts))
        for text in new:
            if len(text) > _LONGEST_KEPT:
                del known[text]
        if len(known) > _TEXTS_REMEMBERED:
            known.clear()
        return found

    def _short(self, texts: Sequence[str], size: int) -> list[bytes]:
        """The last words of some addresses, or the first ones of headings, so many each."""
        address = size == ADDRESS
        texts = [_address(text) if address else text[:_LONGEST_HEADING] for text in texts]
        numbers = self._each(words(f" {_CUT} ".join(texts)))
        each = _parted(numbers)
        if len(each) != len(texts):  # one of them has our mark
            each = [[number for word in words(text) if (number := self[word])] for text in texts]
        room = bytes(2 * size)
        return [(array("H", row[-size:] if address else row[:size]).tobytes() + room)[: 2 * size] for row in each]


def _number(stemmed: str) -> int:
    return 1 + xxh32_intdigest(stemmed.encode("utf-8", "surrogatepass")) % (BUCKETS - 1)


def _parted(numbers: Sequence[int]) -> list[list[int]]:
    """What stands between zeros."""
    parts: list[list[int]] = [[]]
    for number in numbers:
        if number:
            parts[-1].append(number)
        else:
            parts.append([])
    return parts


def _address(url: str) -> str:
    path = url[url.find("/", 8) + 1 :]
    return href_words(path) if "%" in path else path


def _offsets(page: PageWords, begins: tuple[int, ...], ends: tuple[int, ...]) -> Places:
    places = np.fromiter(chain(begins, ends), np.int64, 2 * len(begins))
    found = page.offsets.take(page.cuts.searchsorted(places), mode="clip")
    return found.reshape(2, -1)


def _cut_out(numbers: Numbers, begin: Places, end: Places, into: Numbers) -> None:
    """Write the words from each beginning to its end, those before and those behind into a row each; what is left of a zone is 0."""
    padded = np.concatenate((_NO_WORDS, numbers, _NO_WORDS))
    begin, end = begin[:, None] + BESIDE, end[:, None] + BESIDE
    into[:, : ANCHOR + BESIDE] = padded.take(begin + _IN_ANCHOR_AND_BEFORE)
    into[:, :ANCHOR] *= end - begin > _IN_ANCHOR
    into[:, ANCHOR + BESIDE : IN_CONTEXT] = padded.take(end + _BEHIND)
