"""The inbox of a crawl in PostgreSQL: a table. Any of the workers carries an order out, one worker at a time."""

import time
from contextlib import closing

from thresher.disk.crawl_home import Home
from thresher.disk.postgres_home import PostgresHome
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.errors import BadInput, LedgerLost
from thresher.orders.inbox_reader import AT_ONCE, InboxLook
from thresher.orders.order import MOST_BYTES, Order, to_bytes

NAME = "table"
"""By this name `carried_out` knows the orders of the table."""
_EVERY = 1.0
"""Seconds between two looks."""
_MOST = 10_000
_WAITING = """
    SELECT EXISTS (SELECT FROM given WHERE number > (SELECT coalesce(max(number), 0) FROM carried_out WHERE inbox = 'table'))
"""
_LOCK = "SELECT pg_try_advisory_lock(hashtext('thresher orders'), hashtext(current_schema()))"
_UNLOCK = "SELECT pg_advisory_unlock(hashtext('thresher orders'), hashtext(current_schema()))"
_GIVEN = f"""
    SELECT number, CASE WHEN length(said) <= {MOST_BYTES} THEN said END FROM given
    WHERE number > (SELECT coalesce(max(number), 0) FROM carried_out WHERE inbox = 'table') ORDER BY number LIMIT {AT_ONCE}
"""  # noqa: S608 - numbers of our own
_GIVE = "SELECT give_order(%s, %s)"


class TableInbox:
    """Looks for orders, and sees to it that no other worker carries them out meanwhile."""

    def __init__(self, ledger: PostgresLedger) -> None:
        self._ledger = ledger
        self._next = 0.0
        self._locked = False

    def changed(self) -> bool:
        """Whether an order waits. Asked again within a second, it is not looked for."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + _EVERY
        try:
            [(waits,)] = self._ledger.read(_WAITING)
        except LedgerLost:
            return False
        return bool(waits)

    def look(self, after: dict[str, int]) -> InboxLook | None:  # noqa: ARG002 - what others carried out is in the database
        """The first orders that nobody has carried out; None if another worker is at it."""
        try:
            [(self._locked,)] = self._ledger.read(_LOCK)
            given = self._ledger.read(_GIVEN) if self._locked else []
        except LedgerLost:
            return None
        return InboxLook(NAME, [(number, bytes(said or b"")) for number, said in given]) if self._locked else None

    def look_again(self) -> None:
        """There may be more."""
        self._next = 0.0

    def looked(self) -> None:
        """What was found is carried out: let others look."""
        if self._locked:
            self._locked = False
            try:
                self._ledger.read(_UNLOCK)
            except LedgerLost:
                return  # the lock went with the connection


def give_to(home: Home, order: Order) -> int:
    """Put an order into the table: its number, when it is kept."""
    assert isinstance(home, PostgresHome)
    with closing(PostgresLedger(home.path.url, schema=home.path.schema)) as ledger:
        [(number,)] = ledger.safely(_GIVE, (to_bytes(order), _MOST))
    if number is None:
        raise BadInput(f"{_MOST:,} orders wait in {home.path} already: start a worker, which carries them out")
    return int(number)
