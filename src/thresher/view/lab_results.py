"""The lab's results in the window: curves with bands, tables by task, and two runs' visits side by side."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui

from thresher.chart import Ink, Line
from thresher.errors import ThresherError
from thresher.lab.report.findings import ExperimentFindings
from thresher.lab.report.pictures import mean_lines, task_lines
from thresher.lab.report.two_runs import AT_ONCE, RunVisit, TwoRuns, VisitPair, runs_by_name, two_runs
from thresher.lab.run.results_file import Results, Run
from thresher.results.plain_text import short_line
from thresher.view.chart_pieces import (
    ORANGE,
    QUIET,
    Chart,
    Options,
    Table,
    TableColumn,
    axes,
    card,
    look,
    styled,
)
from thresher.view.chart_pieces import line as chart_line
from thresher.view.parts import heading, set_text, trouble

_BASELINE = "breadth-first"
_EXPLAINED = (
    "AUC is the mean of the harvest curve over the budget. p says how often chance alone makes such a difference. "
    "A * marks strategies that were not tried on every task."
)
_MOST_POINTS = 200
_LONGEST = 110
_ALL = "all tasks"


async def draw_lab_results(folder: Path) -> None:
    """Draw the results of one experiment."""
    styled()
    try:
        findings = await asyncio.to_thread(_findings, folder)
    except ThresherError as error:
        trouble(str(error))
        return
    page = _LabPage(findings)
    await page.show_curves()


def _findings(folder: Path) -> ExperimentFindings:
    return ExperimentFindings(Results.read(folder), _BASELINE)


class _LabPage:
    def __init__(self, findings: ExperimentFindings) -> None:
        self._findings = findings
        self._runs = runs_by_name(findings.results)
        self._skip = 0
        heading(_safe(findings.results.folder.name))
        runs, tasks = len(findings.runs), len(findings.tasks)
        ui.label(
            f"{runs:,} runs of {len(findings.strategies)} strategies on {tasks:,} task{'s' * (tasks != 1)}."
        ).classes("soft")
        self._draw_curves()
        self._draw_strategies()
        self._draw_tasks()
        self._draw_two()

    def _draw_curves(self) -> None:
        with card("Harvest curves"):
            tasks = {_ALL: "All tasks together", **{task: _safe(task) for task in self._findings.tasks}}
            self._task = ui.select(tasks, value=_ALL, label="Task", on_change=self.show_curves).props(
                "dense outlined options-dense"
            )
            self._chart = Chart("400px")

    def _draw_strategies(self) -> None:
        columns = (
            TableColumn("strategy", "Strategy"),
            TableColumn("auc", "Mean AUC", kind="bar"),
            TableColumn("harvest", "Harvest", "right"),
            TableColumn("score", f"Won / lost against {_BASELINE}", "right"),
            TableColumn("chance", "p (Holm)", "right"),
            TableColumn("cpu", "CPU s a run", "right"),
        )
        with card(
            "Strategies, best first",
            _EXPLAINED,
        ):
            table = Table("Strategies", columns, "strategy", "No strategy was run.")
            most = max((self._findings.mean(label) or 0.0 for label in self._findings.strategies), default=1.0)
            table.show(_strategy_row(self._findings, label, most) for label in self._findings.strategies)

    def _draw_tasks(self) -> None:
        labels = self._findings.strategies
        columns = [
            TableColumn("task", "Task"),
            *(TableColumn(f"s{place}", _safe(label), "right") for place, label in enumerate(labels)),
        ]
        with card(
            "AUC by task", "The best of a task is marked with a star; the oracle knows the labels and is not ranked."
        ):
            table = Table("AUC by task", columns, "task", "No task was run.")
            table.show(_task_row(self._findings, task) for task in self._findings.tasks)

    def _draw_two(self) -> None:
        names = {name: _safe(name) for name in self._runs}
        first, second = _best_and_baseline(self._findings, self._runs)
        with card("Two runs side by side", "What each fetched, in order. A filled mark is a relevant page."):
            with ui.element("div").classes("columns two"):
                self._left = self._chosen_run(names, first, "Left run")
                self._right = self._chosen_run(names, second, "Right run")
            self._two_said = ui.label().classes("soft")
            columns = (
                TableColumn("place", "", "right"),
                TableColumn("left", "Left", kind="visit"),
                TableColumn("right", "Right", kind="visit"),
            )
            self._two = Table("Two runs side by side", columns, "place", "Choose two runs.")
            with ui.element("div").classes("choices"):
                self._back = ui.button("Earlier", on_click=partial(self._move, -AT_ONCE)).props("flat dense no-caps")
                self._on = ui.button("Later", on_click=partial(self._move, AT_ONCE)).props("flat dense no-caps")

    def _chosen_run(self, names: dict[str, str], value: str, label: str) -> ui.select:
        select = ui.select(names, value=value, label=label, with_input=True, on_change=partial(self._move, None))
        return select.props("dense outlined options-dense")

    async def show_curves(self) -> None:
        """Draw the curves of the task that is chosen; the visits too, at first."""
        task = self._task.value
        lines, first = await asyncio.to_thread(self._lines, task)
        rate = task == _ALL
        options = axes("fetches", "relevant ÷ fetches" if rate else "relevant pages found", percent=rate)
        options["series"] = [
            each for place, line in enumerate(lines) for each in _series(line, place, first, percent=rate)
        ]
        named = [_safe(line.name) for line in lines if line.ink.strong]
        options["legend"] |= {"type": "scroll", "left": 0, "data": named}
        options["grid"] |= {"top": 64}
        head = ("strategy", "half way", "at the end")
        self._chart.show(options, _said(lines, task, rate=rate), head, (_ends(line, rate=rate) for line in lines))
        if not self._two_said.text:
            await self._move(None)

    def _lines(self, task: str) -> tuple[list[Line], int]:
        if task == _ALL:
            first, lines = mean_lines(self._findings)
            return lines, first
        return task_lines(self._findings, task), 1

    async def _move(self, by: int | None) -> None:
        left, right = self._runs.get(self._left.value), self._runs.get(self._right.value)
        if left is None or right is None:
            return
        self._skip = 0 if by is None else max(0, self._skip + by)
        try:
            found = await asyncio.to_thread(two_runs, self._findings.results, left, right, self._skip)
        except ThresherError as error:
            set_text(self._two_said, str(error))
            return
        self._show_two(found)

    def _show_two(self, found: TwoRuns) -> None:
        end = min(found.length, self._skip + AT_ONCE)
        shared = f"{found.overlap:.0%} of the budget went to the same urls."
        set_text(self._two_said, f"Fetches {self._skip + 1:,} to {end:,} of {found.length:,}. {shared}")
        self._two.show(map(_pair_row, found.rows))
        self._back.set_enabled(self._skip > 0)
        self._on.set_enabled(end < found.length)


def _best_and_baseline(findings: ExperimentFindings, runs: Mapping[str, Run]) -> tuple[str, str]:
    """The names of two runs that a reader may want to compare first: of the best strategy and of the baseline, on the same task."""
    names = list(runs)
    best = next((name for name in names if runs[name].label == findings.crawlers[0]), names[0])
    other = [name for name in names if runs[name].label == findings.baseline and name != best]
    same = [name for name in other if (runs[name].topic, runs[name].seeds) == (runs[best].topic, runs[best].seeds)]
    return best, next(iter([*same, *other, *names]))


def _safe(text: str) -> str:
    return short_line(text, _LONGEST)


def _colour(ink: Ink, place: int) -> tuple[str, Any]:
    """Colours that can be seen on white and on dark; the dashes all differ, so that nobody depends on colours."""
    if ink.bound:
        return QUIET, "dotted"
    if not ink.strong:
        return QUIET, "solid"
    return look(place)


def _series(line: Line, place: int, first: int, *, percent: bool) -> Iterable[Options]:
    """A line, and the band around it as two lines without ink and the space between them."""
    colour, dash = (ORANGE, [14, 4]) if line.name == _BASELINE else _colour(line.ink, place)
    name = _safe(line.name)
    yield chart_line(
        name, _points(line.values, first, percent=percent), colour, dash=dash, z=3 if line.ink.strong else 2
    )
    if not line.low:
        return
    between = [high - low for low, high in zip(line.low, line.high, strict=True)]
    hidden = {"stack": f"band {place}", "silent": True, "tooltip": {"show": False}, "legendHoverLink": False}
    clear = {"lineStyle": {"opacity": 0}, "z": 1}
    for values, filled in ((line.low, 0.0), (between, 0.13)):
        points = _points(values, first, percent=percent)
        yield {
            **chart_line(f"{name} ", points, colour),
            **hidden,
            **clear,
            "areaStyle": {"opacity": filled, "color": colour},
        }


def _points(values: Sequence[float], first: int, *, percent: bool) -> list[list[float]]:
    step = max(1, len(values) // _MOST_POINTS)
    places = sorted({*range(0, len(values), step), len(values) - 1} - {-1})
    times = 100.0 if percent else 1.0
    return [[first + place, round(times * values[place], 2)] for place in places]


def _said(lines: Sequence[Line], task: str, *, rate: bool) -> str:
    ranked = sorted((line for line in lines if line.values and not line.ink.bound), key=lambda line: -line.values[-1])
    told = ", ".join(f"{_safe(line.name)} {_value(line.values[-1], rate=rate)}" for line in ranked[:4])
    which = "Mean over all tasks" if task == _ALL else f"For {_safe(task)}"
    bands = "bands hold the middle half of the tasks" if rate else "bands run from the worst to the best run"
    return f"{which}, at the end of the budget: {told}; {bands}."


def _value(value: float, *, rate: bool) -> str:
    return f"{value:.1%}" if rate else f"{value:,.1f}"


def _ends(line: Line, *, rate: bool) -> list[str]:
    values = line.values or [0.0]
    return [_safe(line.name), *(_value(values[place], rate=rate) for place in (len(values) // 2, -1))]


def _strategy_row(findings: ExperimentFindings, label: str, most: float) -> dict[str, Any]:
    mean = findings.mean(label) or 0.0
    against = findings.comparisons.get(label)
    return {
        "strategy": _safe(label),
        "auc": f"{mean:.3f}{'' if findings.complete(label) else '*'}",
        "share": mean / most if most else 0.0,
        "kind": "bad" if label == findings.baseline else "yes" if label in findings.crawlers else "no",
        "harvest": f"{findings.mean(label, lambda run: run.harvest) or 0.0:.3f}",
        "score": f"{against.score.wins} / {against.score.losses}" if against else "–",
        "chance": f"{findings.chances[label]:.3f}" if against else "–",
        "cpu": f"{findings.mean(label, lambda run: run.cpu_s) or 0.0:.1f}",
    }


def _task_row(findings: ExperimentFindings, task: str) -> dict[str, Any]:
    values = {label: findings.values(label).get(task) for label in findings.strategies}
    best = max(
        (value for label, value in values.items() if value is not None and label in findings.crawlers), default=None
    )
    told = (_auc(value, best if label in findings.crawlers else None) for label, value in values.items())
    return {"task": _safe(task), **{f"s{place}": each for place, each in enumerate(told)}}


def _auc(value: float | None, best: float | None) -> str:
    return "–" if value is None else f"{value:.3f}{' ★' if value == best else ''}"


def _pair_row(pair: VisitPair) -> dict[str, Any]:
    return {"place": pair.place, "left": _visit_cell(pair.left), "right": _visit_cell(pair.right)}


def _visit_cell(visit: RunVisit | None) -> dict[str, str] | None:
    if visit is None:
        return None
    other = f"also {visit.elsewhere:,}." if visit.elsewhere else "alone"
    kind, mark = ("yes", "●") if visit.relevant else ("no", "○") if visit.page else ("none", "×")
    word = "relevant, " if visit.relevant else "no page, " if not visit.page else ""
    return {"url": _safe(visit.url), "kind": kind, "mark": mark, "note": f"{word}{other} · {visit.found:,} found"}
