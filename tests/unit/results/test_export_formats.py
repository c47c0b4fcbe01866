"""What is written reads back the same, in every form, with the readers that people use."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.results.export_folders import STORY, html, made, page
from tests.unit.store.crawl_folders import FastIterator
from warcio.archiveiterator import ArchiveIterator

from thresher.errors import BadInput
from thresher.model import Evidence, Url
from thresher.results.export.exporter import FORMS, Choice, export
from thresher.results.export.formats import comma_separated, document, file_name, jsonl
from thresher.results.export.records import COLUMNS, _clean

ODD = "a \"quoted\", line\nand another\r\nwith \x00 NUL; =cmd|' /C calc'!A0\u2028\U0001f441 ضوء"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    twins = html("Twins", STORY * 8)
    return made(
        tmp_path_factory.mktemp("forms") / "iris",
        page(1, title="=HYPERLINK(1)", anchor=ODD),
        page(2, twins, title=ODD, evidence=(Evidence('say "iris",', "text", 2.0), Evidence("=1+1", "title", 0.5))),
        page(3, twins, title="NA"),
        page(4, html("Über 虹膜", STORY * 4 + '虹膜 &amp; " , ; |</p><p>' + STORY * 4), title="", relevance=0.1),
        page(5, b"", title="null", url=Url("http://host.test/?q=a%20b&c=%27%22")),
    )


@pytest.fixture(scope="module")
def exports(crawl, tmp_path_factory):
    pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'thresher[export]'")
    out = tmp_path_factory.mktemp("exports")
    for form in ("jsonl", "csv", "parquet", "markdown"):
        export(crawl, form, Choice(duplicates=True), out / form, jobs=1)
    return out


@pytest.fixture(scope="module")
def rows(exports):
    return [json.loads(line) for line in (exports / "jsonl" / "pages.jsonl").read_text("utf-8").split("\n")[:-1]]


def test_every_column_is_in_every_row(rows):
    assert len(rows) == 5
    assert all(list(row) == [column.name for column in COLUMNS] for row in rows)


def test_csv_has_the_same_rows_as_json(exports, rows):
    with (exports / "csv" / "pages.csv").open(encoding="utf-8", newline="") as file:
        back = list(csv.DictReader(file))
    assert [from_csv(row) for row in back] == rows


def test_parquet_has_the_same_rows_as_json(exports, rows):
    parquet = pytest.importorskip("pyarrow.parquet")
    back = parquet.read_table(exports / "parquet" / "pages.parquet").to_pylist()
    for row in back:
        row["fetched"] = row["fetched"].strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert back == rows


def test_pandas_loads_the_folder_of_a_parquet_export(exports, rows):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert list(pandas.read_parquet(exports / "parquet").url) == [row["url"] for row in rows]


@pytest.mark.slow
def test_datasets_loads_the_folder_of_a_parquet_export(exports, rows, tmp_path):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    loaded = datasets.load_dataset(str(exports / "parquet"), cache_dir=str(tmp_path))
    assert list(loaded["train"]["url"]) == [row["url"] for row in rows]


def test_csv_for_a_spreadsheet_has_no_formula(crawl, rows, tmp_path):
    export(crawl, "csv", Choice(duplicates=True), tmp_path / "safe", spreadsheet=True, jobs=1)
    with (tmp_path / "safe" / "pages.csv").open(encoding="utf-8", newline="") as file:
        back = list(csv.DictReader(file))
    assert back[0]["title"] == "'=HYPERLINK(1)"
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in back for cell in row.values())
    assert [row["url"] for row in back] == [row["url"] for row in rows]


def test_only_csv_can_be_for_a_spreadsheet(crawl, tmp_path):
    with pytest.raises(BadInput, match="--spreadsheet is for --to csv alone"):
        export(crawl, "warc", out=tmp_path / "safe", spreadsheet=True)


def test_pandas_loads_all_three_alike(exports, rows):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    tables = (
        pandas.read_json(exports / "jsonl" / "pages.jsonl", lines=True),
        pandas.read_csv(exports / "csv" / "pages.csv", keep_default_na=False),
        pandas.read_parquet(exports / "parquet" / "pages.parquet"),
    )
    for table in tables:
        assert list(table["url"]) == [row["url"] for row in rows]
        assert list(table["title"]) == [row["title"] for row in rows]
        assert list(table["text"]) == [row["text"] for row in rows]
        assert list(table["relevance"]) == [row["relevance"] for row in rows]
        assert list(table["relevant"]) == [row["relevant"] for row in rows]


def test_duckdb_loads_all_three_alike(exports, rows):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    for path in ("jsonl/pages.jsonl", "csv/pages.csv", "parquet/pages.parquet"):
        with closing(duckdb.connect()) as connection:
            found = connection.execute(
                f"SELECT url, title, text, relevance, depth FROM '{exports / path}' ORDER BY number"
            ).fetchall()
        names = ("url", "title", "text", "relevance", "depth")
        # An empty text and none are the same to DuckDB's reader of CSV.
        assert [tuple(value or "" for value in row) for row in found] == [
            tuple(row[name] or "" for name in names) for row in rows
        ]


def test_every_markdown_file_has_front_matter_that_reads_back(exports, rows):
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    paths = sorted((exports / "markdown").glob("*/*.md"))
    assert len(paths) == len(rows)
    for path, row in zip(paths, rows, strict=True):
        _, matter, text = path.read_text("utf-8").split("---\n", 2)
        known = yaml.safe_load(matter)
        assert known.keys() >= {"url", "title", "relevance", "fetched", "reasons"}
        assert known["relevance"] == round(row["relevance"], 3)
        assert len(known["reasons"]) == min(len(row["evidence"]), 5)
        same = known.keys() - {"relevance", "reasons"}
        assert {key: known[key] for key in same} == {key: row[key] for key in same}
        assert text.strip() or not row["text"]


def test_names_of_files_are_safe():
    names = [
        file_name({"host": host, "title": title, "number": 7}).as_posix()
        for host, title in (
            ("Example.org:8080", "../../etc/passwd"),
            ("..", '\x00/\\:*?"<>| Größe'),
            ("[::1]", "虹膜"),
            ("a.test", "x" * 500),
        )
    ]
    assert names[0] == "example.org-8080/000007-etc-passwd.md"
    assert names[1] == "host/000007-groe.md"
    assert names[2] == "1/000007-page.md"
    assert len(names[3]) < 90


def test_texts_that_yaml_would_misread_are_escaped():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    odd = "a: b # c\n---\n\u2028\x85\ufeff'\"\\ \U0001f441"
    written = document({"title": odd, "fetched": datetime(2026, 1, 31, tzinfo=UTC), "text": "x"})
    assert yaml.safe_load(written.split("---\n", 1)[1].rsplit("\n---\n", 1)[0])["title"] == odd


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_any_text_reads_back_from_csv_and_json_as_it_was_written(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("any")
    records = [dict.fromkeys((column.name for column in COLUMNS), _clean(text)) for text in texts]
    for writer, name in ((comma_separated, "a.csv"), (jsonl, "a.jsonl")):
        with writer(folder / name) as take:
            for record in records:
                take(record)
    with (folder / "a.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == records
    with (folder / "a.jsonl").open(encoding="utf-8", newline="\n") as file:
        assert [json.loads(line) for line in file] == records


def test_a_row_group_is_written_as_soon_as_it_is_full(tmp_path, monkeypatch, rows):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("thresher.results.export.formats._GROUP_ROWS", 2)
    record = {**rows[0], "fetched": datetime(2026, 1, 31, tzinfo=UTC)}
    with FORMS["parquet"].writer(tmp_path / "x.parquet") as take:
        for _ in range(5):
            take(record)
    assert parquet.ParquetFile(tmp_path / "x.parquet").num_row_groups == 3


def test_a_warc_has_whole_pages_that_warcio_and_fastwarc_read(crawl, tmp_path):
    export(crawl, "warc", Choice(duplicates=True), tmp_path / "out.warc.gz")
    raw = (tmp_path / "out.warc.gz").read_bytes()
    read = [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
        for record in ArchiveIterator(io.BytesIO(raw), check_digests="raise")
    ]
    assert [kind for kind, _, _ in read] == ["warcinfo", *["request", "response", "metadata"] * 5]
    bodies = {url: body for kind, url, body in read if kind == "response"}
    assert bodies["http://host.test/3"] == bodies["http://host.test/2"] == html("Twins", STORY * 8)
    fast = [
        (record.headers["WARC-Type"], record.headers.get("WARC-Target-URI"), record.reader.read())
        for record in FastIterator(io.BytesIO(raw))
    ]
    assert fast[1:] == read[1:]


def test_the_metadata_of_a_warc_names_its_response_and_says_its_relevance(crawl, tmp_path):
    export(crawl, "warc", Choice(relevant=True), tmp_path / "out.warc.gz")
    with (tmp_path / "out.warc.gz").open("rb") as file:
        responses, described = set(), {}
        for record in ArchiveIterator(file):
            headers = record.rec_headers
            if record.rec_type == "response":
                responses.add(headers.get_header("WARC-Record-ID"))
            if record.rec_type == "metadata":
                described[headers.get_header("WARC-Refers-To")] = json.loads(record.content_stream().read())
    assert set(described) == responses
    assert [row["relevance"] for row in described.values()] == [0.75, 0.75, 0.75]
    assert all("text" not in row for row in described.values())


def test_records_are_copied_byte_for_byte(crawl, tmp_path):
    export(crawl, "warc", out=tmp_path / "out.warc.gz")
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as connection:
        name, offset, length = connection.execute(
            "SELECT name, offset, length FROM visit JOIN warc ON warc.id = file WHERE number = 4"
        ).fetchone()
    record = (crawl / "warc" / name).read_bytes()[offset : offset + length]
    assert record in (tmp_path / "out.warc.gz").read_bytes()


def from_csv(row):
    """A row of CSV with the types that its columns have."""
    kinds = {column.name: column.kind for column in COLUMNS}
    return {name: _READ.get(kinds[name], str)(value) for name, value in row.items()}


_READ = {
    "float": float,
    "integer": int,
    "time": lambda text: text or None,
    "truth": {"true": True, "false": False}.__getitem__,
    **dict.fromkeys(("texts", "path", "evidence"), json.loads),
}
