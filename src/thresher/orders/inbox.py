"""The inbox of a crawl, `orders.sqlite` in its folder: orders go in from any process, answers are read from the crawl's own file.

Whoever gives an order adds a row, and it is on the disk when `give` returns. The crawl only reads the inbox; what it carried out, and
the answer, stand in its own SQLite file, in the transaction of what the order changed. So nothing goes wrong if somebody removes the
inbox or puts another in its place.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import has_table
from thresher.disk.guarded_sqlite import SQLITE_ERRORS, read_only
from thresher.disk.schemas import schema
from thresher.errors import BadInput, FolderError
from thresher.orders.carried_out import Answer, answers_after, last_of
from thresher.orders.order import Order, to_bytes

NAME = "orders.sqlite"
HIGHEST = 1 << 53
"""Numbers of orders are below it: in milliseconds it is 285,000 years away."""
_MOST = 10_000
"""So many orders are kept. When there are more, those that were carried out are forgotten."""
_PATIENCE = 10.0
"""Seconds that somebody who gives an order waits for others who do."""
_STEPS = 10_000
"""SQLite is asked every so many steps whether it takes too long."""


def inbox_path(folder: CrawlFolder) -> Path:
    """Where the inbox of a crawl is."""
    return folder.path / NAME


def give(home: Home, order: Order) -> int:
    """Put an order into the inbox: its number, when it is kept. The crawl looks into the inbox four times a second."""
    if not home.exists:
        raise BadInput(f"{home.path} {home.fault}")
    if isinstance(home, CrawlFolder):
        return _give(home, to_bytes(order))
    from thresher.orders.table_inbox import give_to  # noqa: PLC0415 - psycopg is an extra

    return give_to(home, order)


def _give(folder: CrawlFolder, said: bytes) -> int:
    with written(inbox_path(folder)) as connection:
        number = _next_number(connection)
        _make_room(connection, folder)
        connection.execute("INSERT INTO given (number, said) VALUES (?, ?)", (number, said))
    return number


def _next_number(connection: sqlite3.Connection) -> int:
    (last,) = connection.execute("SELECT max(number) FROM given WHERE typeof(number) = 'integer'").fetchone()
    if last is not None and not 0 < last < HIGHEST - 1:
        raise sqlite3.DatabaseError("its numbers make no sense")
    return max((last or 0) + 1, time.time_ns() // 1_000_000)


def answers(home: Home, after: int = 0) -> list[Answer]:
    """What came of the orders with higher numbers, in their order; at most the latest thousand."""
    if not home.begun:
        return []
    with closing(home.catalogue()) as connection:
        return answers_after(connection.execute, after)


@contextmanager
def written(path: Path) -> Iterator[sqlite3.Connection]:
    """The inbox, to be written to in one transaction; made if it is not there."""
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
            # The journal is rolled back and no log: then a change shows in the file itself, which the crawl looks at.
            connection.execute("PRAGMA synchronous=FULL")
            _limit(connection)
            _make_tables(connection)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
    except SQLITE_ERRORS as error:
        raise _explained(error, path) from error


def _limit(connection: sqlite3.Connection) -> None:
    """End what takes too long: somebody may have put a table there that never ends."""
    end = time.monotonic() + 3 * _PATIENCE  # two waits for others, and its work
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)


def _make_tables(connection: sqlite3.Connection) -> None:
    if not all(has_table(connection.execute, name) for name in ("inbox", "given")):
        connection.executescript(f"BEGIN IMMEDIATE; {schema('orders_inbox')} COMMIT")


def _make_room(connection: sqlite3.Connection, folder: CrawlFolder) -> None:
    (count,) = connection.execute("SELECT count(*) FROM given").fetchone()
    if count < _MOST:
        return
    (name,) = connection.execute("SELECT name FROM inbox").fetchone()
    with closing(read_only(folder.database)) as catalogue:
        done = last_of(catalogue.execute, name)
    connection.execute("DELETE FROM given WHERE number < ?", (done,))
    (left,) = connection.execute("SELECT count(*) FROM given").fetchone()
    if left >= _MOST:
        raise BadInput(
            f"{_MOST:,} orders wait in {inbox_path(folder)} already: start the crawl, which carries them out"
        )


def _explained(error: Exception, path: Path) -> FolderError:
    why = " ".join(str(error).split())
    if isinstance(error, sqlite3.OperationalError) and "locked" in why:
        return FolderError(f"{path} is busy: others write into it all the time; try again")
    return FolderError(
        f"no order can be put into {path}: {why}; if it is damaged, remove it: only orders that wait are lost"
    )
