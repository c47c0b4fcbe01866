"""A crawl in PostgreSQL that is being filled: its tables are marked as unfinished, and rows go in by COPY."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Self

from thresher.disk.guarded_postgres import PostgresPlace, psycopg
from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.disk.table_loader import Moved
from thresher.errors import ThresherError

_SETTINGS = """
    SET search_path TO {schema};
    SET synchronous_commit TO off;
    SET jit TO off;
    SET client_min_messages TO warning"""
# The commit waits for the disk, and so for all that was written before.
_SAFELY = "SET synchronous_commit TO on"
_COMPLETE = "UPDATE ledger SET moving = NULL, settings = %s"


class PostgresLoader:
    """Fills a crawl. Until `complete` nobody else can read it, and a loader from the same place begins anew."""

    def __init__(self, address: LedgerAddress, whence: str) -> None:
        self._place = PostgresPlace(address.url, address.schema)
        with closing(PostgresLedger(address.url, schema=address.schema, moving=whence)):
            pass
        self._connection = self._connected()

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Moved]) -> None:
        """Add rows to a table."""
        if not rows:
            return
        named = psycopg.sql.SQL(", ").join(psycopg.sql.Identifier(name.strip('"')) for name in columns)
        into = psycopg.sql.SQL("COPY {} ({}) FROM STDIN").format(psycopg.sql.Identifier(table), named)
        try:
            with self._connection.cursor() as cursor, cursor.copy(into) as copy:
                for row in rows:
                    copy.write_row(row)
        except (psycopg.Error, OSError) as error:
            raise self._explained(error) from error

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Do something else to the tables."""
        try:
            self._connection.execute(sql, values or None)
        except (psycopg.Error, OSError) as error:
            raise self._explained(error) from error

    def complete(self, settings: str) -> None:
        """Keep the settings, with which it is a crawl like all others, and safe from a crash of the server."""
        self.run(_SAFELY)
        self.run(_COMPLETE, (settings,))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _connected(self) -> "psycopg.Connection[Any]":
        try:
            connection = psycopg.connect(
                self._place.url, autocommit=True, connect_timeout=10, application_name="thresher", keepalives_idle=30
            )
            schema = psycopg.sql.Identifier(self._place.schema)
            connection.execute(psycopg.sql.SQL(_SETTINGS).format(schema=schema))
        except (psycopg.Error, OSError) as error:
            raise self._place.explained(error) from error
        return connection

    def _explained(self, error: Exception) -> ThresherError:
        local = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        return self._place.explained(error, lost=local or self._connection.closed)
