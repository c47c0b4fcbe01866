"""Pages as they are today: what the latest look saw, or what was kept first if the page has not changed since.

The temporary view `current` has the columns of `entry`, so that the same code reads both, and three more: `version`, the number of the
look that saw the page change last; `gone`, when it was found to be gone; and `hand`, what a person said of this version of it.
"""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from thresher.model import Url
from thresher.store.labels import labels
from thresher.store.looks import REVISITS
from thresher.store.visits import Read, has_table, named_rows
from thresher.urls import url_hash

# The columns that a look gives a changed page, and those that are true of its first version only.
_CHANGES = """
    at status relevant relevance evidence title language canonical noindex fresh bytes content_hash file offset length request
"""
_FIRST_ONLY = "sent elapsed simhash duplicate_of near first_file first_offset first_length first_url near_url"
_HAND = "(SELECT relevant FROM main.label WHERE label.url = entry.url AND label.at >= coalesce(look.at, label.at))"
_BY_HAND = "SELECT number, relevance, hand FROM current WHERE url_hash = ? AND url = ? AND outcome = 'page' AND hand IS NOT NULL"
_NEAREST = """
    SELECT * FROM current
    WHERE outcome = 'page' AND relevance IS NOT NULL AND duplicate_of IS NULL AND near IS NULL AND file IS NOT NULL AND gone IS NULL
    ORDER BY abs(relevance - ?), number
"""
_OF_URL = "SELECT * FROM current WHERE url_hash = ? AND url = ? AND outcome = 'page' ORDER BY number LIMIT 1"
_CHANGED = """
    SELECT * FROM current WHERE number IN (SELECT visit FROM revisit WHERE found = 'changed' AND number > ?1)
    ORDER BY version LIMIT ?2
"""
_VIEW = """
    CREATE TEMP VIEW current AS
    SELECT {columns}, look.number AS version,
           (SELECT iif(found = 'gone', at, NULL) FROM revisit WHERE visit = entry.number AND found NOT IN ('refused', 'failed')
            ORDER BY number DESC LIMIT 1) AS gone,
           {hand} AS hand
    FROM entry
    LEFT JOIN revisit AS look
        ON look.number = (SELECT max(number) FROM revisit WHERE visit = entry.number AND found = 'changed')
"""


def show_current(catalogue: sqlite3.Connection) -> None:
    """Give a connection the view `current`. A crawl without later looks gets an empty temporary table of them."""
    if not has_table(catalogue.execute, "revisit"):
        catalogue.executescript(REVISITS.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    columns = [name for _, name, *_ in catalogue.execute("PRAGMA table_info(entry)")]
    hand = _HAND if has_table(catalogue.execute, "label") else "NULL"
    catalogue.execute(_VIEW.format(columns=", ".join(map(_column, columns)), hand=hand))


def current_row(read: Read, number: int) -> sqlite3.Row:
    """The page of that visit as it is today."""
    return next(named_rows(read, "SELECT * FROM current WHERE number = ?", number))


def current_page(read: Read, url: Url) -> sqlite3.Row | None:
    """The page of a url as it is today; None if none was kept."""
    return next(named_rows(read, _OF_URL, url_hash(url), url), None)


def pages_nearest(read: Read, relevance: float) -> Iterator[sqlite3.Row]:
    """Pages that can still be judged by hand, those nearest to that relevance first. Copies and pages that are gone are left out."""
    return named_rows(read, _NEAREST, relevance)


def changed_after(read: Read, look: int, limit: int) -> list[sqlite3.Row]:
    """Pages that were seen to have changed after the look of that number, in the order of their latest changes."""
    return list(named_rows(read, _CHANGED, look, limit))


class ByHand(NamedTuple):
    """A page that a person judged as it is today."""

    number: int
    """Of the visit that kept it."""
    relevance: float | None
    """By the judge."""
    relevant: bool
    """By the person."""


def by_hand(read: Read) -> list[ByHand]:
    """What a person says of pages as they are today; labels of what a page once said are left out."""
    rows = (read(_BY_HAND, (url_hash(label.url), label.url)).fetchone() for label in labels(read))
    return [ByHand(number, relevance, bool(hand)) for number, relevance, hand in filter(None, rows)]


def _column(name: str) -> str:
    if name in _CHANGES.split():
        return f"iif(look.number IS NULL, entry.{name}, look.{name}) AS {name}"
    if name in _FIRST_ONLY.split():
        return f"iif(look.number IS NULL, entry.{name}, NULL) AS {name}"
    return f"entry.{name} AS {name}"
