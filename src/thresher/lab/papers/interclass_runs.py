"""The crawls of Altıngövde and Ulusoy's 2004 comparison, judged by the classifier and by the labels; and their tunnels, counted.

A tunnel is a relevant page that a crawl reached through pages which soft focus would not have followed.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from statistics import median
from typing import NamedTuple

from thresher.lab.papers.interclass_cases import RULES, SOFT, Case
from thresher.lab.papers.reproduction import Crawls, rejudged
from thresher.lab.run.crawl_measures import (
    Fetch,
    counted_once,
    exclusive_harvest_ratio,
    harvest_rate,
    harvest_ratio,
    url_overlap,
)
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Workbench
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


class InterclassRuns:
    """The crawls of one case, judged by the classifier and by the labels."""

    def __init__(self, case: Case, crawls: Crawls, bench: Workbench) -> None:
        self.case, self.pages = case, case.pages
        sought = bench.web(case.task.web).labels.having(case.task.relevant) - case.learnt_from
        self.all = {
            name: rejudged(crawls.fetches(case.trial(name)), lambda each: each.url in sought)
            for name in case.strategies
        }
        self.live = {name: [each for each in fetches if each.page] for name, fetches in self.all.items()}
        self.equal = min(len(self.live[RULES]), len(self.live[SOFT]))
        """As many pages as both came to see: the paper counts pages, not requests."""

    def ratio(self, name: str) -> float:
        """The paper's measure: the mean relevance of pages, by the classifier."""
        return harvest_ratio(self.live[name], self.equal)

    def ratios(self, name: str) -> list[float]:
        """The same after each page, as the paper's Figure 6 draws it."""
        seen = [each.relevance for each in self.live[name][: self.equal]]
        return [total / number for number, total in enumerate(accumulate(seen), 1)]

    def exclusive(self, name: str, other: str) -> float:
        """The same over pages that the other did not fetch."""
        return exclusive_harvest_ratio(self.live[name], self.live[other], self.equal)

    def overlap(self) -> float:
        """The share of pages that both fetched."""
        return url_overlap(self.live[RULES], self.live[SOFT], self.equal)

    def harvest(self, name: str) -> float:
        """By the labels, over all fetches of the budget."""
        return harvest_rate(self.all[name], self.pages)

    def page_harvest(self, name: str) -> float:
        """By the labels, over as many pages as both came to see."""
        return harvest_rate(self.live[name], self.equal)

    def dead(self) -> float:
        """The share of all fetches that found no page."""
        fetched = sum(map(len, self.all.values()))
        return 1 - sum(map(len, self.live.values())) / fetched if fetched else 0.0

    def same_visits(self, name: str) -> bool:
        """Whether a strategy fetched what the rule crawler did, url by url."""
        return [each.url for each in self.all[name]] == [each.url for each in self.all[RULES]]

    def tunnels(self, links: LinksOf) -> Tunnels:
        """How the rule crawler came to its finds."""
        return tunnels(self.all[RULES], self.all[SOFT], links)


def links_of_pages(web: TaskWeb) -> LinksOf:
    """The links of each page, read once for all cases: they crawl the same web."""

    @cache
    def links(url: Url) -> tuple[Url, ...]:
        page = web.page(url)
        return tuple(dict.fromkeys(link.target for link in page.links)) if page else ()

    return links
