"""The console of every command."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from thresher.cli.plain_output import neutral


class Terminal(Console):
    """A console that shows no character that gives orders or turns text around, whoever wrote the text."""

    def on_broken_pipe(self) -> None:
        """The reader is gone: what that means is decided where all commands end, not here."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is to be shown. Those by which rich itself moves the cursor are left alone."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=neutral(segment.text))
