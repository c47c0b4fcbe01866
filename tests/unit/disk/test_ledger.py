import asyncio
import sqlite3
import time

import pytest

from thresher.disk.ledger import VERSION, Ledger
from thresher.errors import DiskFull, FolderError, FolderVersion


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
    with pytest.raises(FolderError, match="cannot be used as a crawl's database: file is not a database"):
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


def test_the_log_never_grows_by_more_than_a_commit_past_its_limit(path, monkeypatch):
    monkeypatch.setattr("thresher.disk.ledger._LOG", 1_000_000)
    monkeypatch.setattr("thresher.disk.ledger._LONGEST_LOG", 4_000_000)
    ledger, sizes = ledger_with_table(path, commit_every=0), []
    for _ in range(200):
        ledger.write("INSERT INTO t VALUES (randomblob(200000))")
        ledger.commit()
        sizes.append(path.with_name("crawl.sqlite-wal").stat().st_size)
    ledger.close()
    assert max(sizes) < 4_500_000


@pytest.mark.slow
def test_the_log_beside_the_file_stays_small(path):
    ledger = ledger_with_table(path, commit_every=0)
    for _ in range(400):
        ledger.write("INSERT INTO t VALUES (randomblob(1000000))")
        ledger.commit()  # how much `turn_ends` gathers in a commit depends on the disk
    assert path.with_name("crawl.sqlite-wal").stat().st_size < 140_000_000
    ledger.close()


def test_a_folder_in_the_place_of_the_file_is_said(path):
    path.mkdir()
    with pytest.raises(FolderError, match=r"crawl\.sqlite cannot be used as a crawl's database: unable to open"):
        Ledger(path)


def test_a_file_that_another_program_holds_is_said(path):
    ledger_with_table(path).close()
    holding = sqlite3.connect(path, isolation_level=None)
    ledger = Ledger(path)
    ledger._connection.execute("PRAGMA busy_timeout=1")
    holding.execute("BEGIN IMMEDIATE")
    with pytest.raises(FolderError, match="database is locked"):
        ledger.write("INSERT INTO t VALUES (1)")
    with pytest.raises(FolderError, match="database is locked"):
        ledger.write("INSERT INTO t VALUES (2)")
    holding.close()
    ledger.close()
    assert numbers(path) == []


def test_after_an_error_half_a_turn_is_not_kept(path):
    ledger = ledger_with_table(path, commit_every=1e9)
    ledger.write("INSERT INTO t VALUES (1)")
    ledger.commit()
    ledger.write("INSERT INTO t VALUES (2)")
    with pytest.raises(FolderError, match="no such table"):
        ledger.read("SELECT * FROM elsewhere")
    with pytest.raises(FolderError, match="no such table"):
        ledger.commit()
    ledger.close()
    assert numbers(path) == [1]


@pytest.fixture
def damaged(path):
    """A file whose first pages are sound, so that only those who read on find the damage."""
    ledger = ledger_with_table(path)
    ledger.write_many("INSERT INTO t VALUES (?)", [(number,) for number in range(10_000)])
    ledger.close()
    content = bytearray(path.read_bytes())
    content[3 * 4096 :] = b"\xff" * (len(content) - 3 * 4096)
    path.write_bytes(content)
    ledger = Ledger(path)
    yield ledger
    ledger.close()


@pytest.mark.parametrize(
    "read_on",
    [list, lambda rows: rows.fetchall(), lambda rows: [rows.fetchone() for _ in range(10_000)]],
    ids=["loop", "all", "one"],
)
def test_damage_that_is_met_while_rows_are_fetched_is_said(damaged, read_on):
    rows = damaged.read("SELECT n FROM t")
    with pytest.raises(FolderError, match="malformed"):
        read_on(rows)


def test_rows_can_be_looped_over_or_fetched(path):
    ledger = ledger_with_table(path)
    ledger.write_many("INSERT INTO t VALUES (?)", [(1,), (2,), (3,)])
    assert [number for (number,) in ledger.read("SELECT n FROM t")] == [1, 2, 3]
    rows = ledger.read("SELECT n FROM t")
    assert (rows.fetchone(), rows.fetchall(), rows.fetchone()) == ((1,), [(2,), (3,)], None)
    ledger.close()


async def test_an_error_at_a_commit_that_falls_by_itself_is_heard_by_the_next_writer(path):
    ledger = ledger_with_table(path, commit_every=0.01)
    ledger.before_commit.append(lambda: ledger.read("SELECT * FROM elsewhere"))
    ledger._next_commit = time.monotonic() + 0.01
    ledger.write("INSERT INTO t VALUES (1)")
    ledger.turn_ends()
    await asyncio.sleep(0.05)
    with pytest.raises(FolderError, match="no such table"):
        ledger.write("INSERT INTO t VALUES (2)")
    ledger.close()
    assert numbers(path) == []
