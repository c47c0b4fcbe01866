"""Memory and SQLite are driven side by side, through crashes, and must lend the same."""

import asyncio
import shutil
import tempfile
from copy import deepcopy
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

from thresher.disk.ledger import Ledger
from thresher.frontier import MemoryFrontier, SqliteFrontier, best_waiting, turns
from thresher.model import DROP, Candidate, Outcome, Url
from thresher.urls import host_of

FEWEST, FIRST = best_waiting._FEWEST, turns.FIRST
LISTED = "SELECT worth, seq FROM best_waiting WHERE host = ? ORDER BY worth, seq"
WAITING = "SELECT -priority, seq FROM known WHERE host = ? AND state = 0 ORDER BY priority DESC, seq LIMIT ?"
PRIORITIES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 2.0])
URLS = st.builds(lambda host, page: Url(f"https://{host}.example/{page}"), st.sampled_from("abc"), st.integers(0, 6))
ANCHORS = st.sampled_from(["", "anchor", "other words"])
CHAINS = st.lists(URLS, max_size=2).map(tuple)
CANDIDATES = st.builds(
    Candidate, URLS, PRIORITIES | st.just(DROP), st.integers(0, 3), st.none() | URLS, ANCHORS, CHAINS
)
FOUND = st.lists(CANDIDATES, max_size=8)
OUTCOMES = st.builds(
    Outcome,
    name=st.just("any"),
    final=st.booleans(),
    tried=st.booleans(),
    strain=st.booleans(),
    rest=st.sampled_from([None, 0.0, 5.0]),
    delay=st.sampled_from([None, None, 3.0]),
    alike=st.sampled_from([None, True, True, False]),
)
MOVED = st.lists(st.tuples(URLS, PRIORITIES | st.just(DROP)), max_size=6)
OPTIONS = st.fixed_dictionaries(
    {
        "merge": st.sampled_from(["max", "sum", "first", "last"]),
        "cap": st.sampled_from([None, None, 4, 9]),
        "evict": st.sampled_from(["lowest", "lowest", "newest"]),
        "delay": st.sampled_from([0.0, 1.0]),
        "per_host": st.sampled_from([1, 2]),
        "spread": st.sampled_from([0, 1, 2, 8]),
        "quota": st.sampled_from([None, None, 3]),
        "give_up": st.sampled_from([2, 8]),
        "alike_turns": st.sampled_from([0, 3, 64]),
        "lease": st.just(20.0),
    }
)


def do(coroutine):
    return asyncio.run(coroutine)


class Twins(RuleBasedStateMachine):
    claims = Bundle("claims")

    @initialize(options=OPTIONS, fewest=st.sampled_from([1, 2, 5]))
    def open(self, options, fewest):
        best_waiting._FEWEST, turns.FIRST = fewest, 1
        self.folder = Path(tempfile.mkdtemp())
        self.options = options
        self.now = 0.0
        self.memory = MemoryFrontier(**options)
        self.open_file()
        self.committed = deepcopy(self.memory)

    def open_file(self):
        # A commit only when the machine says so, so that it knows what a crash takes away.
        self.ledger = Ledger(self.folder / "crawl.sqlite", commit_every=1e9)
        self.ledger._next_commit = float("inf")
        self.sqlite = SqliteFrontier(self.ledger, **self.options)

    def teardown(self):
        best_waiting._FEWEST, turns.FIRST = FEWEST, FIRST
        if hasattr(self, "ledger"):
            self.ledger._connection.close()
            shutil.rmtree(self.folder)

    @rule(candidates=FOUND)
    def add(self, candidates):
        assert do(self.memory.add(candidates)) == do(self.sqlite.add(candidates))

    @rule(target=claims, limit=st.integers(1, 4))
    def claim(self, limit):
        ours, theirs = do(self.memory.claim(limit, self.now)), do(self.sqlite.claim(limit, self.now))
        assert [each._replace(number=0) for each in ours] == [each._replace(number=0) for each in theirs]
        return multiple(*zip(ours, theirs, strict=True))

    @rule(pair=claims, outcome=OUTCOMES, found=FOUND, moved=MOVED)
    def settle(self, pair, outcome, found, moved):
        # Also claims that were settled before, expired, or died in a crash.
        assert self.memory.holds(pair[0]) == self.sqlite.holds(pair[1])
        found = [each._replace(parent=pair[0].url) for each in found]
        ours = do(self.memory.settle(pair[0], outcome, found, self.now, moved))
        assert ours == do(self.sqlite.settle(pair[1], outcome, found, self.now, moved))

    @rule(pairs=MOVED)
    def reprioritise(self, pairs):
        assert do(self.memory.reprioritise(pairs)) == do(self.sqlite.reprioritise(pairs))

    @rule(candidates=FOUND)
    def put_first(self, candidates):
        for each in candidates[:1]:
            assert do(self.memory.put_first(each)) == do(self.sqlite.put_first(each))

    @rule(candidates=FOUND)
    def leave(self, candidates):
        for each in candidates[:1]:
            host = host_of(each.url)
            assert do(self.memory.leave(host)) == do(self.sqlite.leave(host))

    @rule(seconds=st.sampled_from([0.5, 1.0, 7.0, 25.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def commit(self):
        self.ledger.commit()
        self.committed = deepcopy(self.memory)

    @rule()
    def crash(self):
        self.ledger._connection.close()
        self.now += 0.25
        self.memory = deepcopy(self.committed)
        self.memory.take_back()
        self.open_file()
        self.claim(1)
        self.committed = deepcopy(self.memory)
        self.ledger.commit()

    @invariant()
    def they_say_the_same(self):
        if hasattr(self, "ledger"):
            assert self.memory.census() == self.sqlite.census()
            assert self.memory.due() == self.sqlite.due()

    @invariant()
    def the_file_agrees_with_the_calendar(self):
        if hasattr(self, "ledger"):
            counts = dict(self.ledger.read("SELECT state, count(*) FROM url GROUP BY state").fetchall())
            census = self.sqlite.census()
            assert [counts.get(state, 0) for state in range(3)] == [census.waiting, census.claimed, census.settled]
            assert self.options["cap"] is None or census.waiting <= self.options["cap"] + 4

    @invariant()
    def the_best_waiting_urls_are_listed_without_a_gap(self):
        if hasattr(self, "ledger"):
            for entry in self.sqlite._calendar:
                listed = self.ledger.read(LISTED, (entry.number,)).fetchall()
                assert listed == self.ledger.read(WAITING, (entry.number, len(listed))).fetchall()
                bound = self.sqlite._best_waiting._bounds.get(entry.number)
                keys = self.ledger.read(WAITING, (entry.number, -1)).fetchall()
                assert len(listed) == len([key for key in keys if bound is None or key <= bound])


def _run(examples):
    unhurried = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Twins, settings=unhurried)


def test_memory_and_sqlite_lend_the_same_through_crashes():
    _run(30)


@pytest.mark.slow
def test_memory_and_sqlite_lend_the_same_through_many_crashes():
    _run(600)
