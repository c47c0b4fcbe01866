"""A worker asks whether bytes were kept before, ahead of keeping them: what it then keeps is what it would have kept without."""

from contextlib import ExitStack

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'thresher[postgres]'")
from thresher.disk.crawl_home import home_of
from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.orders.shared_workplace import shared_workplace
from thresher.settings import Settings
from thresher.store import shared_catalogue
from thresher.testing.store_contract import StoreContract, answered, prose


@pytest.fixture
def opened(postgres, schema, tmp_path):
    PostgresLedger(postgres.url(), schema=schema).close()
    home, settings = home_of(LedgerAddress(postgres.url(), schema)), Settings(store={"place": str(tmp_path)})
    with ExitStack() as places:
        yield lambda: places.enter_context(shared_workplace(home, settings)).store


class TestSharedCatalogueThatLooksUp(StoreContract):
    """It keeps all promises of a store."""

    @pytest.fixture
    def store(self, opened):
        return looks_up(opened())

    @pytest.fixture
    def reopen(self, opened):
        def again(store):
            store.close()
            return looks_up(opened())

        return again


def looks_up(store):
    """Each answer is looked up before it is kept."""
    keep = store.keep

    async def looked_up(visit):
        if getattr(visit.fetched, "raw", None) is not None:
            await store.look_up(visit.fetched)
        return await keep(visit)

    store.keep = looked_up
    return store


@pytest.fixture
def pages():
    """Two pages with the same bytes."""
    return answered(1, prose(1), raw=b"the same"), answered(2, prose(1), raw=b"the same")


def questions(store):
    """What is asked of the server from now on while it is waited for."""
    asked, read = [], store.tables.read

    def noted(sql, *values):
        asked.append(sql)
        return read(sql, *values)

    store.tables.read = noted
    return asked


async def test_what_was_looked_up_is_not_searched_for_again(opened, pages):
    first, second = pages
    mine, others = opened(), opened()
    await others.keep(first)
    others.tables.turn_ends()
    await mine.look_up(second.fetched)
    asked = questions(mine)
    assert (await mine.keep(second)).duplicate_of == first.url
    assert asked == []


async def test_bytes_that_are_kept_after_they_were_looked_up_are_found(opened, pages):
    store = opened()
    first, second = pages
    for page in pages:
        await store.look_up(page.fetched)
    assert (await store.keep(first)).duplicate_of is None
    assert (await store.keep(second)).duplicate_of == first.url


async def test_bytes_that_are_kept_while_they_are_looked_up_are_found(opened, pages):
    store = opened()
    first, second = pages
    looking = store.look_up(second.fetched)
    looking.send(None)  # the question is on its way
    assert (await store.keep(first)).duplicate_of is None
    store.tables.turn_ends()
    with pytest.raises(StopIteration):
        looking.send(None)
    assert (await store.keep(second)).duplicate_of == first.url


async def test_a_server_that_is_away_is_left_to_whoever_keeps_the_page(opened, pages):
    store, other = opened(), opened()
    [(mine,)] = store.tables.read("SELECT pg_backend_pid()").fetchall()
    other.tables.read("SELECT pg_terminate_backend(?::integer)", (mine,)).fetchall()
    await store.look_up(pages[0].fetched)
    assert (await store.keep(pages[0])).duplicate_of is None


async def test_what_is_looked_up_and_never_kept_takes_no_memory_for_ever(opened, monkeypatch):
    monkeypatch.setattr(shared_catalogue, "_MOST_SEARCHES", 3)
    store = opened()
    for number in range(10):
        await store.look_up(answered(number, prose(number)).fetched)
    assert len(store._searches) <= 3
