"""A crawl in PostgreSQL, as commands see it: whether it is there, its settings, who works on it, and its tables."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from types import TracebackType
from typing import Any, Self

from thresher.disk.folder import unfinished
from thresher.disk.guarded_postgres import PostgresPlace, psycopg
from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_ledger import MADE, PostgresLedger
from thresher.disk.postgres_reader import NotThere, PostgresReader
from thresher.disk.postgres_spares import SpareReaders
from thresher.disk.postgres_tables import PostgresWriter
from thresher.disk.shared_sql import translated
from thresher.errors import FolderLocked, LedgerError

_MADE = MADE.replace("%s", "?")
# Of a crawl that is still being copied here there are none.
_KEPT = "SELECT settings FROM ledger WHERE moving IS NULL"
_KEEP = "UPDATE ledger SET settings = %s"
_ALONE = "SELECT pg_try_advisory_lock(hashtext('thresher alone'), hashtext(?))"
_NOBODY_ELSE = "SELECT pg_try_advisory_lock(hashtext('thresher workers'), hashtext(?))"
_CHANGED = "SELECT * FROM what_was_kept()"


class PostgresHome:
    """A part of a database. One schema is one crawl."""

    def __init__(self, address: LedgerAddress, *, spares: bool = False) -> None:
        """Take the address of a crawl; with `spares`, connections are used again, and some wait for that for a while."""
        self.path = address
        self.place = PostgresPlace(address.url, address.schema)
        self._spares = SpareReaders(self.place) if spares else None
        self._lock: psycopg.Connection[Any] | None = None

    @property
    def name(self) -> str:
        """What files that are made of it are called after."""
        return self.path.name

    @property
    def settings_name(self) -> str:
        """How messages call its settings."""
        return f"the settings in {self.path}"

    @property
    def exists(self) -> bool:
        """Whether a crawl was started here."""
        return self._kept_settings() is not None

    @property
    def begun(self) -> bool:
        """Whether it has tables to read."""
        return self.exists

    @property
    def fault(self) -> str:
        """Why it is no crawl."""
        [(moving,)] = self._ask("SELECT moving FROM ledger") if self._made() else [(None,)]
        if moving:
            return unfinished(moving)
        return "holds no crawl: begin one with thresher crawl TOPIC --ledger, or name another by ?schema=NAME"

    def settings_text(self) -> str:
        """The settings that it goes on with, as a crawl file."""
        return self._kept_settings() or ""

    def write_settings(self, text: str) -> None:
        """Keep the settings for the next run, and for workers that join."""
        if text != self._kept_settings():
            with closing(PostgresLedger(self.path.url, schema=self.path.schema)) as ledger:
                ledger.safely(_KEEP, (text,))

    def check_empty(self) -> None:
        """Whoever makes the schema looks whether something else has its name."""

    def in_use(self) -> bool:
        """Whether a worker is there now."""
        return self.began() is not None

    def at_work(self) -> list[str]:
        """The workers that are there now, each by machine and process."""
        return [name for (name,) in self._ask("SELECT who_works()")] if self.exists else []

    def began(self) -> float | None:
        """When the first of the workers that are there began, in seconds since 1970; None if there is none."""
        if not self.exists:
            return None
        began: float | None = self._ask("SELECT first_began()")[0][0]
        return began

    def changed(self) -> object:
        """What differs after anything was kept."""
        return self._ask(_CHANGED) if self.exists else None

    def catalogue(self) -> PostgresReader:
        """Its tables, to be read."""
        return self._spares.take() if self._spares else PostgresReader(self.path.url, self.path.schema)

    @contextmanager
    def tables(self) -> Iterator[PostgresWriter]:
        """Its tables, to be written to."""
        with closing(PostgresWriter(self.path.url, self.path.schema)) as tables:
            yield tables
            tables.commit()

    def blaming_damage(self) -> AbstractContextManager[None]:
        """PostgreSQL itself looks after its files."""
        return nullcontext()

    def __enter__(self) -> Self:
        connection = self._connected()
        [(free,)] = connection.execute(translated(_ALONE), (self.path.schema,)).fetchall()
        if not free:
            connection.close()
            raise FolderLocked(f"{self.path} is in use by another thresher that changes what was kept")
        self._lock = connection
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            self._lock.close()

    def crawl(self) -> str:
        """What tells this crawl from all others, whatever they are called."""
        return str(self._ask("SELECT crawl FROM ledger")[0][0])

    def keep_workers_out(self) -> None:
        """Until it is unlocked. A worker that wants to join meanwhile waits."""
        assert self._lock is not None
        if self._lock.execute("SELECT pg_is_in_recovery()").fetchall() == [(True,)]:
            raise LedgerError(f"{self.path} is a replica, which knows of no workers: name the server that it follows")
        [(free,)] = self._lock.execute(translated(_NOBODY_ELSE), (self.path.schema,)).fetchall()
        if not free:
            raise FolderLocked(f"{self.path} is in use by workers: stop them first")

    def _made(self) -> bool:
        try:
            return bool(self._ask(_MADE, (self.path.schema,))[0][0])
        except NotThere:
            return False

    def _kept_settings(self) -> str | None:
        rows = self._ask(_KEPT) if self._made() else []
        return rows[0][0] if rows else None

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        if self._spares is not None:
            with closing(self._spares.take()) as reader:
                return reader.execute(sql, values).fetchall()
        with closing(self._connected()) as connection:
            try:
                return connection.execute(translated(sql), values).fetchall()
            except psycopg.Error as error:
                raise self.place.explained(error, lost=False) from error

    def _connected(self) -> "psycopg.Connection[Any]":
        """A connection for who need not know whether the crawl is there, or whole."""
        try:
            connection = psycopg.connect(
                self.path.url, autocommit=True, connect_timeout=10, application_name="thresher"
            )
            connection.execute(
                psycopg.sql.SQL("SET search_path TO {}").format(psycopg.sql.Identifier(self.path.schema))
            )
        except (psycopg.Error, OSError) as error:
            raise self.place.explained(error, lost=False) from error
        return connection
