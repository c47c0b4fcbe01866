"""Pages as JSON lines, CSV or Parquet: one row a page, the same values in each."""

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.language.extras import extra
from thresher.results.export.columns import COLUMNS, Kind, Record

Take = Callable[[Record], object]
"""Writes one page."""

_GROUP_ROWS = 2_000
_GROUP_CHARACTERS = 16_000_000
"""A row group of Parquet is held in memory until it has so many rows or characters of text."""


@contextmanager
def jsonl(path: Path) -> Iterator[Take]:
    """An object a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda record: file.write(as_json(record) + "\n")


@contextmanager
def comma_separated(path: Path) -> Iterator[Take]:
    """A header and a line a page; texts in quotes, lists as JSON."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow([column.name for column in COLUMNS])
        yield lambda record: writer.writerow([_cell(record[column.name]) for column in COLUMNS])


@contextmanager
def parquet(path: Path) -> Iterator[Take]:
    """Row groups of some megabytes, each written as soon as it is full."""
    rows: list[Record] = []
    with extra("pyarrow.parquet").ParquetWriter(path, _schema(), compression="zstd") as writer:
        characters = 0

        def take(record: Record) -> None:
            nonlocal characters
            rows.append(record)
            characters += len(record["text"])
            if len(rows) >= _GROUP_ROWS or characters >= _GROUP_CHARACTERS:
                _write(rows, writer)
                characters = 0

        yield take
        _write(rows, writer)


def as_json(record: Record) -> str:
    """A row as one line of JSON; times as `2026-01-31T12:00:00.123456Z`."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=moment)


def moment(at: datetime) -> str:
    """A time in UTC as text."""
    return at.isoformat(timespec="microseconds")[:26] + "Z"


def _cell(value: Any) -> Any:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            return moment(value)
        case list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return value


def _write(rows: list[Record], writer: Any) -> None:
    if rows:
        writer.write_batch(extra("pyarrow").RecordBatch.from_pylist(rows, schema=_schema()))
        rows.clear()


def _schema() -> Any:
    arrow = extra("pyarrow")
    text, number = arrow.string(), arrow.float64()
    types: dict[Kind, Any] = {
        "text": text,
        "texts": arrow.list_(text),
        "float": number,
        "integer": arrow.int64(),
        "truth": arrow.bool_(),
        "time": arrow.timestamp("us", tz="UTC"),
        "path": arrow.list_(arrow.struct({"url": text, "anchor": text})),
        "evidence": arrow.list_(arrow.struct({"what": text, "where": text, "amount": number})),
    }
    return arrow.schema([(column.name, types[column.kind]) for column in COLUMNS])
