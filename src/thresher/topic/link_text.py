"""The texts of links: the words one clicks on, the words of the address and the words around, for all links of a page at once."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from urllib.parse import unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from thresher.language import words as words_of
from thresher.model import Link

Places = NDArray[np.int64]

# By code; the last entry stands for all codes above, of which none is a blank.
_BLANKS = np.array([chr(code).isspace() for code in range(0x3002)])
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def anchors(links: Sequence[Link]) -> list[str]:
    """The words one clicks on."""
    return [link.anchor for link in links]


def anchors_and_hrefs(links: Sequence[Link]) -> list[str]:
    """The words one clicks on, and on a line of their own those of the address: the link description of Lokman (Kayışoğlu 2005).

    The address comes last: it begins with `https`, so that no phrase is found half in the anchor and half in the address.
    """
    return [f"{link.anchor}\n{href_words(link.target)}" for link in links]


def href_words(href: str, *, camel: bool = False) -> str:
    """The words of a url or an href, with one blank between them: `/bedwetting/x` names the topic as well as any text does.

    `camel` also cuts `nightTime` in two.

    >>> href_words("/help/Bed-wetting_at%20night.html?q=b%C3%A9b%C3%A9+sleep")
    'help bed wetting at night html q bébé sleep'
    """
    text = _decoded(href) if "%" in href else href
    return " ".join(words_of(_HUMP.sub(" ", text) if camel else text))


def _decoded(href: str) -> str:
    octets = unquote_to_bytes(href)
    try:
        return octets.decode()
    except UnicodeDecodeError:
        # Old sites write their own charset into their addresses; most of these are Western, and every byte is some letter there.
        return octets.decode("latin-1")


def windows(links: Sequence[Link], words: int = 10) -> list[str]:
    """The same as `[link.context(words) for link in links]`, by cutting the text into words once."""
    if words < 1:
        return anchors(links)
    return [window for text, few in _pages(links) for window in _windows(text, few, words)]


def contexts(links: Sequence[Link], chars: int = 150) -> list[str]:
    """The nearest heading above each link, and on the next line its anchor with `chars` characters of the page on each side.

    The context link of Kumar and Vig 2010. A word that is only half within reach is left out; the anchor is always whole.
    """
    return [context for text, few in _pages(links) for context in _contexts(text, few, chars)]


def _pages(links: Sequence[Link]) -> Iterator[tuple[str, list[Link]]]:
    # Nearly always one page: its links share one text, and comparing a text with itself costs nothing.
    return ((text, list(few)) for text, few in groupby(links, attrgetter("text")))


def _windows(text: str, links: list[Link], words: int) -> Iterator[str]:
    tokens = text.split()
    if not tokens:
        return iter([""] * len(links))
    starts, ends = _words(text)
    begin, end = _anchors(links)
    first = np.maximum(np.searchsorted(starts, begin) - words, 0)
    last = np.minimum(np.searchsorted(ends, end, "right") + words, len(tokens)) - 1
    # `Link.context` looks only this far; where words are so long that it matters, the link itself is asked.
    reach = 24 * words
    near = (starts[first] >= begin - reach) & (ends[last] <= end + reach)
    return (
        " ".join(tokens[one : other + 1]) if is_near else link.context(words)
        for link, one, other, is_near in zip(links, first.tolist(), last.tolist(), near.tolist(), strict=True)
    )


def _contexts(text: str, links: list[Link], chars: int) -> Iterator[str]:
    starts, ends = _words(text)
    begin, end = _anchors(links)
    # One more entry at the end of each, so that there is always a next one.
    following = np.append(starts, len(text))[np.searchsorted(starts, begin - chars)]
    preceding = np.insert(ends, 0, 0)[np.searchsorted(ends, end + chars, "right")]
    froms, tos = np.minimum(following, begin).tolist(), np.maximum(preceding, end).tolist()
    return (
        f"{link.heading}\n{text[one:other]}" if link.heading else text[one:other]
        for link, one, other in zip(links, froms, tos, strict=True)
    )


def _words(text: str) -> tuple[Places, Places]:
    """Where each word begins and ends; words are what stands between blanks, as for `str.split`."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    edges = np.flatnonzero(np.diff(_BLANKS.take(codes, mode="clip"), prepend=True, append=True))
    return edges[::2], edges[1::2]


def _anchors(links: list[Link]) -> tuple[Places, Places]:
    begins, ends = zip(*((link.start, link.end) for link in links), strict=True)
    return np.array(begins), np.array(ends)
