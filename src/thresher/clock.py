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


class Stopwatch:
    """How long something has taken, without its pauses."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started = clock.now()
        self._paused: float | None = None

    @property
    def seconds(self) -> float:
        """So many until now, or until the pause that lasts."""
        return (self._clock.now() if self._paused is None else self._paused) - self._started

    def start(self) -> None:
        """Begin anew."""
        self._started, self._paused = self._clock.now(), None

    def pause(self) -> None:
        """Count no more. A pause that lasts goes on."""
        if self._paused is None:
            self._paused = self._clock.now()

    def go_on(self) -> float:
        """Count again; how long the pause was."""
        lasted = 0.0 if self._paused is None else self._clock.now() - self._paused
        self._started, self._paused = self._started + lasted, None
        return lasted
