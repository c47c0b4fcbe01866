"""`thresher lab calibrate`: fit the curves that make the scores of judges probabilities."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from thresher.cli import shared_options as shared
from thresher.cli.crawl_options import part_table
from thresher.disk.atomic_file import write_whole
from thresher.lab.report.judge_report import write_reliability
from thresher.lab.run.calibration_fit import Scores, curves_file, fitted, left_out, scores
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.trial import Workbench, label

_JUDGES = ("terms",)


@click.command()
@shared.TASKS
@shared.parts_option("judge", "judges", "A judge to calibrate; may be given several times.", default=_JUDGES)
@shared.out_option("calibration", "Where the table and the diagrams go.")
def calibrate(*, tasks: Sequence[Path], judges: Sequence[str], out: Path) -> None:
    """Fit a curve for each judge, so that of pages judged .7 about seven in ten are relevant.

    \b
    thresher lab calibrate schools.toml foldoc.toml --judge terms --out calibration
    """
    tables = [part_table(text, "--judge") for text in judges]
    found: dict[str, list[Scores]] = {label(table): [] for table in tables}
    read = [read_tasks(path) for path in tasks]
    with Workbench() as bench:
        for of_web in read:
            for name, some in scores(of_web, tables, bench).items():
                found[name] += some
    out.mkdir(parents=True, exist_ok=True)
    curves = {name: fitted(some) for name, some in found.items()}
    for name, some in found.items():
        _report(name, some, out)
    date = datetime.now(UTC).date().isoformat()
    fitted_on = _named([task for of_web in read for task in of_web])
    write_whole(out / "calibration.toml", curves_file(curves, fitted_on, date).encode())
    click.echo(f"{out / 'calibration.toml'}: {len(curves)} curves, fitted on {fitted_on}")


def _report(name: str, found: Sequence[Scores], out: Path) -> None:
    if (held := left_out(found)) is None:
        click.echo(f"{name}: one web alone, so nothing is left to try the curve on")
        return
    figures, pages = held
    write_reliability(name, pages, out)
    click.echo(
        f"{name}: on webs that were left out the error is {figures.error:.3f}, {figures.above:.3f} among pages judged .1 or more; "
        f"of pages judged .5 or more {figures.precision:.0%} are relevant"
    )


def _named(tasks: Sequence[Task]) -> str:
    counts = Counter(task.web.name for task in tasks)
    listed = ", ".join(f"{web} ({count})" for web, count in sorted(counts.items()))
    many = f"{len(tasks)} task{'s' * (len(tasks) != 1)}"
    return f"{many} of recorded webs, each with its phrase alone and with its keywords: {listed}"
