"""Pages as they are today: what the latest look saw, or what was kept first if the page has not changed since.

The temporary view `current` has the columns of `entry`, so that the same code reads both, and four more: `version`, the number of the
look that saw the page change last; `gone`, when it was found to be gone; `hand`, what a person said of this version of it; and `judged`,
the number of the round that judged it anew, or nothing if its judgement is the crawl's (see `rejudgements`).
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from thresher.disk.found_rows import Read, Readable, Row, columns_of, has_table
from thresher.disk.schemas import statements
from thresher.model import Url
from thresher.store.labels import labels
from thresher.store.rejudgements import ANEW_OF_LOOK, round_in_force, show_rejudged
from thresher.store.visits import named_row, named_rows
from thresher.urls import url_hash

# The columns that a look gives a changed page, and those that are true of its first version only.
_CHANGES = """
    at status relevant relevance evidence title language canonical noindex facts fresh bytes content_hash file offset length request
    judged
"""
_FIRST_ONLY = "sent elapsed simhash duplicate_of near first_file first_offset first_length first_url near_url"
_HAND = "(SELECT relevant FROM main.label WHERE label.url = entry.url AND label.at >= coalesce(look.at, label.at))"
_BY_HAND = "SELECT number, relevance, hand FROM current WHERE url_hash = ? AND url = ? AND outcome = 'page' AND hand IS NOT NULL"
_TO_LABEL = """
    FROM current
    WHERE outcome = 'page' AND relevance IS NOT NULL AND duplicate_of IS NULL AND near IS NULL AND file IS NOT NULL AND gone IS NULL
"""
# Numbers alone are sorted, not whole rows.
_NEAREST = f"SELECT number {_TO_LABEL} ORDER BY abs(relevance - ?), number"
_NOT_ASKED = """
    AND NOT EXISTS (SELECT 1 FROM main.label WHERE label.url = current.url AND (version IS NULL OR label.at >= current.at))
"""
_UNLABELLED = f"SELECT count(*) {_TO_LABEL} {_NOT_ASKED}"
_OF_URL = "SELECT * FROM current WHERE url_hash = ? AND url = ? AND outcome = 'page' ORDER BY number LIMIT 1"
_CHANGED = """
    SELECT * FROM current WHERE number IN (SELECT visit FROM revisit WHERE found = 'changed' AND number > ?1)
    ORDER BY version LIMIT ?2
"""
# The table of looks itself, not the view in front of it: a view of two tables cannot be looked up by number here.
_VIEW = """
    CREATE TEMP VIEW current AS
    SELECT {columns}, look.number AS version,
           (SELECT iif(found = 'gone', at, NULL) FROM {looks} WHERE visit = entry.number AND found NOT IN ('refused', 'failed')
            ORDER BY number DESC LIMIT 1) AS gone,
           {hand} AS hand{judged}
    FROM entry
    LEFT JOIN {looks} AS look
        ON look.number = (SELECT max(number) FROM {looks} WHERE visit = entry.number AND found = 'changed')
    {anew}
"""
_ANEW = "LEFT JOIN main.rejudgement AS anew ON anew.round = {round} AND anew.visit = entry.number AND anew.look = look.number"


def show_current(catalogue: Readable) -> None:
    """Give a connection the view `current`, with the judgements in force. Without later looks it gets an empty temporary table of them."""
    in_force = round_in_force(catalogue.execute)
    wanted = in_force.number if in_force else 0
    if catalogue.views == wanted:
        return
    if catalogue.views is not None:  # of a connection to PostgreSQL that is used again: a round was put in force since
        catalogue.execute("DISCARD TEMP")
        catalogue.execute("DISCARD PLANS")
    latest = show_rejudged(catalogue)
    looks = "main.revisit" if has_table(catalogue.execute, "revisit") else "temp.revisit"
    if looks == "temp.revisit":
        for statement in statements("store_revisits"):
            catalogue.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    columns, of_looks = columns_of(catalogue.execute, "entry"), set(columns_of(catalogue.execute, looks))
    view = _VIEW.format(
        columns=", ".join(_column(name, of_looks, anew=latest is not None) for name in columns),
        looks=looks,
        hand=_HAND if has_table(catalogue.execute, "label") else "NULL",
        judged="" if latest else ", CAST(NULL AS bigint) AS judged",
        anew=_ANEW.format(round=latest.number) if latest else "",
    )
    catalogue.execute(view)
    catalogue.views = wanted


def current_row(read: Read, number: int) -> Row:
    """The page of that visit as it is today."""
    return next(named_rows(read, "SELECT * FROM current WHERE number = ? LIMIT 1", number))


def current_page(read: Read, url: Url) -> Row | None:
    """The page of a url as it is today; None if none was kept."""
    return named_row(read, _OF_URL, url_hash(url), url)


def pages_nearest(read: Read, relevance: float) -> Iterator[Row]:
    """Pages that can still be judged by hand, those nearest to that relevance first. Copies and pages that are gone are left out."""
    return (current_row(read, number) for (number,) in read(_NEAREST, (relevance,)))


def count_unlabelled(read: Read) -> int:
    """How many pages a person can still be asked about: in their present version nobody was. There must be a table of labels."""
    return int(read(_UNLABELLED).fetchone()[0])


def changed_after(read: Read, look: int, limit: int) -> list[Row]:
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


def _column(name: str, of_looks: Collection[str], *, anew: bool) -> str:
    # Looks from before there were facts have none.
    changed = "NULL" if name == "facts" and name not in of_looks else f'look."{name}"'
    if anew and name in ANEW_OF_LOOK:
        changed = f'iif(anew.round IS NULL, look."{name}", {ANEW_OF_LOOK[name]})'
    if name == "judged":
        changed = "anew.round"
    if name in _CHANGES.split():
        return f'iif(look.number IS NULL, entry."{name}", {changed}) AS "{name}"'
    if name in _FIRST_ONLY.split():
        return f'iif(look.number IS NULL, entry."{name}", NULL) AS "{name}"'
    return f'entry."{name}" AS "{name}"'
