"""One export from beginning to end."""

import errno
import os
import shlex
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from thresher import plugins
from thresher.errors import BadInput, DiskFull, FolderError
from thresher.judge.by_hand import EACH, FROM
from thresher.results.archive import Archive
from thresher.results.export.card import card
from thresher.results.export.choice import Choice, Chosen, since_text
from thresher.results.export.columns import Source
from thresher.results.export.crew import SECONDS, Crew
from thresher.results.export.destination import CARD, Destination
from thresher.results.export.markdown import markdown
from thresher.results.export.summary import Labels, Summary
from thresher.results.export.tables import comma_separated, jsonl, parquet
from thresher.results.export.text import Extract
from thresher.results.export.trail import Trails
from thresher.results.export.warc_file import Members, members, warc
from thresher.results.export.worker import Orders
from thresher.settings import Manners
from thresher.store.current import by_hand
from thresher.store.labels import labels
from thresher.store.reading import counts
from thresher.warc.read import Playback

Watch = Callable[[int, int], object]
"""Told how many pages of how many are done."""


class Form(NamedTuple):
    """A way to write pages."""

    ending: str
    """Of the file; empty for a folder of files."""
    writer: Callable[..., Any]
    needs: tuple[str, ...] = ()
    """Packages that must be installed."""


FORMS = {
    "jsonl": Form(".jsonl", jsonl, ("trafilatura",)),
    "csv": Form(".csv", comma_separated, ("trafilatura",)),
    "parquet": Form(".parquet", parquet, ("trafilatura", "pyarrow")),
    "warc": Form(".warc.gz", warc),
    "markdown": Form("", markdown, ("trafilatura",)),
}


def export(  # noqa: PLR0913 - an option each
    folder: Path,
    to: str,
    choice: Choice | None = None,
    out: Path | None = None,
    *,
    force: bool = False,
    jobs: int = 0,
    seconds: float = SECONDS,
    watch: Watch | None = None,
) -> Summary:
    """Write the chosen pages of a crawl folder to a place, named after both if none is given. The crawl may be running meanwhile."""
    form, choice = _form(to, out), choice or Choice()
    start = time.monotonic()
    with Archive.open(folder) as archive, ExitStack() as stack:
        destination = Destination(out or Path(f"{folder.resolve().name}-{to}"), form.ending, force=force)
        chosen = Chosen(archive, choice)
        _refuse_none(chosen, archive)
        files = {number: archive.folder.warc / name for number, name in archive.read("SELECT id, name FROM warc")}
        playback = stack.enter_context(Playback(files))
        source = Source(chosen, Trails(archive.read), files, _manners(archive).robots)
        summary = _summary(archive, to, destination, choice, chosen)
        try:
            with destination.writing() as part, closing(_pages(to, source, playback, jobs, seconds)) as pages:
                _write(pages, form, destination.data_in(part), source, summary, watch or (lambda *_: None))
                _refuse_lost(summary, archive)
                (part / CARD).write_text(card(summary, archive.settings), "utf-8")
        except OSError as error:
            raise _explained(error, destination.out) from error
    summary.seconds = time.monotonic() - start
    return summary


Page = tuple[sqlite3.Row, Extract | Members | None]


def _pages(to: str, source: Source, playback: Playback, jobs: int, seconds: float) -> Generator[Page, None, None]:
    """Each chosen row with what its page says, or its records; None if they are lost."""
    rows = source.chosen.rows()
    if to == "warc":
        yield from ((row, members(row, source.files, playback)) for row in rows)
        return
    most = min(jobs or os.cpu_count() or 1, len(source.chosen))
    with closing(Crew(Orders(source.files, marked_up=to == "markdown"), playback, most, seconds)) as crew:
        yield from crew.read(rows)


def _write(  # noqa: PLR0913, PLR0917 - all that meets in a page
    pages: Iterator[Page], form: Form, path: Path, source: Source, summary: Summary, watch: Watch
) -> None:
    total = len(source.chosen)
    with form.writer(path) as take:
        for done, (row, found) in enumerate(pages, 1):
            match found:
                case None:
                    summary.lost += 1
                case Members():
                    record = source.record(row)
                    take(record, found)
                    summary.add(record, "")
                case Extract():
                    record = source.record(row, found)
                    take(record)
                    summary.add(record, found.why)
            watch(done, total)


def _form(to: str, out: Path | None) -> Form:
    form = FORMS.get(to)
    if form is None:
        raise BadInput(f"no export to {to!r}; there are: {', '.join(FORMS)}")
    for other, others in FORMS.items():
        if out and others.ending and other != to and out.name.endswith(others.ending):
            raise BadInput(f"{out} is the name of a file for --to {other}, but --to is {to}: choose one of them")
    for name in form.needs:
        try:
            import_module(name)
        except ImportError as error:
            # Installed is not enough: one that lacks a package of its own would fail at every page.
            raise BadInput(f"export to {to} needs {name} ({error}): pip install 'thresher[export]'") from error
    return form


def _refuse_none(chosen: Chosen, archive: Archive) -> None:
    if not len(chosen):
        found = counts(archive.read)
        raise BadInput(
            f"nothing to export: {archive.folder.path} has {found.pages:,} pages, {found.relevant:,} of them relevant and new, "
            f"but none that was asked for; try without --relevant, --min-relevance or --since"
        )


def _refuse_lost(summary: Summary, archive: Archive) -> None:
    if summary.lost and not summary.pages:
        raise FolderError(
            f"nothing was exported: the records of all {summary.lost:,} pages are lost; {archive.folder.warc} is damaged or was emptied"
        )


def _summary(archive: Archive, to: str, destination: Destination, choice: Choice, chosen: Chosen) -> Summary:
    numbers = chosen.count()
    return Summary(
        out=destination.given,
        form=to,
        file=destination.data.name,
        counts=counts(archive.read),
        choice=str(choice),
        command=_command(archive.folder.path, to, choice),
        forbidden=archive.read("SELECT count(*) FROM visit WHERE outcome = 'robots'").fetchone()[0],
        left_out=0 if choice.duplicates else numbers.pages - numbers.clusters,
        keeps_duplicates=choice.duplicates,
        labels=_labels(archive),
    )


def _labels(archive: Archive) -> Labels:
    now = [each.relevant for each in by_hand(archive.read)]
    taught = [label.relevant for label in labels(archive.read) if label.relevant is not None]
    return Labels(
        sum(now), len(now) - sum(now), len(taught) >= FROM and min(sum(taught), len(taught) - sum(taught)) >= EACH
    )


def _command(folder: Path, to: str, choice: Choice) -> str:
    """What makes such an export again; the folder without the way to it, which is nobody else's business."""
    words = ["thresher", "export", folder.resolve().name, "--to", to]
    words += ["--relevant"] * choice.relevant
    words += ["--min-relevance", f"{choice.min_relevance:g}"] if choice.min_relevance else []
    words += ["--since", since_text(choice.since)] if choice.since is not None else []
    return shlex.join([*words, *["--duplicates"] * choice.duplicates])


def _manners(archive: Archive) -> Manners:
    made: Manners = plugins.construct(Manners, archive.settings.polite, "[polite]")
    return made


def _explained(error: OSError, out: Path) -> DiskFull | FolderError:
    known = DiskFull if error.errno in {errno.ENOSPC, errno.EDQUOT} else FolderError
    return known(f"cannot export to {out}: {error.strerror or error}")
