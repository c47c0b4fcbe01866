"""A paper's experiment, run again: its printed numbers beside ours, and why they differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from thresher.lab.run.trial import Workbench

Told = Callable[[str], None]
"""Where progress is told, a line at a time."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment needs to run."""

    webs: Path
    """The folder of the recorded webs and their task files."""
    out: Path
    """Where runs are kept, so that the experiment can be stopped and gone on with."""
    jobs: int = 1
    quick: bool = False
    """A small part of it, to see that it runs."""
    told: Told = field(default=lambda _: None)
    bench: Workbench = field(default_factory=Workbench)
    """The web that is open, for the crawls and for what is measured afterwards; whoever made the setting closes it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One table of a reproduction."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: str = ""
    """What the table shows, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What became of a paper's experiment."""

    name: str
    paper: str
    design: str
    """What the paper did, and what was done here instead where it cannot be done any more."""
    tables: tuple[Comparison, ...]
    verdict: str
    """Does the paper's claim hold here? In plain words, with the figure."""
    differences: tuple[str, ...] = ()
    """Why our numbers are not theirs, a sentence each."""
    plots: tuple[tuple[str, str], ...] = ()
    """Titles and SVG texts."""


def as_markdown(made: Reproduction) -> str:
    """The whole of it as Markdown."""
    parts = [f"## {made.name}", f"*{made.paper}*", made.design]
    parts += [_table(each) for each in made.tables]
    parts += [f"![{title}]({plot_file(made, number)})" for number, (title, _) in enumerate(made.plots, 1)]
    parts += [f"**Verdict.** {made.verdict}"]
    if made.differences:
        parts.append("Why the numbers differ:\n\n" + "\n".join(f"- {each}" for each in made.differences))
    return "\n\n".join(parts) + "\n"


def plot_file(made: Reproduction, number: int) -> str:
    """The file of a plot, counted from 1, beside the Markdown."""
    return f"{made.name}-{number}.svg"


def write(made: Reproduction, folder: Path) -> Path:
    """Write it as Markdown with its plots beside it; where the Markdown went."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, svg) in enumerate(made.plots, 1):
        (folder / plot_file(made, number)).write_text(svg, "utf-8")
    path = folder / f"{made.name}.md"
    path.write_text(as_markdown(made), "utf-8")
    return path


def _table(table: Comparison) -> str:
    lines = [f"| {' | '.join(map(_cell, table.columns))} |", f"|{'---|' * len(table.columns)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows]
    return "\n".join([f"### {table.title}", "", *lines, "", table.said]).strip()


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
