"""One export from beginning to end: which pages, in which form, to which place."""

import errno
import math
import os
import shlex
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from thresher import plugins
from thresher.disk.crawl_home import Place
from thresher.disk.found_rows import Row
from thresher.errors import BadInput, DiskFull, FolderError
from thresher.install_hint import install_hint
from thresher.judge.by_hand import LEAST_LABELS, LEAST_OF_EACH
from thresher.model import RESERVED
from thresher.results.archive import Archive
from thresher.results.export.card import card
from thresher.results.export.destination import Destination
from thresher.results.export.formats import comma_separated, jsonl, markdown, parquet
from thresher.results.export.page_text import Extract
from thresher.results.export.reader_processes import SECONDS, ReaderCrew, ReadingOrders
from thresher.results.export.records import RecordSource, Trails
from thresher.results.export.summary import ARCHIVES, ExportSummary, LabelCounts
from thresher.results.export.wacz_file import wacz
from thresher.results.export.warc_file import PageMembers, members, warc
from thresher.settings import Manners
from thresher.store.current import by_hand
from thresher.store.labels import labels
from thresher.store.rows import facts_of
from thresher.store.selection import PageSelection
from thresher.store.totals import counts, outcomes
from thresher.warc.reader import Playback

ExportWatch = Callable[[int, int], object]
"""Called with how many pages are done, and how many there are."""


class ExportForm(NamedTuple):
    """A way to write pages."""

    ending: str
    """The ending of the file name; empty for a folder of files."""
    writer: Callable[..., Any]
    needs: tuple[str, ...] = ()
    """Packages that must be installed."""


FORMS = {
    "jsonl": ExportForm(".jsonl", jsonl, ("trafilatura",)),
    "csv": ExportForm(".csv", comma_separated, ("trafilatura",)),
    "parquet": ExportForm(".parquet", parquet, ("trafilatura", "pyarrow")),
    "warc": ExportForm(".warc.gz", warc),
    "wacz": ExportForm(".wacz", wacz),
    "markdown": ExportForm("", markdown, ("trafilatura",)),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages are exported."""

    relevant: bool = False
    """Only pages that the judge found relevant; where a person labelled a page, the label counts instead."""
    min_relevance: float = 0.0
    since: float | None = None
    """Only those fetched from then on, in seconds since 1970."""
    duplicates: bool = False
    """All pages of a cluster instead of one."""
    respect_tdm: bool = False
    """None that reserves text and data mining."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_relevance <= 1:
            raise BadInput(f"--min-relevance is {self.min_relevance}, but must be from 0 to 1")
        if self.since is not None and not math.isfinite(self.since):
            raise BadInput(f"--since is {self.since}, but must be a moment")

    def __str__(self) -> str:
        parts = ["relevant pages" if self.relevant else "all pages"]
        if self.min_relevance:
            parts.append(f"of relevance {self.min_relevance:g} or more")
        if self.since is not None:
            parts.append(f"fetched since {since_text(self.since)}")
        if self.respect_tdm:
            parts.append("without those that reserve text and data mining")
        return " ".join(parts)

    def select(self, archive: Archive) -> PageSelection:
        """The pages of a crawl that are chosen."""
        since = -math.inf if self.since is None else self.since
        return PageSelection(
            archive.read,
            relevant=self.relevant,
            min_relevance=self.min_relevance,
            since=since,
            duplicates=self.duplicates,
        )


def since_text(at: float) -> str:
    """A moment as `--since` takes it."""
    return (
        datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").removesuffix("+00:00").removesuffix("T00:00:00")
    )


def export(  # noqa: PLR0913 - an option each
    folder: Place,
    to: str,
    choice: Choice | None = None,
    out: Path | None = None,
    *,
    force: bool = False,
    spreadsheet: bool = False,
    jobs: int = 0,
    seconds: float = SECONDS,
    watch: ExportWatch | None = None,
) -> ExportSummary:
    """Write the chosen pages of a crawl folder to `out`, by default to a new folder `FOLDER-FORM`. The crawl may run meanwhile.

    With `spreadsheet`, no cell of a CSV file is taken for a formula.
    """
    form, choice = _form(to, out), choice or Choice()
    form = _without_formulas(form) if spreadsheet else form
    start = time.monotonic()
    with Archive.open(folder) as archive, ExitStack() as stack:
        destination = Destination(out or Path(f"{archive.folder.name}-{to}"), form.ending, force=force)
        chosen = choice.select(archive)
        _refuse_none(chosen, archive)
        files = archive.warc_files()
        playback = stack.enter_context(Playback(files))
        source = RecordSource(chosen, Trails(archive.read), files, _manners(archive).robots, archive.judged_by)
        summary = _summary(archive, to, destination, choice, chosen)
        rows = _permitted(chosen.rows(), summary) if choice.respect_tdm else chosen.rows()
        try:
            with destination.writing() as part, closing(_pages(to, source, playback, rows, jobs, seconds)) as pages:
                _write(pages, form, destination.data_in(part), source, summary, watch or (lambda *_: None))
                _refuse_lost(summary, archive)
                (part / destination.card_name).write_text(card(summary, archive.settings), "utf-8")
        except OSError as error:
            raise _explained(error, destination.out) from error
    summary.seconds = time.monotonic() - start
    return summary


ReadPage = tuple[Row, Extract | PageMembers | None]


def _permitted(rows: Iterator[Row], summary: ExportSummary) -> Iterator[Row]:
    """Those that reserve nothing; the others are counted."""
    for row in rows:
        if RESERVED in facts_of(row):
            summary.reserved_out += 1
        else:
            yield row


def _pages(  # noqa: PLR0913, PLR0917 - all that it reads with
    to: str, source: RecordSource, playback: Playback, rows: Iterator[Row], jobs: int, seconds: float
) -> Generator[ReadPage, None, None]:
    """Each chosen row with what its page says, or its records; None if they are lost."""
    if to in ARCHIVES:
        yield from ((row, members(row, playback)) for row in rows)
        return
    most = min(jobs or os.cpu_count() or 1, len(source.selection))
    with closing(ReaderCrew(ReadingOrders(source.files, marked_up=to == "markdown"), playback, most, seconds)) as crew:
        yield from crew.read(rows)


def _write(  # noqa: PLR0913, PLR0917 - all that meets in a page
    pages: Iterator[ReadPage],
    form: ExportForm,
    path: Path,
    source: RecordSource,
    summary: ExportSummary,
    watch: ExportWatch,
) -> None:
    total = len(source.selection)
    with form.writer(path) as take:
        for done, (row, found) in enumerate(pages, 1):
            match found:
                case None:
                    summary.lost += 1
                case PageMembers():
                    record = source.record(row)
                    take(record, found)
                    summary.add(record, "")
                case Extract():
                    record = source.record(row, found)
                    take(record)
                    summary.add(record, found.why)
            watch(done, total)


def _form(to: str, out: Path | None) -> ExportForm:
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
            raise BadInput(f"export to {to} needs {name} ({error}): {install_hint('export')}") from error
    return form


def _without_formulas(form: ExportForm) -> ExportForm:
    if form != FORMS["csv"]:
        raise BadInput(
            "--spreadsheet is for --to csv alone: the other forms have no cells that a program could take for formulas"
        )
    return form._replace(writer=partial(comma_separated, spreadsheet=True))


def _refuse_none(chosen: PageSelection, archive: Archive) -> None:
    if not len(chosen):
        found = counts(archive.read)
        raise BadInput(
            f"nothing to export: {archive.folder.path} has {found.pages:,} pages, {found.relevant:,} of them relevant and new, "
            f"but none that was asked for; try without --relevant, --min-relevance or --since"
        )


def _refuse_lost(summary: ExportSummary, archive: Archive) -> None:
    if summary.lost and not summary.pages:
        raise FolderError(
            f"nothing was exported: the records of all {summary.lost:,} pages are lost; "
            f"the WARC files of {archive.folder.path} are damaged or gone"
        )


def _summary(
    archive: Archive, to: str, destination: Destination, choice: Choice, chosen: PageSelection
) -> ExportSummary:
    size = chosen.size()
    return ExportSummary(
        out=destination.given,
        form=to,
        file=destination.data.name,
        counts=counts(archive.read),
        choice=str(choice),
        command=_command(archive.folder.name, to, choice),
        forbidden=outcomes(archive.read).get("robots", 0),
        left_out=0 if choice.duplicates else size.pages - size.clusters,
        keeps_duplicates=choice.duplicates,
        labels=_labels(archive),
        judged=archive.judged,
    )


def _labels(archive: Archive) -> LabelCounts:
    now = [each.relevant for each in by_hand(archive.read)]
    taught = [label.relevant for label in labels(archive.read) if label.relevant is not None]
    return LabelCounts(
        sum(now),
        len(now) - sum(now),
        len(taught) >= LEAST_LABELS and min(sum(taught), len(taught) - sum(taught)) >= LEAST_OF_EACH,
    )


def _command(name: str, to: str, choice: Choice) -> str:
    """The command that makes such an export again; the folder by its name only, since paths are private."""
    words = ["thresher", "export", name, "--to", to]
    words += ["--relevant"] * choice.relevant
    words += ["--min-relevance", f"{choice.min_relevance:g}"] if choice.min_relevance else []
    words += ["--since", since_text(choice.since)] if choice.since is not None else []
    words += ["--duplicates"] * choice.duplicates
    return shlex.join([*words, *["--respect-tdm"] * choice.respect_tdm])


def _manners(archive: Archive) -> Manners:
    made: Manners = plugins.construct(Manners, archive.settings.polite, "[polite]")
    return made


def _explained(error: OSError, out: Path) -> DiskFull | FolderError:
    known = DiskFull if error.errno in {errno.ENOSPC, errno.EDQUOT} else FolderError
    return known(f"cannot export to {out}: {error.strerror or error}")
