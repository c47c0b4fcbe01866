"""Politeness as the server's log shows it."""

import asyncio
from collections import defaultdict
from itertools import pairwise

import pytest
from tests.crawl.local import crawl_file, finish, start
from xxhash import xxh3_64_intdigest

from thresher.lab.webs.generated import GUARDED_PATH, generate
from thresher.lab.webs.serve import Server, listen, running
from thresher.lab.webs.web_pages import WebAnswer

DELAY = 0.3


class Borrowed:
    """A generated web in which the robots.txt of all hosts of one hand redirect to a host of the other hand, and that one's back."""

    def __init__(self, web, port):
        self._web = web
        self.atlas = web.atlas
        hosts = [f"{host}:{port}" for host in web.atlas.hosts]
        by_hand = [[host for host in hosts if xxh3_64_intdigest(host.encode()) % 2 == hand] for hand in (0, 1)]
        [self.lender, *_], self.borrowers = sorted(by_hand, key=len)

    def urls(self, port):
        return self._web.urls(port)

    def page(self, host, path):
        if path == "/robots.txt" and host in {self.lender, *self.borrowers}:
            there = self.borrowers[0] if host == self.lender else self.lender
            return WebAnswer(b"", 302, headers=(("Location", f"http://{there}/rules?for={host}"),))
        if path.startswith("/rules"):
            return WebAnswer(b"", 200, "text/plain")
        return self._web.page(host, path)


class Strained:
    """A generated web in which one page of each host asks once to be left alone."""

    def __init__(self, web, seconds):
        self._web, self._seconds = web, seconds
        self.atlas, self.urls = web.atlas, web.urls
        self.begged: dict[str, float] = {}

    def page(self, host, path):
        if path not in {"/robots.txt", "/"} and host not in self.begged:
            self.begged[host] = self._seconds
            return WebAnswer(b"busy", 503, headers=(("Retry-After", str(self._seconds)),))
        return self._web.page(host, path)


def by_host(log):
    requests = defaultdict(list)
    for answered in log:
        requests[answered.host].append(answered)
    return requests


async def crawl(tmp_path, web, sockets=None, **tables):
    # Each answer takes a while, so that two at once would be seen; none is remembered, so that it may be another the next time.
    server = Server(web, delay=0.05, room=0)
    async with running(server, sockets or listen()):
        path = crawl_file(tmp_path / "crawl.toml", web, server.port, workers=16, **tables)
        assert await asyncio.to_thread(finish, start("crawl", path, "--quiet")) == 0
        return server.log


@pytest.mark.slow
async def test_the_log_shows_no_gap_shorter_than_the_delay_and_never_two_at_once_to_a_host(tmp_path):
    log = await crawl(tmp_path, generate(size=120, hosts=8, seed=5), polite={"delay": DELAY}, budget={"pages": 100})
    assert len(log) >= 100
    for requests in by_host(log).values():
        gaps = [later.asked - earlier.at for earlier, later in pairwise(requests)]
        assert all(gap >= DELAY for gap in gaps), min(gaps)


@pytest.mark.slow
async def test_a_host_keeps_its_pause_when_robots_txt_of_hosts_of_another_hand_redirect_to_it(tmp_path):
    sockets = listen()
    web = Borrowed(generate(size=200, hosts=12, seed=5), sockets[0].getsockname()[1])
    tables = {"hands": {"count": 2}, "polite": {"delay": DELAY}, "budget": {"pages": 150}}
    log = await crawl(tmp_path, web, sockets, **tables)
    for host, asked in by_host(log).items():
        gaps = [later.asked - earlier.at for earlier, later in pairwise(asked)]
        assert all(gap >= DELAY for gap in gaps), (host, sorted(gaps)[:5])
    asked = by_host(log)[web.lender]
    guests = [request.path for request in asked if request.path.startswith("/rules")]
    assert len(guests) == len(set(guests)) == len(web.borrowers), "none was asked for twice, and none was given up"
    assert len(asked) > len(guests) + 5


@pytest.mark.slow
async def test_a_host_never_seen_before_gets_its_robots_asked_first_and_nothing_that_it_forbids(tmp_path):
    log = await crawl(tmp_path, generate(size=200, hosts=8, seed=5), polite={"delay": 0.02})
    for requests in by_host(log).values():
        assert requests[0].path == "/robots.txt"
        assert [request.path for request in requests].count("/robots.txt") == 1
    assert GUARDED_PATH not in {request.path for request in log}


@pytest.mark.slow
async def test_a_crawl_delay_in_robots_txt_is_kept(tmp_path):
    web = generate(size=40, hosts=4, seed=5, crawl_delay=0.5)
    log = await crawl(tmp_path, web, polite={"delay": 0.01})
    asks_for_time = {host for host in by_host(log) if b"Crawl-delay" in web.page(host, "/robots.txt").body}
    assert asks_for_time
    for host in asks_for_time:
        requests = by_host(log)[host]
        gaps = [later.asked - earlier.at for earlier, later in pairwise(requests)]
        assert len(gaps) > 2
        assert min(gaps) >= 0.5


@pytest.mark.slow
async def test_retry_after_is_obeyed(tmp_path):
    web = Strained(generate(size=60, hosts=4, seed=5), seconds=2)
    log = await crawl(tmp_path, web, polite={"delay": 0.02}, budget={"pages": 40})
    refused = [answered for answered in log if answered.status == 503]
    assert len(refused) == 4
    for each in refused:
        after = [answered.asked for answered in log if answered.host == each.host and answered.asked > each.asked]
        assert min(after) - each.at >= 2.0
