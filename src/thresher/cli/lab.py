"""`thresher lab`: compare strategies on a web that stands still."""

import asyncio
import contextlib
import json
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thresher import plugins
from thresher.cli import completion
from thresher.cli.crawl_options import toml_value
from thresher.cli.record import record
from thresher.cli.reproduce import reproduce
from thresher.cli.rules import rules
from thresher.cli.stopping import goes_on
from thresher.errors import BadInput
from thresher.lab.report.comparison import compared, compared_as_json
from thresher.lab.report.report_writer import summary, write_report
from thresher.lab.run.experiment import experiment, missing_parts, note_tasks, trials
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.task import chosen, read_tasks
from thresher.lab.run.trial import PartTable, Trial, Workbench, label
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.serve import LAST_PORT, serve_recording

_TASKS = click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASKS.toml…")
# A comma in a list is none between keys.
_ANOTHER_KEY = re.compile(r",(?=\s*[\w-]+\s*=)")
_NO_BASELINE = "none"
_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("lab"),
    show_default=True,
    metavar="DIR",
    help="Where results go.",
)


@click.group()
def lab() -> None:
    """Compare strategies on a recorded web, where every crawl can be run again.

    \b
    thresher lab run tasks.toml --strategy best-first --strategy breadth-first --pages 500
    thresher lab compare lab-old lab-new
    thresher lab reproduce lin
    thresher lab record --seed https://example.org/ --pages 5000 --out web
    thresher lab serve web.warc.gz
    """


for command in (record, reproduce, rules):
    lab.add_command(command)


@lab.command()
@_TASKS
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME[:KEY=VALUE,…]",
    help="May be given several times; default: all that can be made.",
    shell_complete=completion.parts("strategy"),
)
@click.option("--task", "only", multiple=True, metavar="NAME", help="Only this task; may be given several times.")
@click.option("--pages", type=click.IntRange(min=1), default=1000, show_default=True, help="Fetches a run.")
@click.option(
    "--seeds", type=click.Choice(["near", "far", "all"]), default="all", show_default=True, help="Where to start."
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, show_default=True, help="Runs of a strategy that throws dice."
)
@click.option(
    "--baseline",
    default="breadth-first",
    show_default=True,
    help="What the others are compared with: it runs too. `none` compares nothing.",
    shell_complete=completion.parts("strategy"),
)
@_OUT
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Runs at a time.")
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
    """Crawl recorded webs with several strategies, and report which is better. Run it again and it goes on.

    \b
    thresher lab run schools.toml --strategy best-first --strategy lokman:profile=robust --pages 500 --jobs 2
    """
    results = Results.open(out)
    found = chosen([task for path in tasks for task in read_tasks(path)], only)
    tables = [spec(text) for text in strategies or plugins.names("strategy")]
    tables, against = _with_baseline(tables, baseline)
    wanted = trials(found, tables, seeds=seeds, pages=pages, repeats=repeat)
    if not wanted:
        raise BadInput(f"nothing to run: no task of {', '.join(map(str, tasks))} has {seeds} seeds")
    with Workbench() as bench:
        wanted = _possible(wanted, bench, named=bool(strategies))
        results.about = _about()
        note_tasks(wanted, results)
        with goes_on(lambda: f"{_ready(wanted, results)} of {len(wanted)} runs are kept in {out}") as interrupts:
            _with_progress(wanted, results, jobs, bench, interrupts.check)
            write_report(results, against)
    summary(results, against, Console(highlight=False))
    click.echo(f"\n{out / 'report.html'} has it all, with plots.")


@lab.command()
@click.argument("one", type=click.Path(path_type=Path, exists=True), metavar="DIR1")
@click.argument("other", type=click.Path(path_type=Path, exists=True), metavar="DIR2")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def compare(one: Path, other: Path, *, as_json: bool) -> None:
    """What two experiments gave for the same runs.

    \b
    thresher lab compare lab-old lab-new
    thresher lab compare lab-old lab-new --json | jq '.strategies[] | {strategy, difference, holm}'
    """
    first, second = Results.read(one), Results.read(other)
    if as_json:
        click.echo(json.dumps(compared_as_json(first, second), indent=2, ensure_ascii=False))
    else:
        click.echo(compared(first, second))


@lab.command()
@click.argument("web", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="WARC-OR-DIR…")
@click.option(
    "--port", type=click.IntRange(0, LAST_PORT), default=0, help="The port to listen on (default: any that is free)."
)
def serve(web: Sequence[Path], port: int) -> None:
    """Serve a recorded web on this machine, as an HTTP proxy for all its hosts, so that any crawler can be run against it.

    \b
    thresher lab serve web.warc.gz --port 8080
    thresher crawl --topic iris --seed http://example.org/ --proxy http://127.0.0.1:8080
    """
    # Ctrl-C is how it ends.
    with Recording.open(list(web)) as recording, contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(recording, port))


async def _serve(recording: Recording, port: int) -> None:
    async with serve_recording(recording, port) as server:
        click.echo(f"{len(recording):,} urls behind the proxy http://127.0.0.1:{server.port}; ctrl-c ends it")
        first = next(iter(recording.urls()), None)
        if first:
            click.echo(f"try: curl --proxy http://127.0.0.1:{server.port} {shlex.quote(first)}")
        await asyncio.Event().wait()


def spec(text: str) -> PartTable:
    """A strategy as on the command line: `lokman:profile=robust,window=5`."""
    name, _, keys = text.partition(":")
    table: dict[str, Any] = {"name": name}
    for pair in _ANOTHER_KEY.split(keys) if keys else ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(
                f"--strategy {text!r}: {pair!r} is not of the form KEY=VALUE; write NAME:KEY=VALUE,KEY=VALUE"
            )
        table[key.strip()] = toml_value(value.strip())
    return table


def _with_baseline(tables: list[PartTable], text: str) -> tuple[list[PartTable], str]:
    """The strategies to run with the baseline among them, and what results call it; nothing if none is wanted."""
    if text == _NO_BASELINE:
        return tables, ""
    baseline = spec(text)
    if any(table == baseline or table["name"] == text for table in tables):
        return tables, label(baseline)
    plugins.find("strategy", baseline["name"])
    click.echo(f"thresher: {text} runs too, to hold the others against it; --baseline none leaves it out", err=True)
    return [*tables, baseline], label(baseline)


def _possible(wanted: Sequence[Trial], bench: Workbench, *, named: bool) -> list[Trial]:
    """The trials whose parts can be made. Of strategies that nobody named the others are left out, with a word."""
    without = missing_parts(wanted, bench, lambda line: click.echo(f"thresher: {line}", err=True))
    if named and without:
        trial, error = without[0]
        raise BadInput(f"{trial.task.place}: {error}") from error
    for trial, error in {
        (trial.task.full_name, trial.strategy["name"]): (trial, error) for trial, error in without
    }.values():
        click.echo(f"thresher: left out for {trial.task.full_name}: {error}", err=True)
    out = {trial.blank.key for trial, _ in without}
    return [trial for trial in wanted if trial.blank.key not in out]


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
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("runs", total=len(wanted))
        progress.advance(bar, _ready(wanted, results))

        def done(row: Run) -> None:
            progress.update(bar, advance=1, description=f"{row.topic} {row.label}")
            check()

        experiment(wanted, results, jobs=jobs, done=done, bench=bench)
