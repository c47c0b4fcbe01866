"""Every store keeps the same promises."""

import pytest

from thresher.disk.ledger import Ledger
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
        from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
        from thresher.disk.postgres_tables import PostgresTables  # noqa: PLC0415
        from thresher.store.shared_catalogue import SharedCatalogue  # noqa: PLC0415

        ledgers = []

        def again():
            ledgers.append(PostgresLedger(postgres.url(), schema=schema))
            tables = PostgresTables(ledgers[-1])
            return SharedCatalogue(tables, warc_writer(tables, tmp_path), lambda: warc_paths(tables.read, tmp_path))

        yield again
        for ledger in ledgers:
            ledger.close()

    @pytest.fixture
    def store(self, opened):
        store = opened()
        yield store
        store.close()

    @pytest.fixture
    def reopen(self, opened):
        def again(store):
            store.close()
            return opened()

        return again
