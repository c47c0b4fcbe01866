"""`kill -9` and stops at any moment of a crawl, and what the server's log says of it afterwards.

What is promised: nothing is lost, every url is in catalogue and WARC once, and a url is asked for again only if it was under way in the
moment of the kill or answered just before it, or if a hand that was lost had it at hand. Commits fall every fifth of a second, or every
second where they are slow.
"""

import asyncio
import itertools
import os
import signal
import sqlite3
import time
from collections import defaultdict
from contextlib import closing

from tests.crawl.local import archived, catalogued, finish, hands_of, kill, shown, start

JUST_BEFORE = 2.0
"""Seconds before the kill: one until the commit, and one for a busy machine to read what was answered."""


class Killer:
    """Runs a crawl, kills it again and again, and looks in the server's log for what was asked again."""

    def __init__(self, server, crawl, folder, moments):
        self.server, self.crawl, self.folder, self.moments = server, crawl, folder, moments
        self.lost = {}
        """Url → how long before the end of its run it was answered, for all that no commit saw."""
        self.repeats = 0
        self.kills = self.hits = 0
        """How many brains were killed, and how many hands were killed or stopped."""
        self.under_way = 0
        """How many urls were asked for again although they were answered long before, or in the same run: a lost hand had them at hand."""

    async def run_and_kill(self, most, longer=0.0):
        """A kill after a random time, or earlier, after up to so many pages: however fast the machine is, they fall all over the crawl."""
        process, before, kept = await self._started()
        end, last = time.monotonic() + self.moments.uniform(0.0, 1.7), before + self.moments.randrange(most)
        while time.monotonic() < end and len(self.server.log) <= last:
            await asyncio.sleep(0.002)
        await asyncio.sleep(longer)
        await self._kill(process, before, kept)

    async def run_and_trouble(self, most):
        """The same, after up to so many hands were killed or stopped, and the brain was stopped for a while."""
        process, before, kept = await self._started()
        for _ in range(min(most, self.moments.randrange(1, 9))):
            await asyncio.sleep(self.moments.uniform(0.0, 1.0))
            self._hit(hands_of(process.pid))
            if self.moments.random() < 0.2:
                process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(self.moments.uniform(0.0, 1.5))
                process.send_signal(signal.SIGCONT)
        await asyncio.sleep(self.moments.uniform(0.0, 1.0))
        await self._kill(process, before, kept)

    async def run_to_the_end(self):
        before, kept = len(self.server.log), set(catalogued(self.folder))
        assert await asyncio.to_thread(finish, start("crawl", self.crawl, "--quiet"), 300) == 0
        self._check(before, kept, time.time())

    def check_whole(self, web):
        """Every page of the web is kept once, wherever a kill fell, and nothing else lies in the folder."""
        answered = {page_url(each) for each in self.server.log if each.path != "/robots.txt"}
        assert set(web.urls(self.server.port)) <= answered
        assert sorted(catalogued(self.folder)) == sorted(answered)
        assert sorted(archived(self.folder)) == sorted(answered)
        assert {path.name for path in (self.folder / "warc").iterdir()} == self._warc_files()
        assert shown(self.folder)["stopped"] == "empty"

    async def _started(self):
        before, kept = len(self.server.log), set(catalogued(self.folder))
        process = start("crawl", self.crawl, "--quiet")
        # A kill counts once the crawl is under way: then at any moment of it.
        while len(self.server.log) == before and process.poll() is None:
            await asyncio.sleep(0.002)
        return process, before, kept

    def _hit(self, hands):
        if hands:
            os.kill(self.moments.choice(hands), self.moments.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP]))
            self.hits += 1

    async def _kill(self, process, before, kept):
        assert process.poll() is None, process.communicate()
        killed = time.time()
        await asyncio.to_thread(kill, process)
        self.kills += 1
        self._check(before, kept, killed)

    def _check(self, before, kept, end):
        """Nothing that was kept is asked for again; of the rest what was answered just before a kill, or what a lost hand had at hand."""
        times = defaultdict(list)
        for each in itertools.islice(self.server.log, before, None):
            if each.path != "/robots.txt":
                times[page_url(each)].append(each.at)
        assert not times.keys() & kept
        again = times.keys() & self.lost.keys()
        self.repeats += len(again)
        # A hand that is stopped has its answers at hand until it is found out, which takes longer than a commit.
        self.under_way += sum(self.lost[url] >= JUST_BEFORE for url in again)
        self.under_way += sum(len(each) - 1 for each in times.values())
        kept_now = set(catalogued(self.folder))
        self.lost.update({url: end - max(at) for url, at in times.items() if url not in kept_now})

    def _warc_files(self):
        with closing(sqlite3.connect(self.folder / "crawl.sqlite")) as connection:
            return {name for (name,) in connection.execute("SELECT name FROM warc")}


def page_url(answered):
    return f"http://{answered.host}{answered.path}"
