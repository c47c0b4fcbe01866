"""Connections to one crawl in PostgreSQL that are used again, for a program that asks every second, such as the window.

To connect costs the server a process. So whoever has read gives his connection back, and the next one takes it. A few wait, for some
seconds; then they are closed. None of them is in a transaction.
"""

import time
from contextlib import suppress
from threading import Lock, Timer
from typing import Any, NamedTuple

from thresher.disk.guarded_postgres import PostgresPlace, psycopg
from thresher.disk.postgres_reader import PostgresReader
from thresher.errors import LedgerError

_MOST = 4
"""Connections that wait: one look of the window takes three at a time."""
_IDLE = 15.0
"""Seconds that they wait."""
_AWAY = 2.0
"""Seconds after a server could not be reached in which nobody else waits for it."""


class _Spare(NamedTuple):
    connection: "psycopg.Connection[Any]"
    views: object
    """Which temporary views it has."""
    since: float


class SpareReader(PostgresReader):
    """A reader whose connection is given back when it is closed."""

    def __init__(self, spares: "SpareReaders", spare: _Spare | None) -> None:
        self.place, self._spares, self._closed = spares.place, spares, False
        if spare is None:
            self._open()
        else:
            self._connection, self.views = spare.connection, spare.views

    def close(self) -> None:
        """Give the connection back."""
        if not self._closed:
            self._closed = True
            self._spares.give_back(self._connection, self.views)


class SpareReaders:
    """The connections of one crawl that wait to be used again. Any thread may ask for one."""

    def __init__(self, place: PostgresPlace) -> None:
        self.place = place
        self._waiting: list[_Spare] = []
        self._lock = Lock()
        self._timer: Timer | None = None
        self._away: tuple[float, LedgerError] | None = None

    def take(self) -> SpareReader:
        """A reader: with a connection that waits and works, else with a new one."""
        while (spare := self._next()) is not None:
            if _answers(spare.connection):
                return SpareReader(self, spare)
            spare.connection.close()
        if self._away is not None and time.monotonic() < self._away[0]:
            raise type(self._away[1])(*self._away[1].args)
        try:
            reader = SpareReader(self, None)
        except LedgerError as error:
            self._away = time.monotonic() + _AWAY, error
            raise
        self._away = None
        return reader

    def give_back(self, connection: "psycopg.Connection[Any]", views: object) -> None:
        """Keep a connection for the next one, unless there are enough, or it is of no use."""
        if _is_tidy(connection, views):
            with self._lock:
                if len(self._waiting) < _MOST:
                    self._waiting.append(_Spare(connection, views, time.monotonic()))
                    self._look_later()
                    return
        connection.close()

    def close(self) -> None:
        """Close those that wait."""
        while (spare := self._next()) is not None:
            spare.connection.close()

    def _next(self) -> _Spare | None:
        with self._lock:
            return self._waiting.pop() if self._waiting else None

    def _look_later(self) -> None:
        if self._timer is None:
            self._timer = Timer(_IDLE, self._close_idle)
            self._timer.daemon = True
            self._timer.start()

    def _close_idle(self) -> None:
        """Close those that nobody has used for a while."""
        oldest = time.monotonic() - _IDLE
        with self._lock:
            idle = [each for each in self._waiting if each.since <= oldest]
            self._waiting = [each for each in self._waiting if each.since > oldest]
            self._timer = None
            if self._waiting:
                self._look_later()
        for each in idle:
            each.connection.close()


def _answers(connection: "psycopg.Connection[Any]") -> bool:
    """Whether the server is still there."""
    with suppress(psycopg.Error, OSError):
        connection.execute("")
        return True
    return False


def _is_tidy(connection: "psycopg.Connection[Any]", views: object) -> bool:
    """Whether somebody else can use it: what one reader made for himself is taken away."""
    with suppress(psycopg.Error, OSError):
        if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            return False
        if views is None:
            connection.execute("DISCARD TEMP")
            connection.execute("DISCARD PLANS")
        return True
    return False
