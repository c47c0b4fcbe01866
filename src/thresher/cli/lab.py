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
from thresher.cli import Commands, completion
from thresher.cli import shared_options as shared
from thresher.cli.crawl_options import part_table
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
_HOMES = {
    "calibrate": "lab_calibrate",
    "compare": "lab",
    "judges": "lab_judges",
    "record": "lab_webs",
    "reproduce": "lab_papers",
    "rules": "lab_papers",
    "run": "lab",
    "serve": "lab_webs",
    "train": "lab_train",
}
"""The module of each command of the lab."""


@click.group(cls=Commands, homes=_HOMES)
def lab() -> None:
    """Compare strategies on a recorded web, where every crawl can be repeated.

    \b
    thresher lab run tasks.toml --strategy best-first --strategy breadth-first --pages 500
    thresher lab judges tasks.toml --judge terms --judge concepts
    thresher lab calibrate tasks.toml --judge terms
    thresher lab compare lab-old lab-new
    thresher lab reproduce lin
    thresher lab train tasks.toml --out weights.toml
    thresher lab record --seed https://example.org/ --pages 5000 --out web
    thresher lab serve web.warc.gz
    """


@click.command()
@shared.TASKS
@shared.parts_option(
    "strategy",
    "strategies",
    "A strategy to run; may be given several times (default: all that can run on the tasks).",
)
@shared.ONLY
@click.option("--pages", type=click.IntRange(min=1), default=1000, show_default=True, help="Fetches in each run.")
@click.option(
    "--seeds",
    type=click.Choice(["near", "far", "all"]),
    default="all",
    show_default=True,
    help="Which seeds to start from.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each strategy that uses random numbers.",
)
@click.option(
    "--baseline",
    default="breadth-first",
    show_default=True,
    help="The strategy that the others are compared with; it runs too. `none` compares nothing.",
    shell_complete=completion.parts("strategy"),
)
@shared.out_option("lab", "Where results go.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Runs at the same time.")
def run(  # noqa: PLR0913 - an option each
    *,
    tasks: Sequence[Path],
    strategies: Sequence[str],
    only: Sequence[str],
    pages: int,
    seeds: str,
    repeat: int,
    baseline: str,
    out: Path,
    jobs: int,
) -> None:
    """Crawl recorded webs with several strategies, and report which is better. Run it again to continue.

    \b
    thresher lab run schools.toml --strategy best-first --strategy lokman:profile=robust --pages 500 --jobs 2
    """
    results = Results.open(out)
    found = chosen([task for path in tasks for task in read_tasks(path)], only)
    named = [part_table(text, "--strategy") for text in strategies or plugins.names("strategy")]
    against = None if baseline == _NO_BASELINE else part_table(baseline, "--baseline")
    tables = with_baseline(named, against)
    if len(tables) > len(named):
        _say(f"{baseline} runs too, as the baseline of the others; --baseline none leaves it out")
    wanted = trials(found, tables, seeds=seeds, pages=pages, repeats=repeat)
    if not wanted:
        raise BadInput(f"nothing to run: no task of {', '.join(map(str, tasks))} has {seeds} seeds")
    with Workbench() as bench:
        wanted = possible(wanted, bench, named=bool(strategies), told=_say)
        results.about = _about()
        note_tasks(wanted, results)
        with goes_on(lambda: f"{_ready(wanted, results)} of {len(wanted)} runs are kept in {out}") as interrupts:
            _with_progress(wanted, results, jobs, bench, interrupts.check)
            write_report(results, label(against) if against else "")
    summary(results, label(against) if against else "", Terminal(highlight=False))
    click.echo(f"\n{out / 'report.html'} has it all, with plots.")


@click.command()
@click.argument("one", type=click.Path(path_type=Path, exists=True), metavar="DIR1")
@click.argument("other", type=click.Path(path_type=Path, exists=True), metavar="DIR2")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def compare(one: Path, other: Path, *, as_json: bool) -> None:
    """Compare what two experiments gave for the same runs.

    \b
    thresher lab compare lab-old lab-new
    thresher lab compare lab-old lab-new --json | jq '.strategies[] | {strategy, difference, holm}'
    """
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
