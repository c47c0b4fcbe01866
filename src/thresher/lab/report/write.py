"""An experiment told to people: `report.html`, `report.md` and its pictures, from the rows that were kept."""

from collections.abc import Iterable, Mapping
from typing import Any

from thresher.lab.report.as_html import html
from thresher.lab.report.as_markdown import PLOTS, markdown, pictures
from thresher.lab.report.comparison import compared
from thresher.lab.report.discoveries import alone, hardest, shared, stopped
from thresher.lab.report.document import Block, Cell, Heading, Name, Paragraph, Pictures, Table
from thresher.lab.report.figures import by_task, figures
from thresher.lab.report.findings import Findings
from thresher.lab.report.headline import headline, significance
from thresher.lab.report.overlap import reaches
from thresher.lab.report.pictures import inks, mean_curves, means, task_curves
from thresher.lab.run.results_file import Results

__all__ = ["compared", "write_report"]

_TITLE = "Strategies compared"


def write_report(results: Results, baseline: str = "breadth-first") -> None:
    """Write the report into the results' folder. The same results give the same bytes."""
    blocks = list(_blocks(Findings(results, baseline)))
    plots = results.folder / PLOTS
    plots.mkdir(parents=True, exist_ok=True)
    drawn = pictures(blocks)
    for stale in {path.name for path in plots.glob("*.svg")} - drawn.keys():
        (plots / stale).unlink()
    for name, svg in drawn.items():
        (plots / name).write_bytes(svg.encode())
    (results.folder / "report.md").write_bytes(markdown(blocks).encode())
    (results.folder / "report.html").write_bytes(html(_TITLE, blocks).encode())


def _blocks(findings: Findings) -> Iterable[Block]:
    yield Heading(_TITLE, level=1)
    yield from headline(findings)
    if findings.runs:
        yield from _curves(findings)
        yield from by_task(findings)
        yield from significance(findings)
        yield from figures(findings)
        yield from _each_task(findings)
        yield from _discoveries(findings)
    yield from _about(findings.results.about)


def _curves(findings: Findings) -> Iterable[Block]:
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


def _each_task(findings: Findings) -> Iterable[Block]:
    yield Heading("Task by task")
    yield Paragraph(
        ("Relevant pages found; each band runs from the worst to the best of a strategy's seed sets and repeats.",)
    )
    yield Pictures(tuple(task_curves(findings)))


def _discoveries(findings: Findings) -> Iterable[Block]:
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
        yield Table((Cell("what"), Cell("value")), rows, words=2)
