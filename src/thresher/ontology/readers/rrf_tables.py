"""Files in NLM's Rich Release Format: a row a line, each column closed by a bar, UTF-8, plain or packed with gzip.

`rows` and `in_order` read them, `SortedLookup` reads a second file along with the first, and `Pairs` holds millions of relations.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.ontology.readers.knowledge_file import LONGEST_LINE, opened

_BLOCK = 1 << 20
_BITS = 32
_LOW = (1 << _BITS) - 1
_PAIRS_A_BLOCK = 1 << 14
Key = TypeVar("Key", bytes, int)
Value = TypeVar("Value")


class RrfTable:
    """The name of a file and of its columns."""

    def __init__(self, name: str, columns: str) -> None:
        self.name = name
        self.columns = columns.split()

    def at(self, *columns: str) -> list[int]:
        """The places of some columns in a row."""
        return [self.columns.index(column) for column in columns]

    def file(self, folder: Path) -> Path | None:
        """That file in a folder, plain before packed."""
        return next((path for end in ("RRF", "RRF.gz") if (path := folder / f"{self.name}.{end}").is_file()), None)


def rows(path: Path, table: RrfTable) -> Iterator[tuple[int, list[bytes]]]:
    """The rows with their line numbers; a row of another width is refused."""
    width = len(table.columns) + 1  # the last bar closes a row, so that nothing follows it
    for number, line in enumerate(_lines(path), 1):
        row = line.split(b"|")
        if len(row) != width or row[-1] not in (b"", b"\r"):
            raise BadInput(f"{path}, line {number}: {_complaint(line, table.columns)}")
        yield number, row


def in_order(path: Path, table: RrfTable) -> Iterator[tuple[int, list[bytes]]]:
    """The rows of a file that is sorted by its first column, which is how NLM ships them all."""
    before = b""
    for number, row in rows(path, table):
        if row[0] < before:
            fix = f"LC_ALL=C sort {path.name}"
            raise BadInput(f"{path}, line {number}: {printable(row[0])} after {printable(before)}: not sorted: {fix}")
        before = row[0]
        yield number, row


def text(path: Path, number: int, cell: bytes) -> str:
    """A cell as text."""
    try:
        return cell.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}, line {number}: not UTF-8: byte {cell[error.start]:#04x}") from error


def printable(cell: bytes) -> str:
    """A cell for a message, whatever it holds."""
    return ascii(cell[:40].decode("utf-8", "replace"))


class SortedLookup(Generic[Key, Value]):
    """What a second sorted source has for the keys of a first one, asked in their order: both are read once, and nothing is kept."""

    def __init__(self, pairs: Iterable[tuple[Key, Value]]) -> None:
        self._pairs: Iterator[tuple[Key, Value]] = iter(pairs)
        self._ahead: tuple[Key, Value] | None = next(self._pairs, None)

    def of(self, key: Key) -> list[Value]:
        """All that it has for a key."""
        values = []
        while self._ahead is not None and self._ahead[0] <= key:
            if self._ahead[0] == key:
                values.append(self._ahead[1])
            self._ahead = next(self._pairs, None)
        return values


class Pairs:
    """Millions of pairs of numbers, eight bytes each: who is above whom in a large ontology, before it is one.

    Pairs are collected first; the first question sorts them and leaves out what came twice.
    """

    def __init__(self) -> None:
        self._added = array("q")
        self._sorted: NDArray[np.int64] | None = None

    def add(self, one: int, other: int) -> None:
        """Take a pair of numbers below 2³¹."""
        self._added.append(one << _BITS | other)

    def __len__(self) -> int:
        return len(self._pairs())

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The pairs in order.

        >>> pairs = Pairs()
        >>> pairs.add(7, 9), pairs.add(7, 8), pairs.add(7, 9)
        (None, None, None)
        >>> list(pairs)
        [(7, 8), (7, 9)]
        """
        pairs = self._pairs()
        for start in range(0, len(pairs), _PAIRS_A_BLOCK):
            block = pairs[start : start + _PAIRS_A_BLOCK]
            yield from zip((block >> _BITS).tolist(), (block & _LOW).tolist(), strict=True)

    def seconds(self) -> Collection[int]:
        """The second numbers of all pairs."""
        return frozenset((self._pairs() & _LOW).tolist())

    def through(self, bridge: "Pairs") -> "Pairs":
        """The pairs (a, c) for which there is a pair (a, b) here and (b, c) in the bridge, which has one c for each b; never (a, a)."""
        pairs, ways = self._pairs(), bridge._pairs()  # noqa: SLF001 - its own class
        ones, others = pairs >> _BITS, pairs & _LOW
        at = np.searchsorted(ways >> _BITS, others)
        there = at < len(ways)
        there[there] = ways[at[there]] >> _BITS == others[there]
        ends = ways[at[there]] & _LOW
        ones = ones[there]
        result = Pairs()
        result._sorted = np.unique((ones << _BITS | ends)[ones != ends])
        return result

    def _pairs(self) -> NDArray[np.int64]:
        if self._sorted is None:
            pairs = np.frombuffer(self._added, dtype=np.int64)
            pairs.sort()  # in place: a copy of a full release's relations would cost hundreds of megabytes
            fresh = np.ones(len(pairs), dtype=bool)
            fresh[1:] = pairs[1:] != pairs[:-1]
            self._sorted = pairs[fresh]
            self._added = array("q")
        return self._sorted


def _complaint(line: bytes, columns: Sequence[str]) -> str:
    counted = line.count(b"|")
    ending = "" if counted != len(columns) else ", and something after the last bar"
    return f"{counted} columns{ending}, where {len(columns)} are due ({', '.join(columns)})"


def _lines(path: Path) -> Iterator[bytes]:
    """The lines without their ends. A file that is one endless line is refused early."""
    number, rest = 1, b""
    with opened(path) as file:
        while block := file.read(_BLOCK):
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            number += len(whole)
            if len(rest) > LONGEST_LINE:
                raise BadInput(f"{path}, line {number}: longer than {LONGEST_LINE:,} bytes")
    if rest:
        yield rest
