"""The pictures of a report: harvest over fetches, all tasks together and each alone, and the means with their intervals."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.chart import (
    GREY,
    THIN,
    Axes,
    Ink,
    Line,
    Span,
    clean,
    framed,
    grid_x,
    line_chart,
    px,
    room_for,
    shortened,
    ticks,
)
from thresher.lab.report.document import Picture
from thresher.lab.report.findings import ExperimentFindings
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

_DOT_ROW = 20
_SAMPLE, _GAP, _LEGEND_ROW = 34, 22, 20
Curves = NDArray[np.float64]


class Dot(NamedTuple):
    """A strategy's value, and where it could also lie."""

    name: str
    value: float
    low: float
    high: float
    ink: Ink = THIN


def inks(findings: ExperimentFindings) -> dict[str, Ink]:
    """Who is drawn how: the best few, the baseline and the bounds in colour, the others thin and grey."""
    chosen = dict.fromkeys(findings.strategies, THIN)
    chance = [label for label in findings.crawlers if label == "random"]
    best = [label for label in findings.crawlers if label not in (findings.baseline, *chance)][:BEST]
    chosen |= dict(zip(best, _BEST, strict=False)) | dict.fromkeys(chance, _CHANCE)
    bounds = ((findings.oracle, _ORACLE), (findings.baseline, _BASELINE))
    return chosen | {label: ink for label, ink in bounds if label is not None}


def mean_curves(findings: ExperimentFindings) -> Picture:
    """The harvest curve of each strategy, the mean over tasks; the band holds the middle half of the tasks."""
    first, lines = mean_lines(findings)
    shows = f"Harvest rate after each fetch, mean of {len(findings.tasks)} tasks"
    axes = Axes(shows, "fetches", "relevant pages ÷ fetches", first, height=460)
    return Picture("harvest", line_chart(axes, lines), shows)


def mean_lines(findings: ExperimentFindings) -> tuple[int, list[Line]]:
    """The lines of that picture, and the fetch that they begin with."""
    pages = findings.budgets[0]
    first = max(1, pages // 50)
    return first, [
        _line(label, _rates(findings.of(label), pages)[:, first - 1 :], ink, (25, 75))
        for label, ink in inks(findings).items()
        if ink.strong or findings.complete(label)
    ]


def task_lines(findings: ExperimentFindings, task: str) -> list[Line]:
    """The relevant pages that each strategy found for a task, after each fetch."""
    chosen = inks(findings)
    return [_line(label, _counts(runs), chosen[label], (0, 100)) for label, runs in findings.on(task).items()]


def task_curves(findings: ExperimentFindings) -> Iterable[Picture]:
    """The relevant pages found for each task; the band runs from the worst to the best of its seed sets and repeats."""
    chosen = inks(findings)
    yield Picture("legend", legend(chosen, sum(not ink.strong for ink in chosen.values())), "Which line is whose")
    for place, task in enumerate(findings.tasks, start=1):
        runs = findings.on(task)
        lines = task_lines(findings, task)
        targets = max(run.targets for each in runs.values() for run in each)
        axes = Axes(
            f"Relevant pages found for {task}", "fetches", f"{task}: found, of {targets:,}", 1, 392, 220, labels=False
        )
        yield Picture(f"task-{place:02d}-{_slug(task)}", line_chart(axes, lines), axes.title)


def means(findings: ExperimentFindings) -> Picture:
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


# ── means as dots ──


def dot_chart(title: str, x: str, dots: Sequence[Dot], width: int = 800, rule: float | None = None) -> str:
    """The picture, a row a dot; `rule` is a value that all are to be held against."""
    across, bottom = _dot_span(dots, width, rule), 12 + _DOT_ROW * len(dots)
    marks = ticks(across.low, across.high, 6)
    drawn = [
        *grid_x(across, (bottom, 8), marks),
        *([] if rule is None else [_dot_rule(across.at(rule), bottom)]),
        *(part for row, dot in enumerate(dots) for part in _dot_row(dot, across, 12 + _DOT_ROW * (row + 0.5))),
        f'<text x="{px((across.start + across.end) / 2)}" y="{bottom + 34}" text-anchor="middle">{clean(x)}</text>',
    ]
    return framed(title, width, bottom + 42, drawn)


def _dot_span(dots: Sequence[Dot], width: int, rule: float | None) -> Span:
    held = [dot for dot in dots if not dot.ink.bound] or dots
    ends = [0.0, *(each for dot in held for each in (dot.low, dot.high)), *([] if rule is None else [rule])]
    low, high = min(ends), max(ends)
    slack = (high - low) * 0.03 or 0.5
    return Span(low - slack * (low < 0), high + slack, room_for(dot.name for dot in dots) + 16, width - 16)


def _dot_rule(x: float, bottom: float) -> str:
    return f'<path d="M{px(x)} 8V{px(bottom)}" stroke="{GREY}" stroke-width="1.5" stroke-dasharray="5 3"/>'


def _dot_row(dot: Dot, across: Span, y: float) -> Iterable[str]:
    told = f"{dot.name}: {dot.value:.3f}, from {dot.low:.3f} to {dot.high:.3f}"
    name, colour = clean(shortened(dot.name)), dot.ink.colour
    yield f'<g fill="{colour}"><title>{clean(told)}</title>'
    yield f'<text x="{px(across.start - 10)}" y="{px(y)}" dy=".35em" text-anchor="end">{name}</text>'
    if dot.value > across.high:
        yield f'<text x="{px(across.end)}" y="{px(y)}" dy=".35em" text-anchor="end">{dot.value:.3f} →</text></g>'
        return
    low, high = (px(across.at(min(each, across.high))) for each in (dot.low, dot.high))
    yield f'<path d="M{low} {px(y)}H{high}" stroke="{colour}" stroke-width="2" stroke-opacity=".55"/>'
    yield f'<circle cx="{px(across.at(dot.value))}" cy="{px(y)}" r="4"/></g>'


# ── the legend ──


def legend(inks: Mapping[str, Ink], others: int, width: int = 800) -> str:
    """A sample of each strong line with its name, in as many rows as they need; the others are told once."""
    entries = [(name, ink) for name, ink in inks.items() if ink.strong]
    if others:
        entries.append((f"{others} other{'s' * (others > 1)}", THIN))
    rows = list(_legend_rows([name for name, _ in entries], width))
    places = [(x, row) for row, xs in enumerate(rows) for x in xs]
    drawn = [
        _legend_entry(name, ink, x, 12 + _LEGEND_ROW * row)
        for (name, ink), (x, row) in zip(entries, places, strict=True)
    ]
    return framed("Which line is whose", width, _LEGEND_ROW * max(1, len(rows)) + 4, drawn)


def _legend_rows(names: Iterable[str], width: int) -> Iterable[list[float]]:
    """Where each sample begins, a list a row."""
    row: list[float] = []
    x = 4.0
    for name in names:
        wide = _SAMPLE + room_for([name]) + _GAP
        if row and x + wide > width:
            yield row
            row, x = [], 4.0
        row.append(x)
        x += wide
    if row:
        yield row


def _legend_entry(name: str, ink: Ink, x: float, y: float) -> str:
    dash = f' stroke-dasharray="{ink.dash}"' if ink.dash else ""
    line = f'<path d="M{px(x)} {px(y)}h{_SAMPLE - 8}" stroke="{ink.colour}" stroke-width="{px(ink.width)}"{dash}/>'
    colour = ink.colour if ink.strong else GREY
    return f'{line}<text x="{px(x + _SAMPLE)}" y="{px(y)}" dy=".35em" fill="{colour}">{clean(shortened(name))}</text>'
