"""Hosts whose pages look alike lose turns by degrees. That both frontiers do the same, through crashes too, is for `test_twins`."""

from itertools import pairwise

import pytest

from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier
from thresher.frontier.turns import FIRST
from thresher.model import Outcome
from thresher.testing.frontier_hosts import PAGE, UNASKED, link

ALIKE, DIFFERENT, NOWHERE = PAGE._replace(alike=True), PAGE._replace(alike=False), Outcome("http-404")
TRAP = "trap.example"


async def frontier_of(others=400, trapped=60, **options):
    """A host with the best urls among many hosts with one each."""
    frontier = MemoryFrontier(delay=0.0, **options)
    await frontier.add(link(f"t{number}", 9.0, TRAP) for number in range(trapped))
    await frontier.add(link("page", 1.0, f"h{number}.example") for number in range(others))
    return frontier


async def turns_of_the_trap(frontier, *outcomes):
    """At which turns the trap is visited, its urls having these outcomes and then always the last; and when it was said to lose turns."""
    visits, said, turn = [], [], 0
    while claims := await frontier.claim(1, 0.0):
        if claims[0].host == TRAP:
            visits.append(turn)
        outcome = outcomes[min(len(visits), len(outcomes)) - 1] if claims[0].host == TRAP else DIFFERENT
        if await frontier.settle(claims[0], outcome, [], 0.0):
            said.append(turn)
        turn += 1
    return visits, said


def gaps(visits):
    return [later - earlier - 1 for earlier, later in pairwise(visits)]


async def test_a_host_lets_more_and_more_turns_pass_and_is_never_left_out():
    visits, said = await turns_of_the_trap(await frontier_of(), ALIKE)
    assert gaps(visits)[: FIRST + 8] == [0] * (FIRST - 1) + [1, 2, 4, 8, 16, 32, 64, 64, 64]
    assert len(visits) == 60, "in the end all its urls are lent"
    assert said == [visits[FIRST - 1]]


async def test_pages_that_look_different_give_its_turns_back():
    visits, said = await turns_of_the_trap(await frontier_of(), *[ALIKE] * 8, *[DIFFERENT] * 3, ALIKE)
    assert gaps(visits)[:14] == [0, 0, 0, 1, 2, 4, 8, 16, 1, 0, 0, 0, 0, 1]
    assert len(said) == 1, "it is said once, however often it happens"


async def test_a_host_with_as_many_different_pages_loses_nothing():
    visits, said = await turns_of_the_trap(await frontier_of(), *[ALIKE, DIFFERENT] * 30)
    assert (gaps(visits), said) == ([0] * 59, [])


async def test_errors_and_redirects_give_no_turns_back():
    visits, _ = await turns_of_the_trap(await frontier_of(), *[ALIKE] * 6, NOWHERE)
    assert gaps(visits)[3:8] == [1, 2, 4, 4, 4]


async def test_a_url_that_was_not_asked_for_costs_no_turns():
    visits, _ = await turns_of_the_trap(await frontier_of(), *[ALIKE] * 6, UNASKED)
    assert gaps(visits)[3:8] == [1, 2, 4, 0, 0]


async def test_a_host_alone_loses_nothing():
    visits, _ = await turns_of_the_trap(await frontier_of(others=0), ALIKE)
    assert visits == list(range(60))


async def test_with_0_turns_to_lose_no_host_loses_any():
    visits, said = await turns_of_the_trap(await frontier_of(alike_turns=0), ALIKE)
    assert (visits, said) == (list(range(60)), [])


@pytest.mark.parametrize(("spread", "lent"), [(1, []), (2, [TRAP])])
async def test_it_waits_for_hosts_that_rest_as_a_worse_url_would(spread, lent):
    frontier = MemoryFrontier(delay=1.0, spread=spread)
    await frontier.add(link(f"t{number}", 9.0, TRAP) for number in range(9))
    await frontier.add(link(f"p{number}", 1.0, "other.example") for number in range(9))
    hosts = []
    for now in (*range(FIRST), FIRST, FIRST, FIRST + 1):
        [claim] = await frontier.claim(1, float(now))
        hosts.append(claim.host)
        await frontier.settle(claim, ALIKE if claim.host == TRAP else DIFFERENT, [], float(now))
    assert hosts == [*[TRAP] * FIRST, "other.example", TRAP, "other.example"]
    # It has one more turn to lose, and the other host is free in half a second.
    assert [claim.host for claim in await frontier.claim(1, FIRST + 1.5)] == lent


def test_fewer_than_no_turns_are_refused():
    with pytest.raises(BadInput, match="alike_turns is -1, but must be at least 0"):
        MemoryFrontier(alike_turns=-1)
