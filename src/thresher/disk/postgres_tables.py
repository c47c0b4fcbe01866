"""The tables of a crawl in PostgreSQL, written to in the words that SQLite understands too.

`PostgresTables` is for a worker: what it writes is gathered, and sent with the end of its turn (`postgres_ledger`). `PostgresWriter` is for
whoever changes what was kept while he reads it: he writes at once, in a transaction that `commit` ends.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from thresher.disk.guarded_postgres import psycopg
from thresher.disk.postgres_ledger import PostgresLedger, no_writes, patiently
from thresher.disk.postgres_reader import PostgresReader, PostgresRows, by_name
from thresher.disk.shared_sql import Values, translated, translated_values

_LONGEST_SILENCE = "SET idle_in_transaction_session_timeout TO '10min'"


class PostgresTables:
    """The tables of a crawl, for one of its workers. What is read does not see what this turn has written."""

    def __init__(self, ledger: PostgresLedger) -> None:
        self._ledger = ledger

    @property
    def before_commit(self) -> list[Callable[[], None]]:
        """Called just before each turn is sent, in order."""
        return self._ledger.before_turn

    def read(self, sql: str, values: Values = (), /) -> PostgresRows:
        """Ask a question."""
        bound = _plain(translated_values(sql, values))
        cursor = patiently(lambda: self._ledger.asked(translated(sql), bound, by_name))
        return PostgresRows(lambda: cursor, lambda: iter(cursor))

    async def awaited_row(self, sql: str, values: Sequence[Any]) -> tuple[Any, ...]:
        """Ask for one row, while others work."""
        rows = await self._ledger.awaited_turn(translated(sql), _plain(values), no_writes())
        assert rows is not None
        return rows[0]

    def write(self, sql: str, values: Values = (), /) -> None:
        """Write with the turn."""
        self._ledger.write(translated(sql), _plain(translated_values(sql, values)))

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Write many rows with the turn."""
        for row in rows:
            self.write(sql, row)

    def write_last(self, sql: str, values: Values = (), /) -> None:
        """Write with the turn, after its claim is settled."""
        self._ledger.write_last(translated(sql), _plain(translated_values(sql, values)))

    @property
    def in_turn(self) -> bool:
        """Whether something was written that is not sent yet."""
        return self._ledger.in_turn

    @property
    def visit_waits(self) -> bool:
        """Whether a visit was written that is not sent yet."""
        return self._ledger.has_last

    def turn_ends(self) -> None:
        """Send what a turn has written that settles nothing."""
        if self._ledger.in_turn:
            writes = self._ledger.take()
            patiently(lambda: self._ledger.turn("SELECT", (), writes))

    commit = turn_ends

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Send all that is written inside as one."""
        self.turn_ends()
        yield
        self.turn_ends()


def _plain(values: Values) -> Any:
    """Values as text: then the server itself knows of which type each is, and one prepared statement serves all rows."""
    if isinstance(values, dict):
        return {name: _as_text(value) for name, value in values.items()}
    return tuple(map(_as_text, values))


def _as_text(value: Any) -> Any:
    if isinstance(value, str):
        # PostgreSQL has no NUL in a text, nor half of a surrogate pair.
        return value if value.isascii() and "\0" not in value else _sound(value)
    return str(value) if isinstance(value, int | float) else value


def _sound(text: str) -> str:
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


class PostgresWriter(PostgresReader):
    """A connection that reads one crawl, and changes what was kept."""

    def __init__(self, url: str, schema: str) -> None:
        super().__init__(url, schema)
        self.read = self.execute
        self.before_commit: list[Callable[[], None]] = []
        self._connection.execute(_LONGEST_SILENCE)

    def write(self, sql: str, values: Values = (), /) -> PostgresRows:
        """Write at once, inside the current transaction."""
        if self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            self.execute("BEGIN")
        return self.execute(sql, values)

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Write many rows at once."""
        for row in rows:
            self.write(sql, row)

    def turn_ends(self) -> None:
        """Keep what was written."""
        self.commit()

    def commit(self) -> None:
        """Keep what was written."""
        for last_write in self.before_commit:
            last_write()
        if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            self.execute("COMMIT")

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Keep all that is written inside as one, or nothing of it."""
        self.commit()
        try:
            yield
        except BaseException:
            with suppress(psycopg.Error):
                self._connection.rollback()
            raise
        self.commit()
