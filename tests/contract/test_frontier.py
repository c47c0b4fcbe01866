import itertools

import pytest

from thresher.disk.ledger import Ledger
from thresher.frontier import MemoryFrontier, SqliteFrontier
from thresher.testing.durable_frontier import DurableFrontierContract
from thresher.testing.frontier import FrontierContract


class TestMemory(FrontierContract):
    @pytest.fixture
    def open_frontier(self):
        return MemoryFrontier


class TestSqlite(DurableFrontierContract):
    @pytest.fixture
    def open_frontier(self, tmp_path):
        ledgers, names = [], itertools.count()

        def open_frontier(*, again=False, **options):
            if again:
                ledgers[-1].commit()
                ledgers[-1]._connection.close()
                path = ledgers[-1].path
            else:
                path = tmp_path / f"{next(names)}.sqlite"
            ledgers.append(Ledger(path))
            return SqliteFrontier(ledgers[-1], **options)

        yield open_frontier
        for ledger in ledgers:
            ledger._cancel_alarm()
            ledger._connection.close()


class TestPostgres(DurableFrontierContract):
    @pytest.fixture
    def open_frontier(self, postgres, schema):
        from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra
        from thresher.frontier.postgres import PostgresFrontier  # noqa: PLC0415

        ledgers, names = [], itertools.count()

        def open_frontier(*, again=False, **options):
            if again:
                ledgers[-1].close()
            name = ledgers[-1].place.schema if again else f"{schema}_{next(names)}"
            ledgers.append(PostgresLedger(postgres.url(), schema=name))
            return PostgresFrontier(ledgers[-1], turned=True, **options)

        yield open_frontier
        for ledger in ledgers:
            ledger.close()
