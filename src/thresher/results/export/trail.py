"""The way from a seed to a page, link by link."""

import sqlite3
from functools import lru_cache
from typing import NamedTuple

from thresher.model import Url
from thresher.store.reading import Read
from thresher.urls import url_hash

_REMEMBERED = 10_000
"""Pages whose parents are known; so many that siblings find theirs, so few that memory stays small."""


class Step(NamedTuple):
    """A page on the way."""

    url: Url
    anchor: str
    """The words of the link that led to it; empty for a seed."""


class Origin(NamedTuple):
    """Where a page was found."""

    number: int
    parent: Url | None
    anchor: str


class Trails:
    """Looks up the ways that a crawl took."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._origin = lru_cache(_REMEMBERED)(self._look_up)

    def to(self, row: sqlite3.Row) -> list[Step]:
        """From the seed to the page of a row, both included."""
        here = Origin(row["number"], row["parent"], row["anchor"])
        steps = [Step(row["url"], here.anchor)]
        while here.parent is not None:
            before = self._origin(here.parent)
            steps.append(Step(here.parent, before.anchor if before else ""))
            # Links lead from earlier visits to later ones, so there is an end even if the catalogue were wrong.
            if before is None or before.number >= here.number:
                break
            here = before
        return steps[::-1]

    def _look_up(self, url: Url) -> Origin | None:
        row = self._read(_ORIGIN, (url_hash(url), url)).fetchone()
        return Origin(*row) if row else None


_ORIGIN = """
    SELECT number, parent, anchor FROM visit
    WHERE url_hash = ? AND url = ? AND outcome = 'page' ORDER BY number LIMIT 1
"""
