"""The disk of a worker fills up, and that of PostgreSQL. Both are small file systems in memory, which only root can mount."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from tests.crawl.test_full_disk import FULL, disk_of, fill
from tests.crawl.together import shared_crawl
from tests.postgres_server import running_server

from thresher.lab.webs.generated import generate

pytestmark = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a file system")


def test_a_worker_whose_disk_is_full_ends_and_the_others_go_on(postgres, schema, tmp_path):
    web = generate(size=300, hosts=12, seed=4)
    with (
        disk_of(60, tmp_path / "disk") as disk,
        shared_crawl(postgres, schema, web, tmp_path, delay=0.05, answer_delay=0.02) as crawl,
    ):
        crawl.begin()
        full = crawl.join("--warcs", disk / "warc")
        assert full.end() == 2
        assert (full.said.count("\n"), FULL in full.said) == (1, True), full.said
        ours = crawl.ask(
            "SELECT count(*) FROM visit JOIN warc ON warc.id = visit.file WHERE place LIKE %s", f"%{disk}%"
        )
        print(f"{ours} pages on the full disk: {full.said}")
        assert crawl.workers[0].end() == 0
        crawl.check_all_were_fetched()
        crawl.in_flight.update(crawl.asked())  # what it could not keep is asked for again
        crawl.check()


@pytest.mark.slow
def test_workers_whose_server_has_no_room_left_end_and_nothing_is_lost(schema, tmp_path, monkeypatch):
    web = generate(size=500, hosts=20, seed=4)
    place = (
        Path(tempfile.gettempdir()) / f"thresher-disk-{schema}"
    )  # the server's user may not enter the folder of a test
    with disk_of(160_000, place) as disk:
        disk.chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        with (
            running_server(max_wal_size="48MB") as postgres,
            shared_crawl(postgres, schema, web, tmp_path, delay=0.05, answer_delay=0.02) as crawl,
        ):
            team = crawl.begin_with(1)
            crawl.until(lambda: crawl.fetched() > 50)
            fill(disk)
            for worker in team:
                assert worker.end() == 2, worker.said
                assert worker.said.count("\n") == 1, worker.said
                print(worker.said)
            (disk / "filler").unlink()  # a server without any room lets nobody in
            kept = {url for _, url, *_ in crawl.visits()}
            crawl.join()
            assert crawl.workers[-1].end() == 0, crawl.workers[-1].said
            assert kept <= {url for _, url, *_ in crawl.visits()}
            crawl.check_all_were_fetched()
            crawl.in_flight.update(crawl.asked())
            crawl.check()
    place.rmdir()
