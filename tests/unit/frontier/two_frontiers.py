"""Two frontiers that are driven side by side and must lend the same: the rules for any two, and what they are driven with."""

import asyncio

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from thresher.frontier import turns
from thresher.model import DROP, Candidate, Outcome, Url
from thresher.urls import host_of

FIRST = turns.FIRST
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


def nameless(claims):
    """Without the numbers, which are those of urls: PostgreSQL leaves some out."""
    return [claim._replace(number=0) for claim in claims]


class TwoFrontiers(RuleBasedStateMachine):
    """A machine opens `self.ours` and `self.theirs` in a rule that initializes it, and sets `self.now`."""

    claims = Bundle("claims")

    def begin(self, options):
        turns.FIRST = 1
        self.options, self.now = options, 0.0

    def teardown(self):
        turns.FIRST = FIRST

    @property
    def are_open(self):
        return hasattr(self, "theirs")

    @rule(candidates=FOUND)
    def add(self, candidates):
        assert do(self.ours.add(candidates)) == do(self.theirs.add(candidates))

    @rule(target=claims, limit=st.integers(1, 4))
    def claim(self, limit):
        ours, theirs = do(self.ours.claim(limit, self.now)), do(self.theirs.claim(limit, self.now))
        assert nameless(ours) == nameless(theirs)
        return multiple(*zip(ours, theirs, strict=True))

    @rule(pair=claims, outcome=OUTCOMES, found=FOUND, moved=MOVED)
    def settle(self, pair, outcome, found, moved):
        # Also claims that were settled before, expired, or died in a crash.
        assert self.ours.holds(pair[0]) == self.theirs.holds(pair[1])
        found = [each._replace(parent=pair[0].url) for each in found]
        ours = do(self.ours.settle(pair[0], outcome, found, self.now, moved))
        assert ours == do(self.theirs.settle(pair[1], outcome, found, self.now, moved))

    @rule(pairs=MOVED)
    def reprioritise(self, pairs):
        assert do(self.ours.reprioritise(pairs)) == do(self.theirs.reprioritise(pairs))

    @rule(candidates=FOUND)
    def put_first(self, candidates):
        for each in candidates[:1]:
            assert do(self.ours.put_first(each)) == do(self.theirs.put_first(each))

    @rule(candidates=FOUND)
    def leave(self, candidates):
        for each in candidates[:1]:
            host = host_of(each.url)
            assert do(self.ours.leave(host)) == do(self.theirs.leave(host))

    @rule(seconds=st.sampled_from([0.5, 1.0, 7.0, 25.0]))
    def time_passes(self, seconds):
        self.now += seconds

    @invariant()
    def they_count_the_same(self):
        if self.are_open:
            assert self.ours.census() == self.theirs.census()


def drive(machine, examples):
    """Try so many crawls."""
    unhurried = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(machine, settings=unhurried)
