"""Pages as they came, in one WARC file.

Requests and answers are copied byte for byte, with their ids and dates, each with a record that says what the crawl knows of the page. A
page whose body the crawl had met before is a revisit record in the crawl; here it becomes a whole response, since the page it refers to
may not have been chosen.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from isal import igzip_lib

from thresher.disk.found_rows import Row
from thresher.model import Response
from thresher.results.export.formats import as_json
from thresher.results.export.records import Record
from thresher.store.duplicates import content_hash
from thresher.store.rows import visit_of
from thresher.warc.format import Place, record_id, records, warc_date, warcinfo
from thresher.warc.reader import Playback, record_fields

SOFTWARE = f"Thresher/{version('thresher')}"


class PageMembers(NamedTuple):
    """The records of a page, each a gzip member."""

    request: bytes
    response: bytes
    kind: str = ""
    """The content type of the answer."""


def members(row: Row, playback: Playback) -> PageMembers | None:
    """The request and the whole response of a row; None if they are lost."""
    fetched = visit_of(row, playback).fetched
    if not isinstance(fetched, Response):
        return None
    kind = (fetched.header("content-type") or "").partition(";")[0].strip().lower()
    if row["duplicate_of"]:
        return PageMembers(*records(fetched, fetched.at, content_hash(fetched), None), kind)
    return PageMembers(*playback.stored(Place(row["file"], row["offset"], row["length"], row["request"])), kind)


TakeMembers = Callable[[Record, PageMembers], int]
"""Writes the records of a page; returns where the response begins."""


@contextmanager
def warc(path: Path) -> Iterator[TakeMembers]:
    """One file, with a warcinfo record at its head."""
    with path.open("wb") as file:
        file.write(warcinfo(path.name, time.time(), SOFTWARE))

        def take(record: Record, found: PageMembers) -> int:
            start = file.tell() + len(found.request)
            file.write(found.request + found.response + _metadata(record, found.response))
            return start

        yield take


def _metadata(record: Record, response: bytes) -> bytes:
    """What the crawl knows of a page, as JSON, in a record that names the response it belongs to."""
    block = as_json(record).encode()
    head = (
        "WARC/1.1",
        "WARC-Type: metadata",
        f"WARC-Record-ID: {record_id()}",
        f"WARC-Date: {warc_date(record['fetched'].timestamp())}",
        f"WARC-Target-URI: {record['url']}",
        f"WARC-Refers-To: {_id_of(response)}",
        "Content-Type: application/json",
        f"Content-Length: {len(block)}",
    )
    whole = "\r\n".join((*head, "", "")).encode() + block + b"\r\n\r\n"
    squeezed: bytes = igzip_lib.compress(whole, 1, igzip_lib.COMP_GZIP)
    return squeezed


def _id_of(member: bytes) -> str:
    return record_fields(member)[b"warc-record-id"].decode()
