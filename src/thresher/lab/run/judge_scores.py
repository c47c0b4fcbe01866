"""How good a judge is: it judges every page of a task's web, and its verdicts are compared with the labels.

with Workbench() as bench:
    row = judged(task, {"name": "terms"}, bench)

A page that a judge was taught with is left out: what it says of that proves nothing.

Average precision asks whether relevant pages come first, F1 whether the threshold is where it should be, and the calibration error
whether a relevance can be read as a probability: of the pages judged .7, seven in ten should be relevant.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from thresher.classify.taxonomy import Taxonomy
from thresher.knowledge import part
from thresher.lab.run.statistics import Comparison, compare, holm
from thresher.lab.run.task import Task
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.trial import KnowledgeOf, PartTable, Workbench, label, unlabelled
from thresher.model import Page, Url
from thresher.plugins import Need
from thresher.ports import Judge

BINS = 10


class JudgedPage(NamedTuple):
    """What a judge said of a page, and what the labels say."""

    relevance: float
    said: bool
    """Whether the judge calls it relevant."""
    is_so: bool


class ReliabilityBin(NamedTuple):
    """The pages whose relevance lies in one tenth of the scale."""

    pages: int
    relevance: float
    """Their mean relevance, as judged."""
    share: float
    """The share of them that is relevant, by the labels."""


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge on one task."""

    judge: str
    web: str
    task: str
    pages: int
    relevant: int
    """By the labels."""
    average_precision: float
    precision: float
    recall: float
    f1: float
    calibration_error: float
    """The mean distance between relevance and share of relevant pages, over the pages."""
    pages_s: float
    """Pages judged in a second of CPU time; parsing is not counted."""
    reliability: tuple[ReliabilityBin, ...]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**asdict(self), "reliability": [each._asdict() for each in self.reliability]}


def judged(task: Task, table: PartTable, bench: Workbench, knowledge_of: KnowledgeOf = needs) -> JudgeRow:
    """The figures of a judge on all pages of a task's web that the labels know."""
    web = bench.web(task.web)
    judge, learnt = judge_of_task(task, table, bench, knowledge_of)
    targets = web.targets(task)
    pages = ((web.page(url), url in targets) for url in sorted(web.labels.keys() - learnt))
    verdicts, spent = _verdicts(judge, ((page, is_so) for page, is_so in pages if page is not None))
    return _row(label(table), task, verdicts, len(verdicts) / max(spent, 1e-9))


def judge_of_task(
    task: Task, table: PartTable, bench: Workbench, knowledge_of: KnowledgeOf = needs
) -> tuple[Judge, frozenset[Url]]:
    """A judge for a task, and the pages of its web that it was taught with."""
    given = unlabelled(bench.known(task, knowledge_of))
    known, taught = given["taxonomy"], list[Taxonomy]()

    def noted() -> Taxonomy:
        taught.append(known.make())
        return taught[-1]

    given["taxonomy"] = Need(noted)
    judge: Judge = part("judge", table, given)
    return judge, frozenset(url for each in taught for url in each.learnt_from)


def _verdicts(judge: Judge, pages: Iterable[tuple[Page, bool]]) -> tuple[list[JudgedPage], float]:
    found, spent = list[JudgedPage](), 0.0
    for page, is_so in pages:
        start = time.process_time()
        said = judge.judge(page)
        spent += time.process_time() - start
        found.append(JudgedPage(said.relevance, said.relevant, is_so))
    return found, spent


def _row(name: str, task: Task, verdicts: Sequence[JudgedPage], pages_s: float) -> JudgeRow:
    right = sum(each.said and each.is_so for each in verdicts)
    said, true = sum(each.said for each in verdicts), sum(each.is_so for each in verdicts)
    bins = reliability(verdicts)
    return JudgeRow(
        judge=name,
        web=task.web.name,
        task=task.name,
        pages=len(verdicts),
        relevant=true,
        average_precision=average_precision(verdicts),
        precision=right / said if said else 0.0,
        recall=right / true if true else 0.0,
        f1=2 * right / (said + true) if right else 0.0,
        calibration_error=calibration_error(bins),
        pages_s=pages_s,
        reliability=bins,
    )


def average_precision(verdicts: Iterable[JudgedPage]) -> float:
    """The mean, over the relevant pages, of the precision down to each, most relevant first.

    Pages of the same relevance share a place: each counts as if it stood at the end of them, so that a judge gains nothing by luck.

    >>> average_precision([JudgedPage(0.9, True, True), JudgedPage(0.5, True, False), JudgedPage(0.4, False, True)])
    0.8333333333333333
    """
    ranked = sorted(verdicts, key=lambda each: -each.relevance)
    hits = list(accumulate(each.is_so for each in ranked))
    if not hits or not hits[-1]:
        return 0.0
    total, end = 0.0, len(ranked)
    for place in range(len(ranked) - 1, -1, -1):
        if place + 1 < len(ranked) and ranked[place].relevance != ranked[place + 1].relevance:
            end = place + 1
        if ranked[place].is_so:
            total += hits[end - 1] / end
    return total / hits[-1]


def reliability(verdicts: Iterable[JudgedPage]) -> tuple[ReliabilityBin, ...]:
    """Ten bins of the scale that have pages, from the least relevant to the most."""
    bins: dict[int, list[JudgedPage]] = {}
    for each in verdicts:
        bins.setdefault(min(BINS - 1, int(each.relevance * BINS)), []).append(each)
    return tuple(
        ReliabilityBin(
            len(few), sum(each.relevance for each in few) / len(few), sum(each.is_so for each in few) / len(few)
        )
        for _, few in sorted(bins.items())
    )


def calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """The mean distance between relevance and share of relevant pages, over the pages.

    >>> round(calibration_error([ReliabilityBin(90, 0.1, 0.1), ReliabilityBin(10, 0.7, 0.5)]), 3)
    0.02
    """
    off = sum(each.pages * abs(each.relevance - each.share) for each in bins)
    return off / max(1, sum(each.pages for each in bins))


def pooled(rows: Sequence[JudgeRow]) -> Iterator[ReliabilityBin]:
    """The bins of a judge over all its tasks together."""
    groups: dict[int, list[ReliabilityBin]] = {}
    for row in rows:
        for each in row.reliability:
            groups.setdefault(min(BINS - 1, int(each.relevance * BINS)), []).append(each)
    for _, few in sorted(groups.items()):
        pages = sum(each.pages for each in few)
        yield ReliabilityBin(
            pages,
            sum(each.pages * each.relevance for each in few) / pages,
            sum(each.pages * each.share for each in few) / pages,
        )


def against(rows: Sequence[JudgeRow], baseline: str) -> dict[str, tuple[Comparison, float]]:
    """Each judge's average precision compared with the baseline's, task by task, with its p after Holm."""
    values: dict[str, dict[str, float]] = {}
    for row in rows:
        values.setdefault(row.judge, {})[f"{row.web}/{row.task}"] = row.average_precision
    compared = {name: compare(own, values[baseline]) for name, own in values.items() if name != baseline}
    corrected = holm({name: each.sign_flip.either for name, each in compared.items()})
    return {name: (each, corrected[name]) for name, each in compared.items()}
