"""`kill -9` at any moment, and what the server's log says of it afterwards.

What is promised: nothing is lost, every url is in catalogue and WARC once, and a url is asked for again only if it was under way in the
moment of the kill or answered just before it. Commits fall every fifth of a second, or every second where they are slow.
"""

import asyncio
import random
import sqlite3
import time
from contextlib import closing

import pytest
from tests.crawl.local import archived, catalogued, crawl_file, finish, kill, shown, start

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

KILLS = 20
JUST_BEFORE = 2.0
"""Seconds before the kill: one until the commit, and one for a busy machine to read what was answered."""


class Killer:
    """Runs a crawl, kills it again and again, and looks in the server's log for what was asked again."""

    def __init__(self, server, crawl, folder, moments):
        self.server, self.crawl, self.folder, self.moments = server, crawl, folder, moments
        self.lost = {}
        """Url → how long before the end of its run it was answered, for all that no commit saw."""
        self.repeats = 0

    async def run_and_kill(self, most, longer=0.0):
        """A kill after a random time, or earlier, after up to so many pages: however fast the machine is, they fall all over the crawl."""
        before, kept = len(self.server.log), set(catalogued(self.folder))
        process = start("crawl", self.crawl, "--quiet")
        # A kill counts once the crawl is under way: then at any moment of it.
        while len(self.server.log) == before and process.poll() is None:
            await asyncio.sleep(0.002)
        end, last = time.monotonic() + self.moments.uniform(0.0, 1.7), before + self.moments.randrange(most)
        while time.monotonic() < end and len(self.server.log) <= last:
            await asyncio.sleep(0.002)
        await asyncio.sleep(longer)
        assert process.poll() is None, process.communicate()
        killed = time.time()
        await asyncio.to_thread(kill, process)
        self.check(before, kept, killed)

    async def run_to_the_end(self):
        before, kept = len(self.server.log), set(catalogued(self.folder))
        assert await asyncio.to_thread(finish, start("crawl", self.crawl, "--quiet")) == 0
        self.check(before, kept, time.time())

    def check(self, before, kept, end):
        """Nothing that was kept is asked for again, and of the rest only what was answered just before a kill."""
        answered = {page_url(each): each.at for each in self.server.log[before:] if each.path != "/robots.txt"}
        assert not answered.keys() & kept
        again = answered.keys() & self.lost.keys()
        assert max((self.lost[url] for url in again), default=0.0) < JUST_BEFORE
        self.repeats += len(again)
        kept_now = set(catalogued(self.folder))
        self.lost.update({url: end - at for url, at in answered.items() if url not in kept_now})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "size", "pace"),
    [
        (0, 3000, {"workers": 2, "delay": 0.02}),
        (1, 3000, {"workers": 2, "delay": 0.02}),
        # So large that no machine has fetched all of it before the last kill.
        # A strategy that costs little keeps the rest of it short.
        (0, 40_000, {"workers": 16, "delay": 0.0, "strategy": {"name": "best-first"}}),
        (1, 40_000, {"workers": 16, "delay": 0.0, "strategy": {"name": "best-first"}}),
    ],
    ids=["slow", "slow, with a hand", "at full speed", "at full speed, with a hand"],
)
async def test_a_crawl_killed_twenty_times_loses_nothing_and_repeats_only_its_last_moment(tmp_path, hands, size, pace):
    web = generate(size=size, hosts=20, seed=3)
    folder = tmp_path / "crawl"
    tables = {key: value for key, value in pace.items() if key != "delay"}
    tables |= {"store": {"rotate_bytes": 300_000}, "hands": {"count": hands}}
    async with serve(web, delay=pace["delay"]) as server:
        crawl = crawl_file(tmp_path / "crawl.toml", web, server.port, **tables)
        killer = Killer(server, crawl, folder, random.Random(20))
        for number in range(KILLS):
            # Two runs are longer than what a kill may cost, or all of it could be asked for again.
            await killer.run_and_kill(size // KILLS, 2 * JUST_BEFORE if number in {5, 10} else 0.0)
        assert 500 < len(catalogued(folder)) < size, "kills fall all over the crawl, and it is not over before the last"
        await killer.run_to_the_end()
        answered = {page_url(answered) for answered in server.log if answered.path != "/robots.txt"}
        port = server.port
    print(f"{killer.repeats} of {len(answered)} urls were asked for again after {KILLS} kills")
    assert set(web.urls(port)) <= answered
    assert len(catalogued(folder)) == len(set(catalogued(folder)))
    assert set(catalogued(folder)) == answered
    assert sorted(archived(folder)) == sorted(catalogued(folder))
    assert {path.name for path in (folder / "warc").iterdir()} == warc_files(folder)
    assert shown(folder)["stopped"] == "empty"


def page_url(answered):
    return f"http://{answered.host}{answered.path}"


def warc_files(folder):
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM warc")}
