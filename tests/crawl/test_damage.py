"""A database that is damaged, or of a newer format: every command says so in one sentence and ends with code 2."""

import asyncio
import io
import random
import secrets
import shutil
import sqlite3
import sys
import traceback
from contextlib import closing
from typing import NamedTuple

import pytest
from tests.crawl.local import crawl_file, finish, start

from thresher.cli import main
from thresher.disk.guarded_sqlite import VERSION, damage_in
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

PAGE = 4096
COMMANDS = {
    "show": ["show", "{crawl}"],
    "show for programs": ["show", "{crawl}", "--json"],
    "show the tree": ["show", "{crawl}", "--tree"],
    "search": ["search", "{crawl}", "iris"],
    "why": ["why", "{crawl}", "{url}"],
    "label": ["label", "{crawl}", "--limit", "2"],
    "list labels": ["label", "{crawl}", "--json"],
    "export": ["export", "{crawl}", "--to", "jsonl", "--out", "{out}.jsonl", "--force", "--jobs", "1"],
    "export pages": ["export", "{crawl}", "--to", "warc", "--into", "{out}", "--force", "--jobs", "1"],
    "report": ["report", "{crawl}", "--out", "{out}.html", "--force"],
    "compare": ["compare", "{crawl}", "{other}"],
    "compare with it": ["compare", "{other}", "{crawl}"],
    "rejudge": ["rejudge", "{crawl}", "--threshold", "0.3", "--yes"],
    "rejudge for programs": ["rejudge", "{crawl}", "--json"],
    "advise": ["advise", "{crawl}", "--strategy", "best-first"],
    "tell": ["tell", "{crawl}", "pause"],
    "tell of a page": ["tell", "{crawl}", "label", "{url}", "yes"],
    "move": ["move", "{crawl}", "{database}"],
    "revisit": ["revisit", "{crawl}", "--dry-run", "--now"],
    "crawl": ["crawl", "{crawl}", "--quiet", "--pages", "60"],
}


class Ended(NamedTuple):
    code: int
    said: str
    """On the error stream; a traceback, if there was one."""


def run(arguments):
    """`thresher …` in this process."""
    said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    usual = sys.argv, sys.stdin, sys.stdout, sys.stderr
    sys.argv, sys.stdin, sys.stdout, sys.stderr = ["thresher", *arguments], io.StringIO("y\nq\n"), _nowhere(), said
    try:
        main()
    except SystemExit as end:
        return Ended(int(end.code or 0), said.buffer.getvalue().decode())
    except Exception:  # noqa: BLE001 - whatever it is, a person would see a traceback
        return Ended(1, traceback.format_exc())
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = usual
    return Ended(0, said.buffer.getvalue().decode())


def _nowhere():
    return io.TextIOWrapper(io.BytesIO(), "utf-8")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a small crawl."""
    folder = tmp_path_factory.mktemp("whole")

    async def crawl():
        web = generate(size=70, hosts=5, seed=3)
        async with serve(web) as server:
            file = crawl_file(folder / "crawl.toml", web, server.port, budget={"pages": 60})
            assert await asyncio.to_thread(finish, start("crawl", file, "--quiet")) == 0

    asyncio.run(crawl())
    return folder / "crawl"


class Patient:
    """A copy of the crawl, to be damaged."""

    def __init__(self, whole, place, server):
        self.server = server
        """Starts a PostgreSQL, or gives the one that runs."""
        self.whole, self.crawl, self.out = whole, place / "crawl", place / "out"
        self.database = self.crawl / "crawl.sqlite"
        self.bytes = (whole / "crawl.sqlite").read_bytes()
        with closing(sqlite3.connect(whole / "crawl.sqlite")) as database:
            pages = database.execute("SELECT url FROM visit WHERE outcome = 'page' ORDER BY number").fetchall()
        self.url = pages[len(pages) // 2][0]

    def damage(self, number, content):
        """Start over with a whole copy, and overwrite one page of its database."""
        shutil.rmtree(self.crawl, ignore_errors=True)
        shutil.copytree(self.whole, self.crawl)
        self.database.write_bytes(self.bytes[: number * PAGE] + content + self.bytes[number * PAGE + len(content) :])

    def run(self, command):
        if command == "export":
            pytest.importorskip("trafilatura", reason="trafilatura is not installed: pip install 'thresher[export]'")
        names = {"crawl": self.crawl, "url": self.url, "out": self.out, "other": self.whole}
        if command == "move":
            names["database"] = f"{self.server().url()}?schema=crawl_{secrets.token_hex(6)}"
        return run([part.format(**names) for part in COMMANDS[command]])


@pytest.fixture
def patient(whole, tmp_path, request):
    return Patient(whole, tmp_path, lambda: request.getfixturevalue("postgres"))


EACH = [pytest.param(name, marks=[] if name == "show" else [pytest.mark.slow]) for name in COMMANDS]


@pytest.mark.parametrize("content", ["noise", "nothing"])
@pytest.mark.parametrize("command", EACH)
def test_a_damaged_page_of_the_database_is_one_sentence(patient, command, content):
    dice = random.Random(f"{command} {content}")
    refused = 0
    for number in range(1, len(patient.bytes) // PAGE, 5 if command == "advise" else 1):  # a second and more each time
        patient.damage(number, dice.randbytes(PAGE) if content == "noise" else bytes(PAGE))
        ended = patient.run(command)
        assert ended.code in {0, 2}, ended.said
        if ended.code == 2:
            assert ended.said.startswith(f"thresher: {patient.database}")
            assert ended.said.count("\n") == 1
            refused += 1
    assert refused, "the command reads some of the pages"


@pytest.mark.parametrize("command", EACH)
def test_a_few_damaged_bytes_are_one_sentence_where_they_can_be_told_from_data(patient, command):
    """SQLite keeps no checksums: what still looks like data is taken for data."""
    dice = random.Random(command)
    for _ in range(30):
        number, start_at = dice.randrange(1, len(patient.bytes) // PAGE), dice.randrange(PAGE - 24)
        page = bytearray(patient.bytes[number * PAGE : (number + 1) * PAGE])
        page[start_at : start_at + 24] = b"\xff" * 24
        patient.damage(number, bytes(page))
        ended = patient.run(command)
        assert ended.code in {0, 2} or damage_in(patient.database) is None, ended.said
        assert ended.code != 2 or ended.said.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_no_database_is_one_sentence(patient, command):
    patient.damage(0, b"this is no database" * 300)
    ended = patient.run(command)
    assert (ended.code, ended.said.count("\n")) == (2, 1)
    assert "file is not a database" in ended.said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_of_a_newer_format_is_refused(patient, command):
    patient.damage(0, b"")
    with closing(sqlite3.connect(patient.database)) as database:
        database.execute("PRAGMA user_version = 99")
    assert patient.run(command) == Ended(
        2, f"thresher: {patient.database} has format 99, this Thresher reads up to {VERSION}: upgrade thresher\n"
    )


@pytest.mark.parametrize(
    "number", [1, 4, *(pytest.param(other, marks=pytest.mark.slow) for other in (2, 3, *range(5, 12)))]
)
def test_a_damaged_search_index_is_removed_and_made_again(patient, number):
    patient.damage(0, b"")
    assert patient.run("search").code == 0
    index = patient.crawl / "search.sqlite"
    content = bytearray(index.read_bytes())
    content[number * PAGE : (number + 1) * PAGE] = bytes(PAGE)
    index.write_bytes(content)
    ended = patient.run("search")
    assert ended.code == 0 or ended == Ended(2, f"thresher: {index} was damaged and is removed: search again\n")
    if ended.code:
        assert patient.run("search").code == 0


def test_what_a_strategy_kept_may_make_no_sense_in_a_whole_database(patient):
    patient.damage(0, b"")
    with closing(sqlite3.connect(patient.database)) as database, database:
        assert database.execute("UPDATE state SET value = x'00ff00' WHERE name LIKE 'strategy/%'").rowcount
    ended = patient.run("crawl")
    assert (ended.code, ended.said.count("\n")) == (2, 1)
    assert ended.said.startswith(f"thresher: {patient.database}: what the strategy has learnt is damaged")


def test_a_mistake_of_ours_is_not_blamed_on_a_whole_database(patient, monkeypatch):
    patient.damage(0, b"")
    monkeypatch.setattr("thresher.results.archive.Archive.stopped", lambda _: {}["no such key"])
    assert "KeyError: 'no such key'" in patient.run("show").said
