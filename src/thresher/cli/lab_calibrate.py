"""`thresher lab calibrate`: fit the curves that make the scores of judges probabilities."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from thresher.cli.crawl_options import part_table
from thresher.cli.declared import lab_commands as declared
from thresher.disk.atomic_file import write_whole
from thresher.errors import BadInput
from thresher.lab.report.judge_report import write_reliability
from thresher.lab.run.calibration_fit import Scores, curves_file, fitted, fitted_on, left_out, scores
from thresher.lab.run.judge_scores import reliability
from thresher.lab.run.task import read_tasks
from thresher.lab.run.trial import Workbench, label

_JUDGES = ("terms",)


@declared.calibrate.work
def calibrate(*, tasks: Sequence[Path], judges: Sequence[str], into: Path) -> None:
    """Score the pages, fit the curves, and say what they are worth."""
    tables = [part_table(text, "--judge") for text in judges or _JUDGES]
    found: dict[str, list[Scores]] = {label(table): [] for table in tables}
    read = [read_tasks(path) for path in tasks]
    with Workbench() as bench:
        for of_web in read:
            for name, some in scores(of_web, tables, bench).items():
                found[name] += some
    into.mkdir(parents=True, exist_ok=True)
    usable = {name: some for name, some in found.items() if _report(name, some, into)}
    if not usable:
        raise BadInput("no curve could be fitted")
    date = datetime.now(UTC).date().isoformat()
    write_whole(into / "calibration.toml", curves_file(usable, date).encode())
    click.echo(f"{into / 'calibration.toml'}: {', '.join(usable)}")


def _report(name: str, found: Sequence[Scores], out: Path) -> bool:
    """Say what the curve of a judge is worth; whether there is one."""
    try:
        fitted(found)
        held = left_out(found)
    except BadInput as error:
        click.echo(f"{name}: no curve: {error}")
        return False
    click.echo(f"{name}: fitted on {fitted_on(found)}")
    if held is None:
        click.echo(f"{name}: one web alone, so nothing is left to try the curve on")
        return True
    figures, pages = held
    write_reliability(name, pages, out)
    click.echo(
        f"{name}: on webs that were left out the error is {figures.error:.3f}, {figures.above:.3f} among pages judged .1 or more; "
        f"of pages judged .5 or more {figures.precision:.0%} are relevant"
    )
    for each in reliability(pages):
        click.echo(f"  judged {each.relevance:.2f}  {each.pages:>9,} pages  {each.share:>4.0%} relevant")
    return True
