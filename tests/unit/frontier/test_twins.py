"""Memory and SQLite are driven side by side, through crashes, and must lend the same."""

import shutil
import tempfile
from copy import deepcopy
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import initialize, invariant, rule
from tests.unit.frontier.two_frontiers import OPTIONS, TwoFrontiers, drive

from thresher.disk.ledger import Ledger
from thresher.frontier import MemoryFrontier, SqliteFrontier, best_waiting

FEWEST = best_waiting._FEWEST
LISTED = "SELECT worth, seq FROM best_waiting WHERE host = ? ORDER BY worth, seq"
WAITING = "SELECT -priority, seq FROM known WHERE host = ? AND state = 0 ORDER BY priority DESC, seq LIMIT ?"


class Twins(TwoFrontiers):
    """Ours is in memory, theirs in a file."""

    @initialize(options=OPTIONS, fewest=st.sampled_from([1, 2, 5]))
    def open(self, options, fewest):
        self.begin(options)
        best_waiting._FEWEST = fewest
        self.folder = Path(tempfile.mkdtemp())
        self.ours = MemoryFrontier(**options)
        self.open_file()
        self.committed = deepcopy(self.ours)

    def open_file(self):
        # A commit only when the machine says so, so that it knows what a crash takes away.
        self.ledger = Ledger(self.folder / "crawl.sqlite", commit_every=1e9)
        self.ledger._next_commit = float("inf")
        self.theirs = SqliteFrontier(self.ledger, **self.options)

    def teardown(self):
        super().teardown()
        best_waiting._FEWEST = FEWEST
        if self.are_open:
            self.ledger._connection.close()
            shutil.rmtree(self.folder)

    @rule()
    def commit(self):
        self.ledger.commit()
        self.committed = deepcopy(self.ours)

    @rule()
    def crash(self):
        self.ledger._connection.close()
        self.now += 0.25
        self.ours = deepcopy(self.committed)
        self.ours.take_back()
        self.open_file()
        self.claim(1)
        self.committed = deepcopy(self.ours)
        self.ledger.commit()

    @invariant()
    def they_are_due_at_the_same_time(self):
        if self.are_open:
            assert self.ours.due() == self.theirs.due()

    @invariant()
    def the_file_agrees_with_the_calendar(self):
        if self.are_open:
            counts = dict(self.ledger.read("SELECT state, count(*) FROM url GROUP BY state").fetchall())
            census = self.theirs.census()
            assert [counts.get(state, 0) for state in range(3)] == [census.waiting, census.claimed, census.settled]
            assert self.options["cap"] is None or census.waiting <= self.options["cap"] + 4

    @invariant()
    def the_best_waiting_urls_are_listed_without_a_gap(self):
        if self.are_open:
            for entry in self.theirs._calendar:
                listed = self.ledger.read(LISTED, (entry.number,)).fetchall()
                assert listed == self.ledger.read(WAITING, (entry.number, len(listed))).fetchall()
                bound = self.theirs._best_waiting._bounds.get(entry.number)
                keys = self.ledger.read(WAITING, (entry.number, -1)).fetchall()
                assert len(listed) == len([key for key in keys if bound is None or key <= bound])


def test_memory_and_sqlite_lend_the_same_through_crashes():
    drive(Twins, 30)


@pytest.mark.slow
def test_memory_and_sqlite_lend_the_same_through_many_crashes():
    drive(Twins, 600)
