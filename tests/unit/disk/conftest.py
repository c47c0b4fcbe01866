"""A ledger in PostgreSQL, and who looks at it from outside. Tests that need them skip by themselves where psycopg is not installed."""

import pytest


@pytest.fixture
def ledger(postgres, schema):
    from thresher.disk.postgres_ledger import PostgresLedger  # noqa: PLC0415 - psycopg is an extra

    ledger = PostgresLedger(postgres.url(), schema=schema)
    yield ledger
    ledger.close()


@pytest.fixture
def admin(postgres):
    import psycopg  # noqa: PLC0415 - it is an extra

    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        yield connection
