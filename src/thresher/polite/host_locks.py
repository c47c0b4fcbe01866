"""One lock for each host: a request that the frontier does not know of waits for its turn, and others wait for it.

The frontier spaces the requests to the host whose page is wanted. But a robots.txt may redirect to another host, which
another worker may be asking at that moment. Such a request is a *guest* there. Where several processes ask the same hosts, a guest also
needs a turn from what they share (`Guests`): hands of one crawl share places of hosts in memory, and workers of several machines a ledger.
"""

import asyncio
from collections import OrderedDict
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from thresher.clock import Clock
from thresher.model import Fetched, Host, Later, Url
from thresher.ports import Fetcher
from thresher.urls import host_of


class Guests(Protocol):
    """Turns of hosts for requests that the frontier does not know of, where other processes ask the same hosts."""

    def turn(self, host: Host, pause: float) -> AbstractAsyncContextManager[float]:
        """A turn for as long as the block lasts, after which nobody asks for the pause: 0, or seconds to wait if none is to be had."""

    def begin(self, host: Host, pause: float) -> float:
        """A request that the frontier knows of begins: 0, or seconds to wait because a guest is there or just was.

        After it guests keep away for the pause. Unless it must wait, it ends with `end`.
        """

    def end(self, host: Host, pause: float) -> None:
        """The request that was begun has ended."""

    def rest(self, host: Host, pause: float) -> None:
        """What a host asks for was learnt after a request to it: guests keep away for that long."""

    def close(self) -> None:
        """Let go of what was opened."""


class HostLock:
    """The requests to one host."""

    __slots__ = ("_clock", "_ended", "_guest_left", "_guests", "_idle", "_pause", "_running", "_turn")

    def __init__(self, clock: Clock, guests: Guests | None = None) -> None:
        self._clock, self._guests = clock, guests
        self._running = 0
        self._ended = -float("inf")
        self._guest_left = -float("inf")
        self._pause = 0.0
        """Seconds without a request that the latest guest wants before and after its own."""
        self._turn = asyncio.Lock()
        """Held by a guest."""
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def quiet(self) -> bool:
        """Whether no request is running or waiting."""
        return not self._running and not self._turn.locked()

    async def ask(self, fetcher: Fetcher, url: Url, pause: float = 0.0) -> Fetched:
        """Ask in the turn that the frontier gave; `Later` if the pause after a guest's request is not over.

        After it, guests of other processes keep away for the pause.
        """
        while self._turn.locked():
            async with self._turn:
                pass
        if wait := self._left_of_pause(self._guest_left):
            return Later("robots-asked", wait)
        return await (self._fetch(fetcher, url) if self._guests is None else self._announced(fetcher, url, pause))

    async def ask_as_guest(self, fetcher: Fetcher, url: Url, pause: float) -> Fetched:
        """Ask when no other request is running and the pause is over; after it, nobody asks for the same pause."""
        async with self._turn:
            await self._idle.wait()
            self._pause = pause
            if wait := self._left_of_pause(self._ended):
                await self._clock.sleep(wait)
            try:
                return await self._in_shared_turn(fetcher, url, pause)
            finally:
                self._guest_left = self._ended

    async def _announced(self, fetcher: Fetcher, url: Url, pause: float) -> Fetched:
        """Ask if no guest of another process is there, and let none come meanwhile."""
        assert self._guests is not None
        host = host_of(url)
        if wait := self._guests.begin(host, pause):
            return Later("robots-asked", wait)
        try:
            return await self._fetch(fetcher, url)
        finally:
            self._guests.end(host, pause)

    async def _in_shared_turn(self, fetcher: Fetcher, url: Url, pause: float) -> Fetched:
        if self._guests is None:
            return await self._fetch(fetcher, url)
        async with self._guests.turn(host_of(url), pause) as wait:
            return Later("robots-asked", wait) if wait else await self._fetch(fetcher, url)

    def _left_of_pause(self, since: float) -> float:
        left = since + self._pause - self._clock.now()
        # More is left than there was: the clock was set back.
        return left if 0 < left <= self._pause else 0.0

    async def _fetch(self, fetcher: Fetcher, url: Url) -> Fetched:
        self._running += 1
        self._idle.clear()
        try:
            return await fetcher.fetch(url)
        finally:
            self._running -= 1
            self._ended = self._clock.now()
            if not self._running:
                self._idle.set()


class HostLocks:
    """The locks of the hosts that were asked lately."""

    def __init__(self, clock: Clock, remember: int, guests: Guests | None = None) -> None:
        self._clock, self._remember, self._guests = clock, remember, guests
        self._locks: OrderedDict[Host, HostLock] = OrderedDict()

    def __len__(self) -> int:
        return len(self._locks)

    def __getitem__(self, host: Host) -> HostLock:
        lock = self._locks.get(host)
        if lock is None:
            lock = self._locks[host] = HostLock(self._clock, self._guests)
            self._forget()
        else:
            self._locks.move_to_end(host)
        return lock

    def _forget(self) -> None:
        while len(self._locks) > self._remember and next(iter(self._locks.values())).quiet:
            self._locks.popitem(last=False)
