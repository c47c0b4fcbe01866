import asyncio
import sqlite3

import pytest

from thresher.errors import DiskFull, FolderError, FolderVersion
from thresher.ledger import VERSION, Ledger


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl.sqlite"


def numbers(path):
    """What somebody sees who opens the file after a kill."""
    connection = sqlite3.connect(path)
    try:
        return [number for (number,) in connection.execute("SELECT n FROM t ORDER BY n")]
    finally:
        connection.close()


def ledger_with_table(path, **options):
    ledger = Ledger(path, **options)
    ledger.script("CREATE TABLE IF NOT EXISTS t (n INTEGER)")
    return ledger


def test_what_is_not_committed_is_not_there_for_others_and_is_for_us(path):
    ledger = ledger_with_table(path, commit_every=1e9)
    ledger.write("INSERT INTO t VALUES (1)")
    assert ledger.read("SELECT count(*) FROM t").fetchone() == (1,)
    assert numbers(path) == []
    ledger.commit()
    assert numbers(path) == [1]
    ledger.close()


def test_the_first_turn_is_committed_at_once_and_the_next_ones_in_groups(path):
    ledger = ledger_with_table(path, commit_every=1e9)
    ledger.write("INSERT INTO t VALUES (1)")
    ledger.turn_ends()
    assert numbers(path) == [1]
    ledger.write("INSERT INTO t VALUES (2)")
    ledger.turn_ends()
    assert numbers(path) == [1]
    ledger.close()
    assert numbers(path) == [1, 2]


async def test_a_turn_is_committed_soon_even_if_no_other_follows(path):
    ledger = ledger_with_table(path, commit_every=0.02)
    for number in (1, 2, 3):
        ledger.write("INSERT INTO t VALUES (?)", (number,))
        ledger.turn_ends()
    assert numbers(path) == [1]
    await asyncio.sleep(0.06)
    assert numbers(path) == [1, 2, 3]
    ledger.close()


def test_last_writes_belong_to_the_transaction(path):
    ledger = ledger_with_table(path)
    ledger.before_commit.append(lambda: ledger.write_many("INSERT INTO t VALUES (?)", [(2,), (3,)]))
    ledger.commit()
    assert numbers(path) == [], "nothing to commit, so nothing is added"
    ledger.write("INSERT INTO t VALUES (1)")
    ledger.commit()
    assert numbers(path) == [1, 2, 3]
    ledger._connection.close()


def test_a_newer_file_is_refused_and_not_touched(path):
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version={VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(FolderVersion, match=f"format {VERSION + 1}"):
        Ledger(path)
    assert path.read_bytes() == before


def test_something_else_than_a_database_is_refused_and_not_touched(path):
    path.write_text("these are my notes, not a database, and they are long enough to be looked at\n" * 100)
    before = path.read_bytes()
    with pytest.raises(FolderError, match="cannot be read"):
        Ledger(path)
    assert path.read_bytes() == before


def test_a_full_disk_keeps_what_was_committed_and_no_half_turns(path):
    ledger = ledger_with_table(path, commit_every=1e9)
    ledger.write("INSERT INTO t VALUES (1)")
    ledger.commit()
    ledger._connection.execute(f"PRAGMA max_page_count={ledger.read('PRAGMA page_count').fetchone()[0]}")
    ledger.write("INSERT INTO t VALUES (2)")
    with pytest.raises(DiskFull, match="no room"):
        ledger.write_many("INSERT INTO t VALUES (?)", [(number,) for number in range(10_000)])
    with pytest.raises(DiskFull):
        ledger.write("INSERT INTO t VALUES (3)")
    ledger.close()
    assert numbers(path) == [1]


def test_the_log_beside_the_file_stays_small(path):
    ledger = ledger_with_table(path, commit_every=0)
    for _ in range(400):
        ledger.write("INSERT INTO t VALUES (randomblob(1000000))")
        ledger.turn_ends()
    assert path.with_name("crawl.sqlite-wal").stat().st_size < 250_000_000
    ledger.close()
