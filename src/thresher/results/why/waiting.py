"""Where a url that was not fetched yet waits, and what it waits for."""

import time
from typing import NamedTuple

from thresher.frontier.options import Options
from thresher.frontier.reading import waiting
from thresher.model import Candidate, Url
from thresher.results.archive import Archive
from thresher.urls import url_hash

_PLACE = """
    SELECT url.seq, url.state, url.host, url.url, url.priority, url.depth, coalesce(page.url, url.parent) AS parent,
           url.anchor, url.chain, url.tries, host.name, host.next_at, host.strains, host.fetched, host.waiting
    FROM url JOIN host ON host.number = url.host LEFT JOIN url AS page ON page.seq = url.parent
    WHERE url.hash = ? AND url.url = ? AND url.state < 2
"""
_BEFORE = "SELECT count(*) FROM url WHERE state = 0 AND host = ?1 AND (priority > ?2 OR (priority = ?2 AND seq < ?3))"
_HIGHER = "SELECT count(*) FROM url WHERE state = 0 AND priority > ?"


class Place(NamedTuple):
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


def place_of(archive: Archive, url: Url) -> Place | None:
    """Where a url waits; None if it does not."""
    row = next(archive.rows(_PLACE, url_hash(url), url), None)
    if row is None:
        return None
    chain = tuple(row["chain"].split("\n")) if row["chain"] else ()
    candidate = Candidate(url, row["priority"], row["depth"], row["parent"], row["anchor"] or "", chain)
    (before,) = archive.read(_BEFORE, (row["host"], row["priority"], row["seq"])).fetchone()
    (higher,) = archive.read(_HIGHER, (row["priority"],)).fetchone()
    return Place(
        candidate,
        row["state"] == 1,
        row["tries"],
        row["name"],
        before,
        row["waiting"],
        higher,
        waiting(archive.read),
        max(0.0, row["next_at"] - time.time()),
        _closed(archive, row["fetched"], row["strains"]),
    )


def _closed(archive: Archive, fetched: int, strains: int) -> str:
    table = archive.settings.frontier
    quota, give_up = table.get("quota"), table.get("give_up", Options.give_up)
    if quota is not None and fetched >= quota:
        return f"its quota of {quota:,} urls is used up"
    if strains >= give_up:
        return f"it gave no good answer {strains} times in a row, and is left alone until the crawl is run again"
    return ""


def what_for(place: Place, archive: Archive) -> list[str]:
    """What the url waits for, in sentences, the strongest reason first."""
    running = archive.folder.in_use()
    if place.claimed:
        return [
            "It is being fetched now."
            if running
            else "It was being fetched when the crawl ended; it is next when it goes on."
        ]
    reasons = [] if running else [f"The crawl is not running: {archive.stopped()[1].rstrip('.')}."]
    if place.closed:
        reasons.append(f"Its host {place.host} is closed: {place.closed}.")
    if place.tries:
        reasons.append(f"It was tried {place.tries} time{'s' * (place.tries > 1)} already, and is tried again.")
    if place.rests >= 1:
        reasons.append(f"Its host {place.host} rests for another {place.rests:,.0f} s.")
    return [*reasons, _queue(place)]


def _queue(place: Place) -> str:
    own = f"It is number {place.before + 1:,} of {place.on_host:,} that wait on {place.host}"
    others = f"{place.higher:,} of all {place.waiting:,}" if place.higher else "none at all"
    return f"{own}; {others} have a higher priority."
