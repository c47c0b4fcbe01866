"""What is known of the places of a web: hosts, first segments of paths, directories.

How many urls there were fetched, how many of them answered with a page, and how relevant these were.

A place is known by a hash of 32 bits and has a row in a table of fixed size; where two places fall on one row, the later one takes it. So
the memory is bounded however many directories a web has.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

Hashes = NDArray[np.uint32]
Values = NDArray[np.float64]
_ROWS = 1 << 16


class PlaceCounts(NamedTuple):
    """What is known of some places, a number each; zeros where nothing is."""

    fetched: Values
    relevance: Values
    """The sum of their relevance."""
    answered: Values


class PlaceTable:
    """Places of one kind."""

    def __init__(self) -> None:
        self.names = np.zeros(_ROWS, np.uint32)
        self.counts = np.zeros((_ROWS, 3))

    def note(self, place: int, relevance: float, *, answered: bool) -> None:
        """Count a url that was fetched there."""
        row = place % _ROWS
        if self.names[row] != place:
            self.names[row], self.counts[row] = place, 0.0
        self.counts[row] += (1.0, relevance, answered)

    def of(self, places: Hashes) -> PlaceCounts:
        """What is known of these."""
        rows = places % _ROWS
        known = self.names[rows] == places
        found = self.counts[rows] * known[..., None]
        return PlaceCounts(found[..., 0], found[..., 1], found[..., 2])

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
