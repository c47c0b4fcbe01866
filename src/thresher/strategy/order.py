"""Priorities that say nothing but when and where a link was found: for strategies that keep a queue or a stack."""

from collections.abc import Sequence

from thresher.model import Link, Visit

BAND = 1e8
"""More visits than a crawl makes: what is moved by a band comes before, or after, everything that was not."""


def newest_first(visit: Visit, links: Sequence[Link]) -> list[float]:
    """Links of later visits above those of earlier ones; within a page in document order. From 1 up to `BAND`."""
    return [visit.number + 1 - (place + 1) / (len(links) + 1) for place in range(len(links))]
