"""The visits of a crawl at a glance: a stretch at a time, so that whoever watches a crawl reads each row once.

Each function takes a way to read, as those of `visits.py` do. None of them looks at all rows.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from thresher.disk.found_rows import Read
from thresher.model import Evidence, Url
from thresher.store.visits import newest_visit
from thresher.urls import url_hash

_AFTER = """
    SELECT number, asked, outcome, fresh, bytes, at, priority, tries, host, parent FROM visit
    WHERE number > ? ORDER BY number LIMIT ?
"""
_EVIDENCE_AFTER = """
    SELECT number, fresh, evidence FROM visit WHERE number > ? AND evidence IS NOT NULL AND outcome = 'page' ORDER BY number LIMIT ?
"""
_SHOWN = """
    SELECT number, url, host, coalesce(title, ''), outcome, coalesce(detail, ''), relevance, coalesce(relevant, FALSE), fresh, at, priority,
           anchor, parent, final_url, evidence
    FROM visit
"""
_LATEST = f"{_SHOWN} WHERE number > ? AND outcome = 'page' ORDER BY number DESC LIMIT ?"
_NUMBERED = f"{_SHOWN} WHERE number = ? LIMIT 1"
_OF_URL = f"{_SHOWN} WHERE url_hash = ? AND url = ? ORDER BY number LIMIT 1"
_LOOKED_BACK = 5000
"""Rows that are looked at for the latest pages: of a crawl that gets only errors, no more are read."""


class Glance(NamedTuple):
    """A visit as a row of numbers."""

    number: int
    asked: int
    outcome: str
    fresh: int
    """Whether it counted as harvest."""
    bytes: int
    at: float
    priority: float
    tries: int
    """Before this one."""
    host: str
    parent: str | None


class ShownVisit(NamedTuple):
    """A visit as a line of a list shows it. All texts are of the web, and as long as the web made them."""

    number: int
    url: Url
    host: str
    title: str
    outcome: str
    detail: str
    relevance: float | None
    relevant: bool
    fresh: bool
    at: float
    priority: float
    anchor: str
    parent: Url | None
    final_url: Url | None
    evidence: tuple[Evidence, ...]


def moment_of(read: Read, number: int) -> tuple[int, float] | None:
    """What tells a visit from that of another crawl with the same number; None if there is none."""
    found = read("SELECT url_hash, at FROM visit WHERE number = ?", (number,)).fetchone()
    return found and (found[0], found[1])


def glances_after(read: Read, number: int, limit: int) -> list[Glance]:
    """The next visits after that number, in order."""
    return [Glance._make(row) for row in read(_AFTER, (number, limit)).fetchall()]


def evidence_after(read: Read, number: int, limit: int) -> list[tuple[int, bool, list[tuple[str, str, float]]]]:
    """Of the next judged pages: their numbers, whether they counted as harvest, and what was found on them."""
    rows = read(_EVIDENCE_AFTER, (number, limit))
    return [(each, bool(fresh), json.loads(evidence)) for each, fresh, evidence in rows]


def latest_pages(read: Read, limit: int) -> list[ShownVisit]:
    """The latest pages, newest first."""
    return _shown(read(_LATEST, (newest_visit(read) - _LOOKED_BACK, limit)))


def visits_numbered(read: Read, numbers: Iterable[int]) -> list[ShownVisit]:
    """The visits of these numbers, in this order; what is not there is left out."""
    return [each for number in numbers for each in _shown(read(_NUMBERED, (number,)))]


def visits_of_urls(read: Read, urls: Iterable[Url]) -> list[ShownVisit]:
    """The first visits of these urls, in this order; what was not visited is left out."""
    return [each for url in urls for each in _shown(read(_OF_URL, (url_hash(url), url)))]


def _shown(rows: Iterable[tuple[object, ...]]) -> list[ShownVisit]:
    return [_one_shown(*row) for row in rows]


def _one_shown(*row: object) -> ShownVisit:
    evidence = json.loads(row[-1]) if isinstance(row[-1], str) else ()
    said = tuple(Evidence(*each) for each in evidence)
    return ShownVisit._make((*row[:7], bool(row[7]), bool(row[8]), *row[9:-1], said))
