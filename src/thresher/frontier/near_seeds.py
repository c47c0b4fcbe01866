"""What is near the seeds of a crawl, read from its frontier's SQLite file by another process.

It takes a way to read, as the functions of `reading.py` do, and does not look at all urls: ten million of them may wait.
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


class NearUrl(NamedTuple):
    """A url that the frontier has met."""

    url: Url
    depth: int
    """Links from a seed to where it was found first."""
    priority: float | None
    """If it waits."""


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
