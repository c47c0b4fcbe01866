"""`thresher label`: judge pages near the threshold by hand, one at a time."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.results.label.desk import Desk, Question, open_desk
from thresher.results.label.scores import HandFigures, JudgeScores, labels_as_json
from thresher.results.plain_text import day, evidence_line

_ANSWERS: dict[str, bool | None] = {"y": True, "n": False, "s": None}
_KEYS = "y relevant   n not relevant   s skip   q quit"


@declared.label.work
def label(folder: Path, *, count: int, url: str | None, as_json: bool) -> None:
    """Ask, keep each answer, and say what the labels change."""
    if as_json:
        echo_json(labels_as_json(folder))
        return
    console = Terminal(highlight=False)
    with open_desk(folder) as desk:
        answered = _ask(desk, [desk.question(url)] if url else desk.questions(count), console)
        with console.status("comparing the judge with your labels"):
            figures = desk.figures()
    _say_end(answered, figures, folder, console)


def _ask(desk: Desk, questions: Iterable[Question], console: Console) -> int:
    """Ask until there are no more questions or the person quits; how many were answered."""
    answered = 0
    for question in questions:
        _show(question, console)
        key = _key(console)
        if key == "q":
            break
        desk.answer(question, _ANSWERS[key])
        answered += key != "s"
    return answered


def _show(question: Question, console: Console) -> None:
    said = "relevant" if question.relevant else "not relevant"
    console.print()
    console.print(Text(question.title or "without a title", "bold"))
    gone = f"  gone since {day(question.gone)}" if question.gone else ""
    console.print(Text(question.url + gone, "dim", overflow="fold"))
    console.print(Padding(Text(question.snippet), (0, 2)))
    evidence = evidence_line(question.evidence) or "nothing found"
    console.print(Text(f"{question.relevance:.2f}, {said}: {evidence}", "dim"))


def _key(console: Console) -> str:
    """The next key that is an answer; the end of the input, or Ctrl-C, is q."""
    terminal = sys.stdin.isatty()
    while True:
        console.print(Text(f"{_KEYS}  ", "cyan"), end="")
        try:
            key = click.getchar() if terminal else sys.stdin.readline() or "q"
        except (EOFError, KeyboardInterrupt):
            key = "q"
        key = key.strip().lower()[:1]
        console.print(key)
        if key in {*_ANSWERS, "q"}:
            return key


def _say_end(answered: int, figures: HandFigures | None, folder: Path, console: Console) -> None:
    console.print()
    if figures is None:
        console.print(
            "No page is labelled."
            if answered
            else "No page was labelled: there was nothing to ask, or nothing was answered."
        )
        return
    others = figures.labels - figures.relevant
    console.print(
        f"{answered} labelled now, {figures.labels} in all: {figures.relevant} relevant, {others} not; {figures.skipped} skipped."
    )
    console.print(_table(figures))
    console.print(figures.outlook())
    console.print(f"Continue the crawl with your labels: thresher crawl {folder}", markup=False)


def _table(figures: HandFigures) -> Table:
    table = Table(
        "", "threshold", "precision", "recall", "F1", "harvest", box=None, header_style="bold", pad_edge=False
    )
    table.add_row("before", *_cells(figures.threshold_before, figures.before, figures.harvest_before))
    table.add_row("by your labels", *_cells(figures.threshold_after, figures.after, figures.harvest_after))
    return table


def _cells(threshold: float, figures: JudgeScores, harvest: float) -> list[str]:
    return [f"{threshold:.3f}", *(f"{each:.2f}" for each in figures), f"{harvest:.1%}"]
