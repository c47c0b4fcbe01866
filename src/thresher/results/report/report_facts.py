"""All that a report says of a crawl, as values: gathered in a bounded number of passes over the catalogue, and of bounded size."""

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from thresher.budget import Budget
from thresher.frontier.outlook import HostQueue, NextUrl, next_up, queues
from thresher.frontier.reading import waiting
from thresher.model import Evidence
from thresher.results.archive import Archive
from thresher.results.breadth_first_estimate import BreadthFirstEstimate, breadth_first_estimate
from thresher.results.crawl_seeds import SeedFate, seed_fates
from thresher.results.label.scores import HandFigures
from thresher.results.report.found_hosts import FoundHostNode, found_hosts
from thresher.results.show import BestNow, best, hand_figures, is_probability
from thresher.results.sightings import Sightings, sightings, topic_of
from thresher.results.watch.now import frontier_options
from thresher.results.watch.running_figures import CurvePoint, RunningFigures
from thresher.results.watch.trouble import Troubles, troubles
from thresher.settings import Settings
from thresher.store.current import current_row
from thresher.store.overview import (
    HostFound,
    PageRights,
    hosts_found,
    page_rights,
    span_of_visits,
)
from thresher.store.rejudgements import JudgingRound
from thresher.store.rows import judgement_of
from thresher.store.totals import Counts, counts, mean_relevance
from thresher.topic.topic import Term

_BEST_PAGES, _BEST_HOSTS, _WAITING = 40, 40, 25
_EVIDENCE = 20_000
"""Pages whose evidence is added up: of more, an even sample."""
_MOST_VISITS = 200_000
"""Of longer crawls it is not told which seed led to how many pages: that takes memory for each page."""


class BestTold(NamedTuple):
    """One of the best pages, with why it is."""

    page: BestNow
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """A crawl, as a report tells of it."""

    settings: Settings
    budget: Budget
    """With what was given later by order."""
    counts: Counts
    waiting: int
    running: bool
    ended: str
    """Why it ended, or that it runs, in a sentence."""
    span: tuple[float, float] | None
    """When the first url was visited, and when the last."""
    seconds: float
    """How long it took, breaks left out."""
    curve: tuple[CurvePoint, ...]
    breadth_first: BreadthFirstEstimate | None
    best: list[BestTold]
    tree: list[FoundHostNode]
    hosts: list[HostFound]
    troubles: Troubles
    next_up: list[NextUrl]
    """What would be fetched first if the crawl went on now."""
    queues: list[HostQueue]
    """Where most waits."""
    terms: tuple[Term, ...]
    """The names of the topic with their weights, as far as they can be had here."""
    found: Sightings
    looked_at: int
    """How many pages each `found` stands for: 1 if all pages were looked at."""
    rights: PageRights
    expected_precision: float | None
    by_hand: HandFigures | None
    judged: JudgingRound | None
    seeds: tuple[SeedFate, ...]
    """What came of each seed; nothing of a very long crawl."""
    made: float = field(default_factory=time.time)


def report_facts(archive: Archive) -> ReportFacts:
    """Read all of it. It may take seconds: an ontology may have to be read."""
    read, found = archive.read, counts(archive.read)
    hosts, (reason, message) = hosts_found(read, _BEST_HOSTS), archive.stopped()
    figures, options = RunningFigures(), frontier_options(archive.settings)
    figures.take_in_all(archive)
    share = max(1, -(-found.pages // _EVIDENCE))
    return ReportFacts(
        settings=archive.settings,
        budget=archive.budget,
        counts=found,
        waiting=waiting(read),
        running=archive.folder.in_use(),
        ended=f"Stopped: {message}" if reason else message,
        span=span_of_visits(read),
        seconds=figures.seconds,
        curve=figures.curve.points(),
        breadth_first=breadth_first_estimate(archive),
        best=[_told(archive, page) for page in best(archive, _BEST_PAGES)],
        tree=found_hosts(archive, hosts) if hosts else [],
        hosts=hosts,
        troubles=troubles(archive, figures),
        next_up=next_up(read, options, time.time(), _WAITING),
        queues=queues(read, options, _WAITING),
        terms=_terms(archive),
        found=sightings(archive, every=share),
        looked_at=share,
        rights=page_rights(read),
        expected_precision=mean_relevance(read) if is_probability(archive) else None,
        by_hand=hand_figures(archive),
        judged=archive.judged,
        seeds=tuple(seed_fates(archive)) if found.visits <= _MOST_VISITS else (),
    )


def _told(archive: Archive, page: BestNow) -> BestTold:
    judgement = judgement_of(current_row(archive.read, page.page.number))
    return BestTold(page, judgement.evidence if judgement else ())


def _terms(archive: Archive) -> tuple[Term, ...]:
    """The names of the topic: its concepts if a sense was chosen, else its words."""
    topic = topic_of(archive, "concepts" if archive.settings.knowledge.get("senses") else "topic")
    return tuple(topic.terms) if topic else ()
