"""Pages that reserve text and data mining, and pages that say that they are not there, in whole crawls."""

import gzip
import json
import sqlite3

import pytest
from tests.crawl.in_process import served, thresher

LINKS = "<a href='/kept'>iris</a> <a href='/reserved'>iris</a> <a href='/gone'>iris</a>"
PAGES = {
    "/": (200, f"<title>Iris</title><p>The iris of the eye. {LINKS}"),
    "/kept": (200, "<title>Kept</title><p>The iris of the eye has a colour, and a muscle for the light."),
    "/reserved": (200, "<title>Secret</title><meta name=robots content=noai><p>An iris. <a href='/behind'>iris</a>"),
    "/gone": (200, "<title>Page not found</title><p>The page you requested is gone. <a href='/behind'>iris</a>"),
    "/behind": (200, "<p>The iris behind all others, which nobody sees."),
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: thresher(monkeypatch, capsys, *arguments)


def crawled(run, *options):
    with served(PAGES) as address:
        begin = ("--topic", "iris eye", "--seed", f"{address}/", "--into", "crawl", "--delay", 0)
        assert run("crawl", *begin, "--hands", 0, *options).code == 0


def visits(folder):
    with sqlite3.connect(folder / "crawl.sqlite") as catalogue:
        rows = catalogue.execute("SELECT url, outcome, detail, facts FROM visit").fetchall()
    return {url.rpartition("/")[2]: rest for url, *rest in rows}


def test_of_pages_that_reserve_mining_nothing_is_kept_and_no_link_followed(run, tmp_path):
    crawled(run, "--respect-tdm")
    found = visits(tmp_path / "crawl")
    assert set(found) == {"", "kept", "reserved", "gone"}
    assert found["reserved"] == ["reserved", "noai", None]
    assert found["gone"][0] == "soft-404"
    kept = b"".join(gzip.decompress(path.read_bytes()) for path in (tmp_path / "crawl" / "warc").glob("*.gz"))
    assert b"has a colour" in kept
    assert b"Secret" not in kept
    shown = json.loads(run("show", "crawl", "--json").out)
    assert {"reserved", "soft-404"} <= set(json.dumps(shown).replace('"', " ").split())


def test_an_export_leaves_them_out_where_it_is_asked_to(run, tmp_path):
    crawled(run)
    assert json.loads(visits(tmp_path / "crawl")["reserved"][2]) == {"reserved": "noai"}
    whole = json.loads(run("export", "crawl", "--to", "warc", "--into", "all", "--json").out)
    rest = json.loads(run("export", "crawl", "--to", "warc", "--into", "rest", "--respect-tdm", "--json").out)
    assert (whole["pages"], whole["reserved"], whole["left_out_as_reserved"]) == (4, 1, 0)
    assert (rest["pages"], rest["reserved"], rest["left_out_as_reserved"]) == (3, 0, 1)
    card = (tmp_path / "rest" / "README.md").read_text()
    assert "Left out because they reserve text and data mining: 1." in card
    assert "--respect-tdm" in card
