"""The visits of a crawl, read from its catalogue: one by its url or number, or many in order.

Each function takes a way to read: `open_catalogue(home).execute`, or `Ledger.read` in the process that crawls.
The rows have the columns of the view `entry`; `rows.visit_of` makes a Visit of one.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.disk.crawl_home import Home
from thresher.disk.found_rows import Read, Readable, Row, by_name
from thresher.model import Candidate, Url
from thresher.urls import url_hash

_BY_URL = "SELECT * FROM entry WHERE url_hash = ? AND url = ? ORDER BY number LIMIT 1"
_BEST = "SELECT number, url, coalesce(title, ''), relevance, at FROM visit WHERE fresh ORDER BY relevance DESC, number DESC LIMIT ?"
_PAGES = """
    SELECT * FROM entry WHERE outcome = 'page' AND number > ? AND (? OR duplicate_of IS NULL) ORDER BY number LIMIT ?
"""
_COUNT = "SELECT count(*) FROM visit WHERE outcome = 'page' AND number > ? AND (? OR duplicate_of IS NULL)"
_LINKS = """
    SELECT url, parent, anchor, coalesce(title, ''), coalesce(relevance, 0.0), fresh FROM visit
    WHERE outcome IN ('page', 'feed', 'sitemap') ORDER BY number DESC
"""
_KEPT = """
    SELECT number, url, coalesce(sent, at), coalesce(relevant, FALSE), duplicate_of IS NOT NULL OR near IS NOT NULL FROM visit
    WHERE outcome = 'page' ORDER BY number
"""
_ORIGIN = """
    SELECT number, parent, anchor FROM visit
    WHERE url_hash = ? AND url = ? AND outcome IN ('page', 'feed', 'sitemap') ORDER BY number LIMIT 1
"""


class BestPage(NamedTuple):
    """A relevant page that repeats no other."""

    number: int
    url: Url
    title: str
    relevance: float
    at: float


class LinkedPage(NamedTuple):
    """A page and the link that led to it."""

    url: Url
    parent: Url | None
    anchor: str
    title: str
    relevance: float
    fresh: bool
    """Whether it counted as harvest."""


class KeptPage(NamedTuple):
    """A page as it was kept first."""

    number: int
    url: Url
    at: float
    """When it was asked for."""
    relevant: bool
    copy: bool
    """Whether it repeats an earlier page, exactly or nearly."""


class Origin(NamedTuple):
    """Where a page was found."""

    number: int
    parent: Url | None
    anchor: str


class Trouble(NamedTuple):
    """What stood in the way of a page."""

    url: Url
    outcome: str
    detail: str


def open_catalogue(home: Home) -> Readable:
    """The tables of a crawl, to be read only: a crawl that runs is not disturbed."""
    connection = home.catalogue()
    try:
        connection.execute("SELECT 1 FROM visit LIMIT 1")
    except BaseException:
        connection.close()
        raise
    return connection


def named_rows(read: Read, sql: str, *values: Any) -> Iterator[Row]:
    """Rows by the names of their columns."""
    return iter(by_name(read(sql, values)))


def named_row(read: Read, sql: str, *values: Any) -> Row | None:
    """The first of them; None if there is none."""
    found: Row | None = by_name(read(sql, values)).fetchone()
    return found


def newest_visit(read: Read) -> int:
    """The number of the newest visit; 0 if there is none."""
    return int(read("SELECT coalesce(max(number), 0) FROM main.visit").fetchone()[0])


def visit_row(read: Read, url: Url) -> Row | None:
    """The first visit of a url; None if it was not visited."""
    return named_row(read, _BY_URL, url_hash(url), url)


def numbered_row(read: Read, number: int) -> Row:
    """The visit of that number, which must be there."""
    return next(named_rows(read, "SELECT * FROM entry WHERE number = ? LIMIT 1", number))


def every_visit(read: Read) -> Iterator[Row]:
    """All rows so far, in order; what is kept while they are read is left out."""
    return named_rows(read, "SELECT * FROM entry WHERE number <= (SELECT max(number) FROM visit) ORDER BY number")


def pages_after(read: Read, number: int, limit: int, *, copies: bool = True) -> list[Row]:
    """The next pages after that visit; without copies, those with the bytes of an earlier one are left out.

    They come as a list: a crawl that runs could not tidy its log while a question is half read.
    """
    return list(named_rows(read, _PAGES, number, copies, limit))


def count_pages(read: Read, after: int = 0, *, copies: bool = True) -> int:
    """How many pages were kept after that visit."""
    return int(read(_COUNT, (after, copies)).fetchone()[0])


def best_pages(read: Read, limit: int = 20) -> list[BestPage]:
    """The most relevant pages, duplicates left out."""
    return [BestPage(*row) for row in read(_BEST, (limit,))]


def links_backwards(read: Read) -> Iterator[LinkedPage]:
    """All pages and lists, the latest first. A page comes after those that it led to."""
    for url, parent, anchor, title, relevance, fresh in read(_LINKS):
        yield LinkedPage(url, parent, anchor, title, relevance, bool(fresh))


def kept_pages(read: Read) -> Iterator[KeptPage]:
    """All pages as they were kept first, in order."""
    for number, url, at, relevant, copy in read(_KEPT):
        yield KeptPage(number, url, at, bool(relevant), bool(copy))


def candidate_of(read: Read, number: int) -> Candidate:
    """What the frontier knew of a url when it was lent for that visit."""
    told = "SELECT url, priority, depth, parent, anchor, chain FROM visit WHERE number = ?"
    url, priority, depth, parent, anchor, chain = read(told, (number,)).fetchone()
    return Candidate(url, priority, depth, parent, anchor, tuple(json.loads(chain)) if chain else ())


def origin_of(read: Read, url: Url) -> Origin | None:
    """Where a page was found; None if it was not kept."""
    row = read(_ORIGIN, (url_hash(url), url)).fetchone()
    return Origin(*row) if row else None


def first_of_cluster(read: Read, number: int) -> int:
    """The visit that a page nearly repeats, or the page itself."""
    return int(read("SELECT coalesce(near, number) FROM visit WHERE number = ?", (number,)).fetchone()[0])


def is_visit(read: Read, number: int, hashed_url: int, at: float) -> bool:
    """Whether the visit of that number is of this url and moment: if not, the folder holds another crawl."""
    found = read("SELECT 1 FROM visit WHERE number = ? AND url_hash = ? AND at = ?", (number, hashed_url, at))
    return found.fetchone() is not None


def first_troubles(read: Read, limit: int = 3) -> list[Trouble]:
    """If no page has come at all: what came of the first urls."""
    if read("SELECT 1 FROM visit WHERE outcome = 'page' LIMIT 1").fetchone():
        return []
    rows = read("SELECT url, outcome, coalesce(detail, '') FROM visit ORDER BY number LIMIT ?", (limit,))
    return [Trouble(*row) for row in rows]
