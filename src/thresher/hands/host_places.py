"""Places of hosts in memory that the hands of one crawl share, so that two hands never ask one host at the same time.

Each hand spaces the requests to its own hosts. But a robots.txt may redirect to a host of another hand, and a page that a browser shows
may ask for what is there. Such a request is a guest (`polite/host_locks.py`). So whoever asks a host holds its place meanwhile, and notes
there when it left and how long nobody should follow it.

A place is held by a lock of the system, which is dropped when the process is killed. Such locks hold against other processes and not
against this one, so each process counts who of it is in a place. Within a hand `HostLock` keeps apart who asks the same host.

Hosts with the same hash share a place. They belong to the same hand, so that hands never meet over the pages of two hosts; guests may have
to wait for another host's requests, and those for a guest's.
"""

import asyncio
import fcntl
import mmap
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from xxhash import xxh3_64_intdigest

from thresher.hands.watchdog import bytes_to_share
from thresher.model import Host

_PLACES = 1 << 14
"""For the hosts of one hand."""
_ENDED, _FREE, _GUEST_LEFT, _AWAITED = range(4)
"""What a place holds, in seconds of `time.monotonic()`, which all processes of a machine share: when the latest request ended; from when a
guest may ask; when the latest guest's request ended; until when a guest waits for the requests of the hand to end."""
_FIELDS = 4
_BYTES = 8
_PATIENCE = 10.0
"""Seconds for which a guest waits until nobody else is at the host."""
_AGAIN = 5.0
"""After so many seconds a guest that got no turn may try again."""
_LOOK_EVERY = 0.05
_AWAITED_FOR = 4 * _LOOK_EVERY
"""How long a guest is waited for after its latest look. One that was killed holds up nobody for longer."""
_TOO_EARLY = 0.001
"""An event loop may wake up so many seconds before the time."""
_SOONEST = 0.25
"""Seconds after which a page that met a guest is tried again, if its host needs no pause."""


def number_of(host: Host) -> int:
    """A number of a host, from which follow its hand and its place."""
    return xxh3_64_intdigest(host.encode())


def shared_memory(hands: int) -> int:
    """Memory with the places of a crawl, as a file descriptor that hands inherit. What nobody uses takes no room."""
    return bytes_to_share("thresher-hosts", hands * _PLACES * _FIELDS * _BYTES)


class HostPlaces:
    """The places, as one process sees them: turns for guests, and what the hand's own requests need to know of guests."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # Written and read eight bytes at once, so that nobody sees half of a number.
        self._times = memoryview(mmap.mmap(descriptor, 0)).cast("d")
        self._count = len(self._times) // _FIELDS
        self._here: Counter[int] = Counter()
        """How many requests of this process are in each place."""

    @asynccontextmanager
    async def turn(self, host: Host, pause: float) -> AsyncIterator[float]:
        """A guest's turn of a host, when the pause is over; 0, or the seconds after which it may be tried again."""
        place = self._place(host)
        if not await self._entered(place):
            yield _AGAIN
            return
        try:
            pause = max(pause, self._owed(place))
            while left := self._left(place, pause):  # noqa: ASYNC110 - another process may ask for more meanwhile
                await asyncio.sleep(left + _TOO_EARLY)
            self._note(place, pause, guest=True)
            yield 0.0
        finally:
            self._note(place, pause, guest=True)
            self._leave(place)

    def begin(self, host: Host, pause: float) -> float:
        """A request that the frontier knows of begins: 0, or the seconds to wait because of a guest."""
        place = self._place(host)
        if self._times[place + _AWAITED] > time.monotonic() or not self._enter(place):
            return max(pause, _SOONEST)  # the guest has not asked yet, or asks now: the pause comes after that
        if (wait := self._left_of_guest(place, pause)) > 0:
            self._leave(place)
            return wait
        self._note(place, pause)
        return 0.0

    def end(self, host: Host, pause: float) -> None:
        """The request that was begun has ended."""
        place = self._place(host)
        self._note(place, pause)
        self._leave(place)

    def rest(self, host: Host, pause: float) -> None:
        """What a host asks for was learnt. A guest that waits already learns it too."""
        place = self._place(host)
        self._times[place + _FREE] = max(self._times[place + _FREE], self._times[place + _ENDED] + pause)

    def close(self) -> None:
        """The system lets go of all when the process ends; until then requests that are cancelled still note their ends."""

    def _place(self, host: Host) -> int:
        """Where the place of a host begins. There are as many places for each hand, so hosts of one place have the same hand."""
        return number_of(host) % self._count * _FIELDS

    async def _entered(self, place: int) -> bool:
        """Come in when nobody of another hand is there; False if that takes too long. Meanwhile the other hand begins no request."""
        end = time.monotonic() + _PATIENCE
        while not self._enter(place):
            if (now := time.monotonic()) > end:
                return False
            self._times[place + _AWAITED] = now + _AWAITED_FOR
            await asyncio.sleep(_LOOK_EVERY)
        self._times[place + _AWAITED] = 0.0
        return True

    def _enter(self, place: int) -> bool:
        """Come in if nobody of another hand is there."""
        if not self._here[place]:
            try:
                fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place * _BYTES)
            except OSError:
                return False
        self._here[place] += 1
        return True

    def _leave(self, place: int) -> None:
        self._here[place] -= 1
        if not self._here[place]:
            del self._here[place]
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, place * _BYTES)

    def _note(self, place: int, pause: float, *, guest: bool = False) -> None:
        """A request begins or has ended, and nobody should ask for the pause. At its beginning too, since its hand may be killed."""
        times, now = self._times, time.monotonic()
        times[place + _ENDED] = now
        times[place + _FREE] = max(times[place + _FREE], now + pause)
        if guest:
            times[place + _GUEST_LEFT] = now

    def _owed(self, place: int) -> float:
        """The pause that the latest to ask wanted, who may know of a crawl-delay."""
        return self._times[place + _FREE] - self._times[place + _ENDED]

    def _left(self, place: int, pause: float) -> float:
        """How much is left of the pause since the latest request."""
        free = max(self._times[place + _FREE], self._times[place + _ENDED] + pause)
        return max(free - time.monotonic(), 0.0)

    def _left_of_guest(self, place: int, pause: float) -> float:
        """How much is left of the pause, if the latest to ask was a guest: of the hand's own requests the frontier keeps account."""
        guest = self._times[place + _GUEST_LEFT] >= self._times[place + _ENDED] > 0
        return self._left(place, pause) if guest else 0.0
