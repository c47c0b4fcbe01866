"""In which order every frontier lends its urls, and what it takes in: a part of its contract."""

# ruff: noqa: D102 - each test's name is its sentence

import pytest

from thresher.model import DROP
from thresher.testing.frontier_hosts import AGAIN, PAGE, Open, claimed, drained, link, one, url


class FrontierOrder:
    """Best first, oldest first among equals; and what becomes of a url that is met again."""

    # ── order ──

    async def test_the_best_is_lent_first(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("low", 1), link("high", 3), link("middle", 2)])
        assert await drained(frontier) == ["high", "middle", "low"]

    async def test_the_best_is_lent_first_across_hosts(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("low", 1, "a.example"), link("high", 3, "b.example"), link("middle", 2, "c.example")])
        assert await claimed(frontier, 0.0, 3) == ["high", "middle", "low"]

    async def test_of_equals_the_oldest_is_lent_first(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("1"), link("2", host="b.example"), link("3")])
        await frontier.add([link("4", host="b.example"), link("5")])
        assert await drained(frontier) == ["1", "2", "3", "4", "5"]

    async def test_negative_and_tiny_priorities_keep_their_order(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("a", -2.5), link("b", 0.0), link("c", 1e-300), link("d", -1e300)])
        assert await drained(frontier) == ["c", "b", "a", "d"]

    async def test_a_better_url_on_a_resting_host_lets_others_go_first(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=10)
        await frontier.add([link("best", 9), link("second", 8), link("other", 1, "b.example")])
        claim = await one(frontier, 0.0)
        await frontier.settle(claim, PAGE, [], 0.0)
        assert await claimed(frontier, 1.0) == ["other"]
        assert await claimed(frontier, 10.0) == ["second"]

    async def test_a_claim_tells_the_whole_story_of_its_url(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        story = link("x", 2.5, depth=3, parent=url("p"), anchor="read this", chain=(url("r1"), url("r2")))
        await frontier.add([story])
        claim = await one(frontier, 0.0)
        assert claim.candidate == story
        assert (claim.host, claim.tries, claim.url) == ("a.example", 0, story.url)

    async def test_a_found_link_names_the_page_it_was_found_on(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("page")])
        await frontier.settle(await one(frontier, 0.0), PAGE, [link("x", parent=url("page"), depth=1)], 0.0)
        assert (await one(frontier, 0.0)).candidate == link("x", parent=url("page"), depth=1)

    async def test_hosts_with_a_port_are_hosts_of_their_own(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("1", host="a.example"), link("2", host="a.example:8443")])
        assert len(await frontier.claim(5, 0.0)) == 2

    # ── taking in ──

    async def test_add_counts_the_new(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        assert await frontier.add([link("1"), link("2"), link("1", 5)]) == 2
        assert await frontier.add([link("2"), link("3")]) == 1

    @pytest.mark.parametrize(("merge", "priority"), [("max", 12.0), ("sum", 17.0), ("first", 5.0), ("last", 12.0)])
    async def test_metu_met_with_5_and_then_with_12(self, open_frontier: Open, merge: str, priority: float) -> None:
        frontier = open_frontier(merge=merge)
        await frontier.add([link("metu", 5)])
        await frontier.add([link("metu", 12)])
        assert (await one(frontier, 0.0)).candidate.priority == priority

    @pytest.mark.parametrize(("merge", "priority"), [("max", 12.0), ("sum", 17.0), ("first", 12.0), ("last", 5.0)])
    async def test_met_twice_on_one_page(self, open_frontier: Open, merge: str, priority: float) -> None:
        frontier = open_frontier(merge=merge)
        await frontier.add([link("metu", 12), link("metu", 5)])
        assert frontier.census().best == priority
        assert (await one(frontier, 0.0)).candidate.priority == priority

    @pytest.mark.parametrize(
        ("merge", "anchor"), [("max", "high"), ("sum", "low"), ("first", "low"), ("last", "middle")]
    )
    async def test_the_story_is_that_of_one_link(self, open_frontier: Open, merge: str, anchor: str) -> None:
        frontier = open_frontier(merge=merge)
        links = {
            "low": link("x", 1, depth=1, parent=url("p1"), anchor="low"),
            "high": link("x", 3, depth=3, parent=url("p3"), anchor="high"),
            "middle": link("x", 2, depth=2, parent=url("p2"), anchor="middle"),
        }
        for each in links.values():
            await frontier.add([each])
        candidate = (await one(frontier, 0.0)).candidate
        assert candidate._replace(priority=0) == links[anchor]._replace(priority=0)

    @pytest.mark.parametrize(("merge", "order"), [("last", "acb"), ("sum", "acb"), ("max", "bac"), ("first", "bac")])
    async def test_a_url_can_fall_behind_as_well(self, open_frontier: Open, merge: str, order: str) -> None:
        frontier = open_frontier(merge=merge, delay=0)
        await frontier.add([link("a", 5), link("b", 9), link("c", 4)])
        await frontier.add([link("b", -8)])
        assert await drained(frontier) == list(order)

    async def test_a_claimed_url_is_not_changed_by_a_new_link(self, open_frontier: Open) -> None:
        frontier = open_frontier(merge="sum", delay=0)
        await frontier.add([link("x", 1)])
        claim = await one(frontier, 0.0)
        assert await frontier.add([link("x", 50)]) == 0
        await frontier.settle(claim, AGAIN, [link("x", 50)], 0.0)
        assert (await one(frontier, 0.0)).candidate.priority in {1.0, 51.0}

    async def test_a_settled_url_is_never_lent_again(self, open_frontier: Open) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("x", 1)])
        await frontier.settle(await one(frontier, 0.0), PAGE, [link("x", 9)], 0.0)
        assert await frontier.add([link("x", 99)]) == 0
        await frontier.reprioritise([(url("x"), 100.0)])
        assert await frontier.claim(1, 1e9) == []

    async def test_a_dropped_link_is_not_added(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        assert await frontier.add([link("x", DROP)]) == 0
        assert frontier.census().waiting == 0

    @pytest.mark.parametrize("priority", [float("nan"), float("inf")])
    async def test_a_priority_that_is_no_number_is_our_mistake_and_changes_nothing(
        self, open_frontier: Open, priority: float
    ) -> None:
        frontier = open_frontier(delay=0)
        await frontier.add([link("page")])
        claim = await one(frontier, 0.0)
        with pytest.raises(ValueError, match=url("bad")):
            await frontier.settle(claim, PAGE, [link("good"), link("bad", priority)], 0.0)
        assert frontier.census()[:3] == (0, 1, 0)
        with pytest.raises(ValueError, match=url("bad")):
            await frontier.add([link("good"), link("bad", priority)])
        assert frontier.census()[:3] == (0, 1, 0)

    async def test_long_anchors_are_cut(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("x", anchor="word " * 1000)])
        assert len((await one(frontier, 0.0)).candidate.anchor) <= 200

    async def test_other_scripts_and_odd_characters_come_back_as_they_were(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        await frontier.add([link("x", anchor="हिन्दी \x00 🦈 'quoted'")])
        assert (await one(frontier, 0.0)).candidate.anchor == "हिन्दी \x00 🦈 'quoted'"
