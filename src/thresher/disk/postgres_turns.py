"""Turns on their way to PostgreSQL: each is sent as a whole, and they are answered in the order in which they were sent.

The library's own pipeline waits for its answers. This one need not: a worker reads its next pages while the server works on the last one
(`answered`), and waits only where it must know what came out (`finish`). A turn is sent with its end, so that the server never holds a
lock for a worker that does something else meanwhile.
"""

import asyncio
import select
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from thresher.disk.guarded_postgres import psycopg
from thresher.disk.postgres_arrays import PackedArray
from thresher.disk.shared_sql import numbered

Row = tuple[Any, ...]
Statement = tuple[str, Sequence[Any] | Mapping[str, Any]]
_ARRIVED = psycopg.pq.ExecStatus.PIPELINE_SYNC
_ROWS = psycopg.pq.ExecStatus.TUPLES_OK
_BAD = frozenset({psycopg.pq.ExecStatus.FATAL_ERROR, psycopg.pq.ExecStatus.BAD_RESPONSE})
_TEXT, _BINARY = psycopg.pq.Format.TEXT, psycopg.pq.Format.BINARY
_OF_BYTES = 17
"""The type bytea, as the server numbers it."""


class SentTurn:
    """A turn that was sent."""

    def __init__(self, prepared: Sequence[str], asked: int) -> None:
        """Say which statements are prepared before it, and which of its own gives the rows that are wanted."""
        self.prepared, self.ends, self._asked = prepared, len(prepared) + 1, len(prepared) + asked
        self.results: list[psycopg.pq.abc.PGresult] = []
        self.lost: psycopg.Error | None = None
        """Why nobody knows what became of it."""
        self.waiter: asyncio.Future[None] | None = None

    @property
    def is_answered(self) -> bool:
        """Whether it is known what became of it, or that this will never be known."""
        return self.lost is not None or self.ends == 0

    def lose(self, error: psycopg.Error) -> None:
        """The connection is gone before the answer."""
        self.lost = error
        self.wake()

    def wake(self) -> None:
        """Whoever waits for the answer goes on."""
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def rows(self, connection: "psycopg.Connection[Any]") -> list[Row]:
        """What the wanted statement gave."""
        if self.lost is not None:
            raise self.lost
        for result in self.results:
            if result.status in _BAD:
                raise psycopg.errors.error_from_result(result)
        wanted = self.results[self._asked]
        if wanted.status != _ROWS or not wanted.nfields:
            return []
        reader = psycopg.adapt.Transformer(connection)
        reader.set_pgresult(wanted)
        return reader.load_rows(0, wanted.ntuples, tuple)


class TurnPipeline:
    """The turns of one connection. Between two of them the connection can be used as any other, after `finish`."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.connection = connection
        self._server, self._socket = connection.pgconn, connection.pgconn.socket
        self._sent: deque[SentTurn] = deque()
        self._prepared: dict[str, bytes] = {}
        """The names of the statements that the server knows."""
        self._numbers = count()
        self._loop: asyncio.AbstractEventLoop | None = None
        """Whose turn it is to tell when answers arrive; None while nobody waits."""

    def send(self, statements: Sequence[Statement], asked: int) -> SentTurn:
        """Send statements as one transaction."""
        bound = [_bound(sql, values) for sql, values in statements]
        try:
            if not self._sent and self._server.pipeline_status == psycopg.pq.PipelineStatus.OFF:
                self._server.enter_pipeline_mode()
            new = [each.sql for each in bound if self._prepare(each)]
            for each in bound:
                name = self._prepared[each.sql]
                self._server.send_query_prepared(name, each.values, param_formats=each.formats, result_format=_BINARY)
            self._server.pipeline_sync()
            sent = SentTurn(new, asked)
            self._sent.append(sent)
            self._flush()
        except BaseException as error:
            # Half of a turn may be on its way, without an end: it must never become part of another.
            self._break(error if isinstance(error, psycopg.Error) else psycopg.OperationalError(str(error)))
            raise
        return sent

    async def answered(self, turn: SentTurn) -> None:
        """Wait for the answer, while others work."""
        if not turn.is_answered:
            turn.waiter = asyncio.get_running_loop().create_future()
            self._watch(asyncio.get_running_loop())
            await turn.waiter

    def finish(self) -> None:
        """Wait until all are answered; whoever waits for one finds the answer there."""
        try:
            self._take()
            while self._sent:
                self._wait(select.POLLIN)
                self._server.consume_input()
                self._take()
            if self._server.pipeline_status != psycopg.pq.PipelineStatus.OFF:
                self._server.exit_pipeline_mode()
        except psycopg.Error as error:
            self._break(error)

    def close(self) -> None:
        """Nothing that is not answered by now will be."""
        self._break(psycopg.OperationalError("the connection was closed"))

    def _prepare(self, bound: "_Bound") -> bool:
        """Make a statement known to the server, unless it is; by itself, so that it stays known if the turn is undone."""
        if bound.sql in self._prepared:
            return False
        name = self._prepared[bound.sql] = b"thresher_%d" % next(self._numbers)
        self._server.send_prepare(name, bound.sql.encode(), bound.types)
        self._server.pipeline_sync()
        return True

    def _flush(self) -> None:
        while self._server.flush():
            # The server may wait until we have read what it said before.
            self._wait(select.POLLIN | select.POLLOUT)
            self._server.consume_input()

    def _wait(self, event: int) -> None:
        ready = select.poll()
        ready.register(self._socket, event)
        ready.poll()

    def _take(self) -> None:
        """Take what has arrived."""
        while self._sent and not self._server.is_busy():
            result = self._server.get_result()
            if result is not None:
                self._sort(result, self._sent[0])
            elif self._server.status == psycopg.pq.ConnStatus.BAD:
                raise psycopg.OperationalError("the connection is lost")
        if not self._sent:
            self._watch(None)

    def _sort(self, result: "psycopg.pq.abc.PGresult", turn: SentTurn) -> None:
        """What arrives belongs to the first turn that is not answered, until its last end arrives."""
        if result.status != _ARRIVED:
            turn.results.append(result)
            return
        turn.ends -= 1
        if turn.ends == 0:
            self._sent.popleft()
            self._forget_refused(turn)
            turn.wake()

    def _forget_refused(self, turn: SentTurn) -> None:
        """What the server could not prepare is tried again another time."""
        for sql, result in zip(turn.prepared, turn.results, strict=False):
            if result.status in _BAD:
                del self._prepared[sql]

    def _arrived(self) -> None:
        try:
            self._server.consume_input()
            self._take()
        except psycopg.Error as error:
            self._break(error)

    def _watch(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Be told of what arrives, or no more."""
        if loop is self._loop:
            return
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
        self._loop = loop
        if loop is not None:
            loop.add_reader(self._socket, self._arrived)

    def _break(self, error: psycopg.Error) -> None:
        """Nothing more comes: the connection is of no use any more."""
        self._watch(None)
        self.connection.close()
        while self._sent:
            self._sent.popleft().lose(error)


class _Bound(NamedTuple):
    """A statement with its values, as the server gets them."""

    sql: str
    values: list[bytes | None]
    formats: list[int]
    types: list[int]


def _bound(sql: str, values: Sequence[Any] | Mapping[str, Any]) -> _Bound:
    in_places, names = numbered(sql)
    in_order = [values[name] for name in names] if isinstance(values, Mapping) else values
    as_sent = [_as_sent(value) for value in in_order]
    return _Bound(in_places, *map(list, zip(*as_sent, strict=True))) if as_sent else _Bound(in_places, [], [], [])


def _as_sent(value: Any) -> tuple[bytes | None, int, int]:
    """A value, its format and its type. Where that is 0 the server knows from the statement what is meant."""
    if value is None:
        return None, _TEXT, 0
    if isinstance(value, bytes):
        return value, _BINARY, value.type_number if isinstance(value, PackedArray) else _OF_BYTES
    if isinstance(value, bool):
        return b"t" if value else b"f", _TEXT, 0
    text = str(value).encode()
    if b"\0" in text:  # libpq would take it for the end
        raise psycopg.DataError("a text for PostgreSQL must have no NUL in it")
    return text, _TEXT, 0
