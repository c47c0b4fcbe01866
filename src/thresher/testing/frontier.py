"""What every frontier must do, as a pytest class: subclass it and say how yours is opened.

class TestMine(FrontierContract):
    @pytest.fixture
    def open_frontier(self):
        return MyFrontier

In which order it lends, and what it takes in, stands in `frontier_order.py`; what it owes to hosts, and for which hosts it waits, in
`frontier_hosts.py`; how a person steers it in `frontier_steering.py`; what a durable one must also do in `durable_frontier.py`.
"""

# ruff: noqa: D102 - each test's name is its sentence

from collections.abc import Sequence

from thresher.model import DROP, Outcome
from thresher.ports import Frontier
from thresher.testing.frontier_hosts import (
    AGAIN,
    PAGE,
    FrontierFocus,
    FrontierManners,
    Open,
    claimed,
    drained,
    due_at,
    link,
    one,
    url,
)
from thresher.testing.frontier_order import FrontierOrder
from thresher.testing.frontier_steering import FrontierSteering


class FrontierContract(FrontierOrder, FrontierManners, FrontierFocus, FrontierSteering):
    """The laws of the port, each a sentence. The fixture `open_frontier` says how yours is opened."""

    # ── leases ──

    async def test_a_claimed_url_is_not_lent_twice(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, per_host=5)
        await frontier.add([link("x")])
        assert len(await frontier.claim(5, 0.0)) == 1
        assert await frontier.claim(5, 1.0) == []

    async def test_a_claim_that_expires_is_offered_again(self, open_frontier: Open) -> None:
        frontier = open_frontier(lease=60)
        await frontier.add([link("x", 7)])
        first = await one(frontier, 0.0)
        assert first.expires == 60.0
        assert await frontier.claim(1, 59.9) == []
        second = await one(frontier, 60.0)
        assert (second.candidate, second.tries) == (first.candidate, 0)

    async def test_a_claim_that_is_no_longer_held_changes_nothing(self, open_frontier: Open) -> None:
        frontier = open_frontier(lease=60)
        await frontier.add([link("x")])
        stale = await one(frontier, 0.0)
        fresh = await one(frontier, 60.0)
        await frontier.settle(stale, PAGE, [link("found")], 61.0)
        assert frontier.census()[:3] == (0, 1, 0)
        await frontier.settle(fresh, PAGE, [], 62.0)
        await frontier.settle(fresh, AGAIN, [link("found")], 63.0)
        assert frontier.census()[:3] == (0, 0, 1)

    async def test_a_claim_is_held_until_it_settles(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("x")])
        first = await one(frontier, 0.0)
        assert frontier.holds(first)
        await frontier.settle(first, AGAIN, [], 0.0)
        assert not frontier.holds(first)
        second = await one(frontier, 0.0)
        assert (frontier.holds(first), frontier.holds(second)) == (False, True)
        await frontier.settle(second, PAGE, [], 0.0)
        assert not frontier.holds(second)

    async def test_a_claim_that_expired_is_held_no_more_once_others_may_have_the_url(self, open_frontier: Open) -> None:
        frontier = open_frontier(lease=60, delay=0)
        await frontier.add([link("x")])
        stale = await one(frontier, 0.0)
        await frontier.claim(0, 100.0)
        assert not frontier.holds(stale)
        fresh = await one(frontier, 100.0)
        assert (frontier.holds(stale), frontier.holds(fresh)) == (False, True)

    async def test_a_late_settle_counts_as_long_as_nobody_else_holds_the_url(self, open_frontier: Open) -> None:
        frontier = open_frontier(lease=60)
        await frontier.add([link("x")])
        claim = await one(frontier, 0.0)
        assert frontier.holds(claim)
        await frontier.settle(claim, PAGE, [], 100.0)
        assert frontier.census().settled == 1

    async def test_a_url_that_failed_waits_again_at_its_old_place(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1"), link("2"), link("3")])
        await frontier.settle(await one(frontier, 0.0), AGAIN, [], 0.0)
        again = await one(frontier, 0.0)
        assert (again.url, again.tries) == (url("1"), 1)
        await frontier.settle(again, Outcome("later", final=False, tried=False), [], 0.0)
        assert (await one(frontier, 0.0)).tries == 1

    # ── priorities set anew ──

    async def test_reprioritise_sets_many_priorities_at_once(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link(str(number), number) for number in range(200)])
        await frontier.reprioritise((url(str(number)), -number) for number in range(200))
        assert await drained(frontier) == [str(number) for number in range(200)]

    async def test_settling_can_move_urls_that_its_own_page_gave(self, open_frontier: Open) -> None:
        """What was found joins first, then priorities are set anew; of one no longer held nothing counts."""
        frontier = open_frontier(delay=0)
        await frontier.add([link("seed", 9), link("old", 3)])
        claim = await one(frontier, 0.0)
        await frontier.settle(
            claim, PAGE, [link("new", 1), link("low", 2)], 0.0, [(url("new"), 8.0), (url("old"), DROP)]
        )
        await frontier.settle(claim, PAGE, [], 0.0, [(url("new"), 0.0)])
        assert await drained(frontier) == ["new", "low"]

    async def test_reprioritise_leaves_claimed_and_unknown_urls_alone(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("x", 1)])
        claim = await one(frontier, 0.0)
        await frontier.reprioritise([(url("x"), 9.0), (url("unknown"), 9.0)])
        await frontier.settle(claim, AGAIN, [], 0.0)
        assert frontier.census()[:3] == (1, 0, 0)
        assert (await one(frontier, 0.0)).candidate.priority == 1.0

    async def test_a_url_that_is_dropped_later_is_forgotten_and_may_come_again(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("x", 5), link("y", 1)])
        await frontier.reprioritise([(url("x"), DROP)])
        assert frontier.census()[:3] == (1, 0, 0)
        assert await frontier.add([link("x", 3)]) == 1
        assert await drained(frontier) == ["x", "y"]

    async def test_a_lowered_url_can_be_raised_again_by_a_link(self, open_frontier: Open) -> None:
        frontier = open_frontier(merge="max")
        await frontier.add([link("x", 9)])
        await frontier.reprioritise([(url("x"), 1.0)])
        await frontier.add([link("x", 5)])
        assert (await one(frontier, 0.0)).candidate.priority == 5.0

    # ── the cap ──

    async def test_of_10001_urls_with_a_cap_of_10000_the_lowest_is_gone(self, open_frontier: Open) -> None:
        frontier = open_frontier(cap=10_000)
        await frontier.add(link(str(number), number % 7919 + 1) for number in range(10_000))
        await frontier.add([link("lowest", 0.5)])
        assert frontier.census().waiting == 10_000
        assert await frontier.add([link("lowest", 0.5)]) == 1
        await frontier.add([link("high", 1e6)])
        assert frontier.census().waiting == 10_000
        assert await claimed(frontier, 0.0) == ["high"]

    async def test_a_full_frontier_can_forget_the_newest_instead(self, open_frontier: Open) -> None:
        """Whatever they are worth, also after their priorities were changed."""
        frontier = open_frontier(cap=2, evict="newest", delay=0)
        await frontier.add([link("1", 1), link("2", 2), link("3", 9)])
        await frontier.reprioritise([(url("1"), 5.0)])
        await frontier.add([link("4", 8)])
        assert await drained(frontier) == ["1", "2"]

    async def test_the_lowest_go_and_of_equals_the_newest(self, open_frontier: Open) -> None:
        frontier = open_frontier(cap=3, delay=0)
        await frontier.add([link("1", 1), link("2", 1), link("3", 2), link("4", 1), link("5", 3, "b.example")])
        assert await drained(frontier) == ["5", "3", "1"]

    async def test_what_was_forgotten_may_come_again_and_what_settled_may_not(self, open_frontier: Open) -> None:
        frontier = open_frontier(cap=1, delay=0)
        await frontier.add([link("high", 2), link("low", 1)])
        await frontier.settle(await one(frontier, 0.0), PAGE, [link("low", 1), link("high", 2)], 0.0)
        assert await drained(frontier) == ["low"]

    # ── what it says about itself ──

    async def test_an_empty_frontier_is_neverdue_at(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        assert frontier.due() is None
        assert frontier.census() == (0, 0, 0, 0, 0, 0, None)

    async def test_due_says_when_the_next_claim_succeeds(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=3, lease=50)
        await frontier.add([link("1"), link("2"), link("3", host="b.example")])
        assert due_at(frontier) <= 0.0
        first = await one(frontier, 0.0)
        assert due_at(frontier) <= 0.0
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        assert due_at(frontier) == 50.0, "only the lease can give something back"
        await frontier.settle(first, PAGE, [], 10.0)
        assert due_at(frontier) == 13.0
        assert await frontier.claim(1, 12.9) == []
        assert await claimed(frontier, 13.0) == ["2"]

    async def test_the_census_counts(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("1", 5), link("2", 4), link("3", 3, "b.example"), link("4", 2, "c.example")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        await frontier.claim(1, 0.0)
        census = frontier.census()
        assert census[:3] == (2, 1, 1)
        assert (census.hosts, census.resting, census.closed, census.best) == (2, 1, 0, 4.0)

    async def test_same_calls_same_claims(self, open_frontier: Open) -> None:
        assert await _story(open_frontier()) == await _story(open_frontier())


async def _story(frontier: Frontier) -> Sequence[str]:
    await frontier.add(link(str(number), number * 7 % 5, f"{number % 3}.example") for number in range(30))
    lent: list[str] = []
    for now in range(20):
        claims = await frontier.claim(2, float(now))
        lent += [claim.url for claim in claims]
        for claim in claims:
            await frontier.settle(claim, PAGE, [link(f"{now}-{claim.number}", now % 3)], now + 0.5)
    return lent
