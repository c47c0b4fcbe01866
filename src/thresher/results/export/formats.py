"""The writers of an export of texts: JSON lines, CSV and Parquet with one row for each page, Markdown with one file for each page."""

import csv
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.language.extras import extra
from thresher.results.export.records import COLUMNS, Column, ColumnKind, Record

Take = Callable[[Record], object]
"""Writes one page."""

_GROUP_ROWS = 2_000
_GROUP_CHARACTERS = 16_000_000
"""A row group of Parquet is held in memory until it has so many rows or characters of text."""
_LONGEST_NAME = 60
FRONT_MATTER = (
    "title",
    "url",
    "author",
    "date",
    "site",
    "language",
    "license",
    "relevance",
    "label",
    "fetched",
    "gone",
)
"""Columns that a Markdown file has above its text."""
REASONS = Column("reasons", "texts", "the five strongest reasons for the relevance")
_MOST_REASONS = 5
# What YAML 1.1 takes for a line end, or does not take at all, though JSON has it between quotes.
_NOT_YAML = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@contextmanager
def jsonl(path: Path) -> Iterator[Take]:
    """One object on each line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda record: file.write(as_json(record) + "\n")


@contextmanager
def comma_separated(path: Path, *, spreadsheet: bool = False) -> Iterator[Take]:
    """A header and one line for each page; texts in quotes, lists as JSON. For a spreadsheet, what it would run gets an apostrophe."""
    cell = _harmless_cell if spreadsheet else _cell
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow([column.name for column in COLUMNS])
        yield lambda record: writer.writerow([cell(record[column.name]) for column in COLUMNS])


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


def _harmless_cell(value: object) -> object:
    """The cell as a spreadsheet shows it and does not run it: a text is a formula there if it begins with one of these characters."""
    cell = _cell(value)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else cell


def _write(rows: list[Record], writer: Any) -> None:
    if rows:
        writer.write_batch(extra("pyarrow").RecordBatch.from_pylist(rows, schema=_schema()))
        rows.clear()


def _schema() -> Any:
    arrow = extra("pyarrow")
    text, number = arrow.string(), arrow.float64()
    types: dict[ColumnKind, Any] = {
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


@contextmanager
def markdown(folder: Path) -> Iterator[Take]:
    """`example.org/000123-the-human-iris.md`: the number keeps names apart."""

    def take(record: Record) -> None:
        path = folder / file_name(record)
        path.parent.mkdir(exist_ok=True)
        path.write_text(document(record), "utf-8", newline="\n")

    yield take


def file_name(record: Record) -> Path:
    """A name that is valid on every system: ASCII letters, digits, dots and dashes."""
    host = re.sub(r"[^a-z0-9.-]+", "-", record["host"].lower()).strip(".-")[:100] or "host"
    words = unicodedata.normalize("NFKD", record["title"]).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", words)[:_LONGEST_NAME].strip("-") or "page"
    return Path(host) / f"{record['number']:06}-{slug}.md"


def document(record: Record) -> str:
    """The front matter, then the text."""
    matter = "\n".join(f"{key}: {_yaml(value)}" for key, value in front_matter(record).items())
    return f"---\n{matter}\n---\n\n{record['text'].strip()}\n"


def front_matter(record: Record) -> dict[str, Any]:
    """What a person wants to know who reads the page; the other forms have all columns."""
    known = {key: value for key in FRONT_MATTER if (value := record.get(key)) not in {"", None}}
    if "relevance" in known:
        known["relevance"] = round(known["relevance"], 3)
    speaks_for = [each for each in record.get("evidence", ()) if each["amount"] > 0]
    strongest = sorted(speaks_for, key=lambda each: -each["amount"])[:_MOST_REASONS]
    return known | {REASONS.name: [f"{each['what']} ({each['where']})" for each in strongest]}


def _yaml(value: object) -> str:
    """A value on one line: JSON is YAML, except for a few characters."""
    written = json.dumps(value, ensure_ascii=False, default=moment)
    return _NOT_YAML.sub(lambda odd: f"\\u{ord(odd[0]):04x}", written)
