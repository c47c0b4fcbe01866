"""`thresher revisit`: look at kept pages again, and keep what has changed."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json, say
from thresher.cli.running import fast_loop, obey_signals
from thresher.cli.terminal import Terminal
from thresher.events import CrawlWaits, Event, HostBackedOff, PageVisited, Watcher
from thresher.loading import INTERRUPTED
from thresher.results.archive import Archive
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
_LOG_EVERY = 5.0


@declared.revisit.work
def revisit(  # noqa: PLR0913 - an option each
    folder: Path,
    *,
    limit: int | None,
    older_than: float | None,
    every: bool,
    force: bool,
    very_often: float,
    often: float,
    seldom: float,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find the pages that are due, look at them, and say what was found."""
    intervals, wanted = Intervals(very_often, often, seldom), DueChoice(every, older_than, force, limit)
    with Archive.open(folder) as archive:
        due = due_pages(archive, wanted, intervals, time.time())
    console = Terminal(highlight=False)
    if dry_run:
        _list(due, console, as_json=as_json)
        return
    report = _round(folder, due, quiet=quiet or as_json)
    if as_json:
        echo_json(report._asdict())
    elif not quiet:
        _draw(report, folder, console)
    sys.exit(INTERRUPTED if report.stopped == "interrupted" else 0)


def _round(folder: Path, due: Sequence[DuePage], *, quiet: bool) -> RoundReport:
    try:
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(_run(folder, due, quiet=quiet or not due))
    except asyncio.CancelledError:
        say("stopped at once; run the same command to continue")
        sys.exit(INTERRUPTED)


async def _run(folder: Path, due: Sequence[DuePage], *, quiet: bool) -> RoundReport:
    with _watching(len(due), quiet=quiet) as watcher:
        return await look_again(folder, due, [watcher], obey_signals)


@contextlib.contextmanager
def _watching(total: int, *, quiet: bool) -> Iterator[Watcher]:
    """A bar in a terminal, a line every few seconds elsewhere, or nothing."""
    console = Terminal(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        yield _Lines(total, console, quiet=quiet)
        return
    columns = (
        TextColumn("looking again"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)

        def watch(event: Event) -> None:
            match event:
                case PageVisited():
                    bar.update(task, advance=1, description="")
                case CrawlWaits(reason=reason):
                    bar.update(task, description=reason)
                case _:
                    pass

        yield watch


class _Lines:
    """Progress as plain lines."""

    def __init__(self, total: int, console: Console, *, quiet: bool) -> None:
        self._total, self._console, self._quiet = total, console, quiet
        self._looked, self._said = 0, time.monotonic()

    def __call__(self, event: Event) -> None:
        """Say how far it is, but not too often."""
        self._looked += isinstance(event, PageVisited)
        if self._quiet or time.monotonic() - self._said < _LOG_EVERY:
            return
        if isinstance(event, PageVisited | CrawlWaits | HostBackedOff):
            self._said = time.monotonic()
            self._console.print(f"{time.strftime('%H:%M:%S')} looked at {self._looked} of {self._total}")


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


def _draw(report: RoundReport, folder: Path, console: Console) -> None:
    if not report.due:
        console.print(
            "Nothing is due. --dry-run --force shows how often each page changes; --force looks at all of them now."
        )
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
