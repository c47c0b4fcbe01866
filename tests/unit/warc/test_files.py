"""What is left of a folder after a kill or a power cut."""

import os
import random
import signal
import subprocess
import sys
import textwrap
from calendar import timegm

import pytest

from thresher.model import Failed, Response
from thresher.store.rows import LOST
from thresher.testing.store_contract import answered, keep_all, prose

PAGES = [answered(number, prose(number)) for number in range(1, 7)]


async def fill(folder, **options):
    with folder.opened(**options) as (store, _):
        await keep_all(store, *PAGES)


def numbers(folder, **options):
    """The visits whose answers can be read, and how many pages were lost."""
    with folder.opened(**options) as (store, _):
        return [visit.number for visit in store.visits() if isinstance(visit.fetched, Response)], store.lost


async def test_a_tail_that_nobody_committed_is_cut_off(folder):
    await fill(folder)
    whole = folder.files()[0].read_bytes()
    with folder.files()[0].open("ab") as file:
        file.write(whole[50:500])
    assert numbers(folder) == ([1, 2, 3, 4, 5, 6], 0)
    assert folder.files()[0].read_bytes() == whole


async def test_a_file_that_nobody_committed_is_set_aside_and_others_are_left_alone(folder):
    await fill(folder)
    for name in ("thresher-20260101000000-00002.warc.gz", "mine.warc.gz", "notes.txt"):
        (folder.warc / name).write_bytes(b"x")
    numbers(folder)
    names = {path.name for path in folder.warc.iterdir()}
    assert {"mine.warc.gz", "notes.txt", "thresher-20260101000000-00002.warc.gz.orphan"} < names
    assert len(names) == 4


def written(path, begun, seconds):
    """A file that was begun at that time, and last written to so many seconds later."""
    path.write_bytes(b"x")
    os.utime(path, (begun + seconds, begun + seconds))
    return path


@pytest.mark.parametrize(
    ("number", "seconds", "left"),
    [(2, 0, False), (3, 2, False), (2, 600, True), (1, 0, True)],
    ids=["at once", "rotated meanwhile", "for minutes", "of an older number"],
)
async def test_a_file_that_a_kill_left_is_removed_and_one_that_may_hold_more_is_set_aside(
    folder, number, seconds, left
):
    await fill(folder)
    begun = timegm((2026, 1, 1, 0, 0, 0))
    part = written(folder.warc / f"thresher-20260101000000-{number:05}.warc.gz", begun, seconds)
    numbers(folder)
    assert not part.exists()
    assert part.with_name(part.name + ".orphan").exists() == left
    assert len(folder.files()) == 1


@pytest.mark.parametrize("left", [0, 10, 400])
async def test_pages_that_a_power_cut_took_are_counted_and_the_rest_is_readable(folder, left, caplog):
    await fill(folder)
    size = folder.files()[0].stat().st_size
    os.truncate(folder.files()[0], size - 1000 + left)
    readable, lost = numbers(folder)
    assert readable == [1, 2, 3, 4, 5, 6][: len(readable)]
    assert lost == 6 - len(readable) > 0
    assert f"the bodies of {lost} pages are missing" in caplog.text
    assert numbers(folder) == (readable, 0)
    assert sum(kind == "response" for kind, *_ in folder.records()) == len(readable)


async def test_bytes_that_a_power_cut_left_as_zeros_are_lost_too(folder):
    await fill(folder)
    size = folder.files()[0].stat().st_size
    os.truncate(folder.files()[0], size - 1500)
    os.truncate(folder.files()[0], size)
    readable, lost = numbers(folder)
    assert 0 < lost == 6 - len(readable)
    assert sum(kind == "response" for kind, *_ in folder.records()) == len(readable)


def looks_at_the_last_two(folder):
    """The last two records, as if they were looks at pages that were kept before."""
    with folder.opened() as (_, ledger):
        columns = "number, file, offset, length, request"
        ledger.script(f"CREATE TABLE revisit (number INTEGER PRIMARY KEY, {columns.removeprefix('number, ')})")
        ledger.write(f"INSERT INTO revisit SELECT {columns} FROM visit WHERE number IN (5, 6)")
        ledger.write("UPDATE visit SET file = NULL WHERE number IN (5, 6)")


def looks_left(folder):
    with folder.opened() as (_, ledger):
        return [there for (there,) in ledger.read("SELECT file IS NOT NULL FROM revisit ORDER BY number").fetchall()]


async def test_a_power_cut_that_takes_a_look_leaves_those_that_stand_before_it(folder):
    await fill(folder)
    looks_at_the_last_two(folder)
    os.truncate(folder.files()[0], folder.files()[0].stat().st_size - 10)
    assert looks_left(folder) == [1, 0]
    assert sum(kind == "response" for kind, *_ in folder.records()) == 5


async def test_a_look_whose_bytes_a_power_cut_left_as_zeros_is_lost_too(folder):
    await fill(folder)
    looks_at_the_last_two(folder)
    size = folder.files()[0].stat().st_size
    os.truncate(folder.files()[0], size - 200)
    os.truncate(folder.files()[0], size)
    assert looks_left(folder) == [1, 0]
    assert sum(kind == "response" for kind, *_ in folder.records()) == 5


async def test_a_missing_file_loses_its_pages_only(folder):
    await fill(folder, rotate_bytes=4000)
    first = folder.files()[0]
    first.unlink()
    readable, lost = numbers(folder)
    assert lost == 6 - len(readable) > 0
    with folder.opened() as (store, _):
        gone = [visit.fetched for visit in store.visits() if isinstance(visit.fetched, Failed)]
    assert [failed.why for failed in gone] == [LOST] * lost


async def test_a_page_that_was_lost_is_kept_whole_when_it_comes_again(folder):
    await fill(folder)
    folder.files()[0].unlink()
    with folder.opened() as (store, _):
        kept = await store.keep(answered(7, prose(1), raw=PAGES[0].fetched.raw))
        assert kept.duplicate_of is None
        assert [visit.number for visit in store.visits() if isinstance(visit.fetched, Response)] == [7]
    assert folder.records()[-1][0] == "response"


KEEPER = textwrap.dedent("""
    import asyncio, sys
    from itertools import count
    from pathlib import Path
    from thresher.disk.ledger import Ledger
    from thresher.store.catalogue import Catalogue
    from thresher.testing.store_contract import answered, prose

    async def main(folder):
        ledger = Ledger(folder / "crawl.sqlite", commit_every=0.005)
        store = Catalogue(ledger, folder / "warc", rotate_bytes=300_000)
        print("ready", flush=True)
        for number in count(store.tally(1).visits + 1):
            await store.keep(answered(number, prose(number if number % 3 else 1, 100)))
            store.remember("last", str(number).encode())
            ledger.turn_ends()

    asyncio.run(main(Path(sys.argv[1])))
""")


@pytest.mark.slow
def test_after_kill_nine_the_catalogue_and_the_warc_agree(folder):
    chance, before = random.Random(8), 0
    for _ in range(10):
        keep_until_killed(folder, chance.uniform(0.0, 0.15))
        with folder.opened() as (store, _):
            kept = list(store.visits())
            assert store.lost == 0
            assert [visit.number for visit in kept] == list(range(1, len(kept) + 1))
            assert int(store.recall("last") or 0) == len(kept) >= before
        assert [visit.url for visit in kept] == answers(folder.records()) == answers(folder.records_again())
        assert all(isinstance(visit.fetched, Response) and visit.fetched.body for visit in kept)
        before = len(kept)
    assert before > 100


def keep_until_killed(folder, seconds):
    with subprocess.Popen([sys.executable, "-c", KEEPER, str(folder.path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def answers(records):
    return [target for kind, target, _ in records if kind in {"response", "revisit"}]
