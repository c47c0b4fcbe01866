"""The frontier of a crawl, read by another process: what waits, where, and which urls are known.

Each function takes a way to read, such as the `execute` of a connection. `frontier_questions.py` says how each kind of frontier is asked.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.disk.found_rows import Read
from thresher.frontier.frontier_questions import questions_to
from thresher.frontier.keys import key_of
from thresher.frontier.options import FrontierOptions
from thresher.model import Candidate, Url
from thresher.urls import canonical, host_of, url_hash

_AT_A_TIME = 500
"""Urls that are looked up with one question."""
_EARLY = 200_000
"""Seeds are fetched first, so what they link to is among the first urls that are met."""


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
    (lent,) = read(questions_to(read).lent).fetchone()
    return int(shelved) + int(lent)


def place_of(read: Read, url: Url, options: Mapping[str, Any]) -> WaitingPlace | None:
    """Where a url waits, in a frontier with these options; None if it does not wait."""
    ask = questions_to(read)
    row = read(ask.place, _names(url)).fetchone()
    if row is None:
        return None
    seq, claimed, number, priority, depth, parent, anchor, chain, tries, host, next_at, strains, fetched, on_host = row
    before, higher = read(ask.counted, {"number": number, "priority": priority, "seq": seq}).fetchone()
    return WaitingPlace(
        Candidate(url, priority, depth, parent, ask.anchor(anchor or ""), tuple(chain.split("\n")) if chain else ()),
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


def is_known(read: Read, url: Url) -> bool:
    """Whether the frontier has met a url."""
    return read(questions_to(read).known, _names(url)).fetchone() is not None


def states_of(read: Read, urls: Sequence[Url]) -> dict[Url, UrlState]:
    """How the frontier stands to each of these urls; those that it does not know are left out."""
    named = [_names(url) for url in urls]
    wanted = {
        "hosts": json.dumps([each["host"] for each in named]),
        "keys": json.dumps([each["key"] for each in named]),
        "both": json.dumps([name for each in named for name in (each["key"], each["hash"])]),
    }
    rows = read(questions_to(read).states, wanted).fetchall()
    found = {url: UrlState(state < 2, priority) for url, state, priority in rows}
    return {url: found[url] for url in urls if url in found}


def _names(url: Url) -> dict[str, Any]:
    """By what a url is found: its key under its host, or its hash in a file of format 1."""
    return {"host": host_of(url), "key": key_of(url), "hash": url_hash(url), "url": url}


def host_names(read: Read) -> list[str]:
    """The names of all hosts that the frontier knows."""
    return [name for (name,) in read("SELECT name FROM host")]


def hosts_that_lost_turns(read: Read, limit: int) -> dict[str, int]:
    """The hosts that lost turns, and how many pages of each looked alike; most first."""
    ask = questions_to(read)
    return dict(read(ask.lost_turns, {"most": limit})) if ask.lost_turns else {}


def urls_of_host(read: Read, host: str, limit: int = 20_000) -> list[Url]:
    """The first so many known urls of a host."""
    return [Url(url) for (url,) in read(questions_to(read).of_host, {"host": host, "most": limit})]


def near_the_seeds(read: Read, most: int) -> list[NearUrl]:
    """The seeds and what they link to, in the order in which they were met; the first so many."""
    found = read(questions_to(read).near, {"early": _EARLY, "most": most}).fetchall()
    urls = [
        (url, depth) for url, depth in found if canonical(url) == url
    ]  # a file that somebody sent may hold anything
    parts = (urls[start : start + _AT_A_TIME] for start in range(0, len(urls), _AT_A_TIME))
    return [known for part in parts for known in _with_priorities(read, part)]


def _with_priorities(read: Read, urls: list[tuple[Url, int]]) -> Iterator[NearUrl]:
    states = states_of(read, [url for url, _ in urls])
    waiting = {url: state.priority for url, state in states.items() if state.waits}
    return (NearUrl(url, depth, waiting.get(url)) for url, depth in urls)
