"""A crawl that moves from its folder into PostgreSQL, and back: nothing is lost, and it goes on as it would have gone on."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
import tomli_w
from tests.crawl.irises import served

from thresher.lab.webs.generated import generate

PAGES, MORE = 100, 180
LABELLED = 5


def thresher(*arguments, code=0, typed=""):
    """Run a command as a process; returns what it printed."""
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, timeout=300, check=False, text=True, input=typed)
    assert run.returncode == code, run.stderr + run.stdout
    assert "Traceback" not in run.stderr
    return run.stdout + run.stderr


@pytest.fixture(scope="module")
def web():
    made = generate(size=600, hosts=30, seed=3)
    with served(made) as server:
        yield made, server.port


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """A crawl of a hundred pages, with labels and a host that was left."""
    made, port = web
    folder = tmp_path_factory.mktemp("crawled")
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [next(made.urls(port))],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "workers": 1,
        "hands": {"count": 0},
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"dry_share": 0.0, "pages": PAGES},
        "fetch": {"resolve": dict.fromkeys(made.atlas.hosts, "127.0.0.1")},
    }
    file = folder / "crawl.toml"
    file.write_text(tomli_w.dumps(settings), "utf-8")
    thresher("crawl", file, "--quiet")
    thresher("label", folder / "crawl", "--limit", LABELLED, typed="y\nn\n" * LABELLED)
    thresher("rejudge", folder / "crawl", "--threshold", "0.2", "--yes")
    return folder / "crawl"


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "folder")


@pytest.fixture
def address(postgres, schema):
    return f"{postgres.url()}&schema={schema}" if "?" in postgres.url() else f"{postgres.url()}?schema={schema}"


def rows(folder, sql):
    with closing(sqlite3.connect(f"file:{folder}/crawl.sqlite?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def visited(folder):
    return [url for (url,) in rows(folder, "SELECT url FROM visit WHERE asked ORDER BY number")]


def test_a_crawl_that_moved_goes_on_as_it_would_have_gone_on(crawled, folder, address, tmp_path):
    assert len(visited(folder)) == PAGES
    said = thresher("move", folder, address)
    assert "tables are the same" in said
    assert visited(folder) == visited(crawled)
    stayed = shutil.copytree(crawled, tmp_path / "stayed")
    thresher("crawl", stayed, "--pages", MORE, "--quiet")
    thresher("crawl", "--ledger", address, "--pages", MORE, "--quiet")
    assert "tables are the same" in thresher("move", address, tmp_path / "back")
    expected = visited(stayed)
    assert len(expected) == MORE
    assert visited(tmp_path / "back") == expected
    thresher("crawl", stayed, "--pages", 2 * MORE, "--quiet")
    thresher("crawl", tmp_path / "back", "--pages", 2 * MORE, "--quiet")
    assert visited(tmp_path / "back") == visited(stayed)
    assert len(visited(stayed)) > MORE
