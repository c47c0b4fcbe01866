"""The server keeps a turn, and its word of that is lost on the way: the turn is sent again, whatever else the worker does meanwhile."""

import asyncio
import time
from dataclasses import replace

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from tests.crawl.cutting_proxy import cutting_proxy

from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_home import PostgresHome
from thresher.model import Candidate, Outcome
from thresher.orders.shared_workplace import shared_workplace
from thresher.settings import Settings
from thresher.testing.store_contract import answered, prose

PAGE = Outcome("page")
SYNC = b"S\0\0\0\4"
"""How the end of a turn is sent: the server keeps the turn then, and says so."""


@pytest.fixture
def proxy(postgres):
    with cutting_proxy(postgres.port) as proxy:
        yield proxy


@pytest.fixture
def place(postgres, proxy, schema, tmp_path):
    address = postgres.url().replace(f":{postgres.port}/", f":{proxy.port}/")
    home = PostgresHome(LedgerAddress.of(f"{address}?schema={schema}"))
    with shared_workplace(home, Settings(store={"place": str(tmp_path / "warc")})) as place:
        yield place


async def claimed(place):
    """The frontier, and two visits that are under way."""
    frontier = place.make_frontier(delay=0.0, per_host=2)
    visits = [answered(number, prose(number)) for number in (1, 2)]
    await frontier.add([Candidate(visit.url, 1.0) for visit in visits])
    claims = {claim.url: claim for claim in await frontier.claim(2, time.time())}
    return frontier, [replace(visit, claim=claims[visit.url]) for visit in visits]


async def settling(place, proxy, frontier, visit):
    """Keep and settle a visit; the word that it is kept is lost, and it waits a moment before it is sent again."""
    await place.store.keep(visit)
    proxy.swallow = SYNC
    task = asyncio.create_task(frontier.settle(visit.claim, PAGE, [], time.time()))
    while proxy.swallow:
        await asyncio.sleep(0)
    return task


def kept(place):
    rows = place.ledger.read("SELECT url FROM visit ORDER BY number")
    settled = place.ledger.read("SELECT url FROM url WHERE state = 2")
    assert sorted(rows) == sorted(settled)
    return sorted(int(url.rpartition("/")[2]) for (url,) in rows)


async def test_the_turn_of_another_page_does_not_keep_it_twice(place, proxy):
    frontier, [one, two] = await claimed(place)
    first = await settling(place, proxy, frontier, one)
    await place.store.keep(two)
    await frontier.settle(two.claim, PAGE, [], time.time())
    await first
    assert kept(place) == [1, 2]


async def test_the_turn_of_a_page_that_is_held_no_more_does_not_lose_it(place, proxy):
    frontier, [one, two] = await claimed(place)
    await place.store.keep(one)
    proxy.swallow = b"FROM settle("
    proxy.before = True
    first = asyncio.create_task(frontier.settle(one.claim, PAGE, [], time.time()))
    while proxy.swallow:
        await asyncio.sleep(0)
    place.ledger.read("DELETE FROM lease WHERE key = (SELECT key FROM url WHERE url = %s)", (two.url,))
    await frontier.settle(two.claim, PAGE._replace(name="later", final=False), [], time.time())
    await first
    assert kept(place) == [1]


@pytest.mark.parametrize("before", [False, True])
async def test_the_first_page_of_a_worker_waits_for_the_server_too(place, proxy, before):
    """Its WARC file gets a number before anything else, for good."""
    frontier, [one, _] = await claimed(place)
    proxy.swallow, proxy.before = b"INSERT INTO warc", before
    await place.store.keep(one)
    assert not proxy.swallow
    await frontier.settle(one.claim, PAGE, [], time.time())
    assert kept(place) == [1]
    assert place.ledger.read("SELECT count(*) FROM warc") == [(1,)]
