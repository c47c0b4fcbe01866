"""Makes the WARC files agree with the catalogue when a crawl folder is opened again.

A kill leaves bytes that no committed row speaks of: they are cut off. A power cut can take bytes that rows do speak of:
those visits stay in the catalogue, marked as lost.
"""

import logging
import os
from pathlib import Path

from thresher.disk.ledger import Ledger
from thresher.warc.read import Playback, Unreadable
from thresher.warc.write import Place, own_name

_log = logging.getLogger("thresher.store")


def agree(ledger: Ledger, folder: Path, prefix: str) -> int:
    """Cut, remove and mark until both agree; returns how many pages were lost."""
    known = ledger.read("SELECT id, name, size FROM warc ORDER BY id").fetchall()
    _set_aside(folder, prefix, {name for _, name, _ in known})
    lost = sum(_fit(ledger, folder / name, number, size) for number, name, size in known)
    lost += _mark_torn(ledger, folder)
    ledger.commit()
    if lost:
        _log.warning("the bodies of %d pages are missing from %s (a power cut?); their rows are kept", lost, folder)
    return lost


def _set_aside(folder: Path, prefix: str, known: set[str]) -> None:
    """A file that no commit speaks of is what a kill left of a new one; but who knows, so it is renamed and not removed."""
    ours = own_name(prefix)
    for path in list(folder.iterdir()):
        if path.name not in known and ours.fullmatch(path.name):
            _log.warning("%s is not in the catalogue: it is now called %s.orphan", path, path.name)
            path.rename(path.with_name(f"{path.name}.orphan"))


def _fit(ledger: Ledger, path: Path, number: int, size: int) -> int:
    """Cut a file that is too long; mark the pages that a file which is too short has no more."""
    found = path.stat().st_size if path.exists() else 0
    if found > size:
        os.truncate(path, size)
    return _mark_lost(ledger, path, number, found) if found < size else 0


def _mark_lost(ledger: Ledger, path: Path, number: int, found: int) -> int:
    lost, whole = 0, 0
    for table in _with_records(ledger):
        gone = f"UPDATE {table} SET file = NULL WHERE file = ? AND offset + length > ?"  # noqa: S608 - a name of our own
        lost += ledger.write(gone, (number, found)).rowcount
        last = f"SELECT max(offset + length) FROM {table} WHERE file = ?"  # noqa: S608 - a name of our own
        whole = max(whole, ledger.read(last, (number,)).fetchone()[0] or 0)
    if whole:
        os.truncate(path, whole)
        ledger.write("UPDATE warc SET size = ? WHERE id = ?", (whole, number))
    else:
        path.unlink(missing_ok=True)
        ledger.write("DELETE FROM warc WHERE id = ?", (number,))
    return lost


def _with_records(ledger: Ledger) -> list[str]:
    """The tables whose rows have a record in a WARC file: visits, and looks at them since, where there were any."""
    named = ledger.read("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('visit', 'revisit')")
    return sorted(name for (name,) in named.fetchall())


def _newest(ledger: Ledger) -> tuple[int, int, int, int, str] | None:
    """Where the last record of all stands, and in which file."""
    newest = "SELECT file, offset, length, request, name FROM {} JOIN warc ON id = file ORDER BY number DESC LIMIT 1"
    rows = (ledger.read(newest.format(table)).fetchone() for table in _with_records(ledger))
    return max((row for row in rows if row is not None), default=None)


def _mark_torn(ledger: Ledger, folder: Path) -> int:
    """The newest record must be readable: some file systems give a file its length before its bytes."""
    lost = 0
    while (row := _newest(ledger)) is not None:
        place, path = Place(*row[:4]), folder / row[4]
        with Playback({place.file: path}) as playback:
            try:
                playback.read(place)
            except Unreadable:
                lost += _mark_lost(ledger, path, place.file, place.offset)
            else:
                return lost
    return lost
