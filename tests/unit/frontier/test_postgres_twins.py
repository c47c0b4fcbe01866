"""SQLite and PostgreSQL are driven side by side, and one worker is lent the same by both, in the same order."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis.stateful import initialize, invariant, rule
from tests.unit.frontier.two_frontiers import OPTIONS, TwoFrontiers, drive

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier

EMPTIED = """
    TRUNCATE host, url, lease RESTART IDENTITY; SELECT setval('turn', 0), setval('url_seq', 1, false); UPDATE lending SET rest_owed = 0"""
HEADS = """
    SELECT host.name, host.waiting, host.in_flight, host.head, host.head_seq, best.waiting, best.lent, best.priority, best.seq
    FROM host LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE NOT lent) AS waiting, count(*) FILTER (WHERE lent) AS lent,
            (array_agg(priority ORDER BY priority DESC, seq) FILTER (WHERE NOT lent))[1] AS priority,
            (array_agg(seq ORDER BY priority DESC, seq) FILTER (WHERE NOT lent))[1] AS seq
        FROM (SELECT url.*, EXISTS (SELECT FROM lease WHERE (lease.host, lease.key) = (url.host, url.key)) AS lent
              FROM url WHERE url.host = host.id AND url.state = 0) AS open
    ) AS best ON true"""


class OneWorker(TwoFrontiers):
    """Ours is in a file, theirs on a server. The server and the schema are those of the test; each example begins with empty tables."""

    url = name = ""

    @initialize(options=OPTIONS)
    def open(self, options):
        self.begin(options)
        self.folder = Path(tempfile.mkdtemp())
        self.open_both(empty=True)

    def open_both(self, *, empty=False):
        from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
        from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

        self.ours = SqliteFrontier(Ledger(self.folder / "crawl.sqlite"), **self.options)
        self.ledger = PostgresLedger(self.url, schema=self.name)
        if empty:
            self.ledger._connected().connection.execute(EMPTIED)
        self.theirs = PostgresFrontier(self.ledger, turned=True, **self.options)

    def teardown(self):
        super().teardown()
        if self.are_open:
            self.ours.ledger.close()
            self.ledger.close()
            shutil.rmtree(self.folder)

    @rule()
    def crash(self):
        self.ours.ledger.close()
        self.ledger.close()
        self.now += 0.25
        self.open_both()
        self.claim(1)

    @invariant()
    def they_are_due_at_the_same_time(self):
        if self.are_open:
            ours, theirs = self.ours.due(), self.theirs.due()
            assert (ours is None) == (theirs is None)
            # A time that has come is as good as another.
            assert ours is None or max(ours, self.now) == max(theirs, self.now)

    @invariant()
    def hosts_know_their_urls(self):
        if self.are_open:
            for name, waiting, lent, head, seq, *true in self.ledger.read(HEADS):
                assert (waiting, lent, head, seq) == tuple(true), name


def _drive(examples, server, name):
    drive(type("OneWorkerHere", (OneWorker,), {"url": server.url(), "name": name}), examples)


def test_one_worker_is_lent_the_same_by_sqlite_and_by_postgresql(postgres, schema):
    _drive(15, postgres, schema)


@pytest.mark.slow
def test_one_worker_is_lent_the_same_by_both_in_many_crawls(postgres, schema):
    _drive(60, postgres, schema)
