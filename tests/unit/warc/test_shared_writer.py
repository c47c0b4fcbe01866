"""The WARC files of several workers: in one folder, and in a store."""

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")

from tests.shared_warcs import Worker, readable
from warcio.archiveiterator import ArchiveIterator

from thresher.errors import BadInput, FolderError, LedgerLost, Missing
from thresher.warc.file_places import WarcFolder, place_of, this_machine
from thresher.warc.reader import Playback
from thresher.warc.shared_writer import SharedWarcOptions, SharedWarcWriter

ROOT = Path(__file__).parents[3]


@pytest.fixture
def join(postgres, schema):
    """A worker that joins the crawl of the test."""
    workers = []

    def join(place, spool=None, **options):
        workers.append(Worker(postgres.url(), schema, place, spool, **options))
        return workers[-1]

    yield join
    for worker in workers:
        worker.ledger.close()


def answers(*contents):
    """The urls of the answers in WARC files, as warcio reads them; digests are checked."""
    return {
        record.rec_headers.get_header("WARC-Target-URI")
        for content in contents
        for record in ArchiveIterator(io.BytesIO(content), check_digests="raise")
        if record.rec_type == "response"
    }


def urls(numbers):
    return {f"http://host.test/{number}" for number in numbers}


def warcs(folder):
    return sorted(folder.glob("*.warc.gz"))


def patiently(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.05)


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


# ── a folder ──


def test_two_workers_write_files_of_their_own_into_one_folder(join, tmp_path):
    one, other = join(tmp_path, worker="one"), join(tmp_path, worker="other")
    for number in range(1, 11):
        (one if number % 2 else other).keep(number)
    assert readable(one.ledger) == (set(range(1, 11)), {})
    one.close()
    other.close()
    names = [path.name for path in warcs(tmp_path)]
    assert [name.rpartition("-")[2] for name in names] == ["one.warc.gz", "other.warc.gz"]
    assert answers(*(path.read_bytes() for path in warcs(tmp_path))) == urls(range(1, 11))
    assert not list(tmp_path.glob(".*.lock"))


def test_what_a_turn_names_is_in_the_file_before_the_turn_is_sent(join, tmp_path):
    worker = join(tmp_path)
    place = worker.write(1)
    seen = []
    worker.ledger.before_turn.append(lambda: seen.append(warcs(tmp_path)[0].stat().st_size))
    worker.ledger.turn("SELECT")
    assert seen == [place.offset + place.length]
    assert [file.size for file in worker.files.every()] == seen


def test_a_turn_that_is_not_kept_does_not_count_its_bytes(join, tmp_path):
    worker = join(tmp_path)
    worker.keep(1)
    [before] = worker.files.every()
    worker.write(2)
    worker.writer.flush()
    worker.ledger.forget_turn()
    assert worker.files.every() == [before]
    worker.keep(3)
    assert readable(worker.ledger) == ({1, 3}, {})


def test_a_turn_that_is_sent_late_does_not_take_back_what_a_later_one_said(join, tmp_path):
    worker = join(tmp_path)
    worker.write(1)
    late = worker.ledger.take()
    worker.keep(2)
    [file] = worker.files.every()
    worker.ledger.turn("SELECT", (), late)
    assert worker.files.every() == [file]
    assert readable(worker.ledger) == ({1, 2}, {})


def test_a_large_file_is_followed_by_another(join, tmp_path):
    worker = join(tmp_path, rotate_bytes=6000)
    worker.keep(*range(1, 13))
    worker.close()
    assert len(warcs(tmp_path)) > 2
    assert answers(*(path.read_bytes() for path in warcs(tmp_path))) == urls(range(1, 13))


def test_with_sync_every_turn_waits_for_the_disk(join, tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(Path(f"/proc/self/fd/{descriptor}").readlink()))
    worker = join(tmp_path, sync=True)
    worker.keep(1, 2)
    [path] = warcs(tmp_path)
    assert synced == [tmp_path, path, path]


def test_if_the_ledger_is_lost_when_a_file_begins_no_file_is_left(join, tmp_path, monkeypatch):
    worker = join(tmp_path)

    def lost(*_):
        raise LedgerLost("gone")

    with monkeypatch.context() as broken:
        broken.setattr(worker.ledger, "safely", lost)
        with pytest.raises(LedgerLost):
            worker.write(1)
    assert warcs(tmp_path) == []
    worker.keep(1)
    assert readable(worker.ledger) == ({1}, {})


def test_two_workers_of_one_name_are_refused(join, tmp_path):
    join(tmp_path, worker="one")
    with pytest.raises(FolderError, match="another worker is called one"):
        join(tmp_path, worker="one")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"worker": "../x"}, "no name for a worker"),
        ({"prefix": ".x"}, "prefix"),
        ({"rotate_seconds": 0}, "rotate_seconds"),
    ],
)
def test_options_that_make_no_sense_are_refused(join, tmp_path, options, why):
    with pytest.raises(BadInput, match=why):
        join(tmp_path, **options)


def test_however_many_files_there_are_few_are_open(join, tmp_path):
    worker = join(tmp_path, rotate_bytes=1)
    places = [worker.write(number) for number in range(1, 151)]
    worker.ledger.turn("SELECT")
    before = descriptors()
    with Playback({file.number: file for file in worker.files.every()}) as playback:
        for place in (*places, *places):
            assert playback.read(place).status == 200
        assert descriptors() - before == 64


# ── a store ──


def test_files_wait_in_the_spool_until_the_store_has_them(join, s3, schema, tmp_path):
    address = f"s3://{s3.bucket}/{schema}"
    worker = join(address, tmp_path, rotate_bytes=6000)
    worker.keep(1)
    [file] = worker.files.every()
    assert file.place == f"file://{this_machine()}{tmp_path}#{address}"
    assert readable(worker.ledger) == ({1}, {})
    worker.keep(*range(2, 20))
    worker.close()
    again = join(address, tmp_path)
    assert {file.place for file in again.files.every()} == {address}
    assert warcs(tmp_path) == []
    assert readable(again.ledger) == (set(range(1, 20)), {})
    stored = {name: content for name, content in s3.objects(schema).items() if name.endswith(".warc.gz")}
    assert {file.name: file.size for file in again.files.every()} == {name: len(stored[name]) for name in stored}
    assert answers(*stored.values()) == urls(range(1, 20))


def test_a_file_that_is_old_goes_to_the_store_while_no_page_comes(join, s3, schema, tmp_path):
    worker = join(f"s3://{s3.bucket}/{schema}", tmp_path, rotate_seconds=0.3)
    worker.keep(1)

    def moved():
        worker.writer.tend()
        return [file.place for file in worker.files.every()] == [f"s3://{s3.bucket}/{schema}"]

    assert not moved()
    patiently(moved)
    assert warcs(tmp_path) == []
    worker.keep(2)
    assert readable(worker.ledger) == ({1, 2}, {})


def test_one_who_looked_where_a_file_was_finds_it_where_it_is_now(join, s3, schema, tmp_path):
    worker = join(f"s3://{s3.bucket}/{schema}", tmp_path)
    worker.keep(1)
    [file], place = worker.files.every(), worker.write(2)
    worker.ledger.turn("SELECT")
    worker.close()
    assert not (tmp_path / file.name).exists()
    with Playback({file.number: file}) as playback:
        assert playback.read(place).status == 200


def test_a_store_needs_a_spool(s3):
    with pytest.raises(Missing, match="are gathered in a folder of this machine first"):
        SharedWarcWriter(place_of(f"s3://{s3.bucket}/x"), None, (), SharedWarcOptions())


def test_while_the_store_is_away_nothing_is_lost_and_nothing_stops(join, s3_server, gate, schema, tmp_path, caplog):
    address = f"s3://{s3_server.bucket}/{schema}"
    worker = join(address, tmp_path, rotate_bytes=6000)
    gate.shut()
    worker.keep(*range(1, 10))
    patiently(lambda: "stays in" in caplog.text)
    worker.keep(10)
    assert readable(worker.ledger) == (set(range(1, 11)), {})
    assert all(file.place.startswith("file://") for file in worker.files.every())
    gate.is_open = True
    worker.close()
    stored = s3_server.objects(schema)
    assert answers(*stored.values()) == urls(range(1, 11))
    judge = join(tmp_path / "judge")
    assert {file.place for file in judge.files.every()} == {address}
    assert readable(judge.ledger) == (set(range(1, 11)), {})
    assert warcs(tmp_path) == list(tmp_path.glob(".*.lock")) == []


def test_what_a_worker_could_not_move_before_it_ended_the_next_one_moves(join, s3_server, gate, schema, tmp_path):
    address = f"s3://{s3_server.bucket}/{schema}"
    worker = join(address, tmp_path, rotate_bytes=6000, patience=0.1)
    gate.shut()
    worker.keep(*range(1, 10))
    worker.close()
    assert len(warcs(tmp_path)) > 1
    gate.is_open = True
    with closing(join(address, tmp_path)):
        pass
    assert warcs(tmp_path) == list(tmp_path.glob(".*.lock")) == []
    assert readable(join(tmp_path / "judge").ledger) == (set(range(1, 10)), {})
    assert answers(*s3_server.objects(schema).values()) == urls(range(1, 10))


# ── kill -9 ──


def keep_until_killed(postgres, schema, place, spool, first, pages, environment):
    """Start a process that keeps pages; kill it after so many are committed. Returns the last that was said to be."""
    command = [sys.executable, "-m", "tests.shared_warcs", postgres.url(), schema, str(place), str(spool), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=os.environ | environment) as process:
        last = b""
        for _ in range(pages):
            last = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines()
    assert process.returncode == -signal.SIGKILL
    return int((rest[-1] if rest else last).split()[1])


@pytest.mark.parametrize("where", ["folder", "store"])
def test_what_a_killed_worker_committed_is_read_back_by_us_and_by_others(
    where, join, postgres, schema, tmp_path, request
):
    server = request.getfixturevalue("s3") if where == "store" else None
    place = f"s3://{server.bucket}/{schema}" if server else tmp_path
    alive, expected = join(place, tmp_path, worker="alive"), set()
    for first, pages in ((1000, 7), (2000, 25), (3000, 40)):
        last = keep_until_killed(
            postgres, schema, place, tmp_path, first, pages, server.environment() if server else {}
        )
        expected |= {*range(first, last + 1)}
        alive.keep(first - 1)
        expected.add(first - 1)
    # A kill in the middle of a record: the system had taken some of its bytes.
    torn = next(path for path in warcs(tmp_path) if "alive" not in path.name)
    with torn.open("ab") as file:
        file.write(torn.read_bytes()[:700])
    alive_file = next(path for path in warcs(tmp_path) if "alive" in path.name)
    size = alive_file.stat().st_size
    with closing(join(place, tmp_path)) as next_one:
        assert next_one.writer.lost == 0
        assert alive_file.stat().st_size == size
    alive.keep(4000)
    alive.close()
    judge = join(tmp_path / "judge")
    found, why = readable(judge.ledger)
    # The last turn of a killed worker may be committed and not said to be.
    assert why == {}
    assert expected | {4000} <= found
    assert len(found) <= len(expected) + 1 + 3
    contents = server.objects(schema).values() if server else [path.read_bytes() for path in warcs(tmp_path)]
    assert answers(*contents) == urls(found)
    assert not list(tmp_path.glob(".*.lock"))


def test_a_record_on_the_spool_of_another_machine_says_where_it_lies(join, tmp_path):
    worker = join(tmp_path)
    worker.keep(1)
    [file] = worker.files.every()
    elsewhere = WarcFolder(tmp_path / "spool", "machine-7").name
    worker.files.moved(file.number, elsewhere)
    [why] = readable(worker.ledger)[1].values()
    assert why == (f"{file.name} lies in {tmp_path}/spool of the machine machine-7, which cannot be reached from here")
