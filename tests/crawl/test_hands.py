"""Whole crawls with hands: the same visits as without, and nothing lost when hands or the brain are killed."""

import asyncio
import itertools
import json
import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.crawl.killer import Killer
from tests.crawl.local import crawl_file, finish, hands_of, start

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer
from thresher.urls import join

KILLS = int(os.environ.get("THRESHER_KILLS", "15"))
"""How many processes are killed or stopped; more take minutes."""
VISITS = """
    SELECT url, outcome, status, relevant, relevance, priority, depth, parent, anchor, title, evidence, bytes, simhash, near, duplicate_of
    FROM visit ORDER BY number
"""


@pytest.mark.parametrize("strategy", ["apprentice", pytest.param("best-first", marks=pytest.mark.slow)])
async def test_with_one_hand_and_one_worker_the_visits_are_those_of_a_crawl_without_hands(tmp_path, strategy):
    web = generate(size=120, hosts=6, seed=5)
    async with serve(web) as server:
        seen = [await visits(tmp_path / str(count), web, server.port, strategy, count) for count in (0, 1)]
    assert len(seen[0]) >= 80
    assert seen[0] == seen[1]


async def visits(place, web, port, strategy, hands):
    place.mkdir()
    tables = {"workers": 1, "strategy": strategy, "budget": {"pages": 80}, "hands": {"count": hands}}
    crawl = crawl_file(place / "crawl.toml", web, port, **tables)
    assert await asyncio.to_thread(finish, start("crawl", crawl, "--quiet")) == 0
    with closing(sqlite3.connect(place / "crawl" / "crawl.sqlite")) as connection:
        return connection.execute(VISITS).fetchall()


class SlowPage:
    """A generated web in which one page takes seconds to read."""

    # Of letters that do not pack well, so that it is not taken for a bomb.
    body = b"".join(
        b"<x" * 7 + random.Random(n).randbytes(24_700).hex().encode() + b"=" * 600 + b" " for n in range(99)
    )

    def __init__(self, web):
        self.web, self.atlas, self.urls = web, web.atlas, web.urls

    def page(self, host, path):
        return WebAnswer(self.body) if path == "/slow" else self.web.page(host, path)


@pytest.mark.slow
async def test_a_page_that_takes_too_long_is_told_once_and_costs_the_crawl_nothing_else(tmp_path):
    web = SlowPage(generate(size=60, hosts=6, seed=5))
    async with serve(web) as server:
        first = next(web.urls(server.port))
        slow = join(first, "/slow")
        tables = {"hands": {"count": 1, "parse_seconds": 0.5}, "seeds": [slow, first]}
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        said, errors = await asyncio.to_thread(start("crawl", crawl, "--json").communicate)
        pages = set(web.urls(server.port))
    assert errors == b""
    events = [json.loads(line) for line in said.splitlines()]
    told = [(event["url"], event["why"]) for event in events if event["event"] == "hand-replaced"]
    assert told == [(slow, "its page took longer than 0.5 s to read")]
    done = {event["url"]: event["outcome"] for event in events if event["event"] == "visit"}
    assert done.pop(slow) == "too-slow"
    assert set(done) >= pages
    assert set(done.values()) <= {"page", "robots"}


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="hands are found through /proc, which this system lacks"
)
async def test_hands_and_brains_that_are_killed_or_stopped_lose_nothing(tmp_path):
    web, workers = generate(size=3000, hosts=30, seed=4), 4
    async with serve(web, delay=0.02) as server:
        tables = {"workers": workers, "hands": {"count": 2, "parse_seconds": 1.0}, "store": {"rotate_bytes": 300_000}}
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        killer = Killer(server, crawl, tmp_path / "crawl", random.Random(11))
        while killer.kills + killer.hits < KILLS:
            await killer.run_and_trouble(KILLS - killer.kills - killer.hits)
        await killer.run_to_the_end()
    print(
        f"{killer.kills} brains and {killer.hits} hands: {killer.repeats} and {killer.under_way} urls asked for again"
    )
    killer.check_whole(web)
    assert killer.under_way <= workers * killer.hits, "only what a lost hand had under way is asked for again"
    assert set(outcomes(tmp_path / "crawl")) <= {"page", "robots"}


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


def outcomes(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return dict(connection.execute("SELECT outcome, count(*) FROM visit GROUP BY outcome").fetchall())
