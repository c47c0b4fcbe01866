"""Whole crawls with hands: the same visits as without, and nothing lost when hands or the brain are killed."""

import asyncio
import itertools
import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.crawl.local import archived, catalogued, crawl_file, finish, hands_of, kill, shown, start

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

KILLS = int(os.environ.get("THRESHER_KILLS", "15"))
"""How many processes are killed or stopped; more take minutes."""
VISITS = """
    SELECT url, outcome, status, relevant, relevance, priority, depth, parent, anchor, title, evidence, bytes, simhash, near, duplicate_of
    FROM visit ORDER BY number
"""


@pytest.mark.parametrize("strategy", ["best-first", pytest.param("shark-search", marks=pytest.mark.slow)])
async def test_with_one_hand_and_one_worker_the_visits_are_those_of_a_crawl_without_hands(tmp_path, strategy):
    web = generate(size=120, hosts=6, seed=5)
    async with serve(web) as server:
        seen = [await visits(tmp_path / str(count), web, server.port, strategy, count) for count in (0, 1)]
    assert len(seen[0]) == 80
    assert seen[0] == seen[1]


async def visits(place, web, port, strategy, hands):
    place.mkdir()
    tables = {"workers": 1, "strategy": strategy, "budget": {"pages": 80}, "hands": {"count": hands}}
    crawl = crawl_file(place / "crawl.toml", web, port, **tables)
    assert await asyncio.to_thread(finish, start("crawl", crawl, "--quiet")) == 0
    with closing(sqlite3.connect(place / "crawl" / "crawl.sqlite")) as connection:
        return connection.execute(VISITS).fetchall()


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="hands are found through /proc, which this system lacks"
)
async def test_hands_and_brains_that_are_killed_or_stopped_lose_nothing(tmp_path):
    web = generate(size=3000, hosts=30, seed=4)
    folder, dice = tmp_path / "crawl", random.Random(11)
    settled: set[str] = set()
    kills = 0
    async with serve(web, delay=0.02) as server:
        tables = {"workers": 4, "hands": {"count": 2, "parse_seconds": 1.0}, "store": {"rotate_bytes": 300_000}}
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        while kills < KILLS:
            before = len(server.log)
            process = start("crawl", crawl, "--quiet")
            while len(server.log) == before and process.poll() is None:
                await asyncio.sleep(0.01)
            kills += await trouble(process.pid, dice, KILLS - kills)
            assert process.poll() is None, process.communicate()
            await asyncio.to_thread(kill, process)
            kills += 1
            asked_again = {page_url(each) for each in server.log[before:]} & settled
            assert not asked_again
            settled = set(catalogued(folder))
            print(f"{len(settled)} pages settled after {kills} kills")
        before = len(server.log)
        assert await asyncio.to_thread(finish, start("crawl", crawl, "--quiet"), 300) == 0
        assert not {page_url(each) for each in server.log[before:]} & settled
        answered = {page_url(each) for each in server.log if each.path != "/robots.txt"}
        port = server.port
    assert set(web.urls(port)) <= answered
    assert sorted(catalogued(folder)) == sorted(answered)
    assert sorted(archived(folder)) == sorted(catalogued(folder))
    assert set(outcomes(folder)) <= {"page", "robots"}
    assert shown(folder)["stopped"] == "empty"


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="hands are found through /proc, which this system lacks"
)
async def test_a_host_keeps_its_pause_when_hands_are_killed(tmp_path):
    web, delay, dice = generate(size=60, hosts=6, seed=4), 0.4, random.Random(3)
    async with serve(web) as server:
        tables = {"workers": 6, "hands": {"count": 2}, "polite": {"delay": delay}, "budget": {"pages": 45}}
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        process = start("crawl", crawl, "--quiet")
        while process.poll() is None:
            before = len(server.log)
            await asyncio.sleep(dice.uniform(0.5, 1.5))
            hands = hands_of(process.pid)
            if hands and len(server.log) > before:  # a crawl whose hands never get to work is another matter
                os.kill(dice.choice(hands), signal.SIGKILL)
        assert finish(process) == 0
        asked = [(each.host, each.asked) for each in server.log]
    for host in {host for host, _ in asked}:
        times = sorted(at for name, at in asked if name == host)
        assert min((later - earlier for earlier, later in itertools.pairwise(times)), default=delay) > 0.95 * delay


async def trouble(brain, dice, most):
    """Kill or stop a few hands, at any moment."""
    count = min(dice.randrange(1, 9), most)
    for _ in range(count):
        await asyncio.sleep(dice.uniform(0.0, 1.0))
        hands = hands_of(brain)
        if hands:
            os.kill(dice.choice(hands), dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP]))
    await asyncio.sleep(dice.uniform(0.0, 1.0))
    return count


def outcomes(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return dict(connection.execute("SELECT outcome, count(*) FROM visit GROUP BY outcome").fetchall())


def page_url(answered):
    return f"http://{answered.host}{answered.path}"
