"""Who is at a host's door: a request that the frontier does not know of waits for its turn, and others wait for it.

The frontier spaces the requests to the host whose page is wanted. A robots.txt that redirects to another host leads to
a door where another worker may be standing.
"""

import asyncio
from collections import OrderedDict

from thresher.clock import Clock
from thresher.model import Fetched, Host, Later, Url
from thresher.ports import Fetcher


class Door:
    """The requests to one host."""

    __slots__ = ("_clock", "_ended", "_guest_left", "_idle", "_inside", "_pause", "_turn")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._inside = 0
        self._ended = -float("inf")
        self._guest_left = -float("inf")
        self._pause = 0.0
        """Seconds that the latest guest keeps before and after."""
        self._turn = asyncio.Lock()
        """Held by a guest."""
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def quiet(self) -> bool:
        """Whether nobody is inside or waits."""
        return not self._inside and not self._turn.locked()

    async def ask(self, fetcher: Fetcher, url: Url) -> Fetched:
        """Ask as the frontier says; `Later` if a guest was here too short a while ago."""
        while self._turn.locked():
            async with self._turn:
                pass
        wait = self._left_of_pause(self._guest_left)
        return Later("robots-asked", wait) if wait else await self._enter(fetcher, url)

    async def ask_as_guest(self, fetcher: Fetcher, url: Url, pause: float) -> Fetched:
        """Ask when nobody is inside and the pause is over; then let the same pause pass."""
        async with self._turn:
            await self._idle.wait()
            self._pause = pause
            if wait := self._left_of_pause(self._ended):
                await self._clock.sleep(wait)
            try:
                return await self._enter(fetcher, url)
            finally:
                self._guest_left = self._ended

    def _left_of_pause(self, since: float) -> float:
        left = since + self._pause - self._clock.now()
        # More is left than there was: the clock was set back.
        return left if 0 < left <= self._pause else 0.0

    async def _enter(self, fetcher: Fetcher, url: Url) -> Fetched:
        self._inside += 1
        self._idle.clear()
        try:
            return await fetcher.fetch(url)
        finally:
            self._inside -= 1
            self._ended = self._clock.now()
            if not self._inside:
                self._idle.set()


class Doors:
    """The doors used lately."""

    def __init__(self, clock: Clock, remember: int) -> None:
        self._clock, self._remember = clock, remember
        self._doors: OrderedDict[Host, Door] = OrderedDict()

    def __len__(self) -> int:
        return len(self._doors)

    def __getitem__(self, host: Host) -> Door:
        door = self._doors.get(host)
        if door is None:
            door = self._doors[host] = Door(self._clock)
            self._forget()
        else:
            self._doors.move_to_end(host)
        return door

    def _forget(self) -> None:
        while len(self._doors) > self._remember and next(iter(self._doors.values())).quiet:
            self._doors.popitem(last=False)
