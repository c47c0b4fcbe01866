"""Chosen pages as a WARC file: requests and answers as the crawl wrote them, each with a record that says what it is worth.

Records are copied byte for byte, with their ids and dates. A page whose body the crawl had met before is a revisit record there; here
it becomes a whole response, since the page it refers to may not have been chosen.
"""

import os
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from isal import igzip_lib

from thresher.model import Response
from thresher.results.export.columns import Record
from thresher.results.export.tables import as_json
from thresher.store.duplicates import content_hash
from thresher.store.rows import visit_of
from thresher.warc.read import Playback
from thresher.warc.record import record_id, records, warc_date, warcinfo

with warnings.catch_warnings():
    # FastWARC 1.1 complains of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator


class Members(NamedTuple):
    """The records of a page, each a gzip member."""

    request: bytes
    response: bytes


def members(row: sqlite3.Row, files: Mapping[int, Path], playback: Playback) -> Members | None:
    """The request and the whole response of a row; None if they are lost."""
    fetched = visit_of(row, playback).fetched
    if not isinstance(fetched, Response):
        return None
    if row["duplicate_of"]:
        return Members(*records(fetched, fetched.at, content_hash(fetched), None))
    with files[row["file"]].open("rb") as file:
        whole = os.pread(file.fileno(), row["request"] + row["length"], row["offset"] - row["request"])
    return Members(whole[: row["request"]], whole[row["request"] :])


@contextmanager
def warc(path: Path) -> Iterator[Callable[[Record, Members], None]]:
    """One file, with a warcinfo record at its head."""
    with path.open("wb") as file:
        file.write(warcinfo(path.name, time.time(), f"Thresher/{version('thresher')}"))

        def take(record: Record, found: Members) -> None:
            file.write(found.request + found.response + _metadata(record, found.response))

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
    return str(next(iter(ArchiveIterator(BytesIO(member), parse_http=False))).record_id)
