"""Turns of hosts for requests that the frontier does not know of, such as a robots.txt that redirects to another host.

Where workers of several machines share a crawl, any of them may be asking that host. So a guest takes a lease of the host, as a url does
that is lent: meanwhile nobody else asks it, and not for the delay afterwards. Guests are rare. Each process that fetches connects for
itself, when the first one comes.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thresher.disk.ledger_address import LedgerAddress
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.errors import LedgerLost
from thresher.model import Host

_PATIENCE = 10.0
"""Seconds for which a turn is waited for. Two urls whose hosts redirect to each other would wait for each other for ever."""
_AGAIN = 5.0
"""After so many seconds somebody who got no turn may try again."""
_LONGEST = 1.0
_BEGIN = "SELECT wait, token FROM begin_guest(%s::text, %s::float8)"
_END = "SELECT end_guest(%s::bigint, %s::float8)"


class LedgerGuests:
    """Turns that the server gives."""

    def __init__(self, address: LedgerAddress) -> None:
        self._address = address
        self._ledger: PostgresLedger | None = None

    @asynccontextmanager
    async def turn(self, host: Host, pause: float) -> AsyncIterator[float]:
        """A turn of a host; 0, or the seconds after which it may be tried again."""
        token = await self._begun(host, pause)
        if token is None:
            yield _AGAIN
            return
        try:
            yield 0.0
        finally:
            self._ended(token, pause)

    def begin(self, host: Host, pause: float) -> float:  # noqa: ARG002 - the url was lent, so no guest is there
        """A request that the frontier knows of need not wait: it has its turn from the server, as guests have."""
        return 0.0

    def end(self, host: Host, pause: float) -> None:
        """The frontier is told of its end."""

    def rest(self, host: Host, pause: float) -> None:
        """The frontier is told of that too."""

    def close(self) -> None:
        """Leave."""
        if self._ledger is not None:
            self._ledger.close()

    async def _begun(self, host: Host, pause: float) -> int | None:
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                [(wait, token)] = self._opened().safely(_BEGIN, (host, pause))
            except LedgerLost:
                return None
            if token is not None:
                return int(token)
            if time.monotonic() + wait > end:
                return None
            await asyncio.sleep(min(max(wait, 0.05), _LONGEST))

    def _ended(self, token: int, pause: float) -> None:
        try:
            self._opened().safely(_END, (token, pause))
        except LedgerLost:
            return  # its lease runs out

    def _opened(self) -> PostgresLedger:
        if self._ledger is None:
            self._ledger = PostgresLedger(self._address.url, schema=self._address.schema)
        return self._ledger
