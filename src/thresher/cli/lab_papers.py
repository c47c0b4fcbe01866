"""`thresher lab reproduce` runs the experiments of the papers again; `thresher lab rules` saves what the lab learnt for a live crawl."""

import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.classify.taxonomy import Taxonomy
from thresher.cli.declared import lab_commands as declared
from thresher.cli.stopping import goes_on
from thresher.cli.terminal import Terminal
from thresher.errors import BadInput
from thresher.lab.papers import PAPERS
from thresher.lab.papers.page import sections_of, update_page
from thresher.lab.papers.reproduction import PaperTable, Reproduction, Setting, write
from thresher.lab.run.task import Task, chosen, read_tasks
from thresher.lab.run.trial import Workbench


@declared.reproduce.work
def reproduce(*, name: str, webs: Path, into: Path, jobs: int, quick: bool, page: Path | None) -> None:  # noqa: PLR0913 - an option each
    """Run the experiments, and write and show them."""
    if quick and page:
        raise BadInput("--quick gives figures that mean nothing: they are not for a --page")
    if page:
        sections_of(page)  # before the crawls, which take hours
    console, beside = Terminal(highlight=False), Terminal(stderr=True)
    for each in PAPERS if name == "all" else [name]:
        kept = goes_on(lambda: f"the crawls that ended are kept in {into}")
        with kept, beside.status(each) as status, Workbench() as bench:
            setting = Setting(webs, into, jobs, quick, lambda line: status.update(escape(line)), bench)
            made: Reproduction = import_module(f"thresher.lab.papers.{PAPERS[each]}").reproduce(setting)
        path = write(made, into)
        if page:
            update_page(page, made, f"Run on {datetime.now(UTC).date()} with Thresher {version('thresher')}.")
        show(made, console)
        console.print(f"\n[dim]{escape(str(path))} has it with its plots.[/dim]\n", soft_wrap=True)


def show(made: Reproduction, console: Console) -> None:
    """Print a reproduction as tables."""
    console.print(f"[bold]{escape(made.name)}[/bold]  {escape(made.paper)}\n")
    console.print(escape(made.design))
    console.print(f"[bold]Training sets:[/bold] {escape(made.training)}")
    for table in made.tables:
        console.print()
        console.print(_drawn(table))
        if table.said:
            console.print(f"[dim]{escape(table.said)}[/dim]")
    console.print(f"\n[bold]Verdict.[/bold] {escape(made.verdict)}")
    for line in made.differences:
        console.print(f"· {escape(line)}")


def _drawn(table: PaperTable) -> Table:
    drawn = Table(title=escape(table.title), title_justify="left", box=box.SIMPLE_HEAD)
    for place, column in enumerate(table.columns):
        drawn.add_column(escape(column), justify="right" if place else "left")
    for row in table.rows:
        drawn.add_row(*map(escape, row))
    return drawn


@declared.rules.work
def rules(*, tasks: Path, only: Sequence[str], out: Path, walks: bool) -> None:
    """Learn, and write both files."""
    task = _one(chosen(read_tasks(tasks), only), tasks)
    classifier = out.with_suffix(".npz")
    if classifier == out:
        raise BadInput(f"--out {out}: the classifier is written there; choose a .toml file for the rules")
    with Workbench() as bench:
        taxonomy: Taxonomy = bench.known(task)["taxonomy"].make()
    found = taxonomy.walks if walks else taxonomy.rules
    assert found is not None
    try:
        found.save(out)
        taxonomy.classifier.save(classifier)
    except OSError as error:
        raise BadInput(f"cannot write {out} and {classifier.name}: {error.strerror}; choose another --out") from error
    sizes, what = taxonomy.sizes, "links of random walks" if walks else "pages that these link to (train-1)"
    click.echo(
        f"{len(taxonomy.classifier.classes)} classes in {classifier}, learnt from {sizes.train_0:,} pages (train-0); "
        f"{len(found)} rules in {out}, from {sum(found.pages.values()):,} {what}. Use them with:"
    )
    options = ["--taxonomy", classifier, "--rules", out]
    options += [part for each in task.relevant for part in ("--target", each)]
    click.echo(
        f"thresher crawl --topic {shlex.quote(task.topic)} --seed URL --strategy interclass-rules {shlex.join(map(str, options))}"
    )


def _one(tasks: list[Task], path: Path) -> Task:
    if len(tasks) != 1:
        raise BadInput(f"{path} has several tasks: choose one with --task: {', '.join(task.name for task in tasks)}")
    return tasks[0]
