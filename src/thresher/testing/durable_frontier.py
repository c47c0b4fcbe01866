"""What a frontier that keeps its urls over a crash must do, beyond what every frontier must."""

# ruff: noqa: D102 - each test's name is its sentence

from thresher.model import Host, Outcome
from thresher.testing.frontier import FrontierContract
from thresher.testing.frontier_hosts import PAGE, STRAIN, Open, claimed, drained, link, one, url


class DurableFrontierContract(FrontierContract):
    """The laws of a frontier that outlives its process. `open_frontier(again=True)` opens what was committed."""

    async def test_what_waited_still_waits_in_the_same_order(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1"), link("2", 5), link("3", host="b.example"), link("4", anchor="words", depth=2)])
        again = open_frontier(again=True, delay=0)
        assert again.census() == frontier.census()
        assert await drained(again) == ["2", "1", "3", "4"]

    async def test_claims_of_the_dead_are_offered_at_once(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1"), link("2")])
        dead = await one(frontier, 0.0)
        again = open_frontier(again=True, delay=0)
        assert not again.holds(dead)
        assert again.census()[:3] == (2, 0, 0)
        await again.settle(dead, PAGE, [link("found")], 0.0)
        assert again.census()[:3] == (2, 0, 0)
        assert await claimed(again, 0.0) == ["1"]

    async def test_what_settled_stays_settled_and_keeps_what_it_found(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [link("found", parent=url("1"))], 0.0)
        again = open_frontier(again=True, delay=0)
        assert again.census()[:3] == (1, 0, 1)
        assert await again.add([link("1", 99)]) == 0
        assert (await one(again, 0.0)).candidate.parent == url("1")

    async def test_a_host_is_left_alone_as_long_as_before(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), Outcome("http-429", final=False, rest=500, delay=30), [], 0.0)
        again = open_frontier(again=True)
        assert await again.claim(1, 499.0) == []
        await again.settle(await one(again, 530.0), PAGE, [], 530.0)
        assert await again.claim(1, 559.9) == []
        assert await claimed(again, 560.0) == ["2"]

    async def test_a_host_written_under_a_wrong_date_rests_no_longer_than_any(self, open_frontier: Open) -> None:
        frontier = open_frontier(rest_most=3600)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 1e9), PAGE, [], 1e9)
        again = open_frontier(again=True, rest_most=3600)
        assert await again.claim(1, 100.0) == []
        assert again.due() == 3700.0
        assert await claimed(again, 3700.0) == ["2"]

    async def test_after_a_crash_every_host_rests_first(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=2)
        await frontier.add([link("1")])
        again = open_frontier(again=True, delay=2)
        assert await again.claim(1, 1000.0) == []
        assert again.due() == 1002.0
        assert await claimed(again, 1002.0) == ["1"]

    async def test_a_host_that_was_given_up_gets_one_more_chance(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, backoff=1, give_up=3)
        await frontier.add([link("1"), link("2")])
        for now in (0.0, 100.0, 200.0):
            await frontier.settle(await one(frontier, now), STRAIN, [], now)
        assert frontier.census().closed == 2
        again = open_frontier(again=True, delay=0, backoff=1, give_up=3)
        assert again.census().closed == 0
        assert await again.claim(1, 300.0) == []
        await again.settle(await one(again, 400.0), STRAIN, [], 400.0)
        assert (again.due(), again.census().closed) == (None, 2)

    async def test_what_was_put_first_and_what_was_left_stays_so(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1", 9), link("2", 1), link("b", 99, "b.example")])
        await frontier.put_first(link("2"))
        await frontier.leave(Host("b.example"))
        again = open_frontier(again=True, delay=0)
        assert again.census() == frontier.census()
        assert await drained(again) == ["2", "1"]

    async def test_quotas_are_remembered(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, quota=1)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        again = open_frontier(again=True, delay=0, quota=1)
        assert await again.claim(1, 1e9) == []
        assert again.census().closed == 1
