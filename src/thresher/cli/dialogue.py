"""Messages and questions to a person at a terminal while a crawl is prepared."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thresher.classify.learnt_folder import ClassSize
from thresher.cli.target_picker import TargetPicker
from thresher.dialogue import NO_SENSE, Dialogue
from thresher.errors import BadInput
from thresher.seed.search_seeds import EngineSeeds, Standing
from thresher.topic.sense_choice import Ambiguous, Meaning
from thresher.topic.topic import Topic
from thresher.which_sense import meanings_named

_MOST_LABELS = 6
_TIERS = {"synonym": "also", "broader": "a kind of", "context": "near"}
_STANDINGS: dict[Standing, str] = {
    "high": "returned by several engines",
    "medium": "returned for more than one query",
    "low": "returned once",
}


class TerminalDialogue(Dialogue):
    """Draws on a terminal, and asks if somebody can answer."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def choose(self, which: Ambiguous) -> Sequence[Meaning]:
        """Show the meanings and ask until the answer is one of them; if nobody can answer, the likeliest is taken."""
        if self._console.quiet or not sys.stdin.isatty():
            return super().choose(which)
        draw_senses(which.meanings, which.phrase, self._console)
        question = f"Which one? 1–{len(which.meanings)}, several with commas, or {NO_SENSE} for the plain word"
        while True:
            answer = [each.strip() for each in click.prompt(question, err=True).split(",")]
            try:
                return meanings_named(which.phrase, which.meanings, answer)
            except BadInput:
                self._console.print(f"There is no sense {', '.join(answer)!r}.", markup=False)

    def choose_targets(self, sizes: Mapping[str, ClassSize]) -> Sequence[str]:
        """Let the person browse the classes and mark some."""
        if self._console.quiet or not sys.stdin.isatty():
            return super().choose_targets(sizes)
        return TargetPicker(sizes, (), self._console).pick()

    def notice(self, sentence: str) -> None:
        """Print it."""
        self._console.print(sentence, markup=False, soft_wrap=True)

    def failed(self, what: str, why: str) -> None:
        """Print it, with what failed in red."""
        self._console.print(f"[red]{escape(what)}[/]: {escape(why)}", soft_wrap=True)

    def busy(self, what: str) -> AbstractContextManager[object]:
        """Show a spinner."""
        return self._console.status(what)

    def concepts_known(self, concepts: Topic) -> None:
        """A line or two on what is looked for."""
        told = [f"Looking for {escape(concepts.name)}"]
        for tier, name in _TIERS.items():
            labels = [term.label for term in concepts.terms if term.tier == tier and term.label != concepts.name]
            more = f" and {len(labels) - _MOST_LABELS:,} more" if len(labels) > _MOST_LABELS else ""
            told += [f"[dim]{name}[/] {escape(', '.join(labels[:_MOST_LABELS]))}{more}"] * bool(labels)
        self._console.print("; ".join(told), soft_wrap=True)

    def seeds_found(self, found: EngineSeeds, queries: Sequence[str]) -> None:
        """Which engines answered, how sure the seeds are, and the first of them."""
        for engine, why in found.failed.items():
            self._console.print(f"[yellow]{escape(engine)}[/] skipped: {escape(why)}", soft_wrap=True)
        counts = Counter(seed.standing for seed in found.seeds)
        classes = ", ".join(f"{counts[standing]} {words}" for standing, words in _STANDINGS.items() if counts[standing])
        names = dict.fromkeys(name for seed in found.seeds for name in seed.engines)
        asked = " and ".join(escape(repr(query)) for query in queries)
        seeds = f"{len(found.seeds)} seed{'s' * (len(found.seeds) != 1)}"
        self._console.print(f"{seeds} for {asked} from {escape(', '.join(names))}: {classes}", soft_wrap=True)
        self._console.print(f"Starting with {escape(found.urls[0])}", soft_wrap=True)


class ListDialogue(TerminalDialogue):
    """For a list of topics: nobody is asked, even at a terminal."""

    another_sense = f"Write another behind the topic, as in iris | 2, or iris | {NO_SENSE} for the plain word"

    def choose(self, which: Ambiguous) -> Sequence[Meaning]:
        """Take the likeliest."""
        return Dialogue.choose(self, which)

    def choose_targets(self, sizes: Mapping[str, ClassSize]) -> Sequence[str]:
        """Choose none, as nobody is there."""
        del sizes
        return ()


def draw_senses(found: Sequence[Meaning], words: str, console: Console) -> None:
    """The senses of a word, numbered, for people."""
    console.print(f"[bold]{escape(words)}[/]: {len(found)} sense{'s' * (len(found) != 1)}")
    table = Table.grid(padding=(0, 2))
    for number, where, concept in found:
        own = [label for label in concept.labels if label.text.lower() == words.lower()]
        others = ", ".join(label.text for label in concept.labels if label not in own)
        seen = sum(label.count for label in own)
        gloss = escape(concept.gloss) + (f" [dim](also {escape(others)})[/]" if others else "")
        table.add_row(str(number), where.name, escape(concept.id), f"seen {seen}" if seen else "", gloss)
    console.print(table)
