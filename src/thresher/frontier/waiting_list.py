"""What the frontier of a crawl knows, read from its SQLite file: what is near the seeds, the best that waits, and how much on which host.

Each function takes a way to read, as in `reading`. None looks at all urls: ten million of them may wait.
"""

from collections.abc import Iterator
from typing import NamedTuple

from thresher.frontier.keys import key_of
from thresher.frontier.reading import Read, has_keys
from thresher.model import Url
from thresher.urls import canonical, url_hash

_AT_A_TIME = 500
"""Urls that are looked up with one question."""
_NEAR = "SELECT url, depth FROM {} WHERE seq <= ?1 AND depth <= 1 ORDER BY seq LIMIT ?2"
_EARLY = 200_000
"""Seeds are fetched first, so what they link to is among the first urls that are met."""
_WAITING = "SELECT {0}, priority FROM {1} WHERE state < 2 AND {0} IN ({2})"
_BEST = """
    SELECT first.url, -best.worth, iif(later.seq IS NULL, first.depth, later.depth),
           coalesce(page.url, iif(later.seq IS NULL, first.parent, later.parent)), iif(later.seq IS NULL, first.anchor, later.anchor)
    FROM (SELECT host, worth, seq FROM best_waiting ORDER BY worth, seq LIMIT ?) AS best
    JOIN origin AS first ON first.seq = best.seq
    LEFT JOIN new_origin AS later ON later.host = best.host AND later.seq = best.seq
    LEFT JOIN origin AS page ON page.seq = iif(later.seq IS NULL, first.parent, later.parent)
    ORDER BY best.worth, best.seq
"""
_BY_HOST = "SELECT name, waiting, strains FROM host WHERE waiting > 0 ORDER BY waiting DESC, number LIMIT ?"


class NearUrl(NamedTuple):
    """A url that the frontier has met."""

    url: Url
    depth: int
    """Links from a seed to where it was found first."""
    priority: float | None
    """If it waits."""


class WaitingUrl(NamedTuple):
    """One of the best waiting urls."""

    url: Url
    priority: float
    depth: int
    parent: Url | None
    anchor: str


class WaitingOnHost(NamedTuple):
    """How much waits on a host."""

    host: str
    waiting: int
    strains: int
    """How often in a row it gave no good answer."""


def near_the_seeds(read: Read, most: int) -> list[NearUrl]:
    """The seeds and what they link to, in the order in which they were met; the first so many."""
    keyed = has_keys(read)
    found = read(_NEAR.format("origin" if keyed else "url"), (_EARLY, most)).fetchall()
    urls = [
        (url, depth) for url, depth in found if canonical(url) == url
    ]  # a file that somebody sent may hold anything
    parts = (urls[start : start + _AT_A_TIME] for start in range(0, len(urls), _AT_A_TIME))
    return [known for part in parts for known in _with_priorities(read, part, keyed=keyed)]


def _with_priorities(read: Read, urls: list[tuple[Url, int]], *, keyed: bool) -> Iterator[NearUrl]:
    """A file of format 1 knows a url by the hash of all of it."""
    named = {url: (key_of if keyed else url_hash)(url) for url, _ in urls}
    asked = _WAITING.format(*(("key", "known") if keyed else ("hash", "url")), ",".join("?" * len(named)))
    waiting = dict(read(asked, tuple(named.values())).fetchall())
    return (NearUrl(url, depth, waiting.get(named[url])) for url, depth in urls)


def best_of_waiting(read: Read, limit: int) -> list[WaitingUrl]:
    """The urls of the highest priority; their hosts may have to rest before they are fetched. None from a file of format 1."""
    if not has_keys(read):
        return []
    rows = read(_BEST, (limit,)).fetchall()
    return [WaitingUrl(url, priority, depth, parent, anchor or "") for url, priority, depth, parent, anchor in rows]


def waiting_by_host(read: Read, limit: int) -> list[WaitingOnHost]:
    """The hosts on which most waits."""
    return [WaitingOnHost(*row) for row in read(_BY_HOST, (limit,)).fetchall()]
