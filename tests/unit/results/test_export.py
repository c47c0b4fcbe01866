"""Which pages are exported, what is said of them, and where it goes."""

import gzip
import json
import re
import sqlite3
import sys
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.assembling import opened
from tests.unit.results.export_folders import SEED, STORY, failed, html, made, page

from thresher.cli.export import export as command
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.export.exporter import Choice, export
from thresher.results.export.records import Trails
from thresher.store.labels import HandLabel, put_label
from thresher.store.visits import numbered_row
from thresher.testing.store_contract import prose

pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """1 seed, 2 and 3 the same bytes, 4 and 5 nearly the same text, 6 off topic, 7 failed, 8 found on 2."""
    same = html("Twins", STORY * 8)
    folder = tmp_path_factory.mktemp("export") / "iris"
    return made(
        folder,
        page(1, url=SEED, parent=None),
        page(2, same),
        page(3, same),
        page(4, main=prose(4)),
        page(5, main=prose(4) + " end"),
        page(6, relevance=0.1),
        failed(7),
        page(8, parent="http://host.test/2", anchor="more on it", relevance=0.9),
        failed(9, "robots"),
    )


def chosen(crawl, **choice):
    with Archive.open(crawl) as archive:
        return [row["number"] for row in Choice(**choice).select(archive).rows()]


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_one_page_stands_for_all_that_say_the_same(crawl):
    assert chosen(crawl) == [1, 2, 4, 6, 8]


def test_duplicates_can_be_kept(crawl):
    assert chosen(crawl, duplicates=True) == [1, 2, 3, 4, 5, 6, 8]


def test_only_relevant_pages_if_asked(crawl):
    assert chosen(crawl, relevant=True) == [1, 2, 4, 8]
    assert chosen(crawl, min_relevance=0.8) == [8]


def test_what_a_person_said_counts_for_more_than_what_the_judge_said(tmp_path):
    folder = made(tmp_path / "iris", page(1, url=SEED, parent=None), page(2, relevance=0.1), page(3, relevance=0.1))
    ledger = Ledger(folder / "crawl.sqlite")
    put_label(ledger, HandLabel(SEED, relevant=False, at=1.0))
    put_label(ledger, HandLabel(Url("http://host.test/2"), relevant=True, at=2.0))
    put_label(ledger, HandLabel(Url("http://host.test/3"), relevant=None, at=3.0))
    ledger.close()
    assert chosen(folder, relevant=True) == [2]


def test_what_a_person_said_of_a_page_holds_for_its_copies(tmp_path):
    same = html("Twins", STORY * 8)
    folder = made(
        tmp_path / "iris", page(1, same), page(2, same), page(3, main=prose(4)), page(4, main=prose(4) + " end")
    )
    ledger = Ledger(folder / "crawl.sqlite")
    put_label(ledger, HandLabel(Url("http://host.test/1"), relevant=False, at=1.0))
    put_label(ledger, HandLabel(Url("http://host.test/3"), relevant=False, at=2.0))
    assert chosen(folder, relevant=True) == []
    put_label(ledger, HandLabel(Url("http://host.test/4"), relevant=True, at=3.0))
    ledger.close()
    assert chosen(folder, relevant=True) == [4]


def test_a_later_twin_stands_in_if_the_first_is_not_chosen(crawl):
    assert chosen(crawl, since=1.7e9 + 3) == [3, 4, 6, 8]
    assert chosen(crawl, since=1.7e9 + 5) == [5, 6, 8]


def test_the_crawls_own_file_is_not_written_to(crawl):
    before = (crawl / "crawl.sqlite").read_bytes()
    chosen(crawl)
    assert (crawl / "crawl.sqlite").read_bytes() == before


def test_a_running_crawl_can_empty_its_log_while_an_export_reads(crawl):
    with Archive.open(crawl) as archive:
        rows = Choice().select(archive).rows()
        next(rows)
        with closing(sqlite3.connect(crawl / "crawl.sqlite")) as writer:
            writer.execute("INSERT OR REPLACE INTO state VALUES ('x', 'y')")
            writer.commit()
            busy, log, moved = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, log, moved) == (0, 0, 0)


def test_the_way_from_the_seed_has_urls_and_anchors(crawl):
    with Archive.open(crawl) as archive:
        row = numbered_row(archive.read, 8)
        assert Trails(archive.read).to(row) == [
            (SEED, ""),
            ("http://host.test/2", "on the iris"),
            ("http://host.test/8", "more on it"),
        ]


def test_a_row_says_all_that_the_crawl_knows(crawl, tmp_path):
    summary = export(crawl, "jsonl", Choice(relevant=True), tmp_path / "out", jobs=1)
    rows = {row["number"]: row for row in read(tmp_path / "out" / "pages.jsonl")}
    twin = rows[2]
    assert "opens and closes the pupil" in twin["text"]
    assert (twin["extractor"], twin["language"], twin["language_by"]) == ("trafilatura", "en", "page")
    assert (twin["relevance"], twin["relevant"]) == (0.75, True)
    assert twin["evidence"] == [{"what": "iris", "where": "title", "amount": 0.5}]
    assert (twin["cluster"], twin["cluster_size"], twin["duplicates"]) == (2, 2, ["http://host.test/3"])
    assert twin["fetched"] == "2023-11-14T22:13:22.000000Z"
    assert (twin["status"], twin["robots"], twin["noindex"]) == (200, "allowed", False)
    assert twin["content_hash"].startswith("sha1:")
    assert (crawl / "warc" / twin["warc_file"]).stat().st_size > twin["warc_offset"] > 0
    assert (summary.pages, summary.left_out, summary.lost, summary.forbidden) == (4, 2, 0, 1)


def test_the_card_says_what_when_how_many_and_what_is_not_known(crawl, tmp_path):
    export(crawl, "jsonl", Choice(relevant=True), tmp_path / "out", jobs=1)
    said = (tmp_path / "out" / "README.md").read_text("utf-8")
    for part in (
        "# iris eye",
        "4 web pages from 1 hosts",
        "thresher export iris --to jsonl --relevant",
        "| strategy | apprentice |",
        "| threshold of relevance | 0.5 (the judge's own) |",
        "2023-11-14 to 2023-11-14",
        "0 of the pages name a licence",
        "the robots.txt files themselves are not kept",
        "| `relevance` | number |",
        'pandas.read_json("pages.jsonl", lines=True)',
    ):
        assert part in said


def test_the_card_says_what_was_asked_for(crawl, tmp_path):
    export(crawl, "warc", Choice(min_relevance=0.5, since=1.7e9, duplicates=True), tmp_path / "out")
    said = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert "all pages of relevance 0.5 or more fetched since 2023-11-14T22:13:20" in said
    assert "thresher export iris --to warc --min-relevance 0.5 --since 2023-11-14T22:13:20 --duplicates" in said


def test_a_crawl_that_did_not_ask_robots_says_so(tmp_path):
    folder = made(tmp_path / "own", page(1), polite={"robots": False})
    export(folder, "warc", out=tmp_path / "out")
    assert b'"robots":"not-asked"' in gzip.decompress((tmp_path / "out" / "pages.warc.gz").read_bytes())
    assert "told not to ask robots.txt" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_a_page_whose_record_is_lost_is_counted_and_left_out(tmp_path):
    folder = made(tmp_path / "torn", page(1), page(2))
    archive = next((folder / "warc").iterdir())
    archive.write_bytes(archive.read_bytes()[:-40])
    for form in ("jsonl", "warc"):
        summary = export(folder, form, out=tmp_path / form, jobs=1)
        assert (summary.pages, summary.lost) == (1, 1)


def test_a_file_can_be_named_and_has_its_card_beside_it(crawl, tmp_path):
    export(crawl, "warc", Choice(relevant=True), tmp_path / "iris.warc.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["iris.warc.gz", "iris.warc.gz.README.md"]


def test_what_is_there_is_replaced_only_by_force_and_only_if_it_is_an_export(crawl, tmp_path):
    out = tmp_path / "out"
    export(crawl, "warc", out=out)
    with pytest.raises(BadInput, match="--force"):
        export(crawl, "warc", out=out)
    (out / "pages.warc.gz").write_bytes(b"old")
    export(crawl, "warc", out=out, force=True)
    assert (out / "pages.warc.gz").stat().st_size > 3
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("my own")
    with pytest.raises(BadInput, match="no earlier export"):
        export(crawl, "warc", out=tmp_path / "mine", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "out"]


def test_an_export_that_fails_leaves_nothing_behind(crawl, tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(crawl, "jsonl", out=tmp_path / "out", jobs=1, watch=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_did(crawl, tmp_path):
    done = CliRunner().invoke(command, [str(crawl), "--to", "warc", "--relevant", "--into", str(tmp_path / "out")])
    assert done.exit_code == 0
    assert "4 pages from 1 host," in done.stdout
    assert "2 have the same text as others and were left out" in done.stdout


def test_programs_get_figures(crawl, tmp_path):
    words = [str(crawl), "--to", "warc", "--since", "2023-11-14", "--min-relevance", "0.8", "--json"]
    done = CliRunner().invoke(command, [*words, "--into", str(tmp_path / "out")])
    assert json.loads(done.stdout)["pages"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "yesterday"), "2026-01-31"),
        (("--since", "2200-01-01"), "nothing to export"),
        (("--min-relevance", "7"), "from 0 to 1"),
    ],
)
def test_a_wrong_value_is_an_error_that_says_what_is_right(crawl, tmp_path, words, said):
    done = CliRunner().invoke(command, [str(crawl), "--to", "warc", "--into", str(tmp_path / "out"), *words])
    assert isinstance(done.exception, BadInput)
    assert said in str(done.exception)


async def test_a_real_crawl_is_exported_with_the_way_to_each_page(tmp_path):
    web = generate()
    seed = next(web.urls())
    async with serve(web) as server:
        tables = {
            "budget": {"pages": 60},
            "polite": {"delay": 0.0},
            "fetch": {"proxy": f"http://127.0.0.1:{server.port}"},
        }
        async with opened(tmp_path / "crawl", "iris, eye, pupil", [seed], **tables) as crawl:
            await crawl.run()
    export(tmp_path / "crawl", "jsonl", Choice(relevant=True), tmp_path / "out", jobs=1)
    rows = read(tmp_path / "out" / "pages.jsonl")
    assert len(rows) == crawl.tally.relevant > 5
    for row in rows:
        assert row["path"][0] == {"url": seed, "anchor": ""}
        assert (row["path"][-1]["url"], len(row["path"])) == (row["url"], row["depth"] + 1)
        assert all(step["anchor"] for step in row["path"][1:])
        assert len(row["text"]) > 100


def test_a_folder_that_is_no_crawl_is_named(tmp_path):
    with pytest.raises(BadInput, match="is not the folder of a crawl"):
        export(tmp_path, "warc")


@pytest.mark.parametrize("missing", ["trafilatura", "pyarrow"])
def test_a_package_that_cannot_be_imported_is_named_with_the_way_to_get_it(crawl, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(BadInput, match=f"export to parquet needs {missing} .*{re.escape(install_hint('export'))}"):
        export(crawl, "parquet")
