"""What every frontier owes to hosts, and how long it waits for the better ones: a part of its contract.

The links, outcomes and small helpers that all tests of frontiers share stand first.
"""

from collections.abc import Callable
from typing import Any

from thresher.model import Candidate, Claim, Outcome, Url
from thresher.ports import Frontier

# ruff: noqa: D102 - each test's name is its sentence


PAGE = Outcome("page")
AGAIN = Outcome("timeout", final=False)
STRAIN = Outcome("http-503", final=False, strain=True)
UNASKED = Outcome("robots", tried=False, rest=0.0)

Open = Callable[..., Frontier]
"""A new frontier with these options; with the keyword `again` the same one, after a commit and a crash."""


def url(name: str, host: str = "a.example") -> Url:
    """A url on a host."""
    return Url(f"https://{host}/{name}")


def link(name: str, priority: float = 1.0, host: str = "a.example", **more: Any) -> Candidate:
    """A link to a url on a host."""
    return Candidate(url(name, host), priority, **more)


async def claimed(frontier: Frontier, now: float, limit: int = 1) -> list[str]:
    """The last part of the urls that are lent."""
    return [claim.url.rpartition("/")[2] for claim in await frontier.claim(limit, now)]


async def one(frontier: Frontier, now: float) -> Claim:
    """The one claim that must be possible now."""
    [claim] = await frontier.claim(1, now)
    return claim


async def drained(frontier: Frontier, now: float = 0.0) -> list[str]:
    """The urls in the order in which they are lent and settled, without delays."""
    order = []
    while claims := await frontier.claim(1, now):
        order.append(claims[0].url.rpartition("/")[2])
        await frontier.settle(claims[0], PAGE, [], now)
    return order


def due_at(frontier: Frontier) -> float:
    """When the next claim could succeed; it must be some time."""
    due = frontier.due()
    assert due is not None
    return due


class FrontierManners:
    """Rests, back-off, quotas, and how many requests at a time."""

    async def test_a_host_never_seen_before_rests_after_its_first_request_too(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 100.0), PAGE, [], 102.0)
        assert await frontier.claim(1, 102.9) == []
        assert await claimed(frontier, 103.0) == ["2"]

    async def test_one_request_at_a_time_to_a_host(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1"), link("2")])
        await frontier.claim(5, 0.0)
        assert await frontier.claim(5, 100.0) == []

    async def test_at_most_so_many_at_a_time_to_a_host(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, per_host=2)
        await frontier.add([link("1"), link("2"), link("3")])
        claims = await frontier.claim(5, 0.0)
        assert len(claims) == 2
        await frontier.settle(claims[0], PAGE, [], 0.0)
        assert await claimed(frontier, 0.0) == ["3"]

    async def test_several_at_a_time_start_a_delay_apart(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, per_host=2)
        await frontier.add([link("1"), link("2")])
        assert await claimed(frontier, 0.0, 5) == ["1"]
        assert await claimed(frontier, 0.9, 5) == []
        assert await claimed(frontier, 1.0, 5) == ["2"]

    async def test_a_crawl_delay_holds_from_the_moment_it_is_known(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1)
        await frontier.add([link("1"), link("2"), link("3")])
        await frontier.settle(await one(frontier, 0.0), Outcome("page", delay=7), [], 0.0)
        assert await frontier.claim(1, 6.9) == []
        await frontier.settle(await one(frontier, 7.0), PAGE, [], 7.0)
        assert await frontier.claim(1, 13.9) == []
        assert await claimed(frontier, 14.0) == ["3"]

    async def test_a_crawl_delay_below_ours_changes_nothing(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=5)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), Outcome("page", delay=0.1), [], 0.0)
        assert await frontier.claim(1, 4.9) == []

    async def test_retry_after_is_obeyed_and_never_shortens_a_rest(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, per_host=2)
        await frontier.add([link("1"), link("2")])
        first, second = await frontier.claim(2, 0.0)
        await frontier.settle(first, Outcome("http-429", final=False, rest=120), [], 0.0)
        await frontier.settle(second, Outcome("http-429", final=False, rest=10), [], 0.0)
        assert await frontier.claim(1, 119.9) == []
        assert await claimed(frontier, 120.0) == ["1"]

    async def test_retry_after_has_its_limit(self, open_frontier: Open) -> None:
        frontier = open_frontier(rest_most=3600)
        await frontier.add([link("1")])
        await frontier.settle(await one(frontier, 0.0), Outcome("http-503", final=False, rest=1e9), [], 0.0)
        assert await claimed(frontier, 3600.0) == ["1"]

    async def test_back_off_grows_and_recovers(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, backoff=2, backoff_most=10, give_up=100)
        await frontier.add([link("x"), *(link(str(number), 0) for number in range(9))])
        gaps = [await _gap(frontier, outcome) for outcome in [STRAIN] * 4 + [PAGE] * 4]
        assert gaps == [2, 4, 8, 10, 5, 2.5, 1, 1]

    async def test_a_host_that_gives_no_answer_too_often_is_closed(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, backoff=1, give_up=3)
        await frontier.add([link("1"), link("2")])
        for now in (0.0, 100.0, 200.0):
            await frontier.settle(await one(frontier, now), STRAIN, [], now)
        assert await frontier.claim(1, 1e9) == []
        assert frontier.due() is None
        assert (frontier.census().waiting, frontier.census().closed) == (2, 2)

    async def test_an_answer_in_between_starts_the_count_anew(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, backoff=0, give_up=2)
        await frontier.add([link(str(number)) for number in range(5)])
        for outcome in (STRAIN, PAGE, STRAIN, PAGE, STRAIN):
            await frontier.settle(await one(frontier, 0.0), outcome, [], 0.0)
        assert frontier.census().closed == 0

    async def test_a_url_that_was_not_asked_for_costs_its_host_no_rest(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0.5)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), UNASKED, [], 0.0)
        assert await claimed(frontier, 0.0) == ["2"]

    async def test_a_url_that_was_not_asked_for_shortens_no_rest_that_was_owed(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=10)
        await frontier.add([link("1"), link("2"), link("3"), link("4")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        await frontier.settle(await one(frontier, 10.0), UNASKED, [], 10.0)
        await frontier.settle(await one(frontier, 10.0), PAGE, [], 10.0)
        assert await frontier.claim(1, 19.9) == []
        assert await claimed(frontier, 20.0) == ["4"]

    async def test_what_was_not_asked_for_leaves_the_gaps_of_others_in_flight(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, per_host=3)
        await frontier.add([link("1"), link("2"), link("3")])
        first, second = await one(frontier, 0.0), await one(frontier, 1.0)
        await frontier.settle(first, UNASKED, [], 1.0)
        assert await frontier.claim(1, 1.9) == [], "the second went out at 1"
        await frontier.settle(second, PAGE, [], 1.9)
        assert await frontier.claim(1, 2.8) == []
        assert await claimed(frontier, 2.9) == ["3"]

    async def test_a_quota_closes_the_host(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, quota=2, per_host=5)
        await frontier.add([*(link(str(number)) for number in range(5)), link("other", host="b.example")])
        claims = await frontier.claim(9, 0.0)
        assert sorted(claim.host for claim in claims) == ["a.example", "a.example", "b.example"]
        for claim in claims:
            await frontier.settle(claim, PAGE, [], 0.0)
        assert await frontier.claim(9, 1e9) == []
        assert (frontier.census().waiting, frontier.census().closed) == (3, 3)

    async def test_what_was_not_asked_for_does_not_count_against_the_quota(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, quota=1)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), UNASKED, [], 0.0)
        assert await claimed(frontier, 0.0) == ["2"]


async def _gap(frontier: Frontier, outcome: Outcome) -> float:
    start = due_at(frontier)
    await frontier.settle(await one(frontier, start), outcome, [], start)
    return due_at(frontier) - start


class FrontierFocus:
    """How many hosts with better urls are waited for: the option `spread`."""

    async def test_a_worse_url_waits_until_the_better_host_is_free(self, open_frontier: Open) -> None:
        frontier = await self._asked(open_frontier(delay=1, spread=1))
        assert await frontier.claim(1, 0.9) == []
        assert due_at(frontier) == 1.0
        assert await claimed(frontier, 1.0) == ["second"]

    async def test_a_better_url_elsewhere_does_not_wait(self, open_frontier: Open) -> None:
        frontier = await self._asked(open_frontier(delay=1, spread=1))
        await frontier.add([link("better", 9, "b.example")])
        assert await claimed(frontier, 0.5) == ["better"]

    async def test_fewer_better_hosts_than_the_spread_are_not_waited_for(self, open_frontier: Open) -> None:
        frontier = await self._asked(open_frontier(delay=1, spread=2))
        assert await claimed(frontier, 0.5) == ["other"]

    async def test_as_many_better_hosts_as_the_spread_are(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, spread=2)
        await frontier.add(link(f"{host}{number}", 9 - number, f"{host}.example") for host in "ab" for number in (1, 2))
        await frontier.add([link("other", 1, "c.example")])
        for claim in await frontier.claim(2, 0.0):
            await frontier.settle(claim, PAGE, [], 0.0)
        assert await frontier.claim(1, 0.9) == []
        assert await claimed(frontier, 1.0, 5) == ["a2", "b2", "other"]

    async def test_without_a_spread_no_host_is_waited_for(self, open_frontier: Open) -> None:
        frontier = await self._asked(open_frontier(delay=1, spread=0))
        assert await claimed(frontier, 0.0) == ["other"]

    async def test_without_a_delay_there_is_nothing_to_wait_for(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, spread=1)
        await frontier.add([link("first", 3), link("second", 2), link("other", 1, "b.example")])
        assert await claimed(frontier, 0.0, 5) == ["first", "other"]

    async def test_a_host_that_wants_a_long_rest_is_not_waited_for(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, spread=1)
        await frontier.add([link("first", 3), link("second", 2), link("other", 1, "b.example")])
        await frontier.settle(await one(frontier, 0.0), Outcome("page", rest=60.0), [], 0.0)
        assert await claimed(frontier, 0.0) == ["other"]

    async def test_a_host_that_is_slow_to_answer_is_waited_for_two_delays(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, spread=1)
        await frontier.add([link("first", 3), link("second", 2), link("other", 1, "b.example")])
        await frontier.claim(1, 0.0)
        assert await frontier.claim(1, 1.9) == []
        assert due_at(frontier) == 2.0
        assert await claimed(frontier, 2.0) == ["other"]

    async def test_a_host_that_is_used_up_is_not_waited_for(self, open_frontier: Open) -> None:
        frontier = await self._asked(open_frontier(delay=1, spread=1, quota=1))
        assert await claimed(frontier, 0.0) == ["other"]

    async def test_all_urls_are_lent_in_the_end_and_every_wait_has_an_end(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=1, spread=1)
        await frontier.add(link(f"{host}{number}", number, f"{host}.example") for host in "abc" for number in range(4))
        now, order = 0.0, list[str]()
        while (due := frontier.due()) is not None:
            now = max(now, due)
            for claim in await frontier.claim(5, now):
                order.append(claim.url.rpartition("/")[2])
                await frontier.settle(claim, PAGE, [], now)
            again = frontier.due()
            assert again is None or again > now
        assert [name[1] for name in order] == sorted((name[1] for name in order), reverse=True)
        assert len(order) == 12

    async def _asked(self, frontier: Frontier) -> Frontier:
        """A host that was asked for its best url and has another, and a worse one elsewhere."""
        await frontier.add([link("first", 3), link("second", 2), link("other", 1, "b.example")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        return frontier
