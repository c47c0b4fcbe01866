"""SQLite and PostgreSQL are driven side by side, and one worker is lent the same by both, in the same order."""

import asyncio
import shutil
import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from tests.unit.frontier.test_twins import FOUND, MOVED, OPTIONS, OUTCOMES

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier, turns
from thresher.urls import host_of

FIRST = turns.FIRST
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


def do(coroutine):
    return asyncio.run(coroutine)


def nameless(claims):
    """Without the numbers, which are those of urls: PostgreSQL leaves some out."""
    return [claim._replace(number=0) for claim in claims]


class OneWorker(RuleBasedStateMachine):
    """The server and the schema are those of the test; each example begins with empty tables."""

    claims = Bundle("claims")
    url = name = ""

    @initialize(options=OPTIONS)
    def open(self, options):
        turns.FIRST = 1
        self.folder = Path(tempfile.mkdtemp())
        self.options, self.now = options, 0.0
        self.open_both(empty=True)

    def open_both(self, *, empty=False):
        from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
        from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

        self.sqlite = SqliteFrontier(Ledger(self.folder / "crawl.sqlite"), **self.options)
        self.ledger = PostgresLedger(self.url, schema=self.name)
        if empty:
            self.ledger._connected().execute(EMPTIED)
        self.postgres = PostgresFrontier(self.ledger, turned=True, **self.options)

    def teardown(self):
        turns.FIRST = FIRST
        if hasattr(self, "ledger"):
            self.sqlite.ledger.close()
            self.ledger.close()
            shutil.rmtree(self.folder)

    @rule(candidates=FOUND)
    def add(self, candidates):
        assert do(self.sqlite.add(candidates)) == do(self.postgres.add(candidates))

    @rule(target=claims, limit=st.integers(1, 4))
    def claim(self, limit):
        ours, theirs = do(self.sqlite.claim(limit, self.now)), do(self.postgres.claim(limit, self.now))
        assert nameless(ours) == nameless(theirs)
        return multiple(*zip(ours, theirs, strict=True))

    @rule(pair=claims, outcome=OUTCOMES, found=FOUND, moved=MOVED)
    def settle(self, pair, outcome, found, moved):
        # Also claims that were settled before, expired, or died in a crash.
        assert self.sqlite.holds(pair[0]) == self.postgres.holds(pair[1])
        found = [each._replace(parent=pair[0].url) for each in found]
        ours = do(self.sqlite.settle(pair[0], outcome, found, self.now, moved))
        assert ours == do(self.postgres.settle(pair[1], outcome, found, self.now, moved))

    @rule(pairs=MOVED)
    def reprioritise(self, pairs):
        assert do(self.sqlite.reprioritise(pairs)) == do(self.postgres.reprioritise(pairs))

    @rule(candidates=FOUND)
    def put_first(self, candidates):
        for each in candidates[:1]:
            assert do(self.sqlite.put_first(each)) == do(self.postgres.put_first(each))

    @rule(candidates=FOUND)
    def leave(self, candidates):
        for each in candidates[:1]:
            host = host_of(each.url)
            assert do(self.sqlite.leave(host)) == do(self.postgres.leave(host))

    @rule(seconds=st.sampled_from([0.5, 1.0, 7.0, 25.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def crash(self):
        self.sqlite.ledger.close()
        self.ledger.close()
        self.now += 0.25
        self.open_both()
        self.claim(1)

    @invariant()
    def they_say_the_same(self):
        if hasattr(self, "ledger"):
            assert self.sqlite.census() == self.postgres.census()
            ours, theirs = self.sqlite.due(), self.postgres.due()
            assert (ours is None) == (theirs is None)
            # A time that has come is as good as another.
            assert ours is None or max(ours, self.now) == max(theirs, self.now)

    @invariant()
    def hosts_know_their_urls(self):
        if hasattr(self, "ledger"):
            for name, waiting, lent, head, seq, *true in self.ledger.read(HEADS):
                assert (waiting, lent, head, seq) == tuple(true), name


def _run(examples, server, name):
    unhurried = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    machine = type("OneWorkerHere", (OneWorker,), {"url": server.url(), "name": name})
    run_state_machine_as_test(machine, settings=unhurried)


def test_one_worker_is_lent_the_same_by_sqlite_and_by_postgresql(postgres, schema):
    _run(15, postgres, schema)


@pytest.mark.slow
def test_one_worker_is_lent_the_same_by_both_in_many_crawls(postgres, schema):
    _run(60, postgres, schema)
