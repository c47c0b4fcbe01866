"""Parts of a crawl, copied from one database into the other, and then compared row by row."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from thresher.disk.crawl_home import Place, home_of
from thresher.disk.found_rows import Read
from thresher.disk.table_loader import BATCH, Loader, Moved, SameTable
from thresher.errors import BadInput, FolderError

Took = Callable[[str, int], object]
"""Called with what is being done, and how many rows or bytes were done just now."""


class MovedPart(NamedTuple):
    """Rows that are the same on both sides."""

    name: str
    """How messages call them."""
    source: Callable[[], Iterable[Moved]]
    fill: Callable[[Sequence[Moved]], None]
    target: Callable[[], Iterable[Moved]]


class MoveReport(NamedTuple):
    """What was moved."""

    rows: int
    """That were compared, and are the same."""
    tables: int
    files: str
    """Where the WARC files lie now."""
    left_out: int = 0
    """Urls that a folder takes for others, since their keys are the same."""
    lessons: int = 0
    """Of workers, which the strategy of the folder has learnt last."""


def move(source: Place, target: Place, warc: str | None, took: Took) -> MoveReport:
    """Copy a crawl from a folder into a database, or back; `warc` is where WARC files go."""
    if isinstance(source, Path) == isinstance(target, Path):
        both = "folders: copy a folder with cp -a" if isinstance(source, Path) else "databases: copy one with pg_dump"
        raise BadInput(f"{source} and {target} are both {both}; move goes from a folder into a database, or back")
    old, new = home_of(source), home_of(target)
    if not old.exists or not old.begun:
        raise BadInput(
            f"{source} {old.fault}" if not old.exists else f"{source} has not begun: there is nothing to move"
        )
    if isinstance(source, Path):
        from thresher.results.move.into_database import into_database  # noqa: PLC0415 - psycopg is an extra

        return into_database(old, new, warc, took)
    if warc is not None:
        raise BadInput("--warcs is for a move into a database: into a folder, WARC files are copied as well")
    from thresher.results.move.into_folder import into_folder  # noqa: PLC0415 - psycopg is an extra

    return into_folder(old, new, took)


def same_part(table: SameTable, old: Read, new: Read, loader: Loader) -> MovedPart:
    """A table that has the same columns on both sides."""
    return MovedPart(
        f"rows of {table.name}",
        lambda: table.rows(old),
        lambda rows: table.fill(loader, rows),
        lambda: table.rows(new),
    )


def copy(parts: Iterable[MovedPart], took: Took) -> None:
    """Copy all rows, a few thousand at a time."""
    for part in parts:
        for batch in _batches(part.source()):
            part.fill(batch)
            took(f"copying {part.name}", len(batch))


def compare(parts: Sequence[MovedPart], took: Took) -> int:
    """Read all rows of both sides, and see that they are the same; returns how many there are."""
    return sum(_same(part, took) for part in parts)


def _same(part: MovedPart, took: Took) -> int:
    count, nothing = 0, object()
    for batch in _batches(zip_longest(part.source(), part.target(), fillvalue=nothing)):
        for ours, theirs in batch:
            count += 1
            if ours != theirs:
                raise FolderError(
                    f"row {count:,} of the {part.name} is not the same in the copy: it stays marked as unfinished; "
                    f"run the same command again, which begins anew"
                )
        took(f"comparing {part.name}", len(batch))
    return count


def _batches(rows: Iterable[Moved]) -> Iterator[list[Moved]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield batch
