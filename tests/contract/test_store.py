"""Every store keeps the same promises."""

from contextlib import ExitStack

import pytest

from thresher.disk.ledger import Ledger
from thresher.settings import Settings
from thresher.store.catalogue import Catalogue
from thresher.store.memory_store import MemoryStore
from thresher.testing.store_contract import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self):
        return MemoryStore()


class TestCatalogue(StoreContract):
    @pytest.fixture
    def ledgers(self):
        opened = []
        yield opened
        for ledger in opened:
            ledger.close()

    @pytest.fixture
    def store(self, tmp_path, ledgers):
        ledgers.append(Ledger(tmp_path / "crawl.sqlite"))
        store = Catalogue(ledgers[-1], tmp_path / "warc")
        yield store
        store.close()

    @pytest.fixture
    def reopen(self, tmp_path, ledgers):
        def again(store):
            store.close()
            ledgers.pop().close()
            ledgers.append(Ledger(tmp_path / "crawl.sqlite"))
            return Catalogue(ledgers[-1], tmp_path / "warc")

        return again


class TestSharedCatalogue(StoreContract):
    @pytest.fixture
    def opened(self, postgres, schema, tmp_path):
        from thresher.disk.crawl_home import home_of  # noqa: PLC0415
        from thresher.disk.ledger_address import LedgerAddress  # noqa: PLC0415
        from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
        from thresher.orders.shared_workplace import shared_workplace  # noqa: PLC0415

        PostgresLedger(postgres.url(), schema=schema).close()
        home, settings = home_of(LedgerAddress(postgres.url(), schema)), Settings(store={"place": str(tmp_path)})
        with ExitStack() as places:
            yield lambda: places.enter_context(shared_workplace(home, settings)).store

    @pytest.fixture
    def store(self, opened):
        return opened()

    @pytest.fixture
    def reopen(self, opened):
        def again(store):
            store.close()
            return opened()

        return again
