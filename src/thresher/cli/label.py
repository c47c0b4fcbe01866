"""`thresher label`: judge pages near the threshold by hand, one at a time."""

import sys
import webbrowser
from collections.abc import Iterator

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal, groups_of_reasons, print_beside
from thresher.disk.crawl_home import Place
from thresher.results.label.desk import Agreement, Desk, open_desk
from thresher.results.label.questions import Question
from thresher.results.label.scores import HandFigures, JudgeScores, labels_as_json
from thresher.results.plain_text import day, evidence_lines

_ANSWERS: dict[str, bool | None] = {"y": True, "n": False, "s": None}
_OTHERS = {"u": "undo", "m": "more text", "o": "browser", "q": "quit"}
_KEYS = "  ".join(
    f"{key} {what}" for key, what in {"y": "relevant", "n": "not relevant", "s": "skip", **_OTHERS}.items()
)


@declared.label.work
def label(folder: Place, *, count: int, url: str | None, as_json: bool) -> None:
    """Ask, keep each answer, and say what the labels change."""
    if as_json:
        echo_json(labels_as_json(folder))
        return
    console = Terminal(highlight=False)
    with open_desk(folder) as desk:
        questions = iter([desk.question(url)]) if url else desk.questions(count)
        sitting = _Sitting(desk, questions, 1 if url else min(count, desk.left()), console)
        sitting.run()
        with console.status("comparing the judge with your labels"):
            figures = desk.figures()
    _say_end(sitting.labelled, figures, desk.agreement(), folder, console)


class _Sitting:
    """Asks a person about pages, one at a time, until there are no more or the person quits.

    What the judge says of a page is shown when the person has answered.
    """

    def __init__(self, desk: Desk, questions: Iterator[Question], most: int, console: Console) -> None:
        self._desk, self._questions, self._most, self._console = desk, questions, most, console
        self._again: list[Question] = []
        """Questions that were taken back or put off by that, the next one last."""
        self.answers: list[str] = []
        """The keys of the answers so far."""

    def run(self) -> None:
        """Ask."""
        while (question := self._next()) is not None:
            self._show(question)
            if not self._settled(question):
                break

    @property
    def labelled(self) -> int:
        """How many pages were labelled; those that were skipped do not count."""
        return sum(key != "s" for key in self.answers)

    def _next(self) -> Question | None:
        return self._again.pop() if self._again else next(self._questions, None)

    def _settled(self, question: Question) -> bool:
        """Take keys until the question is answered, or another is to be asked first; False if the person quits."""
        parts = question.parts()
        rest = enumerate(parts, 1)
        while (key := _key(self._console)) != "q":
            if key in _ANSWERS:
                self._answer(question, key)
                return True
            if key == "u" and self._undo(question):
                return True
            if key == "m":
                self._more(rest, len(parts))
            elif key == "o":
                self._console.print(open_in_browser(question.url), markup=False)
        return False

    def _answer(self, question: Question, key: str) -> None:
        said, before = _ANSWERS[key], self._desk.agreement()
        self._desk.answer(question, said)
        self.answers.append(key)
        judged = f"The judge says {question.relevance:.2f}, {'relevant' if question.relevant else 'not relevant'}"
        agrees = said == question.relevant
        differs = "" if said is None else "; so do you" if agrees else "; you differ"
        so_far = _so_far(before, self._desk.agreement())
        self._console.print(Text(f"{judged}{differs}.{so_far}", "green" if agrees else "yellow"))
        reasons = evidence_lines(question.evidence, question.missing)
        found, *groups = reasons if question.evidence else ["nothing of the topic found"]
        print_beside("  ", [*([Text(found, "dim")] if found else []), *groups_of_reasons(groups)], self._console)

    def _undo(self, question: Question) -> bool:
        """Take back the last answer, and ask for it again before this question; False if there is none."""
        taken_back = self._desk.undo()
        if taken_back is None:
            self._console.print("There is nothing to undo: no page was answered yet.")
            return False
        self.answers.pop()
        self._again += [question, taken_back]
        self._console.print("Your last answer is taken back.")
        return True

    def _more(self, parts: Iterator[tuple[int, str]], of: int) -> None:
        number, part = next(parts, (0, ""))
        if not number:
            self._console.print("That is all of its text." if of else "It has no text.")
            return
        self._console.print(Padding(Text(part), (0, 2), expand=False))
        self._console.print(Text(f"part {number:,} of {of:,}", "dim"))

    def _show(self, question: Question) -> None:
        console, asked = self._console, len(self.answers)
        skipped = asked - self.labelled
        counts = [
            f"{self.labelled:,} labelled",
            *([f"{skipped:,} skipped"] if skipped else []),
            f"{self._most - asked:,} to go",
        ]
        console.print()
        console.print(Text(f"Page {asked + 1:,} of {self._most:,}: {', '.join(counts)}", "dim"))
        console.print(Text(question.title or "without a title", "bold"))
        gone = f"  gone since {day(question.gone)}" if question.gone else ""
        console.print(Text(question.url + gone, "dim", overflow="fold"))
        console.print(Padding(Text(question.snippet), (0, 2), expand=False))


def _so_far(before: Agreement, now: Agreement) -> str:
    """How often the person and the judge agree after an answer; or that the answer does not count."""
    if now.again > before.again:
        return " Asked again: not counted."
    return f" So far you agree on {now.agreed:,} of {now.of:,}." if now.of else ""


def _key(console: Console) -> str:
    """The next key that means something; the end of the input, or Ctrl-C, is q."""
    terminal = sys.stdin.isatty()
    while True:
        console.print(Text(f"{_KEYS}  ", "cyan"), end="")
        try:
            key = click.getchar() if terminal else sys.stdin.readline() or "q"
        except (EOFError, KeyboardInterrupt):
            key = "q"
        key = key.strip().lower()[:1]
        console.print(key, markup=False)
        if key in {*_ANSWERS, *_OTHERS}:
            return key


def open_in_browser(url: str) -> str:
    """Open a page in the person's browser, and say in a sentence what came of it."""
    # A url of a crawl is always one of these. A browser opens files and runs programs for others.
    if not url.startswith(("http://", "https://")):
        return "Only http and https urls are opened in a browser."
    try:
        opened = webbrowser.get().open(url)
    except (webbrowser.Error, OSError):
        return "There is no browser on this machine. Set BROWSER to the name of one, or copy the url."
    return "Opened in your browser." if opened else "The browser did not open it: copy the url."


def _say_end(answered: int, figures: HandFigures | None, agreement: Agreement, folder: Place, console: Console) -> None:
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
    if sentence := str(agreement):
        console.print(sentence)
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
