"""A crawl in figures, counted from its catalogue: totals, outcomes, the harvest curve, the evidence.

Each function takes a way to read: `open_catalogue(home).execute`, or `Ledger.read` in the process that crawls.

>>> with closing(open_catalogue(CrawlFolder(path))) as catalogue:
...     counts(catalogue.execute).harvest
"""

import json
from collections import deque
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from thresher.budget import Tally
from thresher.disk.found_rows import Read, columns_of
from thresher.model import READ, Url
from thresher.store.visits import newest_visit
from thresher.urls import url_hash

_COUNTS = """
    SELECT count(*), count(*) FILTER (WHERE asked), count(*) FILTER (WHERE outcome = 'page'), count(*) FILTER (WHERE fresh),
           count(duplicate_of), count(near), coalesce(sum(bytes), 0), count(DISTINCT CASE WHEN asked THEN host END)
    FROM visit
"""
_TOTALS = """
    SELECT coalesce(max(number), 0), count(*) FILTER (WHERE asked), count(*) FILTER (WHERE fresh), coalesce(sum(bytes), 0)
    FROM visit
"""
_DEEP = "SELECT count(*), count(*) FILTER (WHERE fresh) FROM visit WHERE asked AND depth >= ?"
_UNDER_WAY = """
    SELECT coalesce(sum(gap), 0) FROM (
        SELECT at - coalesce(lag(at) OVER (ORDER BY number), sent, at) AS gap FROM visit WHERE asked
    ) AS pauses WHERE gap BETWEEN 0 AND ?
"""
_SHELLS = """
    SELECT depth, parent FROM visit
    WHERE outcome = 'page' AND json_extract(facts, '$.shell') = 'yes' AND json_extract(facts, '$.rendered') IS NULL
"""
_RENDERED = """
    SELECT said, count(*) FROM (SELECT json_extract(facts, '$.rendered') AS said FROM visit) AS told
    WHERE said IS NOT NULL GROUP BY said ORDER BY count(*) DESC, said
"""
_EVIDENCE = "SELECT fresh, evidence FROM visit WHERE evidence IS NOT NULL AND outcome = 'page' AND number % ? = 0"
LONGEST_GAP = 600.0
"""Seconds: a longer time without a visit is a crawl that stood still."""
_STRETCHES = """
    SELECT count(*), count(*) FILTER (WHERE fresh) FROM visit WHERE asked GROUP BY (number - 1) / ?1 ORDER BY (number - 1) / ?1
"""


class Counts(NamedTuple):
    """The catalogue in figures."""

    visits: int
    """Urls settled, whatever came of them."""
    fetched: int
    """Of these, urls for which a request went out."""
    pages: int
    """Of these, pages that came."""
    relevant: int
    """Of these, pages on topic; duplicates count once."""
    duplicates: int
    near: int
    bytes: int
    hosts: int
    """Hosts that were asked for something."""

    @property
    def harvest(self) -> float:
        """Harvest rate: relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


class ShellFigures(NamedTuple):
    """Pages that are empty without scripts."""

    pages: int = 0
    """Those that nobody rendered."""
    promising: int = 0
    """Of these, seeds and pages that a relevant page links to."""
    rendered: int = 0
    """Pages that a browser made."""
    failed: dict[str, int] = {}  # noqa: RUF012 - never changed
    """Why pages could not be rendered, and how many."""


def counts(read: Read) -> Counts:
    """The figures, in one pass over the table."""
    return Counts(*read(_COUNTS).fetchone())


def shells(read: Read) -> ShellFigures:
    """What became of pages that are empty without scripts; nothing in folders from before there were facts."""
    if "facts" not in columns_of(read, "visit"):
        return ShellFigures()
    rendered = dict(read(_RENDERED))
    alone = read(_SHELLS).fetchall()
    liked = {parent: _is_relevant(read, parent) for parent in {parent for _, parent in alone if parent}}
    promising = sum(depth == 0 or liked.get(parent, False) for depth, parent in alone)
    return ShellFigures(len(alone), promising, rendered.pop("yes", 0), rendered)


def _is_relevant(read: Read, url: str) -> bool:
    found = read("SELECT relevant FROM visit WHERE url_hash = ? AND url = ?", (url_hash(Url(url)), url)).fetchone()
    return bool(found and found[0])


def harvest_beyond(read: Read, depth: int) -> float | None:
    """The harvest rate of what is at least so many links from a seed; None if nothing of it was fetched."""
    fetched, relevant = read(_DEEP, (depth,)).fetchone()
    return relevant / fetched if fetched else None


def seconds_under_way(read: Read) -> float:
    """How long the crawl took, from visit to visit, without the breaks between its runs."""
    found: float = read(_UNDER_WAY, (LONGEST_GAP,)).fetchone()[0]
    return found


def mean_relevance(read: Read) -> float | None:
    """The mean relevance of the harvest; None if there is none."""
    found: float | None = read("SELECT avg(relevance) FROM visit WHERE fresh").fetchone()[0]
    return found


def tally(read: Read, window: int) -> Tally:
    """The figures that the budget goes by. `window` is how many of the latest fetches they include one by one."""
    latest = read("SELECT fresh FROM visit WHERE asked ORDER BY number DESC LIMIT ?", (window,)).fetchall()
    recent = deque(bool(fresh) for (fresh,) in reversed(latest))
    visits, fetched, relevant, received = read(_TOTALS).fetchone()
    return Tally(visits, fetched, relevant, received, recent, sum(recent))


def outcomes(read: Read) -> dict[str, int]:
    """How many visits had each outcome, most frequent first."""
    return dict(read("SELECT outcome, count(*) FROM visit GROUP BY outcome ORDER BY count(*) DESC, outcome"))


def errors(read: Read) -> dict[str, int]:
    """The outcomes that gave no page and led nowhere."""
    return {name: count for name, count in outcomes(read).items() if name not in READ}


def refused_types(read: Read) -> dict[str, int]:
    """How many answers were refused for each content type."""
    return dict(read("SELECT detail, count(*) FROM visit WHERE outcome = 'content-type' GROUP BY detail"))


def harvest_curve(read: Read, points: int = 100) -> list[tuple[int, float]]:
    """Pages fetched so far and the share of them that was relevant, at about so many points."""
    newest = newest_visit(read)
    stretches = read(_STRETCHES, (max(1, -(-newest // points)),))
    running = accumulate(stretches, lambda before, here: (before[0] + here[0], before[1] + here[1]))
    return [(fetched, relevant / fetched) for fetched, relevant in running]


def harvest_of_fetches(read: Read) -> list[bool]:
    """Of each fetch in turn, whether it counted as harvest."""
    return [bool(fresh) for (fresh,) in read("SELECT fresh FROM visit WHERE asked ORDER BY number")]


def evidence_of_pages(read: Read, every: int = 1) -> Iterator[tuple[bool, list[tuple[str, str, float]]]]:
    """Of each judged page, whether it counted as harvest, and its evidence: what was found, where, and how much it added.

    Or of the pages among every so manieth visit.
    """
    for fresh, evidence in read(_EVIDENCE, (every,)):
        yield bool(fresh), json.loads(evidence)
