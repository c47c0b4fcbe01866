"""`thresher lab`: compare strategies on a web that does not change."""

import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thresher import plugins
from thresher.cli.crawl_options import part_table
from thresher.cli.declared import lab_commands as declared
from thresher.cli.plain_output import echo_json, say
from thresher.cli.stopping import goes_on
from thresher.cli.terminal import Terminal
from thresher.errors import BadInput
from thresher.lab.report.comparison import compared, compared_as_json
from thresher.lab.report.report_writer import summary, write_report
from thresher.lab.run.experiment import experiment, note_tasks, possible, trials, with_baseline
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.task import chosen, read_tasks
from thresher.lab.run.trial import Trial, Workbench, label

_NO_BASELINE = "none"


@declared.run.work
def run(  # noqa: PLR0913 - an option each
    *,
    tasks: Sequence[Path],
    strategies: Sequence[str],
    only: Sequence[str],
    pages: int,
    start: str,
    repeat: int,
    team: Sequence[int],
    lessons_every: float,
    baseline: str,
    into: Path,
    jobs: int,
) -> None:
    """Run what was not run before, and write the report."""
    results = Results.open(into)
    found = chosen([task for path in tasks for task in read_tasks(path)], only)
    named = [part_table(text, "--strategy") for text in strategies or plugins.names("strategy")]
    against = None if baseline == _NO_BASELINE else part_table(baseline, "--baseline")
    tables = with_baseline(named, against)
    if len(tables) > len(named):
        _say(f"{baseline} runs too, as the baseline of the others; --baseline none leaves it out")
    asked: dict[str, Any] = {"seeds": start, "pages": pages, "repeats": repeat}
    wanted = trials(found, tables, **asked, team=team, lessons_every=lessons_every)
    if against is not None and 1 not in team:
        wanted += trials(found, [against], **asked)
    if not wanted:
        raise BadInput(f"nothing to run: no task of {', '.join(map(str, tasks))} has {start} seeds")
    with Workbench() as bench:
        wanted = possible(wanted, bench, named=bool(strategies), told=_say)
        results.about = _about()
        note_tasks(wanted, results)
        with goes_on(lambda: f"{_ready(wanted, results)} of {len(wanted)} runs are kept in {into}") as interrupts:
            _with_progress(wanted, results, jobs, bench, interrupts.check)
            write_report(results, label(against) if against else "")
    summary(results, label(against) if against else "", Terminal(highlight=False))
    click.echo(f"\n{into / 'report.html'} has it all, with plots.")


@declared.compare.work
def compare(one: Path, other: Path, *, as_json: bool) -> None:
    """Print the difference."""
    first, second = Results.read(one), Results.read(other)
    if as_json:
        echo_json(compared_as_json(first, second))
    else:
        click.echo(compared(first, second))


def _say(line: str) -> None:
    say(line)


def _about() -> dict[str, Any]:
    return {
        "command": shlex.join(["thresher", *sys.argv[1:]]),
        "date": datetime.now(UTC).date().isoformat(),
        "version": version("thresher"),
    }


def _ready(wanted: Sequence[Trial], results: Results) -> int:
    return sum(trial.blank.key in results.runs for trial in wanted)


def _with_progress(
    wanted: Sequence[Trial], results: Results, jobs: int, bench: Workbench, check: Callable[[], None]
) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Terminal(stderr=True)) as progress:
        bar = progress.add_task("runs", total=len(wanted))
        progress.advance(bar, _ready(wanted, results))

        def done(row: Run) -> None:
            progress.update(bar, advance=1, description=f"{row.topic} {row.label}")
            check()

        experiment(wanted, results, jobs=jobs, done=done, skipped=_say, bench=bench)
