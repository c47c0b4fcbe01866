"""A crawl of any length in an overview: samples, and what is best, worst or most, each in one pass over the catalogue at most.

Each function takes a way to read: `open_catalogue(path).execute`, or `Ledger.read` in the process that crawls.
"""

from typing import NamedTuple

from thresher.store.visits import Read

_EVERY = """
    WITH RECURSIVE place (number) AS (SELECT ?1 UNION ALL SELECT number + ?1 FROM place WHERE number + ?1 <= ?2)
    SELECT page.depth, page.priority, page.fresh FROM place CROSS JOIN visit AS page ON page.number = place.number WHERE page.asked
"""


class VisitSample(NamedTuple):
    """Some of the fetches, evenly spread over the crawl."""

    each: float
    """How many fetches one of them stands for."""
    urls: list[tuple[int, float, bool]]
    """Links from a seed, the priority when it was fetched, and whether it counted as harvest."""


def sample_of_fetches(read: Read, most: int) -> VisitSample:
    """About so many of the urls that were asked for; all of them if there are no more."""
    (newest,) = read("SELECT coalesce(max(number), 0) FROM visit").fetchone()
    step = max(1, -(-newest // most))
    rows = read(_EVERY, (step, newest)).fetchall()
    return VisitSample(float(step), [(depth, priority, bool(fresh)) for depth, priority, fresh in rows])
