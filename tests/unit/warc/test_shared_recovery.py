"""After a power cut, a lost disk, a file that somebody removed: rows are marked where that is certain, and never hidden."""

import os
from contextlib import closing

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")

from tests.shared_warcs import Worker, readable

from thresher.errors import BadInput
from thresher.warc.file_places import FilePlace
from thresher.warc.shared_recovery import check_places, mark_lost

PAGES = set(range(1, 7))


@pytest.fixture
def join(postgres, schema):
    """A worker that joins the crawl of the test."""
    workers = []

    def join(place, spool=None, **options):
        workers.append(Worker(postgres.url(), options.pop("schema", schema), place, spool, **options))
        return workers[-1]

    yield join
    for worker in workers:
        worker.ledger.close()


@pytest.fixture
def killed(join, tmp_path):
    """The file of a worker that kept six pages and was killed."""
    worker = join(tmp_path / "warcs", worker="killed")
    worker.keep(*sorted(PAGES))
    worker.die()
    return next((tmp_path / "warcs").glob("*-killed.warc.gz"))


def records(worker):
    """Where each record of a crawl stands, in order."""
    return worker.ledger.read('SELECT "offset", length FROM visit WHERE file IS NOT NULL ORDER BY "offset"')


# ── what a killed worker left ──


@pytest.mark.parametrize("missing", [1, 900, 3000])
def test_pages_that_a_power_cut_took_are_marked_and_the_rest_is_readable(join, killed, missing, caplog):
    size = killed.stat().st_size
    os.truncate(killed, size - missing)
    with closing(join(killed.parent)) as worker:
        found, why = readable(worker.ledger)
        assert found | why.keys() == PAGES
        assert set(why.values()) == {"lost"}
        assert worker.writer.lost == len(why) > 0
        assert f"the bodies of {len(why)} pages are missing" in caplog.text
        last_offset, last_length = records(worker)[-1]
        assert killed.stat().st_size == last_offset + last_length == worker.files.every()[0].size
    with closing(join(killed.parent)) as again:
        assert again.writer.lost == 0


def test_bytes_that_a_power_cut_left_as_zeros_are_lost_too(join, killed):
    size = killed.stat().st_size
    os.truncate(killed, size - 1500)
    os.truncate(killed, size)
    with closing(join(killed.parent)) as worker:
        found, why = readable(worker.ledger)
        assert found | why.keys() == PAGES
        assert 0 < len(why) == worker.writer.lost < 6


def test_a_file_of_which_nothing_is_left_is_gone(join, killed):
    os.truncate(killed, 0)
    with closing(join(killed.parent)) as worker:
        assert readable(worker.ledger) == (set(), dict.fromkeys(PAGES, "lost"))
        assert [file.place for file in worker.files.every()] == [""]
    assert not killed.exists()


def test_a_file_of_which_nothing_was_committed_is_removed_with_its_row(join, tmp_path):
    worker = join(tmp_path, worker="killed")
    worker.write(1)
    worker.writer.flush()
    worker.die()
    assert len(list(tmp_path.glob("*.warc.gz"))) == 1
    with closing(join(tmp_path)) as next_one:
        assert next_one.files.every() == []
    assert not list(tmp_path.glob("*.warc.gz"))


def test_a_file_that_no_row_names_is_removed_if_it_is_empty_and_else_set_aside(join, killed):
    for serial, content in ((8, b""), (9, b"x")):
        killed.with_name(f"thresher-20260101000000-0000{serial}-killed.warc.gz").write_bytes(content)
    (killed.parent / "mine.warc.gz").write_bytes(b"x")
    with closing(join(killed.parent)) as worker:
        assert readable(worker.ledger) == (PAGES, {})
    left = {path.name for path in killed.parent.iterdir() if not path.name.startswith(".")}
    assert left == {killed.name, "mine.warc.gz", "thresher-20260101000000-00009-killed.warc.gz.orphan"}


def test_the_files_of_another_crawl_in_the_same_folder_are_left_alone(join, killed, schema):
    with killed.open("ab") as file:
        file.write(b"a tail")
    size = killed.stat().st_size
    with closing(join(killed.parent, schema=f"{schema}_other")):
        pass
    assert killed.stat().st_size == size
    with closing(join(killed.parent)):
        assert killed.stat().st_size == size - len(b"a tail")


def test_a_file_that_was_moved_and_not_removed_is_removed(join, s3, schema, tmp_path):
    address = f"s3://{s3.bucket}/{schema}"
    worker = join(address, tmp_path, worker="killed")
    worker.keep(1)
    [path] = tmp_path.glob("*.warc.gz")
    content = path.read_bytes()
    worker.die()
    FilePlace.of(address).at.take(path)
    with closing(join(tmp_path / "other")) as judge:
        judge.files.moved(1, address)
        with closing(join(tmp_path)):
            pass
        assert not path.exists()
        assert s3.objects(schema)[path.name] == content
        assert readable(judge.ledger) == ({1}, {})


# ── places ──


def test_where_all_is_well_nothing_is_missing(join, s3, schema, tmp_path):
    address = f"s3://{s3.bucket}/{schema}"
    with closing(join(address, tmp_path / "spool")) as one:
        one.keep(1, 2)
    with closing(join(tmp_path / "folder")) as other:
        other.keep(3)
        reports = check_places(other.files)
        assert sorted((report.files, report.why_not, report.missing) for report in reports) == [(1, "", ())] * 2
        assert mark_lost(other.files, other.tables, reports) == 0


def test_an_unmounted_disk_marks_nothing_until_a_person_gives_it_up(join, killed, tmp_path):
    killed.parent.rename(tmp_path / "unmounted")
    killed.parent.mkdir()
    judge = join(tmp_path / "judge")
    [report] = check_places(judge.files)
    assert "cannot be seen from here: an unmounted disk" in report.why_not
    assert len(report.missing) == 1
    assert mark_lost(judge.files, judge.tables, [report]) == 0
    assert "which is not there now" in readable(judge.ledger)[1][1]
    killed.parent.rmdir()
    (tmp_path / "unmounted").rename(killed.parent)
    assert readable(judge.ledger) == (PAGES, {})
    assert mark_lost(judge.files, judge.tables, [report], given_up=[report.place]) == 6
    assert readable(judge.ledger) == (set(), dict.fromkeys(PAGES, "lost"))
    assert check_places(judge.files) == []


def test_a_file_that_is_missing_from_a_folder_that_is_there_is_marked(join, killed, tmp_path):
    judge = join(tmp_path / "judge")
    judge.keep(7)
    killed.unlink()
    reports = check_places(judge.files)
    assert readable(judge.ledger)[1][1] == f"{killed.name} is missing from {killed.parent}"
    assert [len(report.missing) for report in reports] == [1, 0]
    assert mark_lost(judge.files, judge.tables, reports) == 6
    assert readable(judge.ledger) == ({7}, dict.fromkeys(PAGES, "lost"))
    assert mark_lost(judge.files, judge.tables, check_places(judge.files)) == 0


def test_an_object_that_somebody_removed_is_marked(join, s3, schema, tmp_path):
    address = f"s3://{s3.bucket}/{schema}"
    with closing(join(address, tmp_path, rotate_bytes=1)) as worker:
        worker.keep(1, 2, 3)
    judge = join(tmp_path / "judge")
    name = judge.files.every()[1].name
    s3.remove(f"{schema}/{name}")
    assert readable(judge.ledger)[1] == {2: f"{name} is missing from {address}"}
    assert mark_lost(judge.files, judge.tables, check_places(judge.files)) == 1
    assert readable(judge.ledger) == ({1, 3}, {2: "lost"})


def test_a_store_that_may_not_be_asked_marks_nothing(join, s3, schema, tmp_path, monkeypatch):
    address = f"s3://{s3.bucket}/{schema}"
    with closing(join(address, tmp_path)) as worker:
        worker.keep(1)
    judge = join(tmp_path / "judge")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    FilePlace.of(address).at._client = None
    [report] = check_places(judge.files)
    assert "does not answer" in report.why_not
    assert mark_lost(judge.files, judge.tables, [report]) == 0


def test_only_a_place_of_the_crawl_can_be_given_up(join, killed, tmp_path):
    judge = join(tmp_path / "judge")
    with pytest.raises(BadInput, match=r"no file of this crawl lies in /nowhere; the places are: file://"):
        mark_lost(judge.files, judge.tables, check_places(judge.files), given_up=["/nowhere"])
