"""What is known of the places of a web: hosts, first segments of paths, directories.

How many urls there were fetched, how many of them answered with a page, and how relevant these were.

A place is known by a hash of 32 bits and has a row in a table of fixed size; where two places fall on one row, the later one takes it. So
the memory is bounded however many directories a web has.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

Hashes = NDArray[np.uint32]
Values = NDArray[np.float64]
_KINDS = 3
_ROWS = 1 << 16
"""Of each kind."""
_FIRST_ROWS = (np.arange(_KINDS) * _ROWS).astype(np.uint32)


class PlaceTable:
    """Places of all three kinds."""

    def __init__(self) -> None:
        self.names = np.zeros(_KINDS * _ROWS, np.uint32)
        self.counts = np.zeros((_KINDS * _ROWS, 3))

    def note(self, places: tuple[int, int, int], relevance: float, *, answered: bool) -> bool:
        """Count a url that was fetched; whether its host was not known before."""
        rows = [kind * _ROWS + place % _ROWS for kind, place in enumerate(places)]
        for row, place in zip(rows, places, strict=True):
            if self.names[row] != place:
                self.names[row], self.counts[row] = place, 0.0
        new = not self.counts[rows[0], 0]
        self.counts[rows] += (1.0, relevance, answered)
        return new

    def add(self, places: tuple[int, int, int], relevance: float) -> None:
        """A url that was counted is so much more relevant."""
        for kind, place in enumerate(places):
            row = kind * _ROWS + place % _ROWS
            if self.names[row] == place:
                self.counts[row, 1] += relevance

    def of(self, places: Hashes) -> Values:
        """Of the three places of each url: how many were fetched, the sum of their relevance, how many answered; zeros where nothing is."""
        rows = places % _ROWS + _FIRST_ROWS
        known = self.names.take(rows) == places
        found: Values = self.counts.take(rows, 0) * known[..., None]
        return found

    def to_arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """The rows that are in use, for `from_arrays`."""
        rows = np.flatnonzero(self.counts[:, 0]).astype(np.uint32)
        yield from (("rows", rows), ("names", self.names[rows]), ("counts", self.counts[rows]))

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `to_arrays` gave."""
        rows = arrays["rows"]
        self.names[rows], self.counts[rows] = arrays["names"], arrays["counts"]


def places_of(url: str) -> tuple[int, int, int]:
    """The hashes of a url's host, of its first segment on that host, and of its directory.

    >>> places_of("http://a.example/docs/x/1.html")[:2] == places_of("http://a.example/docs/y/2.html")[:2]
    True
    """
    parts = url.split("/", 4)
    host = parts[2]
    segment = f"{host}/{parts[3] if len(parts) > 4 else ''}"
    directory = url[: url.partition("?")[0].rindex("/")]
    return _number(host), _number(segment), _number(directory)


def _number(name: str) -> int:
    return xxh32_intdigest(name.encode())
