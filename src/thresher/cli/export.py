"""`thresher export`: write the pages of a crawl as a table, texts or a WARC file."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thresher.cli.declared import result_commands as declared
from thresher.cli.plain_output import echo_json
from thresher.cli.terminal import Terminal
from thresher.disk.crawl_home import Place
from thresher.errors import BadInput
from thresher.results.export.exporter import FORMS, Choice, ExportWatch
from thresher.results.export.exporter import export as write
from thresher.results.export.summary import ExportSummary


@declared.export.work
def export(  # noqa: PLR0913 - an option each
    folder: Place,
    *,
    to: str,
    since: str | None,
    min_relevance: float,
    into: Path | None,
    out: Path | None,
    jobs: int | None,
    relevant: bool,
    duplicates: bool,
    respect_tdm: bool | None,
    spreadsheet: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write the pages, and say how many there are."""
    choice = Choice(relevant, min_relevance, _moment(since) if since else None, duplicates, bool(respect_tdm))
    place = _place(to, into, out)
    with _progress() as watch:
        summary = write(folder, to, choice, place, force=force, spreadsheet=spreadsheet, jobs=jobs or 0, watch=watch)
    if as_json:
        echo_json(summary.as_json())
    else:
        _draw(summary, Terminal(highlight=False))


def _place(to: str, into: Path | None, out: Path | None) -> Path | None:
    """Where the export goes: a folder or a file, as the user said; None for a folder that is named after the crawl."""
    ending = FORMS[to].ending
    if into and out:
        raise BadInput("--into is for a folder and --out for a file: give one of them")
    if out and not ending:
        raise BadInput(f"{to} is a folder of files: say --into {out}")
    if out and not out.name.endswith(ending):
        raise BadInput(f"--out {out}: a file of {to} ends in {ending}; for a folder, say --into {out}")
    if into and ending and into.name.endswith(ending):
        raise BadInput(f"--into {into}: that is the name of a file; say --out {into}")
    return into or out


def _moment(text: str) -> float:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"--since is {text!r}, but must be a date such as 2026-01-31 or 2026-01-31T12:00") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


@contextmanager
def _progress() -> Iterator[ExportWatch]:
    """A bar on the terminal; nothing where there is none."""
    console = Terminal(stderr=True)
    columns = (TextColumn("reading pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _draw(summary: ExportSummary, console: Console) -> None:
    hosts = len(summary.hosts)
    console.print(
        f"[bold]{summary.pages:,} page{'s' * (summary.pages != 1)}[/] from {hosts:,} host{'s' * (hosts != 1)}", end=""
    )
    console.print(f", {summary.seconds:.1f} s: {escape(str(summary.out))}", soft_wrap=True)
    by_design = summary.why["document"] + summary.why["plain"]
    own = sum(count for why, count in summary.why.items() if why) - by_design
    notes = {
        "have the same text as others and were left out (--duplicates keeps them)": summary.left_out,
        "reserve text and data mining and were left out": summary.reserved_out,
        "are lost: their records cannot be read": summary.lost,
        "are documents or plain text, read by our own readers": by_design,
        "have the text of our own parser, because trafilatura found none or took too long": own,
    }
    for note, count in notes.items():
        if count:
            console.print(f"{count:,} {note}", soft_wrap=True)
