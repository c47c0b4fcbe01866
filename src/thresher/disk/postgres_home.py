"""A crawl in PostgreSQL, as commands see it: whether it is there, its settings, who works on it, and its tables."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from types import TracebackType
from typing import Any, Self

from thresher.disk.guarded_postgres import PostgresPlace
from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.disk.postgres_reader import NotThere, PostgresReader
from thresher.disk.postgres_spares import SpareReaders
from thresher.disk.postgres_tables import PostgresWriter
from thresher.errors import FolderLocked

SETTINGS = "settings"
"""The name under which a crawl in PostgreSQL remembers its settings."""
_KEEP = "INSERT INTO state (name, value) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_ALONE = "SELECT pg_try_advisory_lock(hashtext('thresher alone'), hashtext(?))"
# Visits, orders and what came of them, labels, later looks, and later judgements.
_CHANGED = """
    SELECT visits, (SELECT max(number) FROM given), (SELECT max(number) FROM carried_out), (SELECT max(at) FROM label),
        (SELECT count(*) FROM label), (SELECT max(number) FROM revisit), (SELECT max(done) FROM rejudging)
    FROM totals"""


class PostgresHome:
    """A part of a database. One schema is one crawl."""

    def __init__(self, address: LedgerAddress, *, spares: bool = False) -> None:
        """Take the address of a crawl; with `spares`, connections are used again, and some wait for that for a while."""
        self.path = address
        self.place = PostgresPlace(address.url, address.schema)
        self._spares = SpareReaders(self.place) if spares else None
        self._lock: PostgresReader | None = None

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
        return "holds no crawl: begin one with thresher crawl TOPIC --ledger, or name another by ?schema=NAME"

    def settings_text(self) -> str:
        """The settings that it goes on with, as a crawl file."""
        return (self._kept_settings() or b"").decode()

    def write_settings(self, text: str) -> None:
        """Keep the settings for the next run, and for workers that join."""
        if text.encode() != self._kept_settings():
            with closing(PostgresLedger(self.path.url, schema=self.path.schema)) as ledger:
                ledger.safely(_KEEP, (SETTINGS, text.encode()))

    def check_empty(self) -> None:
        """Whoever makes the schema looks whether something else has its name."""

    def in_use(self) -> bool:
        """Whether a worker is there now."""
        return self.began() is not None

    def at_work(self) -> list[str]:
        """The workers that are there now, each by machine and process."""
        return [name for (name,) in self._ask("SELECT name FROM at_work ORDER BY number")] if self.exists else []

    def began(self) -> float | None:
        """When the first of the workers that are there began, in seconds since 1970; None if there is none."""
        if not self.exists:
            return None
        began: float | None = self._ask("SELECT min(began) FROM at_work")[0][0]
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
        lock = PostgresReader(self.path.url, self.path.schema)
        [(free,)] = lock.execute(_ALONE, (self.path.schema,)).fetchall()
        if not free:
            lock.close()
            raise FolderLocked(f"{self.path} is in use by another thresher that changes what was kept")
        self._lock = lock
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            self._lock.close()

    def _kept_settings(self) -> bytes | None:
        try:
            rows = self._ask("SELECT value FROM state WHERE name = ?", (SETTINGS,))
        except NotThere:
            return None
        return bytes(rows[0][0]) if rows else None

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with closing(self.catalogue()) as reader:
            return reader.execute(sql, values).fetchall()
