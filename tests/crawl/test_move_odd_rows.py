"""Rows that the two databases keep in different ways, moved: urls that are lent, texts with a NUL, keys that two hosts share, lessons."""

import sqlite3
from contextlib import closing

import pytest

from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger import Ledger
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import FolderError, LedgerError
from thresher.frontier import SqliteFrontier
from thresher.model import Candidate, Outcome, Url
from thresher.orders.inbox import give
from thresher.orders.order import Leave
from thresher.results.move.transfer import move
from thresher.store.catalogue import Catalogue
from thresher.store.rows import INSERT

psycopg = pytest.importorskip("psycopg")
SETTINGS = 'topic = "iris"\nseeds = ["http://a.example/"]\nworkers = 1\n\n[strategy]\nname = "apprentice"\n'
SEED, TITLE, WORDS = Url("http://a.example/"), "a title\0with a NUL", "a \\ link\0with both"


def quietly(doing, count):
    """Nobody watches."""


def row(number, title):
    """A visit as a row of the catalogue."""
    facts = (number, 1, "response", "page", 200, 1, 0.5, None, None, 9, 1.7e9, 1.7e9, 0.1, 0.5, 0, 0, 1, 7, None, None)
    return (*facts, *[None] * 4, "a.example", SEED, None, None, WORDS, *[None] * 4, title, "en", None, None, 0, None)


@pytest.fixture
async def folder(tmp_path):
    """A crawl whose seed is settled, one url is lent, and others wait."""
    made = CrawlFolder(tmp_path / "folder")
    with made:
        ledger = Ledger(made.database)
        store, frontier = Catalogue(ledger, made.warc), SqliteFrontier(ledger)
        await frontier.add([Candidate(SEED, 1.0)])
        [claim] = await frontier.claim(1, 1.7e9)
        links = [Url(f"http://{host}.example/{number}") for host in "abc" for number in range(5)]
        found = [Candidate(url, 0.1 * place, 1, SEED, WORDS) for place, url in enumerate(links)]
        await frontier.settle(claim, Outcome("page"), found, 1.7e9)
        assert len(await frontier.claim(2, 1.7e9 + 9)) == 2
        ledger.write(INSERT, row(1, TITLE))
        store.remember("strategy/words", b"\0\xff")
        store.close()
        ledger.close()
    made.settings.write_text(SETTINGS, "utf-8")
    return made


@pytest.fixture
def address(postgres, schema):
    return LedgerAddress.of(f"{postgres.url()}?schema={schema}")


@pytest.fixture
def ask(address):
    def asked(sql, *values):
        options = f"-c search_path={address.schema}"
        with psycopg.connect(address.url, autocommit=True, options=options) as connection:
            cursor = connection.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []

    return asked


def rows(path, sql):
    with closing(sqlite3.connect(path / "crawl.sqlite")) as connection:
        return connection.execute(sql).fetchall()


def counts_agree(path):
    """Whether each host knows how many of its urls wait and are settled."""
    counted = "SELECT host, sum(state = 0), sum(state = 2) FROM known GROUP BY host ORDER BY host"
    return rows(path, counted) == rows(path, "SELECT number, waiting, settled FROM host ORDER BY number")


async def test_what_is_lent_waits_after_the_move_on_both_ways(folder, address, ask, tmp_path):
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
    from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

    assert rows(folder.path, "SELECT count(*) FROM known WHERE state = 1") == [(2,)]
    move(folder.path, address, None, quietly)
    assert ask("SELECT sum(waiting), sum(settled) FROM host") == [(15, 1)]
    with closing(PostgresLedger(address.url, schema=address.schema)) as ledger:
        frontier = PostgresFrontier(ledger, turned=True)
        assert len(await frontier.claim(3, 1.8e9)) == 0  # every host rests first
        assert len(await frontier.claim(3, 1.9e9)) == 3
    move(address, tmp_path / "back", None, quietly)
    assert rows(tmp_path / "back", "SELECT state, count(*) FROM known GROUP BY state") == [(0, 15), (2, 1)]
    assert counts_agree(tmp_path / "back")


async def test_the_words_of_a_link_keep_their_nul_and_a_title_gets_a_mark(folder, address, ask, tmp_path):
    move(folder.path, address, None, quietly)
    assert ask("SELECT title FROM visit") == [("a title\N{REPLACEMENT CHARACTER}with a NUL",)]
    move(address, tmp_path / "back", None, quietly)
    assert rows(tmp_path / "back", "SELECT DISTINCT anchor FROM origin WHERE anchor IS NOT NULL") == [(WORDS,)]


async def test_a_url_whose_key_another_host_has_is_left_out_and_not_waited_for(folder, address, ask, tmp_path):
    move(folder.path, address, None, quietly)
    [(key,)] = ask("SELECT key FROM url WHERE url = 'http://b.example/1'")
    [(host,)] = ask("SELECT id FROM host WHERE name = 'c.example'")
    ask(
        "INSERT INTO url (key, seq, priority, host, depth, url) VALUES (%s, 99, 1, %s, 1, 'http://c.example/twin')",
        key,
        host,
    )
    ask("UPDATE host SET waiting = waiting + 1 WHERE id = %s", host)
    report = move(address, tmp_path / "back", None, quietly)
    assert report.left_out == 1
    assert counts_agree(tmp_path / "back")


async def test_orders_that_wait_are_carried_out_after_the_move(folder, address, ask, tmp_path):
    number = give(folder, Leave("c.example"))
    move(folder.path, address, None, quietly)
    assert ask("SELECT number FROM given") == [(number,)]
    move(address, tmp_path / "back", None, quietly)
    with closing(sqlite3.connect(tmp_path / "back" / "orders.sqlite")) as inbox:
        assert inbox.execute("SELECT number FROM given").fetchall() == [(number,)]


async def test_what_a_strategy_learnt_is_there_for_whoever_joins(folder, address, ask, tmp_path):
    move(folder.path, address, None, quietly)
    assert ask("SELECT value FROM state WHERE name = 'learner/0/strategy/words'") == [(b"\0\xff",)]
    assert ask("SELECT heard FROM learner WHERE number = 0") == [(1,)]
    ask("SELECT enrol()")
    move(address, tmp_path / "back", None, quietly)
    assert rows(tmp_path / "back", "SELECT name, value FROM state WHERE name LIKE 'strategy/%'") == [
        ("strategy/words", b"\0\xff")
    ]


async def test_a_copy_that_differs_stays_unfinished(folder, address, ask, monkeypatch):
    from thresher.disk.postgres_reader import PostgresReader  # noqa: PLC0415 - psycopg is an extra
    from thresher.results.move import into_database  # noqa: PLC0415 - psycopg is an extra

    spoil = into_database.compare

    def compared(parts, took):
        ask("UPDATE url SET priority = priority + 1 WHERE url = 'http://b.example/1'")
        return spoil(parts, took)

    monkeypatch.setattr(into_database, "compare", compared)
    with pytest.raises(FolderError, match="of the urls is not the same in the copy"):
        move(folder.path, address, None, quietly)
    monkeypatch.undo()
    with pytest.raises(LedgerError, match="is an unfinished copy"):
        PostgresReader(address.url, address.schema)
    assert move(folder.path, address, None, quietly).rows > 15
