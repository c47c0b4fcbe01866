"""The crawl's WARC files as the table `warc` knows them, and how both are made to agree when a crawl folder is opened again.

A kill leaves bytes and files that no committed row names: they are cut off, and removed. A power cut can take bytes that rows
do name: those rows stay, marked as lost. Which rows name records is known to the owners of their tables, who hand them in as
`RecordRows`.
"""

import logging
import os
import re
from calendar import timegm
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import strptime
from typing import NamedTuple, Protocol

from thresher.disk.found_rows import Read
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.errors import BadInput
from thresher.warc.format import Place
from thresher.warc.reader import Playback, UnreadableRecord

PREFIX = "thresher"
_PREFIX = re.compile(r"(?!\.)[\w.-]{1,100}", re.ASCII)
_LONGEST_WITHOUT_COMMIT = 60.0
_log = logging.getLogger("thresher.store")


class WarcFile(NamedTuple):
    """One file of the crawl."""

    number: int
    name: str
    size: int
    """Bytes that belong to what is committed."""


class RecordRows(Protocol):
    """The rows of a table that name records in WARC files."""

    def lose(self, file: int, offset: int) -> int:
        """Mark the rows whose record ends behind this offset of a file as lost; returns how many there were."""

    def end(self, file: int) -> int:
        """Where the last record of a file ends that a row names; 0 if none does."""

    def newest(self) -> Place | None:
        """The record that the newest row names."""


def check_prefix(prefix: str) -> None:
    """A prefix begins a file's name, so it must not lead out of the folder, nor hide the file."""
    if not _PREFIX.fullmatch(prefix):
        raise BadInput(
            f"[store]: prefix is {prefix!r}, but must be letters, digits, '-', '_' and '.', "
            f"at most 100 of them, and must not begin with '.'"
        )


def make_table(ledger: Ledger) -> None:
    """Make the table, if there is none."""
    ledger.script(schema("warc"))


def warc_paths(read: Read, folder: Path) -> dict[int, Path]:
    """The WARC files of a crawl, by their numbers."""
    return {number: folder / name for number, name in read("SELECT id, name FROM warc")}


def newest_file(ledger: Ledger) -> WarcFile | None:
    """The file that was begun last."""
    row = ledger.read("SELECT id, name, size FROM warc ORDER BY id DESC LIMIT 1").fetchone()
    return WarcFile(*row) if row else None


def add_file(ledger: Ledger, number: int, name: str) -> None:
    """A file begins, empty."""
    ledger.write("INSERT INTO warc (id, name, size) VALUES (?, ?, 0)", (number, name))


def note_size(ledger: Ledger, number: int, size: int) -> None:
    """Say how much of a file belongs to this transaction and those before."""
    ledger.write("UPDATE warc SET size = ? WHERE id = ?", (size, number))


def recover(ledger: Ledger, folder: Path, prefix: str, tables: Sequence[RecordRows]) -> int:
    """Cut, rename and mark until files and rows agree; returns how many pages were lost."""
    known = [WarcFile(*row) for row in ledger.read("SELECT id, name, size FROM warc ORDER BY id").fetchall()]
    _clear_away(folder, prefix, {file.name: file.number for file in known})
    lost = sum(_fit(ledger, folder / file.name, file, tables) for file in known)
    lost += _mark_torn(ledger, folder, tables)
    ledger.commit()
    if lost:
        _log.warning("the bodies of %d pages are missing from %s (a power cut?); their rows are kept", lost, folder)
    return lost


def _clear_away(folder: Path, prefix: str, known: Mapping[str, int]) -> None:
    """Remove what a kill left of files that no commit names. A file that may be anything else is renamed."""
    ours = re.compile(re.escape(prefix) + r"-(\d{14})-(\d{5,})\.warc\.gz")
    newest = max(known.values(), default=0)
    for path in list(folder.iterdir()):
        name = ours.fullmatch(path.name)
        if name is None or path.name in known:
            continue
        if int(name[2]) > newest and _was_brief(path, name[1]):
            path.unlink()
        else:
            _log.warning("%s is not in the catalogue: it is now called %s.orphan", path, path.name)
            path.rename(path.with_name(f"{path.name}.orphan"))


def _was_brief(path: Path, begun: str) -> bool:
    """Whether a file was written to for so short a time that no commit fell meanwhile: commits fall every second.

    Then its pages wait to be fetched again. A file that was written to for longer had its commits, and they are not in this
    database: it may be an older copy of the one that knew the file.
    """
    try:
        start = timegm(strptime(begun, "%Y%m%d%H%M%S"))
    except ValueError:
        return False
    return abs(path.stat().st_mtime - start) < _LONGEST_WITHOUT_COMMIT


def _fit(ledger: Ledger, path: Path, file: WarcFile, tables: Sequence[RecordRows]) -> int:
    """Cut a file that is too long; mark the pages that are missing from a file that is too short."""
    found = path.stat().st_size if path.exists() else 0
    if found > file.size:
        os.truncate(path, file.size)
    return _mark_lost(ledger, path, file.number, found, tables) if found < file.size else 0


def _mark_lost(ledger: Ledger, path: Path, number: int, found: int, tables: Sequence[RecordRows]) -> int:
    lost = sum(rows.lose(number, found) for rows in tables)
    whole = max((rows.end(number) for rows in tables), default=0)
    if whole:
        os.truncate(path, whole)
        note_size(ledger, number, whole)
    else:
        path.unlink(missing_ok=True)
        ledger.write("DELETE FROM warc WHERE id = ?", (number,))
    return lost


def _mark_torn(ledger: Ledger, folder: Path, tables: Sequence[RecordRows]) -> int:
    """The newest record must be readable: some file systems give a file its length before its bytes."""
    lost = 0
    while newest := [place for rows in tables if (place := rows.newest()) is not None]:
        place, paths = max(newest), warc_paths(ledger.read, folder)
        with Playback(paths) as playback:
            try:
                playback.read(place)
            except UnreadableRecord:
                lost += _mark_lost(ledger, paths[place.file], place.file, place.offset, tables)
            else:
                return lost
    return lost
