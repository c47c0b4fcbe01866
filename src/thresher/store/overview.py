"""A crawl of any length in an overview: samples, hosts and what may be done with the pages, in a pass over it each.

Each function takes a way to read: `open_catalogue(home).execute`, or `Ledger.read` in the process that crawls. What comes back is bounded,
however many pages there are.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from thresher.disk.found_rows import Read, columns_of
from thresher.model import Url
from thresher.store.visits import newest_visit
from thresher.urls import url_hash

_AT_A_TIME = 500
"""Urls that are looked up with one question."""
_EVERY = """
    WITH RECURSIVE place (number) AS (SELECT ?1 UNION ALL SELECT number + ?1 FROM place WHERE number + ?1 <= ?2)
    SELECT page.priority, page.fresh FROM place CROSS JOIN visit AS page
    WHERE page.number = place.number AND page.asked AND page.depth > 0 ORDER BY place.number
"""
_FETCHES = """
    SELECT visit.url, visit.priority, visit.fresh FROM json_each(?) AS wanted CROSS JOIN visit
    WHERE visit.url_hash = CAST(wanted.value AS bigint) AND visit.asked ORDER BY visit.number
"""
_HOSTS = """
    SELECT host, count(*), count(*) FILTER (WHERE fresh), min(number) FROM visit WHERE asked
    GROUP BY host ORDER BY count(*) FILTER (WHERE fresh) DESC, count(*) DESC, host LIMIT ?
"""
_NAMED_HOSTS = """
    SELECT host, count(*), count(*) FILTER (WHERE fresh), min(number) FROM visit
    WHERE asked AND host IN (SELECT value FROM json_each(?)) GROUP BY host
"""
_BEST_OF_HOSTS = """
    SELECT number FROM (
        SELECT number, row_number() OVER (PARTITION BY host ORDER BY relevance DESC, number) AS place
        FROM visit WHERE fresh AND host IN (SELECT value FROM json_each(?1))
    ) AS placed WHERE place <= ?2
"""
_PAGE_FACTS = """
    SELECT count(*), count(*) FILTER (WHERE noindex), count(licence), count(reserved), count(DISTINCT licence) FROM (
        SELECT noindex, coalesce(json_extract(facts, '$.licence'), json_extract(facts, '$.licence_url')) AS licence,
               json_extract(facts, '$.reserved') AS reserved FROM visit WHERE fresh
    ) AS told
"""
_LICENCES = """
    SELECT licence, count(*) FROM (
        SELECT coalesce(json_extract(facts, '$.licence'), json_extract(facts, '$.licence_url')) AS licence FROM visit WHERE fresh
    ) AS told WHERE licence IS NOT NULL GROUP BY licence ORDER BY count(*) DESC, licence LIMIT ?
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

    def as_json(self) -> dict[str, int]:
        """For programs."""
        return {"fetched": self.fetched, "relevant": self.relevant}


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
    newest = newest_visit(read)
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


def page_rights(read: Read, most: int = 8) -> PageRights:
    """What the relevant pages say of their use; of folders from before there were facts, only what is known."""
    if "facts" not in columns_of(read, "visit"):
        pages, noindex = read("SELECT count(*), count(*) FILTER (WHERE noindex) FROM visit WHERE fresh").fetchone()
        return PageRights(pages, noindex, 0, 0, {}, 0)
    pages, noindex, licensed, reserved, kinds = read(_PAGE_FACTS).fetchone()
    licences = dict(read(_LICENCES, (most,)).fetchall()) if licensed else {}
    return PageRights(pages, noindex, licensed, reserved, licences, kinds)
