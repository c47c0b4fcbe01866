"""The report of an experiment, from the rows that were kept: `report.html`, `report.md` and pictures; and a summary for the terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from thresher.lab.report.discoveries import alone, hardest, reaches, shared, stopped
from thresher.lab.report.document import (
    PLOTS,
    Block,
    Cell,
    Heading,
    Name,
    Paragraph,
    Pictures,
    TableBlock,
    html,
    markdown,
    picture_files,
)
from thresher.lab.report.figures import NONE, by_task, figures, training_sets
from thresher.lab.report.findings import ExperimentFindings, Verdict
from thresher.lab.report.headline import headline, significance
from thresher.lab.report.pictures import inks, mean_curves, means, task_curves
from thresher.lab.run.results_file import Results
from thresher.lab.run.statistics import ENOUGH

_TITLE = "Strategies compared"
_STYLE: dict[Verdict, str] = {"ahead": "green", "behind": "red", "open": "", "few": ""}


def write_report(results: Results, baseline: str = "breadth-first") -> None:
    """Write the report into the results' folder. The same results give the same bytes."""
    blocks = list(_blocks(ExperimentFindings(results, baseline)))
    plots = results.folder / PLOTS
    plots.mkdir(parents=True, exist_ok=True)
    drawn = picture_files(blocks)
    for stale in {path.name for path in plots.glob("*.svg")} - drawn.keys():
        (plots / stale).unlink()
    for name, svg in drawn.items():
        (plots / name).write_bytes(svg.encode())
    (results.folder / "report.md").write_bytes(markdown(blocks).encode())
    (results.folder / "report.html").write_bytes(html(_TITLE, blocks).encode())


def _blocks(findings: ExperimentFindings) -> Iterable[Block]:
    yield Heading(_TITLE, level=1)
    yield from headline(findings)
    if findings.runs:
        yield from _curves(findings)
        yield from by_task(findings)
        yield from significance(findings)
        yield from figures(findings)
        yield from training_sets(findings)
        yield from _each_task(findings)
        yield from _discoveries(findings)
    yield from _about(findings.results.about)


def _curves(findings: ExperimentFindings) -> Iterable[Block]:
    yield Heading("Harvest over the crawl")
    yield Pictures((mean_curves(findings),))
    yield Paragraph(
        (
            "The mean over tasks; each band holds the middle half of the tasks. The best few, the baseline and the bounds are named, ",
            "the others are grey. The first fetches, where one page makes or breaks the rate, are not drawn, ",
            "nor the oracle where it is far above all others, nor who was not tried on every task.",
        ),
        "note",
    )
    yield Pictures((means(findings),))
    partly = () if all(map(findings.complete, findings.strategies)) else ("* not tried on every task.",)
    if findings.baseline:
        yield Paragraph(("The dashed line is the baseline ", Name(findings.baseline), ". ", *partly), "note")


def _each_task(findings: ExperimentFindings) -> Iterable[Block]:
    yield Heading("Task by task")
    yield Paragraph(
        ("Relevant pages found; each band runs from the worst to the best of a strategy's seed sets and repeats.",)
    )
    yield Pictures(tuple(task_curves(findings)))


def _discoveries(findings: ExperimentFindings) -> Iterable[Block]:
    chosen = inks(findings)
    few = [label for label in findings.strategies if chosen[label].strong]
    reached = reaches(findings, few)
    yield from hardest(findings, reached)
    yield from alone(findings, reached)
    yield from shared(few, reached)
    yield from stopped(findings)


def _about(about: Mapping[str, Any]) -> Iterable[Block]:
    if about:
        yield Heading("How it was made")
        rows = tuple((Cell(str(key)), Cell(Name(value))) for key, value in about.items())
        yield TableBlock((Cell("what"), Cell("value")), rows, words=2)


# ── in the terminal ──


def summary(results: Results, baseline: str = "breadth-first", console: Console | None = None) -> None:
    """Print the strategies, best first: AUC, harvest, tasks on which each was ahead of the baseline and behind it, CPU seconds a run."""
    findings = ExperimentFindings(results, baseline)
    table = RichTable(box=None, header_style="dim", pad_edge=False)
    table.add_column("strategy", overflow="fold")
    for name in ("AUC", "harvest", *([f"won/lost against {baseline}", "p (Holm)"] if baseline else []), "CPU s"):
        table.add_column(Text(name), justify="right")
    for label in findings.strategies:
        table.add_row(*_terminal_row(findings, label), style=_terminal_style(findings, label))
    out = console or Console()
    out.print(table)
    out.print(Text(_sentence(findings)))


def _terminal_row(findings: ExperimentFindings, label: str) -> list[Text]:
    cpu = findings.mean(label, lambda run: run.cpu_s) or 0.0
    harvest = findings.mean(label, lambda run: run.harvest) or 0.0
    mean = f"{findings.mean(label) or 0.0:.3f}{'' if findings.complete(label) else '*'}"
    # As text, not markup: a bracket in a name is a bracket.
    return [Text(each) for each in (label, mean, f"{harvest:.3f}", *_against(findings, label), f"{cpu:.1f}")]


def _against(findings: ExperimentFindings, label: str) -> tuple[str, ...]:
    each = findings.comparisons.get(label)
    if each is None:
        return (NONE, NONE) if findings.wanted else ()
    return f"{each.score.wins}/{each.score.losses}", f"{findings.chances[label]:.3f}{'' if each.claimable else '†'}"


def _terminal_style(findings: ExperimentFindings, label: str) -> str:
    if label == findings.baseline:
        return "bold"
    return _STYLE[findings.verdict(label)] if label in findings.comparisons else ""


def _sentence(findings: ExperimentFindings) -> str:
    if not findings.wanted:
        return "Whether a difference is luck is not said: that takes a baseline."
    if findings.baseline is None:
        return f"{findings.wanted} did not run, so nothing is held against it."
    verdicts = [findings.verdict(label) for label in findings.comparisons]
    few = f" † no claim from fewer than {ENOUGH} tasks." if "few" in verdicts else ""
    partly = "" if all(map(findings.complete, findings.strategies)) else " * not tried on every task."
    told = f"{verdicts.count('ahead')} ahead of {findings.baseline} beyond chance, {verdicts.count('behind')} behind"
    return f"{told}, of {len(verdicts)} on {len(findings.tasks)} task{'s' * (len(findings.tasks) != 1)}.{few}{partly}"
