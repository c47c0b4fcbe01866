"""A crawl in PostgreSQL: a schema of its own, one connection a worker, and turns that are kept as a whole or not at all.

What a turn writes is gathered (`write`, `write_last`) and sent with its own statement (`turn`) as one transaction, in one exchange with the
server. So no lock is held while nobody speaks: a worker that is stopped in the middle of a turn holds up no other. If the connection
is lost, the same turn can be sent again: its last statement must say itself whether it was kept before. Whoever may have to wait for that
takes the writes of his turn first (`take`), so that they mix with no other turn meanwhile.

A turn that is awaited lets others work meanwhile (`postgres_turns`). Whoever only reads waits for the server as the SQLite ledger waits
for the disk, and first for the turns that are on their way: so he sees what they wrote.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeVar

from thresher.disk.guarded_postgres import PostgresPlace, psycopg
from thresher.disk.postgres_turns import Row, SentTurn, Statement, TurnPipeline
from thresher.disk.schemas import schema as schema_of
from thresher.errors import BadInput, LedgerError, LedgerLost, ThresherError

FORMAT = 1
"""The format of tables and functions; any change of either is a new one."""
_SCHEMAS = (
    "postgres",
    "postgres_frontier",
    "postgres_lending",
    "postgres_taking_in",
    "postgres_store",
    "postgres_working",
    "postgres_search",
)
_MIGRATIONS: dict[int, str] = {}
"""For each older format the SQL that makes the next one of it."""
_REFUSED = "TH001"
"""The SQLSTATE by which a statement of ours says that its turn must not be kept."""
Durability = Literal["fast", "safe"]
_SYNCHRONOUS: dict[Durability, str] = {"fast": "off", "safe": "on"}
_SETTINGS = """
    SET search_path TO {schema};
    SET synchronous_commit TO {synchronous};
    SET idle_in_transaction_session_timeout TO '10s';
    SET jit TO off;
    SET client_min_messages TO warning"""
_SAFELY = "SET LOCAL synchronous_commit TO on"
# By its columns: somebody else may have a table of that name.
MADE = """
    SELECT count(*) = 2 FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(%s) || '.ledger') AND attname IN ('format', 'crawl')
"""
"""Whether there is a crawl under that name."""
_STRANGER = "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(%s))"

PATIENCE = 60.0
"""Seconds for which a server that does not answer is waited for."""
_T = TypeVar("_T")


class Writes(NamedTuple):
    """What one turn has written."""

    first: list[Statement]
    last: list[Statement]
    """Sent after the statement that ends the turn."""

    def __bool__(self) -> bool:
        return bool(self.first or self.last)


def no_writes() -> Writes:
    """Those of a turn that has written nothing."""
    return Writes([], [])


class PostgresLedger:
    """A connection to a crawl. It is made again when it was lost."""

    def __init__(
        self, url: str, *, schema: str = "thresher", durability: Durability = "fast", moving: str = ""
    ) -> None:
        """Connect, and make the crawl if it is not there.

        Args:
            url: the server and the database.
            schema: the name of the crawl.
            durability: whether a turn waits for the disk of the server.
            moving: from where a crawl is copied here: then what an earlier try left is removed first, and no other may be there.
        """
        if durability not in _SYNCHRONOUS:
            raise BadInput(f"durability is {durability!r}, but must be fast or safe")
        self.place = PostgresPlace(url, schema)
        self._moving = moving
        self.on_connect: list[Callable[[], None]] = []
        """Called with each new connection, before anything else is asked."""
        self.connections = 0
        """How often it was connected."""
        self.before_turn: list[Callable[[], None]] = []
        """Called before a turn is sent, in order: last writes that belong to it."""
        self._synchronous = _SYNCHRONOUS[durability]
        self._writes = no_writes()
        self._pipeline: TurnPipeline | None = None
        self._connected()

    def crawl(self) -> str:
        """What tells this crawl from all others, whatever they and their servers are called."""
        [(crawl,)] = self.read("SELECT crawl::text FROM ledger")
        return str(crawl)

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Ask by itself, outside the turn; it does not see what the turn has written so far."""
        pipeline = self._at_rest()
        try:
            return _fetched(pipeline.connection.execute(sql, values, prepare=True, binary=True))
        except (psycopg.Error, OSError) as error:
            raise self._explained(error, pipeline) from error

    def asked(self, sql: str, values: Any, row_factory: Any) -> "psycopg.Cursor[Any]":
        """The same as a cursor whose rows are made by somebody else."""
        pipeline = self._at_rest()
        try:
            return pipeline.connection.cursor(row_factory=row_factory).execute(sql, values, prepare=True, binary=True)
        except (psycopg.Error, OSError) as error:
            raise self._explained(error, pipeline) from error

    def safely(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """The same for what all workers build on: it survives a crash of the server, whatever the durability."""
        pipeline = self._at_rest()
        try:
            with pipeline.connection.transaction():
                pipeline.connection.execute(_SAFELY)
                return _fetched(pipeline.connection.execute(sql, values, binary=True))
        except (psycopg.Error, OSError) as error:
            raise self._explained(error, pipeline) from error

    def write(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Something that belongs to the turn: it is kept when the turn is."""
        self._writes.first.append((sql, values))

    def write_last(self, sql: str, values: Sequence[Any] = ()) -> None:
        """The same, after the statement that ends the turn: for what all workers wait for, so that its locks last but a moment."""
        self._writes.last.append((sql, values))

    @property
    def in_turn(self) -> bool:
        """Whether something was written that is not sent yet."""
        return bool(self._writes)

    @property
    def has_last(self) -> bool:
        """Whether something waits to be sent at the end of the turn."""
        return bool(self._writes.last)

    def take(self) -> Writes:
        """What the turn has written, for whoever ends it: what is written next belongs to another turn."""
        for last_write in self.before_turn:
            last_write()
        taken, self._writes = self._writes, no_writes()
        return taken

    def turn(self, sql: str, values: Sequence[Any] = (), writes: Writes | None = None) -> list[Row] | None:
        """End a turn with a statement: all of it in one transaction. None if the statement refuses: then nothing of the turn is kept.

        After LedgerLost the turn may be kept or not, and may be sent again by whoever has taken its writes.
        """
        pipeline, sent = self._send(sql, values, self.take() if writes is None else writes)
        pipeline.finish()
        return self._answer(pipeline, sent)

    async def awaited_turn(self, sql: str, values: Sequence[Any], writes: Writes) -> list[Row] | None:
        """The same, while others work."""
        pipeline, sent = self._send(sql, values, writes)
        await pipeline.answered(sent)
        return self._answer(pipeline, sent)

    def _send(self, sql: str, values: Sequence[Any], writes: Writes) -> tuple[TurnPipeline, SentTurn]:
        pipeline = self._connected()
        try:
            return pipeline, pipeline.send([*writes.first, (sql, values), *writes.last], len(writes.first))
        except (psycopg.Error, OSError) as error:
            raise self._explained(error, pipeline) from error

    def _answer(self, pipeline: TurnPipeline, sent: SentTurn) -> list[Row] | None:
        try:
            return sent.rows(pipeline.connection)
        except psycopg.Error as error:
            if error.sqlstate == _REFUSED:
                return None
            raise self._explained(error, pipeline) from error

    def forget_turn(self) -> None:
        """What the turn wrote so far is not kept."""
        self._writes = no_writes()

    def close(self) -> None:
        """Leave. What was not sent as a turn is gone; what was sent and is not answered may be."""
        self.forget_turn()
        self._drop(self._pipeline)

    def _explained(self, error: Exception, pipeline: TurnPipeline) -> ThresherError:
        # What does not come from the server is said by the library of a connection that is broken, or that it cannot make sense of.
        local = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        lost = local or pipeline.connection.closed
        explained = self.place.explained(error, lost=bool(lost))
        if lost or isinstance(explained, LedgerLost):
            self._drop(pipeline)
        return explained

    def _drop(self, pipeline: TurnPipeline | None) -> None:
        """Close a connection. Another one may have been made since."""
        if pipeline is not None:
            with suppress(psycopg.Error):
                pipeline.close()
        if self._pipeline is pipeline:
            self._pipeline = None

    def _at_rest(self) -> TurnPipeline:
        """The connection, when all turns are answered: for the library, which knows nothing of them."""
        pipeline = self._connected()
        pipeline.finish()
        return self._connected()

    def _connected(self) -> TurnPipeline:
        if self._pipeline is not None and self._pipeline.connection.closed:
            self._drop(self._pipeline)
        if self._pipeline is None:
            again = bool(self.on_connect)
            try:
                self._pipeline = TurnPipeline(self._opened())
            except (psycopg.Error, OSError) as error:
                # A server that was there before is waited for, whatever it says.
                raise self.place.explained(error, lost=again) from error
            self.connections += 1
            try:
                for call in self.on_connect:
                    call()
            except BaseException:
                self._drop(self._pipeline)
                raise
        return self._pipeline

    def _opened(self) -> "psycopg.Connection[Row]":
        connection: psycopg.Connection[Row] = psycopg.connect(
            self.place.url, autocommit=True, connect_timeout=10, application_name="thresher", keepalives_idle=30
        )
        try:
            self.place.check(connection)
            settings = psycopg.sql.SQL(_SETTINGS)
            connection.execute(
                settings.format(
                    schema=psycopg.sql.Identifier(self.place.schema), synchronous=psycopg.sql.SQL(self._synchronous)
                )
            )
            self._make_schema(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_schema(self, connection: "psycopg.Connection[Row]") -> None:
        """Make what is missing, or bring an older format up to ours. One worker at a time."""
        name = self.place.schema
        with connection.transaction():
            connection.execute(_SAFELY)
            connection.execute("SELECT pg_advisory_xact_lock(hashtext('thresher schema'), hashtext(%s))", (name,))
            [(made,)] = connection.execute(MADE, (name,)).fetchall()
            if made and self._moving and self.connections == 0:
                self._remove_unfinished(connection)
                made = False
            if not made:
                self._make_all(connection)
                return
            # With the name of the schema: where that may not be used, the server says so.
            asked = psycopg.sql.SQL("SELECT format, moving FROM {}.ledger").format(psycopg.sql.Identifier(name))
            [(found, moving)] = connection.execute(asked).fetchall()
            self.place.check_format(found, FORMAT)
            self.place.check_complete(moving, self._moving)
            for older in range(found, FORMAT):
                connection.execute(schema_of(_MIGRATIONS[older]))
            if found < FORMAT:
                connection.execute("UPDATE ledger SET format = %s", (FORMAT,))

    def _make_all(self, connection: "psycopg.Connection[Row]") -> None:
        name = self.place.schema
        [(taken,)] = connection.execute(_STRANGER, (name,)).fetchall()
        if taken:
            raise LedgerError(
                f"{self.place.name}: something else is kept under that name; choose another name for the crawl"
            )
        connection.execute(psycopg.sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(psycopg.sql.Identifier(name)))
        for each in _SCHEMAS:
            connection.execute(schema_of(each))
        connection.execute("INSERT INTO ledger (format, moving) VALUES (%s, nullif(%s, ''))", (FORMAT, self._moving))

    def _remove_unfinished(self, connection: "psycopg.Connection[Row]") -> None:
        schema = psycopg.sql.Identifier(self.place.schema)
        asked = psycopg.sql.SQL("SELECT moving FROM {}.ledger").format(schema)
        [(moving,)] = connection.execute(asked).fetchall()
        if moving != self._moving:
            raise BadInput(f"{self.place.name} is there already: name another crawl by ?schema=NAME")
        connection.execute(psycopg.sql.SQL("DROP SCHEMA {} CASCADE").format(schema))


def patiently(ask: Callable[[], _T]) -> _T:
    """Ask until the server answers. Nothing else is done meanwhile: without the server nothing can be kept."""
    end, pause = time.monotonic() + PATIENCE, 0.05
    while True:
        try:
            return ask()
        except LedgerLost:
            if time.monotonic() > end:
                raise
        time.sleep(pause)
        pause = min(2 * pause, 2.0)


def has_rows(cursor: "psycopg.Cursor[Any]") -> bool:
    """Whether what was asked gives rows at all. Not by the cursor's `description`, which is made anew each time it is asked for."""
    return cursor.pgresult is not None and bool(cursor.pgresult.nfields)


def _fetched(cursor: "psycopg.Cursor[Row]") -> list[Row]:
    return cursor.fetchall() if has_rows(cursor) else []
