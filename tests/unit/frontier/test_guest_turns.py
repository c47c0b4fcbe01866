"""Requests that the frontier does not know of take turns of their hosts, where workers of several machines share a crawl."""

import asyncio
import time
from contextlib import ExitStack, closing

import pytest

from thresher.clock import SystemClock
from thresher.model import Candidate, Failed, Host, Outcome, Response, Url
from thresher.polite.host_locks import HostLocks

HOST, DELAY = Host("a.test"), 0.4


@pytest.fixture
def shared(postgres, schema):
    """Two workers' frontiers and the guests of a third, over one crawl."""
    from thresher.disk.ledger_address import LedgerAddress  # noqa: PLC0415 - psycopg is an extra
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415
    from thresher.frontier.guest_turns import LedgerGuests  # noqa: PLC0415
    from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

    with ExitStack() as stack:

        def frontier(**options):
            ledger = stack.enter_context(closing(PostgresLedger(postgres.url(), schema=schema)))
            return PostgresFrontier(ledger, delay=DELAY, lease=2.0, **options)

        guests = stack.enter_context(closing(LedgerGuests(LedgerAddress(postgres.url(), schema))))
        yield frontier(), frontier(), guests


async def lent(frontier, seconds=0.0):
    """The urls that a worker is lent within so many seconds."""
    end = time.time() + seconds
    while not (claims := await frontier.claim(1, time.time())) and time.time() < end:
        await asyncio.sleep(0.02)
    return claims


def two_urls():
    return [Candidate(Url("http://a.test/1"), 2.0), Candidate(Url("http://a.test/2"), 1.0)]


async def test_while_a_guest_asks_a_host_no_worker_is_lent_a_url_of_it(shared):
    one, other, guests = shared
    await one.add(two_urls())
    async with guests.turn(HOST, DELAY) as wait:
        assert wait == 0
        assert await lent(one) == await lent(other) == []
        ended = time.time()
    assert await lent(other, 2)
    assert time.time() - ended >= DELAY - 0.01
    assert one.census().waiting == 1


async def test_a_guest_waits_until_the_url_that_is_lent_is_settled_and_the_host_has_rested(shared):
    one, other, guests = shared
    await one.add(two_urls())
    [claim] = await lent(one)

    async def settle():
        await asyncio.sleep(0.3)
        await one.settle(claim, Outcome("page"), [], time.time())
        return time.time()

    settling, begun = asyncio.create_task(settle()), time.time()
    async with guests.turn(HOST, DELAY) as wait:
        assert wait == 0
        assert time.time() >= max(await settling, begun + DELAY) - 0.01
        assert await lent(other) == []


async def test_a_guest_that_gets_no_turn_may_come_again(shared, monkeypatch):
    monkeypatch.setattr("thresher.frontier.guest_turns._PATIENCE", 0.3)
    one, _, guests = shared
    await one.add(two_urls())
    await lent(one)
    async with guests.turn(HOST, DELAY) as wait:
        assert wait > 0
    assert one.census().claimed == 1


async def test_a_guest_that_is_killed_keeps_the_host_only_for_its_lease(shared):
    one, other, guests = shared
    await one.add(two_urls())
    assert await guests._begun(HOST, DELAY) is not None  # and never ends
    assert await lent(one, 1) == []
    assert [claim.url for claim in await lent(other, 4)] == ["http://a.test/1"]
    assert one.census().waiting == 1  # nothing was counted twice


async def test_a_host_that_nobody_knew_can_be_asked_by_a_guest(shared):
    one, _, guests = shared
    async with guests.turn(Host("unknown.test"), DELAY) as wait:
        assert wait == 0
    assert one.census().waiting == 0


async def test_without_a_turn_the_guest_asks_nothing(shared, monkeypatch):
    monkeypatch.setattr("thresher.frontier.guest_turns._PATIENCE", 0.2)
    one, _, guests = shared
    asked = []

    class Web:
        async def fetch(self, url):
            asked.append(url)
            return Response(url, 200, (), b"", b"")

    await one.add(two_urls())
    [claim] = await lent(one)
    lock = HostLocks(SystemClock(), 10, guests)[HOST]
    robots = Url("http://a.test/robots.txt")
    refused = await lock.ask_as_guest(Web(), robots, DELAY)
    assert not isinstance(refused, Response | Failed)
    assert asked == []
    await one.settle(claim, Outcome("page"), [], time.time())
    await asyncio.sleep(DELAY)
    assert isinstance(await lock.ask_as_guest(Web(), robots, DELAY), Response)
    assert asked == [robots]
