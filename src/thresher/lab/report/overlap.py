"""Who reached what: pages that only one strategy found, how much two have in common, how far the relevant pages are."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from thresher.lab.report.findings import ORACLE, Findings
from thresher.lab.run.crawl_measures import Fetch, found_alone, harvested, url_overlap
from thresher.lab.run.results_file import Run
from thresher.lab.run.statistics import averaged
from thresher.model import Url

Crawled = list[tuple[Run, list[Fetch]]]


@dataclass(frozen=True, slots=True)
class Reach:
    """What was reached for one task, by all seed sets and repeats."""

    found: int
    """Relevant pages that any crawler found, however it was led."""
    distance: float | None
    """Links from a seed to a relevant page that was found, by the shortest way taken: the median."""
    alone: Mapping[str, list[Url]] = field(default_factory=dict)
    """By strategy, the relevant pages that no other strategy fetched."""
    overlap: Mapping[frozenset[str], float] = field(default_factory=dict)
    """By pair of strategies, the share of the budget spent on the same urls."""


def reaches(findings: Findings, few: Sequence[str]) -> dict[str, Reach]:
    """What was reached for each task whose fetches were all kept; overlaps are told for a few strategies."""
    found = ((task, _crawled(findings, task)) for task in findings.tasks)
    return {task: _reach(crawled, few) for task, crawled in found if crawled}


def overlaps(by_task: Mapping[str, Reach]) -> dict[frozenset[str], float]:
    """The overlap of each pair of strategies, the mean over tasks."""
    told: dict[frozenset[str], list[float]] = defaultdict(list)
    for reach in by_task.values():
        for pair, share in reach.overlap.items():
            told[pair].append(share)
    return {pair: sum(shares) / len(shares) for pair, shares in told.items()}


def _crawled(findings: Findings, task: str) -> Crawled | None:
    runs = [run for each in findings.on(task).values() for run in each]
    try:
        return [(run, findings.results.fetches(run)[: run.pages]) for run in runs]
    except FileNotFoundError:
        # Rows without their fetches are worth a report too; only this part of it needs both.
        return None


def _reach(crawled: Crawled, few: Sequence[str]) -> Reach:
    # What the oracle found was found with the labels in hand: it takes nothing from the others.
    guided = [(run, fetches) for run, fetches in crawled if run.strategy != ORACLE]
    found = {each.url for run, fetches in guided for each in harvested(fetches, run.pages)}
    return Reach(len(found), _distance(guided), _alone(guided), _overlap(crawled, few))


def _distance(crawled: Crawled) -> float | None:
    shortest: dict[tuple[str, Url], int] = {}
    for run, fetches in crawled:
        for each in harvested(fetches, run.pages):
            shortest[run.seeds, each.url] = min(each.depth, shortest.get((run.seeds, each.url), each.depth))
    return median(shortest.values()) if shortest else None


def _alone(crawled: Crawled) -> dict[str, list[Url]]:
    urls: dict[str, set[Url]] = defaultdict(set)
    for run, fetches in crawled:
        urls[run.label].update(each.url for each in fetches)
    # Once for all strategies: to unite all the others anew for each of 20 took six times as long.
    fetched_by = Counter(url for each in urls.values() for url in each)
    shared = [Fetch(url) for url, strategies in fetched_by.items() if strategies > 1]
    alone: dict[str, dict[Url, None]] = {label: {} for label in urls}
    for run, fetches in crawled:
        alone[run.label] |= dict.fromkeys(found_alone(fetches, [shared], max(len(fetches), len(shared))))
    return {label: list(each) for label, each in alone.items()}


def _overlap(crawled: Crawled, few: Iterable[str]) -> dict[frozenset[str], float]:
    """Of runs from the same seeds, and of the same repeat."""
    by_start: dict[tuple[str, int], dict[str, tuple[Run, list[Fetch]]]] = defaultdict(dict)
    wanted = set(few)
    for run, fetches in crawled:
        if run.label in wanted:
            by_start[run.seeds, run.repeat][run.label] = (run, fetches)
    shares: dict[frozenset[str], list[float]] = defaultdict(list)
    for runs in by_start.values():
        for (one, (run, mine)), (other, (_, theirs)) in combinations(runs.items(), 2):
            shares[frozenset((one, other))].append(url_overlap(mine, theirs, run.pages))
    return {pair: averaged(("", share) for share in each)[""] for pair, each in shares.items()}
