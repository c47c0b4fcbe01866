"""Places of hosts that processes share: a guest and the requests of a host's own hand are never there at the same time."""

import asyncio
import os
import select
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest
from tests.structure.house import ROOT

from thresher.clock import SystemClock
from thresher.hands import HostPlaces, shared_memory
from thresher.hands.host_places import number_of
from thresher.model import Host, Later, Response, Url
from thresher.polite.host_locks import HostLock
from thresher.polite.robots import PoliteFetcher

HOST, PAUSE = Host("a.test"), 0.4
HANDS = 2


class Neighbour:
    """Another hand."""

    def __init__(self, memory):
        command = [sys.executable, "-m", "tests.unit.hands.neighbour", str(memory)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, pass_fds=[memory], cwd=ROOT, text=True, **pipes)

    def tell(self, *step):
        print(*step, file=self.process.stdin, flush=True)

    @property
    def answered(self):
        return bool(select.select([self.process.stdout], [], [], 0)[0])

    def answer(self):
        return float(self.process.stdout.readline())

    def does(self, *step):
        self.tell(*step)
        return self.answer()

    def end(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def memory():
    made = shared_memory(HANDS)
    yield made
    os.close(made)


@pytest.fixture
def here(memory):
    return HostPlaces(memory)


@pytest.fixture
def neighbours(memory):
    with ExitStack() as stack:

        def started():
            neighbour = Neighbour(memory)
            stack.callback(neighbour.end)
            neighbour.does("begin", "ready.test", 0)
            neighbour.does("end", "ready.test", 0)
            return neighbour

        yield started


@contextmanager
def timed(least, most=5.0):
    begun = time.monotonic()
    yield
    assert least <= time.monotonic() - begun < most


def test_while_a_guest_is_there_and_for_its_pause_the_host_s_own_hand_asks_nothing(here, neighbours):
    neighbour = neighbours()
    assert neighbour.does("guest", HOST, PAUSE, 1) == 0
    assert here.begin(HOST, 0.1) == 0.25, "it is not known how long the guest takes"
    neighbour.answer()
    wait = here.begin(HOST, 0.1)
    assert 0 < wait <= PAUSE
    time.sleep(wait)
    assert here.begin(HOST, 0.1) == 0


async def test_a_guest_waits_until_the_host_s_own_requests_have_ended_and_for_the_pause(here, neighbours):
    neighbour = neighbours()
    assert here.begin(HOST, PAUSE) == here.begin(HOST, PAUSE) == 0
    neighbour.tell("guest", HOST, 0, 0)
    here.end(HOST, PAUSE)
    await asyncio.sleep(PAUSE + 0.2)
    with timed(PAUSE):
        here.end(HOST, PAUSE)
        assert neighbour.answer() == 0


async def test_a_delay_that_is_learnt_keeps_a_guest_away_that_waits_already(here, neighbours):
    neighbour = neighbours()
    assert here.begin(HOST, 0) == 0
    neighbour.tell("guest", HOST, 0, 0)
    await asyncio.sleep(0.2)
    here.end(HOST, 0)
    here.rest(HOST, PAUSE)
    with timed(PAUSE - 0.1):
        assert await asyncio.to_thread(neighbour.answer) == 0


def test_a_guest_is_not_kept_waiting_by_one_request_after_another(here, neighbours):
    neighbour = neighbours()
    running = [here.begin(HOST, 0)]
    neighbour.tell("guest", HOST, 0, 1)
    with timed(0, 5):
        while not neighbour.answered:
            running += [wait for wait in [here.begin(HOST, 0)] if not wait]  # before the one that runs has ended
            time.sleep(0.01)
            if running:
                here.end(HOST, running.pop())
    assert neighbour.answer() == 0


def test_a_guest_that_is_killed_keeps_the_host_for_its_pause_and_no_longer(here, neighbours):
    neighbour = neighbours()
    neighbour.does("guest", HOST, PAUSE, 60)
    assert here.begin(HOST, 0) > 0
    neighbour.end()
    assert 0 <= here.begin(HOST, 0) <= PAUSE
    time.sleep(PAUSE)
    assert here.begin(HOST, 0) == 0


def test_a_guest_that_is_killed_while_it_waits_holds_up_nobody(here, neighbours):
    neighbour = neighbours()
    here.begin(HOST, 0)
    neighbour.tell("guest", HOST, PAUSE, 60)
    time.sleep(0.2)
    neighbour.end()
    here.end(HOST, 0)
    time.sleep(0.3)
    assert here.begin(HOST, 0) == 0


async def test_a_hand_that_is_killed_leaves_its_hosts_to_guests_after_the_pause(here, neighbours):
    neighbour = neighbours()
    neighbour.does("begin", HOST, PAUSE)
    with timed(PAUSE - 0.1):
        neighbour.end()
        async with here.turn(HOST, 0) as wait:
            assert wait == 0


async def test_guests_of_two_hands_come_one_after_the_other_with_the_pause_between_them(here, neighbours):
    assert neighbours().does("guest", HOST, PAUSE, 0.2) == 0
    with timed(PAUSE + 0.1):
        async with here.turn(HOST, PAUSE) as wait:
            assert wait == 0


async def test_a_guest_keeps_the_longer_pause_of_the_host_s_own_hand_also_after_another_guest(here, neighbours):
    neighbour = neighbours()
    here.begin(HOST, 2 * PAUSE)
    here.end(HOST, 2 * PAUSE)
    assert neighbour.does("guest", HOST, 0, 0) == neighbour.answer() == 0
    with timed(2 * PAUSE - 0.1):
        async with here.turn(HOST, 0) as wait:
            assert wait == 0


async def test_a_guest_that_gets_no_turn_may_come_again(here, neighbours, monkeypatch):
    monkeypatch.setattr("thresher.hands.host_places._PATIENCE", 0.2)
    neighbours().does("begin", HOST, 0)
    async with here.turn(HOST, 0) as wait:
        assert wait > 0
    assert here.begin(HOST, 0) > 0, "it was not the guest's to leave"


async def test_a_guest_that_is_cancelled_leaves(here, neighbours):
    neighbour = neighbours()

    async def stay():
        async with here.turn(HOST, 0):
            await asyncio.sleep(60)

    staying = asyncio.create_task(stay())
    await asyncio.sleep(0.1)
    assert neighbour.does("begin", HOST, 0) > 0
    staying.cancel()
    await asyncio.wait([staying])
    assert neighbour.does("begin", HOST, 0) == 0


def test_whoever_leaves_a_place_leaves_the_other_host_there_alone(here, neighbours):
    neighbour, other = neighbours(), host_of_the_same_place()
    assert here.begin(HOST, 0) == here.begin(other, 0) == 0
    here.end(other, 0)
    assert neighbour.does("begin", HOST, 0) > 0
    here.end(HOST, 0)
    assert neighbour.does("begin", HOST, 0) == 0


def host_of_the_same_place():
    places = HANDS << 14
    names = (Host(f"{number}.test") for number in range(2_000_000))
    other = next(name for name in names if number_of(name) % places == number_of(HOST) % places)
    assert number_of(other) % HANDS == number_of(HOST) % HANDS, "so hands never meet over the pages of two hosts"
    return other


class Web:
    """Every robots.txt asks for time between two pages."""

    def __init__(self, robots=b"User-agent: *\nCrawl-delay: 0.8"):
        self.robots, self.asked = robots, []

    async def fetch(self, url):
        self.asked.append(url)
        return Response(url=url, status=200, headers=(), body=self.robots, raw=self.robots)

    async def close(self):
        pass


async def test_a_guest_keeps_the_crawl_delay_that_the_host_s_own_hand_has_read(here, neighbours):
    neighbour, web = neighbours(), Web()
    fetcher = PoliteFetcher(web, web, pause=0.1, guests=here)
    assert isinstance(await fetcher.fetch(Url(f"http://{HOST}/")), Later)
    with timed(0.7):
        assert neighbour.does("guest", HOST, 0.1, 0) == 0
    assert 0.2 < (await fetcher.fetch(Url(f"http://{HOST}/"))).seconds <= 0.8
    assert len(web.asked) == 1


async def test_what_a_page_in_the_browser_asks_for_waits_for_the_hand_of_its_host(here, neighbours):
    neighbour, web, script = neighbours(), Web(b""), Url(f"http://{HOST}/script.js")
    fetcher = PoliteFetcher(web, web, pause=0.1, guests=here)
    neighbour.does("begin", HOST, PAUSE)
    asking = asyncio.create_task(fetcher.fetch_beside(script, web))
    await asyncio.sleep(0.3)
    assert web.asked == []
    with timed(PAUSE):
        neighbour.does("end", HOST, PAUSE)
        assert isinstance(await asking, Response)
    assert web.asked == [Url(f"http://{HOST}/robots.txt"), script]


async def test_a_page_waits_for_a_guest_of_another_hand_and_asks_nothing(here, neighbours):
    neighbour, web, page = neighbours(), Web(), Url(f"http://{HOST}/")
    lock = HostLock(SystemClock(), here)
    neighbour.does("guest", HOST, PAUSE, 1)
    later = await lock.ask(web, page, PAUSE)
    assert later == Later("robots-asked", PAUSE)
    assert web.asked == []
    neighbour.answer()
    await asyncio.sleep(PAUSE)
    assert isinstance(await lock.ask(web, page, PAUSE), Response)
