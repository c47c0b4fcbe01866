"""The console of every command, lines that are wrapped beside a margin, and what is said while something takes its time."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from thresher.cli.plain_output import neutral

_GROUP = len("  against  ")
_MOMENT = 0.5
"""Seconds after which we say what takes the time."""


class Terminal(Console):
    """A console that shows no character that gives orders or turns text around, whoever wrote the text."""

    def on_broken_pipe(self) -> None:
        """The reader is gone: what that means is decided where all commands end, not here."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is to be shown. Those by which rich itself moves the cursor are left alone."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=neutral(segment.text))


def groups_of_reasons(lines: Iterable[str]) -> Iterator[Text]:
    """What speaks for and what against, as `evidence_lines` has it after its first line, below what was said before."""
    return (Text(f"  {line}", "dim") for line in lines)


def print_beside(guide: str, lines: Iterable[Text], console: Console) -> None:
    """Print lines beside a guide, which goes on where they are wrapped. Groups of reasons are wrapped below their first reason."""
    for line in lines:
        hang = _GROUP if line.plain.startswith("  ") else 0
        for place, wrapped in enumerate(line[hang:].wrap(console, console.width - len(guide) - hang - 1)):
            wrapped.rstrip()
            margin = Text(" " * hang) if place else line[:hang]
            console.print(Text.assemble((guide, "dim"), margin, wrapped), no_wrap=True)


@contextmanager
def patience(words: str, console: Console | None = None, moment: float = _MOMENT) -> Iterator[None]:
    """Say what takes the time while the block runs, on a terminal only and on standard error.

    >>> with patience("reading the crawl"):
    ...     figures = read()
    """
    console = console or Terminal(stderr=True)
    if not console.is_terminal:
        yield
        return
    status = console.status(words)
    timer = threading.Timer(moment, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # else it could begin after the end
        status.stop()
