"""Files and rows of a crawl with several workers are made to agree: after a worker was killed, and after a disk was lost.

What a killed worker left in a folder is put in order by the next worker that writes into the same folder. A place that cannot be seen may
only be unmounted: rows are marked as lost where the place is there and the file is not, or where a person gives the place up. Never else.
"""

import logging
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from thresher.errors import BadInput, ThresherError
from thresher.warc.file_places import FilePlace, S3Store
from thresher.warc.format import Place
from thresher.warc.reader import Playback, UnreadableRecord
from thresher.warc.shared_files import SharedFile, SharedFiles

_log = logging.getLogger("thresher.store")


class FileRows(Protocol):
    """The rows of a table that name records in WARC files, of all workers."""

    def lose(self, file: int, offset: int) -> int:
        """Mark the rows whose record ends behind this offset of a file as lost, at once; returns how many there were."""

    def last(self, file: int) -> Place | None:
        """The last record of a file that a row names."""


class LeftFiles(NamedTuple):
    """What a killed worker left, put in order."""

    whole: list[tuple[int, Path]]
    """Its files, each with its number."""
    lost: int
    """Rows whose records are not whole, after a power cut."""


def put_in_order(folder: Path, worker: str, files: SharedFiles, tables: Sequence[FileRows]) -> LeftFiles:
    """Cut off what no commit names, remove what is elsewhere, set aside what is unknown, mark what is not whole."""
    found = [path for path in sorted(folder.iterdir()) if _is_of(worker, path.name)]
    known = {file.name: file for file in files.named(path.name for path in found)}
    whole, lost = [], 0
    for path in found:
        file = known.get(path.name)
        if file is None:
            _set_aside(path)
        elif isinstance(FilePlace.of(file.place).at if file.place else None, S3Store):
            path.unlink()
        elif not file.size:
            files.drop(file.number)
            path.unlink()
        else:
            lost += _fit(path, file, files, tables)
            if path.exists():
                whole.append((file.number, path))
    if lost:
        _log.warning("the bodies of %d pages are missing from %s (a power cut?); their rows are kept", lost, folder)
    return LeftFiles(whole, lost)


def _is_of(worker: str, name: str) -> bool:
    """Whether a file's name is one that a worker gives: `PREFIX-TIME-SERIAL-WORKER.warc.gz`."""
    before, ours, behind = name.rpartition(f"-{worker}.warc.gz")
    _, time, serial = ["", "", *before.split("-")][-3:]
    return bool(ours) and not behind and time.isdigit() and serial.isdigit()


def _set_aside(path: Path) -> None:
    """A file has a row before its first byte. One with bytes and no row may be known to a newer copy of the database."""
    if path.stat().st_size:
        _log.warning("%s is not in the catalogue: it is now called %s.orphan", path, path.name)
        path.rename(path.with_name(f"{path.name}.orphan"))
    else:
        path.unlink()


def _fit(path: Path, file: SharedFile, files: SharedFiles, tables: Sequence[FileRows]) -> int:
    """Cut a file to what is committed; returns how many rows name what is not there."""
    found = path.stat().st_size
    if found > file.size:
        os.truncate(path, file.size)
    lost = _lose(file.number, found, tables) if found < file.size else 0
    lost += _lose_torn(path, file.number, tables)
    if lost:
        left = _last(file.number, tables)
        if left is None:
            files.gone(file.number)
            path.unlink()
        else:
            os.truncate(path, left.offset + left.length)
            files.shorten(file.number, left.offset + left.length)
    return lost


def _lose_torn(path: Path, number: int, tables: Sequence[FileRows]) -> int:
    """The last record must be readable: some file systems give a file its length before its bytes."""
    lost = 0
    with Playback({number: path}) as playback:
        while place := _last(number, tables):
            try:
                playback.read(place)
            except UnreadableRecord:
                lost += _lose(number, place.offset, tables)
            else:
                break
    return lost


def _last(number: int, tables: Sequence[FileRows]) -> Place | None:
    return max((place for rows in tables if (place := rows.last(number)) is not None), default=None)


def _lose(number: int, offset: int, tables: Sequence[FileRows]) -> int:
    return sum(rows.lose(number, offset) for rows in tables)


class MissingFile(NamedTuple):
    """A file that is not as long as its rows say."""

    file: SharedFile
    found: int
    """The bytes that are there; 0 if the file is not."""


class PlaceReport(NamedTuple):
    """A place, and which of its files are missing."""

    place: str
    files: int
    why_not: str
    """Why it cannot be seen from here, in a sentence; empty if it can."""
    missing: tuple[MissingFile, ...]
    """All its files, if it cannot be seen."""


def check_places(files: SharedFiles) -> list[PlaceReport]:
    """Look for every file where its row says that it lies. Nothing is changed."""
    by_place: dict[str, list[SharedFile]] = {}
    for file in files.every():
        if file.place:
            by_place.setdefault(file.place, []).append(file)
    return [_looked_at(place, lying, files) for place, lying in by_place.items()]


def _looked_at(place: str, lying: list[SharedFile], files: SharedFiles) -> PlaceReport:
    at = FilePlace.of(place).at
    try:
        why_not = (
            ""
            if at.is_there()
            else f"{at.name} cannot be seen from here: an unmounted disk, another machine, another store?"
        )
        sizes = at.sizes() if not why_not else {}
    except (ThresherError, OSError) as error:
        why_not, sizes = str(error), {}
    missing = [MissingFile(file, found) for file in lying if (found := sizes.get(file.name, 0)) < file.size]
    return PlaceReport(place, len(lying), why_not, tuple(_still(missing, files)))


def _still(missing: list[MissingFile], files: SharedFiles) -> Iterator[MissingFile]:
    """Without those that were moved while we looked."""
    now = {file.number: file.place for file in files.named(each.file.name for each in missing)}
    return (each for each in missing if now.get(each.file.number) == each.file.place)


def mark_lost(
    files: SharedFiles, tables: Sequence[FileRows], reports: Iterable[PlaceReport], *, given_up: Collection[str] = ()
) -> int:
    """Mark the rows whose records are missing as lost; returns how many. They stay, and say so.

    In a place that cannot be seen nothing counts as missing, unless a person has given it up by its name.
    """
    reports = list(reports)
    if unknown := set(given_up) - {report.place for report in reports}:
        places = ", ".join(report.place for report in reports) or "none"
        raise BadInput(f"no file of this crawl lies in {min(unknown)}; the places are: {places}")
    certain = [report for report in reports if not report.why_not or report.place in given_up]
    return sum(_marked(each, files, tables) for report in certain for each in _still(list(report.missing), files))


def _marked(missing: MissingFile, files: SharedFiles, tables: Sequence[FileRows]) -> int:
    number = missing.file.number
    lost = _lose(number, missing.found, tables)
    if missing.found:
        files.shorten(number, missing.found)
    else:
        files.gone(number)
    return lost
