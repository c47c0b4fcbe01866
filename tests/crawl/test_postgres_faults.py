"""Workers on one frontier in PostgreSQL are killed, stopped and cut off, and the server too. The logs of their requests are the judge."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise
from math import inf
from pathlib import Path

import pytest
from tests.postgres_server import running_server

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
import asyncio  # noqa: E402

from tests.postgres_worker import OPTIONS, SEEDS, reachable  # noqa: E402

from thresher.disk.postgres_ledger import PostgresLedger  # noqa: E402
from thresher.frontier.postgres import PostgresFrontier  # noqa: E402
from thresher.model import Candidate  # noqa: E402

pytestmark = pytest.mark.slow
PATIENCE = 300.0
ROOT = Path(__file__).parents[2]


class Siege:
    """A crawl by four workers, to which something happens."""

    def __init__(self, server, folder, durability="fast"):
        self.server, self.folder, self.durability = server, folder, durability
        ledger = PostgresLedger(server.url(), schema="siege", durability="safe")
        frontier = PostgresFrontier(ledger, **OPTIONS)
        ledger.read("CREATE TABLE kept (url text, process integer)")
        asyncio.run(frontier.add([Candidate(seed, 9.0) for seed in SEEDS]))
        self.first = frontier
        self.workers = [self.start() for _ in range(4)]

    def start(self, *more):
        log = self.folder / f"{len(list(self.folder.iterdir()))}.log"
        command = [
            sys.executable,
            "-m",
            "tests.postgres_worker",
            self.server.url(),
            "siege",
            self.durability,
            log,
            *more,
        ]
        log.touch()
        return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

    def wait_for_all(self):
        """Until all workers have joined."""
        end = time.monotonic() + PATIENCE
        while any("joined" not in log.read_text() for log in self.folder.iterdir()) and time.monotonic() < end:
            time.sleep(0.05)

    def admin(self):
        return psycopg.connect(self.server.url(), autocommit=True, options="-c search_path=siege")

    def settled(self):
        with self.admin() as connection:
            return connection.execute("SELECT count(*) FROM kept").fetchone()[0]

    def wait(self):
        """Until all workers find nothing left to do; none of them may fail."""
        for worker in self.workers:
            _, said = worker.communicate(timeout=PATIENCE)
            assert worker.returncode == 0, said

    def close(self):
        for worker in self.workers:
            worker.kill()
            worker.wait()
            worker.stderr.close()
        self.first.ledger.close()

    def lines(self, *words):
        """What the workers wrote, each process in its order."""
        told = (line.split() for log in sorted(self.folder.iterdir()) for line in log.read_text().splitlines())
        return [(kind, url, float(at)) for kind, url, at in told if kind in words]

    def check(self, *, forgetful=False):
        """No url is lost, none is kept twice, none is asked for again before its lease is over, and no host was asked too early.

        A server that crashed may have forgotten leases; then all hosts were left alone first.
        """
        with self.admin() as connection:
            kept = Counter(url for (url,) in connection.execute("SELECT url FROM kept"))
            settled = {url for (url,) in connection.execute("SELECT url FROM url WHERE state = 2")}
            left = connection.execute(
                "SELECT (SELECT count(*) FROM url WHERE state = 0), (SELECT count(*) FROM lease)"
            ).fetchone()
            counted = connection.execute("SELECT sum(waiting), sum(in_flight), sum(settled) FROM host").fetchone()
        assert settled == set(kept) == reachable()
        assert set(kept.values()) == {1}
        assert (left, counted) == ((0, 0), (0, 0, len(kept)))
        assert self.asked_again_too_early(OPTIONS["crash_rest"] / 2 if forgetful else inf) == []
        assert self.too_early() == []

    def asked_again_too_early(self, rest):
        """Urls that were asked for again although somebody held them."""
        spans = defaultdict(list)
        for kind, url, at in self.lines("lent", "asked"):
            if kind == "lent":
                spans[url].append([0.0, at])
            else:
                spans[url][-1][0] = at
        return [
            (url, before, after)
            for url, each in spans.items()
            for before, after in pairwise(sorted(each))
            if after[0] < min(before[1], before[0] + rest)
        ]

    def too_early(self):
        """Requests that began before the one before to the same host had ended and its delay was over."""
        spans = defaultdict(list)
        for kind, url, at in self.lines("asked", "answered"):
            each = spans[url.split("/")[2]]
            if kind == "asked":
                each.append([at, at, url])
            else:
                next(span for span in reversed(each) if span[2] == url)[1] = at
        return [
            (before, after)
            for each in spans.values()
            for before, after in pairwise(sorted(each))
            if after[0] < before[1] + OPTIONS["delay"] - 1e-4
        ]


@pytest.fixture
def siege(tmp_path):
    sieges = []
    with running_server() as server:

        def begin(**options):
            sieges.append(Siege(server, tmp_path, **options))
            return sieges[-1]

        yield begin
        for each in sieges:
            each.close()


def test_thirty_workers_are_killed(siege):
    crawl, draw, killed = siege(), random.Random(7), 0
    end = time.monotonic() + PATIENCE
    while killed < 30 and time.monotonic() < end:
        time.sleep(draw.uniform(0.1, 0.9))
        number = draw.randrange(4)
        if crawl.workers[number].poll() is None:
            crawl.workers[number].kill()
            crawl.workers[number].communicate()
            killed += 1
        crawl.workers[number].stderr.close()
        crawl.workers[number] = crawl.start()
    crawl.wait()
    assert killed == 30
    crawl.check()


def test_a_worker_that_was_stopped_past_its_lease_settles_too_late(siege):
    crawl = siege()
    stopped = crawl.start("stop-once")
    crawl.workers.append(stopped)
    while os.waitid(os.P_PID, stopped.pid, os.WSTOPPED | os.WNOWAIT) is None:
        time.sleep(0.05)
    time.sleep(OPTIONS["lease"] + 1.5)
    stopped.send_signal(signal.SIGCONT)
    crawl.wait()
    [(_, refused, _)] = crawl.lines("refused")
    # Whoever asks again, perhaps the same worker, does so with a new lease; `check` looks whether the old one was over.
    story = Counter(kind for kind, url, _ in crawl.lines("asked", "refused", "settled") if url == refused)
    assert story == {"asked": 2, "refused": 1, "settled": 1}
    crawl.check()


def test_connections_are_cut_at_any_moment(siege):
    crawl, draw, cut = siege(), random.Random(3), 0
    crawl.wait_for_all()
    with crawl.admin() as connection:
        while any(worker.poll() is None for worker in crawl.workers) and cut < 80:
            time.sleep(draw.uniform(0, 0.1))
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'thresher' ORDER BY state, random() LIMIT 1"
            ).fetchone()
            cut += found is not None and connection.execute("SELECT pg_terminate_backend(%s)", found).fetchone()[0]
    crawl.wait()
    assert cut >= 40
    crawl.check()


@pytest.mark.parametrize(("durability", "lost"), [("safe", 0), ("fast", 30)])
def test_the_server_is_killed_and_started_again(siege, durability, lost):
    crawl = siege(durability=durability)
    crawl.wait_for_all()
    for _ in range(3):
        before = crawl.settled()
        while crawl.settled() < before + 150:
            time.sleep(0.1)
            assert any(worker.poll() is None for worker in crawl.workers)
        crawl.server.kill()
        acknowledged = {url for _, url, _ in crawl.lines("settled")}
        crawl.server.start()
        with crawl.admin() as connection:
            kept = {url for (url,) in connection.execute("SELECT url FROM kept")}
            half = connection.execute(
                "SELECT (SELECT count(*) FROM kept) - (SELECT count(*) FROM url WHERE state = 2)"
            ).fetchone()
        print(f"{durability}: {len(acknowledged)} acknowledged, {len(acknowledged - kept)} lost")
        assert len(acknowledged - kept) <= lost
        assert half == (0,), "kept and settled, or neither"
    crawl.wait()
    crawl.check(forgetful=durability == "fast")


def test_a_reader_holds_a_transaction_all_the_while(siege):
    crawl = siege()
    with psycopg.connect(crawl.server.url(), options="-c search_path=siege") as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        seen = reader.execute("SELECT count(*) FROM url").fetchone()
        crawl.wait()
        assert reader.execute("SELECT count(*) FROM url").fetchone() == seen
    crawl.check()


def test_workers_come_and_go(siege):
    crawl = siege()
    for number in range(4):
        time.sleep(1.0)
        crawl.workers[number].send_signal(signal.SIGTERM)
        crawl.workers[number].communicate()
        crawl.workers[number].stderr.close()
        crawl.workers[number] = crawl.start()
    crawl.wait()
    crawl.check()
