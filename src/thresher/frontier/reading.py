"""The frontier of a crawl, read from its SQLite file by another process: what waits, where, and which urls are known.

Each function takes a way to read, such as the `execute` of a connection to the file.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.disk.rows import Read
from thresher.frontier.keys import key_of
from thresher.frontier.options import FrontierOptions
from thresher.model import Candidate, Url
from thresher.urls import canonical, url_hash

_PLACE = """
    SELECT url.seq, url.state = 1, url.host, url.priority, url.depth, coalesce(page.url, url.parent), url.anchor, url.chain, url.tries,
           host.name, host.next_at, host.strains, host.fetched, host.waiting
    FROM url JOIN host ON host.number = url.host LEFT JOIN {} AS page ON page.seq = url.parent
    WHERE url.hash IN (?, ?) AND url.url = ? AND url.state < 2
"""
_COUNTED = """
    SELECT count(*) FILTER (WHERE host = ?1 AND (priority > ?2 OR seq < ?3)), count(*) FILTER (WHERE priority > ?2)
    FROM {} WHERE state = 0 AND priority >= ?2"""
_ALIKE = """
    SELECT host.name, alike.pages FROM alike JOIN host ON host.number = alike.host WHERE alike.yields_till > 0
    ORDER BY alike.pages DESC, host.number LIMIT ?"""
_HAS_ALIKE = "SELECT 1 FROM sqlite_master WHERE name = 'alike'"
_FORMAT_2 = "SELECT 1 FROM sqlite_master WHERE name = 'known'"
_KNOWN = "SELECT 1 FROM url WHERE hash IN (?, ?) AND url = ?"
_STATES = "SELECT url, state, priority FROM url WHERE hash IN (SELECT value FROM json_each(?))"
_OF_HOST = "SELECT url FROM url WHERE host = (SELECT number FROM host WHERE name = ?) LIMIT ?"

_AT_A_TIME = 500
"""Urls that are looked up with one question."""
_NEAR = "SELECT url, depth FROM {} WHERE seq <= ?1 AND depth <= 1 ORDER BY seq LIMIT ?2"
_EARLY = 200_000
"""Seeds are fetched first, so what they link to is among the first urls that are met."""
_WAITING = "SELECT {0}, priority FROM {1} WHERE state < 2 AND {0} IN ({2})"


class WaitingPlace(NamedTuple):
    """A url's place in the frontier."""

    candidate: Candidate
    claimed: bool
    """Whether it was lent to a worker."""
    tries: int
    host: str
    before: int
    """Urls of its host that go before it."""
    on_host: int
    """Urls that wait on its host."""
    higher: int
    """Urls of any host with a higher priority."""
    waiting: int
    """Urls that wait in all."""
    rests: float
    """Seconds that the host must still be left alone."""
    closed: str
    """Why the host will not be asked again, if it will not."""


class UrlState(NamedTuple):
    """A url that the frontier knows."""

    waits: bool
    """Whether it is still to be fetched."""
    priority: float


class NearUrl(NamedTuple):
    """A url that the frontier has met."""

    url: Url
    depth: int
    """Links from a seed to where it was found first."""
    priority: float | None
    """If it waits."""


def waiting(read: Read) -> int:
    """Urls still to be visited. Those that were lent when a crawl was killed count too: they will be lent again."""
    (shelved,) = read("SELECT coalesce(sum(waiting), 0) FROM host").fetchone()
    (lent,) = read("SELECT count(*) FROM url WHERE state = 1").fetchone()
    return int(shelved) + int(lent)


def place_of(read: Read, url: Url, options: Mapping[str, Any]) -> WaitingPlace | None:
    """Where a url waits, in a frontier with these options; None if it does not wait."""
    # A view of them all would join ten million rows. A file of format 1 has everything in one table.
    states, texts = ("known", "origin") if has_keys(read) else ("url", "url")
    row = read(_PLACE.format(texts), (*_names(url), url)).fetchone()
    if row is None:
        return None
    seq, claimed, number, priority, depth, parent, anchor, chain, tries, host, next_at, strains, fetched, on_host = row
    before, higher = read(_COUNTED.format(states), (number, priority, seq)).fetchone()
    return WaitingPlace(
        Candidate(url, priority, depth, parent, anchor or "", tuple(chain.split("\n")) if chain else ()),
        bool(claimed),
        tries,
        host,
        before,
        on_host,
        higher,
        waiting(read),
        max(0.0, next_at - time.time()),
        _closed(fetched, strains, options),
    )


def _closed(fetched: int, strains: int, options: Mapping[str, Any]) -> str:
    quota, give_up = options.get("quota"), options.get("give_up", FrontierOptions.give_up)
    if quota is not None and fetched >= quota:
        return f"its quota of {quota:,} urls is used up"
    if strains >= give_up:
        return f"it gave no good answer {strains} times in a row, and is left alone until the crawl is run again"
    return ""


def has_keys(read: Read) -> bool:
    """Whether the file keeps urls under keys, as format 2 does; in one of format 1 all of a url is a row of the table `url`."""
    return read(_FORMAT_2).fetchone() is not None


def has_turns(read: Read) -> bool:
    """Whether the file says which hosts lost turns; those of earlier versions do not."""
    return read(_HAS_ALIKE).fetchone() is not None


def is_known(read: Read, url: Url) -> bool:
    """Whether the frontier has met a url."""
    return read(_KNOWN, (*_names(url), url)).fetchone() is not None


def states_of(read: Read, urls: Sequence[Url]) -> dict[Url, UrlState]:
    """How the frontier stands to each of these urls; those that it does not know are left out."""
    keys = json.dumps([name for url in urls for name in _names(url)])
    found = {url: UrlState(state < 2, priority) for url, state, priority in read(_STATES, (keys,))}
    return {url: found[url] for url in urls if url in found}


def _names(url: Url) -> tuple[int, int]:
    """The number that stands for the url: in the view `url`, and in the table of that name in a file of format 1."""
    return key_of(url), url_hash(url)


def host_names(read: Read) -> list[str]:
    """The names of all hosts that the frontier knows."""
    return [name for (name,) in read("SELECT name FROM host")]


def hosts_that_lost_turns(read: Read, limit: int) -> dict[str, int]:
    """The hosts that lost turns, and how many pages of each looked alike; most first."""
    return dict(read(_ALIKE, (limit,))) if has_turns(read) else {}


def urls_of_host(read: Read, host: str, limit: int = 20_000) -> list[Url]:
    """The first so many known urls of a host."""
    return [Url(url) for (url,) in read(_OF_HOST, (host, limit))]


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
