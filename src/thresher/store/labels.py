"""What a person said of pages, kept in the catalogue: labels in, labelled answers out."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from thresher.disk.found_rows import Read, Row, has_table
from thresher.disk.tables import Tables, make_tables
from thresher.model import Fetched, Response, Url
from thresher.store.rows import visit_of
from thresher.store.visits import named_row
from thresher.urls import url_hash
from thresher.warc.format import Place
from thresher.warc.reader import Playback, RecordFiles, UnreadableRecord

_PUT = """
    INSERT INTO label (url, relevant, at) VALUES (?, ?, ?)
    ON CONFLICT (url) DO UPDATE SET relevant = excluded.relevant, at = excluded.at
"""
_REMOVE = "DELETE FROM label WHERE url = ?"
_ALL = "SELECT url, relevant, at FROM label ORDER BY at, url"
_ONE = "SELECT relevant, at FROM label WHERE url = ?"
_PAGE = "SELECT * FROM entry WHERE url_hash = ? AND url = ? AND outcome = 'page' ORDER BY number LIMIT 1"
_CHANGED = """
    SELECT status, at, file, "offset", length, request FROM revisit
    WHERE visit = ? AND found = 'changed' AND at <= ? ORDER BY number DESC LIMIT 1
"""
# A label of a later version of a page says nothing of what the crawl found.
_CORRECTION = """
    SELECT count(*) FILTER (WHERE label.relevant) - count(*) FILTER (WHERE visit.fresh) FROM label JOIN visit ON visit.url = label.url
    WHERE label.relevant IS NOT NULL AND outcome = 'page' AND duplicate_of IS NULL AND near IS NULL
        AND NOT EXISTS (SELECT 1 FROM revisit WHERE revisit.visit = visit.number AND found = 'changed' AND revisit.at <= label.at)
"""


class HandLabel(NamedTuple):
    """What a person said of a page as it was then, and when."""

    url: Url
    relevant: bool | None
    """None if the page was skipped."""
    at: float


class Labelled(NamedTuple):
    """An answer whose page a person judged."""

    response: Response
    relevant: bool


def word_of(relevant: bool | None) -> str:  # noqa: FBT001 - yes, no, or nothing
    """What a person said, in a table: `relevant`, `not relevant`, or nothing."""
    return "" if relevant is None else "relevant" if relevant else "not relevant"


def labels(read: Read) -> list[HandLabel]:
    """All labels, oldest first."""
    if not has_table(read, "label"):
        return []
    return [HandLabel(url, None if relevant is None else bool(relevant), at) for url, relevant, at in read(_ALL)]


def label_of(read: Read, url: Url) -> HandLabel | None:
    """What a person said of a url; None if nobody was asked."""
    if not has_table(read, "label"):
        return None
    row = read(_ONE, (url,)).fetchone()
    return row and HandLabel(url, None if row[0] is None else bool(row[0]), row[1])


def harvest_correction(read: Read) -> int:
    """How many more pages are harvest by the labels than by the judge; below zero if fewer. There must be labels."""
    return int(read(_CORRECTION).fetchone()[0])


def make_labels(tables: Tables) -> None:
    """Make the table of labels, if it is not there."""
    if not has_table(tables.read, "label"):
        make_tables(tables, "store_labels")


def put_label(tables: Tables, label: HandLabel) -> None:
    """Keep a label at once; it replaces an earlier label of the same url."""
    make_labels(tables)
    write_label(tables, label)
    tables.commit()


def write_label(tables: Tables, label: HandLabel) -> None:
    """Write a label in the current transaction. The table must be there."""
    tables.write(_PUT, label)


def remove_label(tables: Tables, url: Url) -> None:
    """Remove a label in the current transaction. The table must be there."""
    tables.write(_REMOVE, (url,))


def take_back_label(tables: Tables, url: Url, before: HandLabel | None) -> None:
    """Undo a label at once: the one before comes back, or none if there was none."""
    if before is None:
        remove_label(tables, url)
        tables.commit()
    else:
        put_label(tables, before)


def labelled(read: Read, files: Callable[[], RecordFiles]) -> Iterator[Labelled]:
    """The answers that were labelled, as they were then, oldest label first; those whose record is lost are left out."""
    said = [label for label in labels(read) if label.relevant is not None]
    with Playback(files() if said else {}) as playback:
        for label in said:
            row = _row(read, label.url)
            answer = _seen(read, row, label.at, playback) if row is not None else None
            if isinstance(answer, Response):
                yield Labelled(answer, bool(label.relevant))


def answer_of_label(read: Read, files: RecordFiles, label: HandLabel) -> Response | None:
    """The answer that one label is of, as it was then; None if its record is lost."""
    row = _row(read, label.url)
    with Playback(files) as playback:
        answer = _seen(read, row, label.at, playback) if row is not None else None
    return answer if isinstance(answer, Response) else None


def is_page(read: Read, url: Url) -> bool:
    """Whether a url is that of a page which the crawl has kept."""
    return _row(read, url) is not None


def _seen(read: Read, row: Row, at: float, playback: Playback) -> Fetched | None:
    """The answer as it was at that time: the latest change that a look had found by then, or what was kept first."""
    changed = read(_CHANGED, (row["number"], at)).fetchone() if has_table(read, "revisit") else None
    if changed is None:
        return visit_of(row, playback).fetched
    status, when, *place = changed
    try:
        message = playback.read(Place(*place))
    except UnreadableRecord:
        return None
    return Response(row["url"], status, message.headers, message.body, message.raw, at=when)


def _row(read: Read, url: Url) -> Row | None:
    return named_row(read, _PAGE, url_hash(url), url)
