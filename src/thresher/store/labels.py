"""What a person said of pages, kept in the catalogue: labels in, labelled answers out."""

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from thresher.ledger import Ledger
from thresher.model import Response, Url
from thresher.store.playback import Playback
from thresher.store.reading import Read
from thresher.store.rows import visit_of
from thresher.urls import url_hash

_THERE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'label'"
_PUT = "INSERT OR REPLACE INTO label (url, relevant, at) VALUES (?, ?, ?)"
_ALL = "SELECT url, relevant, at FROM label ORDER BY at, url"
_PAGE = "SELECT * FROM entry WHERE url_hash = ? AND url = ? AND outcome = 'page' ORDER BY number LIMIT 1"


class Label(NamedTuple):
    """What a person said of a page, and when."""

    url: Url
    relevant: bool | None
    """None if the page was skipped."""
    at: float


class Labelled(NamedTuple):
    """An answer whose page a person judged."""

    response: Response
    relevant: bool


def labels(read: Read) -> list[Label]:
    """All labels, oldest first."""
    if read(_THERE).fetchone() is None:
        return []
    return [Label(url, None if relevant is None else bool(relevant), at) for url, relevant, at in read(_ALL)]


def put_label(ledger: Ledger, label: Label) -> None:
    """Keep a label, at once; a later one takes the place of an earlier one."""
    if ledger.read(_THERE).fetchone() is None:
        ledger.script(files(__package__).joinpath("labels.sql").read_text("utf-8"))
    ledger.write(_PUT, label)
    ledger.commit()


def labelled(read: Read, warc_folder: Path) -> Iterator[Labelled]:
    """The answers that were labelled, oldest label first; those whose record is lost are left out."""
    said = [label for label in labels(read) if label.relevant is not None]
    paths = {number: warc_folder / name for number, name in read("SELECT id, name FROM warc")} if said else {}
    with Playback(paths) as playback:
        for label in said:
            row = _row(read, label.url)
            answer = visit_of(row, playback).fetched if row is not None else None
            if isinstance(answer, Response):
                yield Labelled(answer, bool(label.relevant))


def _row(read: Read, url: Url) -> sqlite3.Row | None:
    cursor = read(_PAGE, (url_hash(url), url))
    cursor.row_factory = sqlite3.Row
    return next(iter(cursor), None)
