"""The pictures of a report: harvest over fetches, all tasks together and each alone, and the means with their intervals."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.chart import GREY, THIN, Axes, Ink, Line, line_chart
from thresher.lab.report.document import Picture
from thresher.lab.report.dots import Dot, dot_chart
from thresher.lab.report.findings import Findings
from thresher.lab.report.legend import legend
from thresher.lab.run.crawl_measures import running_mean
from thresher.lab.run.results_file import Run
from thresher.lab.run.statistics import bootstrap

BEST = 4
"""How many strategies have a colour for being the best: a picture of twenty colours shows none."""

# Blue, green, pink and vermilion are Okabe and Ito's, made for colour blindness; purple and brown are not, because the rest of their eight
# is too pale for text on white. The dashes all differ, so that nobody depends on the colours.
_BEST = (
    Ink("#0072b2", "", 2.4, strong=True),
    Ink("#009e73", "6 3", 2.0, strong=True),
    Ink("#cc79a7", "8 3 2 3", 2.0, strong=True),
    Ink("#8c6bb1", "3 3", 2.0, strong=True),
)
_BASELINE = Ink("#d55e00", "14 4", 2.4, strong=True)
_ORACLE = Ink(GREY, "2 3", 2.0, strong=True, bound=True)
_CHANCE = Ink("#a6761d", "1 3", 2.0, strong=True)

Curves = NDArray[np.float64]


def inks(findings: Findings) -> dict[str, Ink]:
    """Who is drawn how: the best few, the baseline and the bounds in colour, the others thin and grey."""
    chosen = dict.fromkeys(findings.strategies, THIN)
    chance = [label for label in findings.crawlers if label == "random"]
    best = [label for label in findings.crawlers if label not in (findings.baseline, *chance)][:BEST]
    chosen |= dict(zip(best, _BEST, strict=False)) | dict.fromkeys(chance, _CHANCE)
    bounds = ((findings.oracle, _ORACLE), (findings.baseline, _BASELINE))
    return chosen | {label: ink for label, ink in bounds if label is not None}


def mean_curves(findings: Findings) -> Picture:
    """The harvest curve of each strategy, the mean over tasks; the band holds the middle half of the tasks."""
    pages = findings.budgets[0]
    first = max(1, pages // 50)
    lines = [
        _line(label, _rates(findings.of(label), pages)[:, first - 1 :], ink, (25, 75))
        for label, ink in inks(findings).items()
        if ink.strong or findings.complete(label)
    ]
    shows = f"Harvest rate after each fetch, mean of {len(findings.tasks)} tasks"
    axes = Axes(shows, "fetches", "relevant pages ÷ fetches", first, height=460)
    return Picture("harvest", line_chart(axes, lines), shows)


def task_curves(findings: Findings) -> Iterable[Picture]:
    """The relevant pages found for each task; the band runs from the worst to the best of its seed sets and repeats."""
    chosen = inks(findings)
    yield Picture("legend", legend(chosen, sum(not ink.strong for ink in chosen.values())), "Which line is whose")
    for place, task in enumerate(findings.tasks, start=1):
        runs = findings.on(task)
        lines = [_line(label, _counts(each), chosen[label], (0, 100)) for label, each in runs.items()]
        targets = max(run.targets for each in runs.values() for run in each)
        axes = Axes(
            f"Relevant pages found for {task}", "fetches", f"{task}: found, of {targets:,}", 1, 392, 220, labels=False
        )
        yield Picture(f"task-{place:02d}-{_slug(task)}", line_chart(axes, lines), axes.title)


def means(findings: Findings) -> Picture:
    """The mean AUC of each strategy with its bootstrap interval over tasks."""
    chosen = inks(findings)
    dots = [
        _dot(label + "*" * (not findings.complete(label)), list(findings.values(label).values()), chosen[label])
        for label in findings.strategies
    ]
    rule = findings.mean(findings.baseline) if findings.baseline else None
    shows = "Mean AUC of each strategy, with 95 % intervals over tasks"
    return Picture("means", dot_chart(shows, "mean AUC over tasks; bars: bootstrap 95 %", dots, rule=rule), shows)


def _dot(label: str, values: Sequence[float], ink: Ink) -> Dot:
    low, high = bootstrap(values)
    return Dot(label, float(np.mean(values)), low, high, ink)


def _line(label: str, curves: Curves, ink: Ink, edges: tuple[int, int]) -> Line:
    banded = ink.strong and not ink.bound and len(curves) > 1
    low, high = np.percentile(curves, edges, axis=0).tolist() if banded else ((), ())
    return Line(label, curves.mean(axis=0).tolist(), low, high, ink)


def _rates(runs: Sequence[Run], pages: int) -> Curves:
    """The harvest curves of a strategy, a row a task."""
    rows: dict[str, list[Curves]] = {}
    for run in runs:
        rows.setdefault(run.topic, []).append(running_mean(_gains(run, pages).tolist(), pages))
    return np.array([np.mean(each, axis=0) for each in rows.values()])


def _counts(runs: Sequence[Run]) -> Curves:
    """The relevant pages found so far, a row a run."""
    return np.array([_gains(run, run.pages).cumsum() for run in runs])


def _gains(run: Run, pages: int) -> Curves:
    gains = np.zeros(max(1, pages))
    gains[[place - 1 for place in run.curve if place <= pages]] = 1
    return gains


def _slug(name: str) -> str:
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
