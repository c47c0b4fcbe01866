"""A crawl of any length in an overview: samples, hosts, what went wrong and what may be done with the pages, in a pass over it each.

Each function takes a way to read: `open_catalogue(path).execute`, or `Ledger.read` in the process that crawls. What comes back is bounded,
however many pages there are.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from thresher.model import LISTS, PAGE, Url
from thresher.store.visits import Read
from thresher.urls import url_hash

_READ = (PAGE, "redirect", *LISTS)
"""Outcomes of urls that could be read."""
_AT_A_TIME = 500
"""Urls that are looked up with one question."""
_EVERY = """
    WITH RECURSIVE place (number) AS (SELECT ?1 UNION ALL SELECT number + ?1 FROM place WHERE number + ?1 <= ?2)
    SELECT page.priority, page.fresh FROM place CROSS JOIN visit AS page ON page.number = place.number WHERE page.asked AND page.depth > 0
"""
_FETCHES = """
    SELECT visit.url, visit.priority, visit.fresh FROM json_each(?) AS wanted CROSS JOIN visit ON visit.url_hash = wanted.value
    WHERE visit.asked
"""
_HOSTS = """
    SELECT host, count(*), sum(fresh), min(number) FROM visit WHERE asked
    GROUP BY host ORDER BY sum(fresh) DESC, count(*) DESC, host LIMIT ?
"""
_NAMED_HOSTS = """
    SELECT host, count(*), sum(fresh), min(number) FROM visit WHERE asked AND host IN (SELECT value FROM json_each(?)) GROUP BY host
"""
_BEST_OF_HOSTS = """
    SELECT number FROM (
        SELECT number, row_number() OVER (PARTITION BY host ORDER BY relevance DESC, number) AS place
        FROM visit WHERE fresh AND host IN (SELECT value FROM json_each(?1))
    ) WHERE place <= ?2
"""
_LINKED = "SELECT number, url, host, parent, anchor, coalesce(title, ''), relevance, fresh FROM visit WHERE "
_TROUBLES = """
    SELECT outcome, host, count(*) FROM visit WHERE outcome NOT IN (SELECT value FROM json_each(?1))
    GROUP BY outcome, host ORDER BY count(*) DESC, outcome, host LIMIT ?2
"""
_MISSED = """
    SELECT url, outcome, coalesce(detail, ''), priority, depth, parent, anchor FROM visit
    WHERE outcome NOT IN (SELECT value FROM json_each(?1)) ORDER BY priority DESC, number LIMIT ?2
"""
_RETRIED = """
    SELECT count(*), coalesce(sum(tries), 0), coalesce(sum(outcome IN (SELECT value FROM json_each(?))), 0) FROM visit WHERE tries > 0
"""
_PAGE_FACTS = """
    SELECT count(*), coalesce(sum(noindex), 0), count(licence), count(reserved), count(DISTINCT licence) FROM (
        SELECT noindex, coalesce(json_extract(facts, '$.licence'), json_extract(facts, '$.licence_url')) AS licence,
               json_extract(facts, '$.reserved') AS reserved FROM visit WHERE fresh
    )
"""
_LICENCES = """
    SELECT coalesce(json_extract(facts, '$.licence'), json_extract(facts, '$.licence_url')) AS licence, count(*) FROM visit
    WHERE fresh AND licence IS NOT NULL GROUP BY licence ORDER BY count(*) DESC, licence LIMIT ?
"""


class FetchedUrl(NamedTuple):
    """What came of a url that was asked for."""

    priority: float
    """When it was fetched."""
    fresh: bool
    """Whether it counted as harvest."""


class HostFound(NamedTuple):
    """What came of one host, and which visit was the first there."""

    host: str
    fetched: int
    relevant: int
    first: int


class LinkedVisit(NamedTuple):
    """A visit and the link that led to it."""

    number: int
    url: Url
    host: str
    parent: Url | None
    anchor: str
    title: str
    relevance: float | None
    fresh: bool
    """Whether it counted as harvest."""


class TroubleOnHost(NamedTuple):
    """How often visits of a host ended in one way that gave no page."""

    outcome: str
    host: str
    urls: int


class MissedPage(NamedTuple):
    """A url that could not be read, and how promising it was."""

    url: Url
    outcome: str
    detail: str
    priority: float
    depth: int
    parent: Url | None
    anchor: str


class Retries(NamedTuple):
    """Urls that were tried more than once."""

    urls: int
    again: int
    """How many tries were repeated."""
    came: int
    """Of these urls, those that could be read in the end."""


class PageRights(NamedTuple):
    """What the relevant pages say of what may be done with them."""

    pages: int
    noindex: int
    """Ask search engines not to list them."""
    licensed: int
    """Name a licence."""
    reserved: int
    """Reserve text and data mining."""
    licences: dict[str, int]
    """The most frequent ones."""
    kinds: int
    """Different licences."""


def sample_of_links(read: Read, most: int) -> list[FetchedUrl]:
    """About so many of the links that were fetched, evenly spread over the crawl; all of them if there are no more."""
    (newest,) = read("SELECT coalesce(max(number), 0) FROM visit").fetchone()
    rows = read(_EVERY, (max(1, -(-newest // most)), newest)).fetchall() if newest else []
    return [FetchedUrl(priority, bool(fresh)) for priority, fresh in rows]


def fetches_of(read: Read, urls: Sequence[Url]) -> dict[Url, FetchedUrl]:
    """What came of those of the urls that were asked for."""
    found: dict[Url, FetchedUrl] = {}
    for start in range(0, len(urls), _AT_A_TIME):
        hashes = json.dumps([url_hash(url) for url in urls[start : start + _AT_A_TIME]])
        found |= {
            url: FetchedUrl(priority, bool(fresh)) for url, priority, fresh in read(_FETCHES, (hashes,)).fetchall()
        }
    return found


def span_of_visits(read: Read) -> tuple[float, float] | None:
    """When the first visit was made, and when the last; None if there was none."""
    first = read("SELECT at FROM visit ORDER BY number LIMIT 1").fetchone()
    last = read("SELECT at FROM visit ORDER BY number DESC LIMIT 1").fetchone()
    return (first[0], last[0]) if first and last else None


def hosts_found(read: Read, limit: int) -> list[HostFound]:
    """The hosts with the most relevant pages, best first."""
    return [HostFound(*row) for row in read(_HOSTS, (limit,)).fetchall()]


def hosts_named(read: Read, names: Collection[str]) -> list[HostFound]:
    """The same of hosts by their names."""
    return [HostFound(*row) for row in read(_NAMED_HOSTS, (json.dumps(sorted(names)),)).fetchall()] if names else []


def best_of_hosts(read: Read, names: Iterable[str], each: int) -> list[int]:
    """The numbers of the most relevant pages of these hosts, so many of each."""
    return [number for (number,) in read(_BEST_OF_HOSTS, (json.dumps(list(names)), each)).fetchall()]


def linked_visit(read: Read, number: int) -> LinkedVisit:
    """The visit of that number, which must be there."""
    return _linked(read(f"{_LINKED} number = ?", (number,)).fetchone())


def linked_visit_of(read: Read, url: Url) -> LinkedVisit | None:
    """The first visit of a url; None if it was not visited."""
    row = read(f"{_LINKED} url_hash = ? AND url = ? ORDER BY number LIMIT 1", (url_hash(url), url)).fetchone()
    return _linked(row) if row else None


def _linked(row: tuple[object, ...]) -> LinkedVisit:
    found = LinkedVisit(*row)  # type: ignore[arg-type]  # the columns of the statement above
    return found._replace(fresh=bool(found.fresh))


def troubles_by_host(read: Read, limit: int) -> list[TroubleOnHost]:
    """Which outcomes that gave no page were met on which hosts, the most frequent first."""
    return [TroubleOnHost(*row) for row in read(_TROUBLES, (json.dumps(_READ), limit)).fetchall()]


def missed_pages(read: Read, limit: int) -> list[MissedPage]:
    """The urls of the highest priorities that could not be read."""
    return [MissedPage(*row) for row in read(_MISSED, (json.dumps(_READ), limit)).fetchall()]


def retries(read: Read) -> Retries:
    """How often urls were tried again, and with what success."""
    return Retries(*read(_RETRIED, (json.dumps(_READ),)).fetchone())


def page_rights(read: Read, most: int = 8) -> PageRights:
    """What the relevant pages say of their use; of folders from before there were facts, only what is known."""
    if "facts" not in [name for _, name, *_ in read("PRAGMA table_info(visit)")]:
        pages, noindex = read("SELECT count(*), coalesce(sum(noindex), 0) FROM visit WHERE fresh").fetchone()
        return PageRights(pages, noindex, 0, 0, {}, 0)
    pages, noindex, licensed, reserved, kinds = read(_PAGE_FACTS).fetchone()
    licences = dict(read(_LICENCES, (most,)).fetchall()) if licensed else {}
    return PageRights(pages, noindex, licensed, reserved, licences, kinds)
