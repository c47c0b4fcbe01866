"""Tunnelling, counted: relevant pages that a crawl reached through pages which soft focus would not have followed."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from thresher.lab.run.crawl_measures import Fetch, counted_once
from thresher.model import Url

LinksOf = Callable[[Url], Iterable[Url]]
OFF_TOPIC = 0.5
"""Below this the paper's hard focus follows no link of a page."""


class Tunnels(NamedTuple):
    """How a crawl came to its relevant pages."""

    finds: int
    """Relevant pages that were found through a link."""
    off_topic: int
    """Of these, those that only pages off topic had linked to when they were fetched."""
    below: int
    """Of these, those whose best linking page scored below the cut of soft focus."""
    cut: float


def tunnels(own: Sequence[Fetch], soft: Sequence[Fetch], links: LinksOf) -> Tunnels:
    """Count the tunnels of one crawl; the cut is what soft focus, with the same budget, had come down to in the end.

    A url is worth to soft focus the highest score among the pages that linked to it before it was fetched. The cut is the median of that
    worth over the last tenth of soft focus's own fetches.
    """
    worth = [each for _, each in _worths(soft, links) if each is not None]
    cut = median(worth[-max(1, len(worth) // 10) :]) if worth else 0.0
    finds = [each for fetch, each in _worths(own, links) if fetch.relevant and each is not None]
    return Tunnels(len(finds), sum(each < OFF_TOPIC for each in finds), sum(each < cut for each in finds), cut)


def _worths(fetches: Sequence[Fetch], links: LinksOf) -> Iterable[tuple[Fetch, float | None]]:
    """Each fetch with the best score of the pages that led to it so far; None for a seed."""
    best: dict[Url, float] = {}
    for fetch, counted in zip(fetches, counted_once(fetches), strict=True):
        yield counted, best.get(fetch.url)
        if fetch.page:
            # A seed is on topic by definition; a duplicate is found once but leads on all the same.
            score = fetch.relevance if fetch.depth else 1.0
            for target in links(fetch.url):
                best[target] = max(score, best.get(target, 0.0))
