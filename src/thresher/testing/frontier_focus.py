"""What every frontier must do when better urls are a moment away: the part of its contract that is about waiting for them."""

# ruff: noqa: D102 - each test's name is its sentence

from thresher.model import Outcome
from thresher.ports import Frontier
from thresher.testing.lending import PAGE, Open, claimed, due_at, link, one


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
