"""Fit the curves that make a judge's score a probability, on the tasks of labelled webs.

Every task is judged twice, with its phrase alone and with its keywords: users type the one or the other. A judge that was taught with
example pages and asks for no words is judged once, on the pages that are left. A page without any of the words has a score of 0 and a
relevance of 0, and teaches the curve nothing. What is reported is honest: the pages of each web by a curve that was fitted on the other
webs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import tomli_w
from numpy.typing import NDArray

from thresher import plugins
from thresher.errors import BadInput
from thresher.judge.calibration import Curve
from thresher.lab.run.judge_scores import JudgedPage, calibration_error, judge_of_task, reliability
from thresher.lab.run.task import Task
from thresher.lab.run.trial import PartTable, Workbench, label
from thresher.model import Page, Url

_STEPS = 50
_HALF = 0.5
_RAW = "raw"


class Scores(NamedTuple):
    """What a judge said of all pages for one task, before any curve."""

    web: str
    task: str
    raw: NDArray[np.float64]
    relevant: NDArray[np.bool_]


def scores(tasks: Sequence[Task], judges: Sequence[PartTable], bench: Workbench) -> dict[str, list[Scores]]:
    """The scores of each judge for the tasks of one web, with and without their keywords, in one pass over its pages."""
    web = bench.web(tasks[0].web)
    typed = [each for task in tasks for each in ([task, replace(task, keywords="")] if task.keywords else [task])]
    asked = [_Asked(task, table, bench) for task in typed for table in judges]
    for url in sorted(web.labels):
        if (page := web.page(url)) is not None:
            for each in asked:
                each.judge_page(url, page)
    by_judge: dict[str, list[Scores]] = {label(table): [] for table in judges}
    for each in asked:
        found = each.scores()
        # With and without keywords a classifier says the same.
        if not any(np.array_equal(found.raw, other.raw) for other in by_judge[each.name] if other.task == found.task):
            by_judge[each.name].append(found)
    return by_judge


class _Asked:
    """A judge for a task, and what it said so far."""

    def __init__(self, task: Task, table: PartTable, bench: Workbench) -> None:
        self.name, self._task = label(table), task
        self._judge, self._learnt = judge_of_task(task, _uncurved(table), bench)
        self._targets = bench.web(task.web).targets(task)
        self._raw, self._relevant = list[float](), list[bool]()

    def judge_page(self, url: Url, page: Page) -> None:
        if url not in self._learnt:
            self._raw.append(self._judge.judge(page).relevance)
            self._relevant.append(url in self._targets)

    def scores(self) -> Scores:
        return Scores(self._task.web.name, self._task.name, np.array(self._raw), np.array(self._relevant, bool))


def _uncurved(table: PartTable) -> PartTable:
    """The judge without the curve that it comes with; a judge without one has no key for it."""
    has_curve = _RAW in plugins.parameters(plugins.find("judge", table["name"]))
    return {**table, _RAW: True} if has_curve else table


def fitted(found: Sequence[Scores]) -> Curve:
    """The curve that fits best: a logistic regression on the log-odds of the score, by Newton's method."""
    raw = np.concatenate([each.raw for each in found])
    relevant = np.concatenate([each.relevant for each in found]).astype(float)
    some = (raw > 0) & (raw < 1)
    if not 0 < relevant[some].sum() < some.sum():
        raise BadInput("there must be pages that are relevant and pages that are not, with a score above 0 and below 1")
    x = np.stack([np.log(raw[some] / (1 - raw[some])), np.ones(some.sum())], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        curvature = x.T @ (x * (p * (1 - p))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, x.T @ (p - relevant[some]))
        weights -= step / max(1.0, float(np.abs(step).max()))  # far from the minimum a whole step can lead away
    if weights[0] <= 0:
        raise BadInput("the higher the score the less relevant the pages: no curve makes that a probability")
    return Curve(round(float(weights[0]), 4), round(float(weights[1]), 4))


class LeftOut(NamedTuple):
    """How a curve does on webs it was not fitted on."""

    error: float
    """The mean distance between relevance and the share of relevant pages, over all pages."""
    above: float
    """The same over the pages judged .1 or more: most pages have nothing of the topic, and are no test."""
    precision: float
    """The share of relevant pages among those judged .5 or more."""


def left_out(found: Sequence[Scores]) -> tuple[LeftOut, tuple[JudgedPage, ...]] | None:
    """Each web by the curve of the others; None if there is but one web."""
    webs = {each.web for each in found}
    if len(webs) < 2:
        return None
    curves = {web: fitted([each for each in found if each.web != web]) for web in webs}
    pages = tuple(judged for each in found for judged in _judged(each, curves[each.web]))
    said = [each.is_so for each in pages if each.said]
    above = [each for each in pages if each.relevance >= 0.1]
    precision = sum(said) / len(said) if said else 0.0
    return LeftOut(calibration_error(reliability(pages)), calibration_error(reliability(above)), precision), pages


def _judged(found: Scores, curve: Curve) -> Iterator[JudgedPage]:
    for raw, relevant in zip(found.raw.tolist(), found.relevant.tolist(), strict=True):
        relevance = curve(raw)
        yield JudgedPage(relevance, relevance >= _HALF, relevant)


def curves_file(found: Mapping[str, Sequence[Scores]], date: str) -> str:
    """The table as it ships: each curve with what it was fitted on."""
    rows = {
        judge: {**fitted(some)._asdict(), "fitted_on": fitted_on(some), "date": date} for judge, some in found.items()
    }
    return tomli_w.dumps({"curve": rows})


def fitted_on(found: Sequence[Scores]) -> str:
    """The tasks by web, and how they were judged."""
    tasks = {(each.web, each.task) for each in found}
    counts = Counter(web for web, _ in tasks)
    listed = ", ".join(f"{web} ({count})" for web, count in sorted(counts.items()))
    many = f"{len(tasks)} task{'s' * (len(tasks) != 1)} of recorded webs"
    twice = len(found) > len(tasks)
    how = "each with its phrase alone and with its keywords" if twice else "each judged once"
    return f"{many}, {how}, {sum(len(each.raw) for each in found):,} judgements: {listed}"
