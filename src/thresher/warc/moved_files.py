"""The WARC files of a crawl that moves: their rows, and copies of the files where they are wanted elsewhere.

Into PostgreSQL each row says where its file lies: in the folder as before, or in another place that the files are copied to. Into a folder
all files are copied, from wherever they lie. A copy has another name until it is whole.
"""

import filecmp
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from thresher.disk.atomic_file import sync
from thresher.disk.found_rows import Read
from thresher.disk.table_loader import Loader, Moved, SameTable
from thresher.errors import BadInput
from thresher.warc.file_places import S3Store, WarcFolder
from thresher.warc.growing_file import explained
from thresher.warc.reader import UnreadableRecord
from thresher.warc.shared_files import SharedFile

_COLUMNS = ("id", "name", "size")
FILES = SameTable("warc", _COLUMNS, "id")
"""The rows of a folder."""
# What is lost for good has no place; of what has no bytes, nothing was ever committed.
SHARED_FILES = SameTable("warc", _COLUMNS, "id", "WHERE place IS NOT NULL AND size > 0")
"""The rows of a crawl in PostgreSQL."""
_LYING = "SELECT id, name, size, place FROM warc WHERE place IS NOT NULL AND size > 0 ORDER BY id"
_NEXT = "SELECT setval(pg_get_serial_sequence('warc', 'id'), max(id)) FROM warc HAVING max(id) IS NOT NULL"
_PIECE = 8 << 20
Took = Callable[[int], object]
"""Called with how many bytes were copied."""


def fill_shared_files(loader: Loader, rows: Sequence[Moved], place: str) -> None:
    """Write rows into PostgreSQL; all files lie in one place."""
    loader.load("warc", (*_COLUMNS, "place"), [(*row, place) for row in rows])


def after_filling(loader: Loader) -> None:
    """Let new files have the numbers behind."""
    loader.run(_NEXT)


def copy_out(read: Read, folder: Path, place: WarcFolder | S3Store, took: Took) -> None:
    """Copy the files of a folder to another place."""
    place.prepare()
    for _, name, size in FILES.rows(read):
        if isinstance(place, S3Store):
            if place.size(name) not in {None, size}:
                raise _taken(name, place.name)
            place.take(folder / name)
        else:
            _copy(folder / name, place.path / name)
        took(size)


def _copy(source: Path, target: Path) -> None:
    if target.exists():
        if not filecmp.cmp(source, target, shallow=False):
            raise _taken(target.name, str(target.parent))
        return
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(source, part)
        _put_in_place(part, target)
    except OSError as error:
        raise explained(error, target.parent) from error


def _taken(name: str, place: str) -> BadInput:
    return BadInput(f"{place} has another file called {name}: choose another --warcs")


def copy_in(read: Read, folder: Path, took: Took) -> None:
    """Copy the files of a crawl in PostgreSQL into a folder, from wherever they lie."""
    for row in read(_LYING).fetchall():
        file = SharedFile(*row)
        try:
            _fetch(file, folder, took)
        except UnreadableRecord as why:
            raise BadInput(f"a WARC file cannot be copied: {why}") from why
        except OSError as error:
            raise explained(error, folder) from error


def _fetch(file: SharedFile, folder: Path, took: Took) -> None:
    part = folder / f"{file.name}.part"
    with part.open("wb") as copy:
        for piece in _pieces(file):
            copy.write(piece)
            took(len(piece))
    _put_in_place(part, folder / file.name)


def _pieces(file: SharedFile) -> Iterator[bytes]:
    """The bytes of a file that belong to the crawl."""
    records, offset = file.open_records(), 0
    try:
        while offset < file.size:
            piece = records.read(offset, min(_PIECE, file.size - offset))
            if not piece:
                raise UnreadableRecord(f"{file.name} has only {offset:,} of its {file.size:,} bytes in {file.place}")
            offset += len(piece)
            yield piece
    finally:
        records.close()


def _put_in_place(part: Path, target: Path) -> None:
    sync(part)
    part.replace(target)
    sync(target.parent)
