"""What is known of the places of a web: hosts, first segments of paths, directories; and of the shapes of urls, wherever they lead.

How many urls there were fetched, how many of them answered with a page, and how relevant these were.

A place is known by a hash of 32 bits and has a row in a table of fixed size; where two places fall on one row, the later one takes it. So
the memory is bounded however many directories a web has.
"""

from collections.abc import Iterator, Mapping
from string import ascii_letters
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

Hashes = NDArray[np.uint32]
Places = tuple[int, int, int, int]
Values = NDArray[np.float64]
_KINDS = 4
_ROWS = 1 << 16
"""Of each kind."""
_LONGEST_SHAPE = 80
_LETTERS = str.maketrans("123456789" + ascii_letters, "0" * 9 + "a" * len(ascii_letters))
# Runs become one; each pass leaves runs of a few at most, and of names of several words two words stand for all.
_SHORTER = (
    *((one * length, one) for one in "a0" for length in (8, 3, 2, 2)),
    *((f"a{mark}a{mark}", f"a{mark}") for mark in "--__"),
)
_FIRST_ROWS = (np.arange(_KINDS) * _ROWS).astype(np.uint32)


class PlaceTable:
    """Places of all kinds, shapes as one of them."""

    def __init__(self) -> None:
        self.names = np.zeros(_KINDS * _ROWS, np.uint32)
        self.counts = np.zeros((_KINDS * _ROWS, 3))

    def note(self, places: Places, relevance: float, *, answered: bool) -> bool:
        """Count a url that was fetched; whether its host was not known before."""
        new = False
        for kind, place in enumerate(places):
            row = kind * _ROWS + place % _ROWS
            if self.names.item(row) != place:
                self.names[row], self.counts[row] = place, 0.0
            fetched, good, there = self.counts[row].tolist()
            self.counts[row] = fetched + 1.0, good + relevance, there + answered
            new = new or not (kind or fetched)
        return new

    def add(self, places: Places, relevance: float) -> None:
        """A url that was counted is so much more relevant."""
        for kind, place in enumerate(places):
            row = kind * _ROWS + place % _ROWS
            if self.names[row] == place:
                # The place may have been forgotten since, with that url, and noted anew.
                self.counts[row, 1] = min(max(self.counts[row, 1] + relevance, 0.0), self.counts[row, 0])

    def of(self, places: Hashes) -> Values:
        """How many were fetched, the sum of their relevance, how many answered; each for all hosts, then for all segments and so on.

        Zeros where nothing is known.
        """
        rows = (places & (_ROWS - 1)) + _FIRST_ROWS
        found = np.empty((self.counts.shape[1], *places.T.shape))
        np.multiply(self.counts.take(rows, 0).T, (self.names.take(rows) == places).T, out=found)
        return found

    def to_arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """The rows that are in use, for `from_arrays`."""
        rows = np.flatnonzero(self.counts[:, 0]).astype(np.uint32)
        yield from (("rows", rows), ("names", self.names[rows]), ("counts", self.counts[rows]))

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `to_arrays` gave."""
        rows = arrays["rows"]
        self.names[rows], self.counts[rows] = arrays["names"], arrays["counts"]


def places_of(url: str) -> Places:
    """The hashes of a url's host, of its first segment on that host, of its directory, and of its shape.

    >>> places_of("http://a.example/docs/x/1.html")[:2] == places_of("http://a.example/docs/y/2.html")[:2]
    True
    """
    parts = url.split("/", 4)
    host = parts[2]
    segment = f"{host}/{parts[3] if len(parts) > 4 else ''}"
    directory = url[: url.partition("?")[0].rindex("/")]
    return _number(host), _number(segment), _number(directory), _number(shape_of(url))


def shape_of(url: str) -> str:
    """How the path of a url is made: letters as a, digits as 0, however many; the ending as it is.

    >>> shape_of("http://a.example/~cs552-2/hw4.txt"), shape_of("http://b.example/~ac12-30/late-homework.txt")
    ('~a0-0/a0.txt', '~a0-0/a-a.txt')
    """
    path, _, query = url.partition("://")[2].partition("/")[2][:_LONGEST_SHAPE].partition("?")
    folders, slash, name = path.rpartition("/")
    name, dot, ending = name.partition(".")
    shape = f"{folders}{slash}{name}".translate(_LETTERS)
    for run, one in _SHORTER:
        shape = shape.replace(run, one)
    return f"{shape}{dot}{ending}{'?' if query else ''}"


def _number(name: str) -> int:
    return xxh32_intdigest(name.encode())
