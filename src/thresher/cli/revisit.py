"""`thresher revisit`: look at kept pages again, and keep what has changed."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from thresher.budget import Stop
from thresher.cli.declared import result_commands as declared
from thresher.cli.event_lines import event_writers
from thresher.cli.minute import Minute
from thresher.cli.plain_output import echo_json, say
from thresher.cli.progress import NoDisplay, say_at
from thresher.cli.progress import Progress as Display
from thresher.cli.running import CrawlEnd, obey_signals, shown_by
from thresher.cli.terminal import Terminal
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Place
from thresher.event_loops import fast_loop
from thresher.events import CrawlWaits, Event, PageVisited
from thresher.loading import INTERRUPTED
from thresher.results.archive import Archive
from thresher.results.no_page import AnswerWatch, no_answer
from thresher.results.revisit.due import DAY, PACES, DueChoice, DuePage, Intervals, due_pages
from thresher.results.revisit.round import RoundReport, look_again

_MEANINGS = {
    "not-modified": "unchanged (the server said so, 304)",
    "same": "unchanged (same content)",
    "changed": "changed, judged again",
    "gone": "gone (404, 410)",
    "moved": "moved elsewhere",
    "refused": "refused, by robots.txt or by us",
    "failed": "failed; still due",
}
_SHOWN = 10


@declared.revisit.work
def revisit(  # noqa: PLR0913 - an option each
    folder: Place,
    *,
    limit: int | None,
    older_than: float | None,
    every: bool,
    now: bool,
    very_often: float,
    often: float,
    seldom: float,
    dry_run: bool,
    log: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find the pages that are due, look at them, and say what was found."""
    intervals, wanted = Intervals(very_often, often, seldom), DueChoice(every, older_than, now, limit)
    with Archive.open(folder) as archive:
        due = due_pages(archive, wanted, intervals, time.time())
    console = Terminal(highlight=False)
    if dry_run:
        _list(due, console, as_json=as_json)
        return
    answers = AnswerWatch()
    writers = click.get_current_context().with_resource(event_writers(log, as_json=False))
    report = _round(folder, due, answers, writers, quiet=quiet or as_json)
    if as_json:
        echo_json(report._asdict())
    elif not quiet:
        _draw(report, folder, console)
    end = CrawlEnd(Stop(report.stopped, ""), no_answer(answers))
    end.say()
    sys.exit(end.exit_code)


def _round(
    folder: Place, due: Sequence[DuePage], answers: AnswerWatch, writers: Sequence[Display], *, quiet: bool
) -> RoundReport:
    try:
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(_run(folder, due, answers, writers, quiet=quiet or not due))
    except asyncio.CancelledError:
        say("stopped at once; run the same command to continue")
        sys.exit(INTERRUPTED)


async def _run(
    folder: Place, due: Sequence[DuePage], answers: AnswerWatch, writers: Sequence[Display], *, quiet: bool
) -> RoundReport:
    with _watching(len(due), quiet=quiet) as display, contextlib.ExitStack() as stack:

        def begun(running: CrawlLoop) -> None:
            obey_signals(running)
            answers.attach(running)
            stack.enter_context(shown_by(running, (display, *writers)))

        return await look_again(folder, due, begun=begun)


@contextlib.contextmanager
def _watching(total: int, *, quiet: bool) -> Iterator[Display]:
    """A bar in a terminal, a line a minute elsewhere, or nothing."""
    console = Terminal(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        yield NoDisplay() if quiet else _Lines(total, console)
        return
    columns = (
        TextColumn("looking again"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar, total)


class _Bar:
    """How far it is, in a terminal."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar, self._task = bar, bar.add_task("", total=total)

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Count a page, or say what it waits for."""
        match event:
            case PageVisited():
                self._bar.update(self._task, advance=1, description="")
            case CrawlWaits(reason=reason):
                self._bar.update(self._task, description=reason)
            case _:
                pass

    def tick(self) -> None:
        """Nothing: the bar redraws itself."""


class _Lines:
    """How far it is, in a line a minute."""

    def __init__(self, total: int, console: Console) -> None:
        self._total, self._console, self._looked = total, console, 0

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl, self._minute = crawl, Minute(crawl)
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Count a page."""
        self._looked += isinstance(event, PageVisited)
        self.tick()

    def tick(self) -> None:
        """Say how far it is, once a minute."""
        if self._minute.over():
            rate = self._minute.figures()["rate"]
            line = f"looked at {self._looked:,} of {self._total:,}, {rate} a second"
            say_at(self._crawl.clock.now(), line, self._console)


def _list(due: Sequence[DuePage], console: Console, *, as_json: bool) -> None:
    if as_json:
        echo_json([each._asdict() for each in due])
        return
    paces = ", ".join(f"{pace}: {sum(each.pace == pace for each in due):,}" for pace in PACES)
    console.print(f"{len(due):,} pages are due." + f" Changing {paces}" * bool(due))
    table = Table("changes", "looks", "seen", "url", box=None, header_style="bold", pad_edge=False)
    for each in due[: 2 * _SHOWN]:
        days = (time.time() - each.seen) / DAY
        table.add_row(each.pace, f"{each.changes} of {each.looks}", f"{days:.1f} days ago", Text(each.url))
    if due:
        console.print(table)
    if len(due) > 2 * _SHOWN:
        console.print(f"{len(due) - 2 * _SHOWN:,} more: --json lists all", style="dim")


def _draw(report: RoundReport, folder: Place, console: Console) -> None:
    if not report.due:
        console.print("Nothing is due. --dry-run --now shows how often each page changes; --now looks at all of them.")
        return
    table = Table.grid(padding=(0, 2))
    for name, meaning in _MEANINGS.items():
        if report.found[name]:
            table.add_row(f"[bold]{report.found[name]:,}[/]", meaning)
    table.add_row(f"[bold]{report.new_links:,}[/]", f"new link{'s' * (report.new_links != 1)}")
    if report.left:
        table.add_row(f"[bold]{report.left:,}[/]", "not looked at; still due")
    console.print(table)
    for title, urls in (("Changed", report.changed), ("Gone", report.gone)):
        for place, url in enumerate(urls[:_SHOWN]):
            console.print(Text(f"{title if not place else '':<9}{url}", overflow="fold"))
        if len(urls) > _SHOWN:
            console.print(f"         and {len(urls) - _SHOWN:,} more", style="dim")
    if report.new_links:
        console.print(Text(f"Follow the new links: thresher crawl {folder}"))
