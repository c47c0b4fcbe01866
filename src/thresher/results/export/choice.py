"""Which pages of a crawl are taken away, and which of them say the same.

Pages with the same bytes, or with nearly the same text, are a cluster; its first chosen page stands for it.
"""

import math
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from thresher.disk.schemas import schema
from thresher.errors import BadInput
from thresher.model import Url
from thresher.results.archive import Archive

_AT_A_TIME = 500
"""Rows read in one go: a cursor left open would keep a running crawl from emptying its log."""
_TWINS_MOST = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages."""

    relevant: bool = False
    """Only those that the judge found relevant, or a person, whose word counts for more."""
    min_relevance: float = 0.0
    since: float | None = None
    """Only those fetched from then on, in seconds since 1970."""
    duplicates: bool = False
    """All pages of a cluster instead of one."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_relevance <= 1:
            raise BadInput(f"--min-relevance is {self.min_relevance}, but must be from 0 to 1")
        if self.since is not None and not math.isfinite(self.since):
            raise BadInput(f"--since is {self.since}, but must be a moment")

    def __str__(self) -> str:
        parts = ["relevant pages" if self.relevant else "all pages"]
        if self.min_relevance:
            parts.append(f"of relevance {self.min_relevance:g} or more")
        if self.since is not None:
            parts.append(f"fetched since {since_text(self.since)}")
        return " ".join(parts)


def since_text(at: float) -> str:
    """A moment as `--since` takes it."""
    return (
        datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").removesuffix("+00:00").removesuffix("T00:00:00")
    )


class Chosen:
    """The pages of a crawl that were chosen, in the order of their visits. What comes in meanwhile is left out."""

    def __init__(self, archive: Archive, choice: Choice) -> None:
        self._archive, self._choice = archive, choice
        for statement in schema("export").split(";\n"):
            archive.read(statement, _values(choice) if ":" in statement else {})
        # Else the rest would be read as of now, and a running crawl could not empty its log.
        archive.read("COMMIT")

    def count(self) -> "Numbers":
        """How many there are."""
        return Numbers(*self._archive.read("SELECT coalesce(sum(size), 0), count(*) FROM temp.cluster").fetchone())

    def __len__(self) -> int:
        count = self.count()
        return count.pages if self._choice.duplicates else count.clusters

    def rows(self) -> Iterator[sqlite3.Row]:
        """Rows of the view `current`, each with the number and the size of its cluster."""
        last = 0
        while batch := list(self._archive.rows(_ROWS, last, self._choice.duplicates, _AT_A_TIME)):
            yield from batch
            last = batch[-1]["number"]

    def twins(self, row: sqlite3.Row) -> list[Url]:
        """Chosen pages that say the same as that of a row; the first twenty."""
        if row["cluster_size"] < 2:
            return []
        return [url for (url,) in self._archive.read(_TWINS, (row["cluster"], row["number"], _TWINS_MOST))]


class Numbers(NamedTuple):
    """How many pages were chosen, and how many different ones."""

    pages: int
    clusters: int


def _values(choice: Choice) -> dict[str, float]:
    since = -math.inf if choice.since is None else choice.since
    return {"relevant": choice.relevant, "least": choice.min_relevance, "since": since}


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
