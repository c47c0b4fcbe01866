"""Pages as they are today: what `revisit` saw last in the place of what was kept first, which stays where it is.

The view `current` has the columns of `entry`, so that whoever reads the one can read the other, and `version`, `gone` and `hand` besides:
the look that saw it as it is, when it was gone, and what a person said of it, as long as no later look found it changed.
"""

import sqlite3
from typing import NamedTuple

from thresher.disk.schemas import schema
from thresher.store.labels import labels
from thresher.store.reading import Read, has_table
from thresher.urls import url_hash

REVISITS = schema("revisit")
# What a changed page has anew, and what was so of its first version alone.
_ANEW = """
    at status relevant relevance evidence title language canonical noindex fresh bytes content_hash file offset length request
"""
_ONCE = "sent elapsed simhash duplicate_of near first_file first_offset first_length first_url near_url"
_HAND = "(SELECT relevant FROM main.label WHERE label.url = entry.url AND label.at >= coalesce(look.at, label.at))"
_BY_HAND = "SELECT number, relevance, hand FROM current WHERE url_hash = ? AND url = ? AND outcome = 'page' AND hand IS NOT NULL"
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
    """Give a connection the view `current`. A crawl of which nothing was ever looked at again gets an empty table of looks."""
    if not has_table(catalogue.execute, "revisit"):
        catalogue.executescript(REVISITS.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    columns = [name for _, name, *_ in catalogue.execute("PRAGMA table_info(entry)")]
    hand = _HAND if has_table(catalogue.execute, "label") else "NULL"
    catalogue.execute(_VIEW.format(columns=", ".join(map(_column, columns)), hand=hand))


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
    if name in _ANEW.split():
        return f"iif(look.number IS NULL, entry.{name}, look.{name}) AS {name}"
    if name in _ONCE.split():
        return f"iif(look.number IS NULL, entry.{name}, NULL) AS {name}"
    return f"entry.{name} AS {name}"
