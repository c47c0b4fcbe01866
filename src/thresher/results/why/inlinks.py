"""Which kept pages link to a url that the crawl knows nothing of, and what became of those links."""

import re
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from thresher.model import DROP, Url, Visit
from thresher.results.archive import Archive
from thresher.results.why.reasons import Reasons, link_to
from thresher.urls import host_of

_PAGES = "SELECT * FROM entry WHERE outcome = 'page' AND duplicate_of IS NULL AND number > ? ORDER BY number LIMIT 50"
_ESCAPE = re.compile("%[0-9A-F]{2}")
_PLAIN = re.compile("[A-Za-z0-9_-]+")


class Linker(NamedTuple):
    """A page with a link to the url."""

    url: Url
    anchor: str
    verdict: str
    """Why the link was not followed."""


class Linkers(NamedTuple):
    """The pages that were found, and how many were looked at."""

    found: list[Linker]
    looked: int
    of: int


def linkers(  # noqa: PLR0913 - the last three are for those who wait
    archive: Archive,
    reasons: Reasons,
    target: Url,
    *,
    most: int = 3,
    seconds: float = 20.0,
    looked: Callable[[int, int], object] = lambda _seen, _of: None,
) -> Linkers:
    """Look through the kept pages until some link there, or the time is up."""
    (pages,) = archive.read("SELECT count(*) FROM visit WHERE outcome = 'page' AND duplicate_of IS NULL").fetchone()
    found, seen, until = list[Linker](), 0, time.monotonic() + seconds
    for visit in _candidates(archive, target):
        seen += 1
        looked(seen, pages)
        link = link_to(visit.page, target) if visit.page else None
        if link is not None:
            found.append(Linker(visit.url, link.anchor, _verdict(visit, target, reasons, archive)))
        if len(found) == most or time.monotonic() > until:
            break
    return Linkers(found, seen, pages)


def _candidates(archive: Archive, target: Url) -> Iterator[Visit]:
    number = 0
    needle, host = _needle(target), host_of(target)
    while rows := list(archive.rows(_PAGES, number)):
        number = rows[-1]["number"]
        for row in rows:
            wanted = needle or ("" if row["host"] == host else host)
            yield archive.visit_of(row, holding=wanted.encode())


def _needle(target: Url) -> str:
    """The longest part of the path that stands in a page in one spelling only: looking for it is much faster than parsing."""
    tail = _ESCAPE.sub(" ", target.split("/", 3)[3])
    return max(_PLAIN.findall(tail), key=len, default="")


def _verdict(visit: Visit, target: Url, reasons: Reasons, archive: Archive) -> str:
    assert visit.page is not None
    if not visit.page.follow:
        return "the page asks that its links are not followed"
    if (rule := reasons.scope.refusal(target, visit.claim.candidate.depth + 1)) is not None:
        return f"the crawl's scope keeps it out: {rule}"
    priority = reasons.priority(visit, target)
    if priority is None:
        return reasons.unknown
    if priority == DROP:
        return f"the strategy {reasons.name} dropped the link"
    cap = archive.settings.frontier.get("cap")
    lost = f"more than {cap:,} urls waited, and the lowest were forgotten" if cap else "it was given up later"
    return f"the strategy {reasons.name} would give it {priority:.3g} now; {lost}"
