"""What a crawl has found so far, read from its catalogue: figures, the harvest curve, the best pages.

Each function takes a way to read: `open_catalogue(path).execute`, or `Ledger.read` in the process that crawls.

>>> with closing(open_catalogue(folder / "crawl.sqlite")) as catalogue:
...     counts(catalogue.execute).harvest
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from thresher.budget import Tally
from thresher.errors import FolderError
from thresher.model import Evidence, Url
from thresher.store.rows import judgement_of
from thresher.urls import url_hash

Read = Callable[..., sqlite3.Cursor]


class Counts(NamedTuple):
    """The catalogue in figures."""

    visits: int
    """Urls settled, whatever came of them."""
    fetched: int
    """Of these, urls for which a request went out."""
    pages: int
    """Of these, pages that came."""
    relevant: int
    """Of these, pages on topic; duplicates count once."""
    duplicates: int
    near: int
    bytes: int
    hosts: int
    """Hosts that were asked for something."""

    @property
    def harvest(self) -> float:
        """Harvest rate: relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


class Entry(NamedTuple):
    """One visit as the catalogue has it, without its body."""

    number: int
    url: Url
    final_url: Url
    outcome: str
    status: int | None
    at: float
    depth: int
    parent: Url | None
    anchor: str
    priority: float
    relevance: float | None
    relevant: bool
    evidence: tuple[Evidence, ...]
    title: str
    language: str
    duplicate_of: Url | None
    near: Url | None


class HostFigures(NamedTuple):
    """What came of one host."""

    host: str
    fetched: int
    relevant: int


def open_catalogue(path: Path) -> sqlite3.Connection:
    """The crawl's SQLite file, to read only: a crawl that runs is not disturbed."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        connection.execute("SELECT 1 FROM visit LIMIT 1")
    except sqlite3.Error as error:
        raise FolderError(f"{path} cannot be read as the catalogue of a crawl: {error}") from error
    return connection


def has_table(read: Read, name: str) -> bool:
    """Whether the file has that table: those of labels and of revisits are made when they are first needed."""
    return read("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone() is not None


def counts(read: Read) -> Counts:
    """The figures, in one pass over the table."""
    return Counts(*read(_COUNTS).fetchone())


def tally(read: Read, window: int) -> Tally:
    """The figures that the budget goes by, with the latest so many fetches."""
    latest = read("SELECT fresh FROM visit WHERE asked ORDER BY number DESC LIMIT ?", (window,)).fetchall()
    recent = deque(bool(fresh) for (fresh,) in reversed(latest))
    visits, fetched, relevant, received = read(_TOTALS).fetchone()
    return Tally(visits, fetched, relevant, received, recent, sum(recent))


def outcomes(read: Read) -> dict[str, int]:
    """How many visits ended how, most frequent first."""
    return dict(read("SELECT outcome, count(*) FROM visit GROUP BY outcome ORDER BY count(*) DESC, outcome"))


def errors(read: Read) -> dict[str, int]:
    """The outcomes that gave no page and led nowhere."""
    return {name: count for name, count in outcomes(read).items() if name not in {"page", "redirect"}}


def hosts(read: Read, limit: int = 20) -> list[HostFigures]:
    """The hosts that gave most, best first."""
    return [HostFigures(*row) for row in read(_HOSTS, (limit,))]


def harvest_curve(read: Read, points: int = 100) -> list[tuple[int, float]]:
    """Pages fetched so far and the share of them that was relevant, at about so many points."""
    newest = read("SELECT coalesce(max(number), 0) FROM visit").fetchone()[0]
    stretches = read(_STRETCHES, (max(1, -(-newest // points)),))
    running = accumulate(stretches, lambda before, here: (before[0] + here[0], before[1] + here[1]))
    return [(fetched, relevant / fetched) for fetched, relevant in running]


def best_pages(read: Read, limit: int = 20) -> list[Entry]:
    """The most relevant pages, duplicates left out."""
    best = "SELECT * FROM entry WHERE fresh ORDER BY relevance DESC LIMIT ?"
    return [_entry(row) for row in _rows(read, best, limit)]


def entry_of(read: Read, url: Url) -> Entry | None:
    """What became of a url; None if it was not visited."""
    row = next(_rows(read, "SELECT * FROM entry WHERE url_hash = ? AND url = ?", url_hash(url), url), None)
    return None if row is None else _entry(row)


class Trouble(NamedTuple):
    """What stood in the way of a page."""

    url: Url
    outcome: str
    detail: str


def first_troubles(read: Read, limit: int = 3) -> list[Trouble]:
    """If no page has come at all: what came of the first urls."""
    if read("SELECT 1 FROM visit WHERE outcome = 'page' LIMIT 1").fetchone():
        return []
    rows = read("SELECT url, outcome, coalesce(detail, '') FROM visit ORDER BY number LIMIT ?", (limit,))
    return [Trouble(*row) for row in rows]


def every_visit(read: Read) -> Iterator[sqlite3.Row]:
    """All rows so far, in order; what is kept while they are read is left out."""
    return _rows(read, "SELECT * FROM entry WHERE number <= (SELECT max(number) FROM visit) ORDER BY number")


_COUNTS = """
    SELECT count(*), coalesce(sum(asked), 0), coalesce(sum(outcome = 'page'), 0), coalesce(sum(fresh), 0),
           count(duplicate_of), count(near), coalesce(sum(bytes), 0), count(DISTINCT CASE WHEN asked THEN host END)
    FROM visit
"""
_TOTALS = """
    SELECT coalesce(max(number), 0), coalesce(sum(asked), 0), coalesce(sum(fresh), 0), coalesce(sum(bytes), 0)
    FROM visit
"""
_HOSTS = """
    SELECT host, count(*), sum(fresh) FROM visit WHERE asked
    GROUP BY host ORDER BY sum(fresh) DESC, count(*) DESC, host LIMIT ?
"""
_STRETCHES = """
    SELECT count(*), sum(fresh) FROM visit WHERE asked GROUP BY (number - 1) / ?1 ORDER BY (number - 1) / ?1
"""


def _rows(read: Read, sql: str, *values: Any) -> Iterator[sqlite3.Row]:
    cursor = read(sql, values)
    cursor.row_factory = sqlite3.Row
    return cursor


def _entry(row: sqlite3.Row) -> Entry:
    judgement = judgement_of(row)
    plain = ("number", "url", "outcome", "status", "at", "depth", "parent", "anchor", "priority", "relevance")
    return Entry(
        **{name: row[name] for name in plain},
        final_url=row["final_url"] or row["url"],
        relevant=bool(row["relevant"]),
        evidence=judgement.evidence if judgement else (),
        title=row["title"] or "",
        language=row["language"] or "",
        duplicate_of=row["first_url"],
        near=row["near_url"],
    )
