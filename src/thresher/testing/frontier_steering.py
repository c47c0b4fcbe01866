"""What every frontier does when a person steers: a url is put first, a host is left. A part of its contract."""

# ruff: noqa: D102 - each test's name is its sentence

import pytest

from thresher.model import Host
from thresher.testing.frontier_hosts import AGAIN, PAGE, Open, claimed, drained, link, one, url


class FrontierSteering:
    """A url put first, a host left, and how many urls moved."""

    async def test_reprioritise_counts_what_really_moved(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("same", 1), link("other", 2), link("dropped", 3), link("lent", 9)])
        await frontier.claim(1, 0.0)
        wanted = {"same": 1.0, "other": 5.0, "dropped": float("-inf"), "lent": 7.0, "unknown": 7.0}
        assert await frontier.reprioritise((url(name), priority) for name, priority in wanted.items()) == 2

    @pytest.mark.parametrize("merge", ["max", "sum", "first", "last"])
    async def test_a_url_put_first_is_lent_first_whatever_links_and_strategies_say(
        self, open_frontier: Open, merge: str
    ) -> None:
        frontier = open_frontier(delay=0, merge=merge)
        await frontier.add([link("low", -5), link("high", 1e9)])
        assert await frontier.put_first(link("low")) == "waiting"
        await frontier.add([link("low", -7), link("high", 2e9)])
        assert await frontier.reprioritise([(url("low"), 0.0)]) == 0
        assert await drained(frontier) == ["low", "high"]

    async def test_an_unknown_url_that_is_put_first_is_added(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("other", 1e9)])
        assert await frontier.put_first(link("new", depth=3)) == "unknown"
        assert await drained(frontier) == ["new", "other"]

    @pytest.mark.parametrize("evict", ["lowest", "newest"])
    async def test_a_full_frontier_keeps_what_was_put_first(self, open_frontier: Open, evict: str) -> None:
        frontier = open_frontier(cap=2, evict=evict, delay=0)
        await frontier.add([link("a", 2), link("b", 1)])
        await frontier.put_first(link("new"))
        await frontier.add([link("c", 9)])
        assert (await drained(frontier))[0] == "new"
        assert frontier.census().waiting == 0

    async def test_a_url_that_is_lent_or_done_cannot_be_put_first(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("x", 1)])
        claim = await one(frontier, 0.0)
        assert await frontier.put_first(link("x")) == "claimed"
        await frontier.settle(claim, PAGE, [], 0.0)
        assert await frontier.put_first(link("x")) == "settled"
        assert await frontier.claim(1, 1e9) == []

    async def test_a_url_put_first_stays_first_when_it_is_tried_again(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("other", 1e9)])
        await frontier.put_first(link("x"))
        await frontier.settle(await one(frontier, 0.0), AGAIN, [], 0.0)
        assert await drained(frontier) == ["x", "other"]

    async def test_a_url_put_first_waits_for_its_host_only(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=2)
        await frontier.add([link("1", 9), link("2", 5), link("b", 1, "b.example")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        await frontier.put_first(link("2"))
        assert await claimed(frontier, 1.0) == ["b"]
        assert await claimed(frontier, 2.0) == ["2"]

    async def test_a_closed_host_is_told_of(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0, quota=1)
        await frontier.add([link("1"), link("2")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        assert await frontier.put_first(link("2")) == "closed"

    async def test_a_host_that_is_left_has_nothing_waiting_any_more(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("seed", 9), *(link(str(number), number) for number in range(100))])
        await frontier.add([link("b", 1, "b.example")])
        lent = await one(frontier, 0.0)
        assert await frontier.leave(Host("a.example")) == 100
        assert await frontier.leave(Host("a.example")) == await frontier.leave(Host("never.example")) == 0
        assert frontier.census()[:4] == (1, 1, 0, 1)
        await frontier.settle(lent, PAGE, [], 0.0)
        assert await drained(frontier) == ["b"]

    async def test_what_was_left_may_come_again_and_what_settled_there_may_not(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1", 9), link("2", 5)])
        await frontier.settle(await one(frontier, 0.0), PAGE, [], 0.0)
        await frontier.leave(Host("a.example"))
        assert await frontier.add([link("1", 9), link("2", 5)]) == 1
        assert await drained(frontier) == ["2"]
