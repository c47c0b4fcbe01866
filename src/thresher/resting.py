"""Where the workers of a crawl wait: until a page settles, until a host may be visited, until somebody wakes them."""

import asyncio
from collections import deque

from thresher.clock import Clock
from thresher.model import Census

LONGEST = 60.0
_SHORTEST = 0.005


class Resting:
    """Workers that wait, those that came first in front."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._parked: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._parked)

    async def rest(self, seconds: float) -> None:
        """Wait until woken, or until so many seconds have passed."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parked.append(woken)
        sleeper = asyncio.ensure_future(self._clock.sleep(max(min(seconds, LONGEST), _SHORTEST)))
        try:
            await asyncio.wait((woken, sleeper), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
            if not woken.done():
                self._parked.remove(woken)

    def wake_one(self) -> None:
        """Wake the one that waits longest. Whoever gets a claim wakes the next: as many wake as there is work for, no crowd for one url."""
        if self._parked:
            self._parked.popleft().set_result(None)

    def wake_all(self) -> None:
        """Wake all."""
        while self._parked:
            self.wake_one()


def what_for(census: Census) -> str:
    """What a crawl waits for while no host may be visited."""
    return f"{_some(census.waiting, 'url')} on {_some(census.resting, 'resting host')}"


def nothing_left(census: Census) -> str:
    """Why there is nothing to wait for."""
    closed = census.closed
    rest = (
        f"; {_some(closed, 'url')} {'is' if closed == 1 else 'are'} left on hosts that gave no answer or whose quota is used up"
        if closed
        else ""
    )
    return f"nothing is left to fetch{rest}"


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
