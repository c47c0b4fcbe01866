"""Pages selected from a crawl as they are today, with those that say the same grouped in clusters.

Pages with the same bytes, or with nearly the same text, are a cluster; its first selected page stands for it. The selection lives in
temporary tables, so that pages which come in meanwhile are left out.
"""

from collections.abc import Iterator
from typing import NamedTuple

from thresher.disk.found_rows import Read, Row
from thresher.disk.schemas import statements
from thresher.model import Url
from thresher.store.visits import named_rows

_AT_A_TIME = 500
"""Rows read in one go: a cursor left open would keep a running crawl from emptying its log."""
_MOST_TWINS = 20
_ROWS = """
    SELECT page.*, cluster.id AS cluster, cluster.size AS cluster_size
    FROM temp.chosen
    JOIN temp.cluster ON cluster.id = chosen.cluster
    JOIN current AS page ON page.number = chosen.number
    WHERE chosen.number > ?1 AND (?2 OR chosen.number = cluster.first)
    ORDER BY chosen.number LIMIT ?3
"""
_TWINS = """
    SELECT visit.url FROM temp.chosen JOIN visit ON visit.number = chosen.number
    WHERE chosen.cluster = ? AND chosen.number != ? ORDER BY chosen.number LIMIT ?
"""


class SelectionSize(NamedTuple):
    """How many pages were selected, and how many different ones."""

    pages: int
    clusters: int


class PageSelection:
    """The selected pages of a crawl, in the order of their visits."""

    def __init__(self, read: Read, *, relevant: bool, min_relevance: float, since: float, duplicates: bool) -> None:
        """Select from a catalogue with the view `current`; with duplicates, all pages of a cluster instead of one."""
        self._read, self._duplicates = read, duplicates
        values = {"relevant": relevant, "least": min_relevance, "since": since}
        for statement in statements("store_selection"):
            read(statement, values if ":" in statement else {})
        # Else the rest would be read as of now, and a running crawl could not empty its log.
        read("COMMIT")

    def size(self) -> SelectionSize:
        """How many there are."""
        return SelectionSize(*self._read("SELECT coalesce(sum(size), 0), count(*) FROM temp.cluster").fetchone())

    def __len__(self) -> int:
        size = self.size()
        return size.pages if self._duplicates else size.clusters

    def rows(self) -> Iterator[Row]:
        """Rows of the view `current`, each with the number and the size of its cluster."""
        last = 0
        while batch := list(named_rows(self._read, _ROWS, last, self._duplicates, _AT_A_TIME)):
            yield from batch
            last = batch[-1]["number"]

    def twins(self, row: Row) -> list[Url]:
        """Selected pages that say the same as that of a row; the first twenty."""
        if row["cluster_size"] < 2:
            return []
        return [url for (url,) in self._read(_TWINS, (row["cluster"], row["number"], _MOST_TWINS))]
