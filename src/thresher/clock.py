"""Time, which tests and the lab can turn."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Wall-clock seconds and a way to let them pass."""

    def now(self) -> float:
        """Seconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)


class FakeClock:
    """A clock that moves only when somebody sleeps or turns it."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        """Seconds since 1970."""
        return self._now

    def turn(self, seconds: float) -> None:
        """Move the hands."""
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        """Move the hands and let others run."""
        self._now += seconds
        await asyncio.sleep(0)
