"""What every frontier owes to hosts: the part of its contract that is about manners."""

# ruff: noqa: D102 - each test's name is its sentence

from thresher.model import Outcome
from thresher.ports import Frontier
from thresher.testing.lending import PAGE, STRAIN, UNASKED, Open, claimed, due_at, link, one


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
