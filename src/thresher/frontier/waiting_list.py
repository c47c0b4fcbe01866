"""What waits in the frontier of a crawl, read from its SQLite file: an even sample of it, the best of it, and how much on which host.

Each function takes a way to read, as in `reading`. None looks at all urls: ten million of them may wait.
"""

from collections.abc import Iterator
from typing import NamedTuple

from thresher.frontier.keys import key_of
from thresher.frontier.reading import Read, has_keys
from thresher.model import Url

_AT_A_TIME = 500
"""Urls that are looked up with one question."""
# Every so manieth url by its age. By their keys they stand together by hosts, and a sample of hosts is none of urls.
_EVERY = """
    WITH RECURSIVE place (seq) AS (SELECT ?1 UNION ALL SELECT seq + ?1 FROM place WHERE seq + ?1 <= ?2)
    SELECT page.url, page.depth FROM place CROSS JOIN origin AS page ON page.seq = place.seq
"""
_STATES = "SELECT key, priority FROM known WHERE state < 2 AND key IN ({})"
_EVERY_OF_FORMAT_1 = """
    WITH RECURSIVE place (seq) AS (SELECT ?1 UNION ALL SELECT seq + ?1 FROM place WHERE seq + ?1 <= ?2)
    SELECT page.depth, page.priority FROM place CROSS JOIN url AS page ON page.seq = place.seq WHERE page.state < 2
"""
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


class WaitingSample(NamedTuple):
    """Some of the waiting urls, evenly spread over the time in which they were found."""

    each: int
    """How many waiting urls one of them stands for."""
    urls: list[tuple[int, float]]
    """Links from a seed to where it was found first, and its priority now."""


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


def sample_of_waiting(read: Read, most: int) -> WaitingSample:
    """About so many of the urls that the frontier knows, of which those that wait are told; all of them if there are no more."""
    table = "origin" if has_keys(read) else "url"
    (newest,) = read(f"SELECT coalesce(max(seq), 0) FROM {table}").fetchone()  # noqa: S608 - a name of our own
    step = max(1, -(-newest // most))
    if table == "url":
        return WaitingSample(step, read(_EVERY_OF_FORMAT_1, (step, newest)).fetchall())
    return WaitingSample(step, list(_that_wait(read, read(_EVERY, (step, newest)).fetchall())))


def _that_wait(read: Read, known: list[tuple[Url, int]]) -> Iterator[tuple[int, float]]:
    for start in range(0, len(known), _AT_A_TIME):
        depths = {key_of(url): depth for url, depth in known[start : start + _AT_A_TIME]}
        for key, priority in read(_STATES.format(",".join("?" * len(depths))), tuple(depths)).fetchall():
            yield depths[key], priority


def best_of_waiting(read: Read, limit: int) -> list[WaitingUrl]:
    """The urls of the highest priority; their hosts may have to rest before they are fetched. None from a file of format 1."""
    if not has_keys(read):
        return []
    rows = read(_BEST, (limit,)).fetchall()
    return [WaitingUrl(url, priority, depth, parent, anchor or "") for url, priority, depth, parent, anchor in rows]


def waiting_by_host(read: Read, limit: int) -> list[WaitingOnHost]:
    """The hosts on which most waits."""
    return [WaitingOnHost(*row) for row in read(_BY_HOST, (limit,)).fetchall()]
