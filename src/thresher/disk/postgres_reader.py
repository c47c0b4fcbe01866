"""A crawl in PostgreSQL, opened to be read: it answers the questions that are asked of a crawl's SQLite file, in the same words.

A question is put to the server when its first row is wanted. One that is gone through row by row, and does not say how many it wants, is
read in portions from a cursor of the server that holds its result: memory here does not grow with the crawl, no transaction stays open
meanwhile, and other questions can be asked in between.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar, Self

from thresher.disk.guarded_postgres import PostgresPlace, numeric, psycopg
from thresher.disk.postgres_ledger import FORMAT, has_rows
from thresher.disk.shared_sql import Values, translated, translated_values
from thresher.errors import BadInput, LedgerVersion, ThresherError

_SETTINGS = """
    SET search_path TO {schema};
    SET idle_in_transaction_session_timeout TO '10s';
    SET jit TO off;
    SET cursor_tuple_fraction TO 1;
    SET work_mem TO '64MB';
    SET client_min_messages TO warning"""
_CRAWLS = "SELECT schemaname FROM pg_tables WHERE tablename = 'ledger' ORDER BY schemaname"
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "application_name": "thresher",
    "keepalives_idle": 30,
    # Milliseconds after which a server that takes nothing any more, as behind a cable that was cut, counts as lost.
    "tcp_user_timeout": 20_000,
}
_NAMES = count(1)
"""Of cursors: one of an earlier reader may still be open on the same connection."""
_PORTION = 2000
"""Rows that are fetched at a time."""
_MOST_NAMED = 5
_TEXT = 25
_NO_NUL = "\N{REPLACEMENT CHARACTER}".encode()


class PostgresRow(tuple[Any, ...]):
    """A row, by the places and by the names of its columns."""

    __slots__ = ()
    places: ClassVar[dict[str, int]] = {}

    def __getitem__(self, key: Any) -> Any:
        """A value by the place or the name of its column."""
        return tuple.__getitem__(self, self.places[key] if isinstance(key, str) else key)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self.places)


class PostgresRows:
    """What a question found, or will find: it is asked when the first row is wanted."""

    def __init__(self, ask: Callable[[], "psycopg.Cursor[Any]"], portions: Callable[[], Iterator[Any]]) -> None:
        """Take two ways to ask: for all rows at once, or for a portion at a time."""
        self._ask, self._portions = ask, portions
        self._asked: psycopg.Cursor[Any] | None = None

    @property
    def description(self) -> Any:
        """For each column a sequence that begins with its name."""
        return self.asked().description

    def asked(self) -> "psycopg.Cursor[Any]":
        """Ask for all rows at once, if it has not been asked."""
        if self._asked is None:
            self._asked = self._ask()
        return self._asked

    def fetchone(self) -> Any:
        """The next row, or None."""
        cursor = self.asked()
        return cursor.fetchone() if has_rows(cursor) else None

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        cursor = self.asked()
        return cursor.fetchall() if has_rows(cursor) else []

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchone, None) if self._asked is not None else self._portions()


class NotThere(BadInput):
    """The database has no crawl of that name."""


class PostgresReader:
    """A connection that reads one crawl."""

    views: object = None
    _moving = ""

    def __init__(self, url: str, schema: str, *, moving: str = "") -> None:
        """Connect. `moving` is from where a crawl is copied here, for who copies it: to all others it is not there yet."""
        self.place, self._moving = PostgresPlace(url, schema), moving
        self._open()

    def _open(self) -> None:
        try:
            self._connection: psycopg.Connection[Any] = psycopg.connect(self.place.url, autocommit=True, **_PATIENCE)
        except (psycopg.Error, OSError) as error:
            raise self.place.explained(error) from error
        try:
            self._begin()
        except (psycopg.Error, OSError) as error:
            explained = self._explained(error)
            self._leave()
            raise explained from error
        except BaseException:
            self._leave()
            raise

    def execute(self, sql: str, values: Values = (), /) -> PostgresRows:
        """Ask a question, in the words that SQLite understands too."""
        asked, bound = translated(sql, self.place.schema), translated_values(sql, values)
        question = _is_question(asked)
        rows = PostgresRows(
            lambda: self._all(asked, bound),
            lambda: (
                self._in_portions(asked, bound)
                if question and not _is_bounded(asked)
                else iter(self._all(asked, bound))
            ),
        )
        if not question:
            self.views = None
            rows.asked()
        return rows

    def close(self) -> None:
        """Leave."""
        self._leave()

    def _leave(self) -> None:
        with suppress(psycopg.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self) -> None:
        connection = self._connection
        self.place.check(connection)
        adapt(connection)
        connection.row_factory = by_name
        connection.execute(psycopg.sql.SQL(_SETTINGS).format(schema=psycopg.sql.Identifier(self.place.schema)))
        self._check_made()

    def _check_made(self) -> None:
        """A reader makes nothing: the crawl must be there, in our format."""
        crawls = [name for (name,) in self._connection.execute(_CRAWLS)]
        if self.place.schema not in crawls:
            raise NotThere(f"{self.place.name} is not there: {_choices(crawls)}")
        # With the name of the schema: where that may not be used, the server says so.
        asked = translated("SELECT format, moving FROM main.ledger", self.place.schema)
        [(found, moving)] = self._connection.execute(asked)
        self.place.check_format(found, FORMAT)
        self.place.check_complete(moving, self._moving)
        if found < FORMAT:
            raise LedgerVersion(
                f"{self.place.name} has the older format {found}: let a worker open it, which renews it"
            )

    def _all(self, sql: str, values: Values) -> "psycopg.Cursor[Any]":
        try:
            return self._connection.execute(sql, values, binary=True)
        except (psycopg.Error, OSError) as error:
            raise self._explained(error) from error

    def _in_portions(self, sql: str, values: Values) -> Iterator[Any]:
        try:
            with self._connection.cursor(f"portions_{next(_NAMES)}", withhold=True) as cursor:
                cursor.itersize = _PORTION
                cursor.execute(sql, values, binary=True)
                yield from cursor
        except (psycopg.Error, OSError) as error:
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> ThresherError:
        local = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        return self.place.explained(error, lost=local or self._connection.closed)


def adapt(connection: "psycopg.Connection[Any]") -> None:
    """Let a connection give and take the types that SQLite does. Numbers are `bigint`, whatever their size; texts are `text`."""
    connection.adapters.register_dumper(int, numeric.Int8BinaryDumper)
    connection.adapters.register_dumper(str, _TextDumper)
    connection.adapters.register_loader("numeric", _SumLoader)


class _TextDumper(psycopg.adapt.Dumper):
    """PostgreSQL has no NUL in a text."""

    oid = _TEXT

    def dump(self, obj: str) -> bytes:
        return obj.encode().replace(b"\0", _NO_NUL)


class _SumLoader(numeric.NumericBinaryLoader):
    """The sum of whole numbers is one; any other is a float."""

    def load(self, data: Any) -> Any:
        number = super().load(data)
        return int(number) if number.as_tuple().exponent == 0 else float(number)


def by_name(cursor: "psycopg.Cursor[Any]") -> Callable[[Any], Any]:
    """Makes rows whose columns have names."""
    # Not by its `description`, which is slow, but for that of a cursor of the server.
    result = cursor.pgresult
    if result is None or not result.nfields:
        return _row_type(tuple(column.name for column in cursor.description or ()))
    return _row_type(tuple((result.fname(place) or b"").decode() for place in range(result.nfields)))


@lru_cache(256)
def _row_type(names: tuple[str, ...]) -> type[PostgresRow]:
    # Of several columns of one name it is the first, as in SQLite.
    places = {name: place for place, name in reversed(list(enumerate(names)))}
    return type("PostgresRow", (PostgresRow,), {"__slots__": (), "places": {name: places[name] for name in names}})


def _is_question(sql: str) -> bool:
    return sql.lstrip()[:6].upper().startswith(("SELECT", "WITH"))


def _is_bounded(sql: str) -> bool:
    """Whether a question says how many rows it wants."""
    return "LIMIT" in sql


def _choices(crawls: list[str]) -> str:
    if not crawls:
        return "there is no crawl in that database"
    more = f" and {len(crawls) - _MOST_NAMED} more" if len(crawls) > _MOST_NAMED else ""
    return f"that database has {', '.join(crawls[:_MOST_NAMED])}{more}"
