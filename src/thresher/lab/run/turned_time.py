"""An event loop in which nothing takes time but what sleeps: when all tasks wait, the clock is turned to the next moment that one awaits.

with asyncio.Runner(loop_factory=TurnedLoop) as runner:
    runner.run(hours())            # in milliseconds, and always in the same order
"""

import asyncio
from selectors import DefaultSelector, SelectorKey

_START = 1.7e9


class _NeverWaits(DefaultSelector):
    """Instead of waiting for so many seconds, it lets them pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """What is ready; with nothing to wait for but other threads, it waits for them."""
        found = super().select(None if timeout is None else 0)
        if not found and timeout is not None:
            self.now += timeout
        return found


class TurnedLoop(asyncio.SelectorEventLoop):
    """An event loop of which the time is turned."""

    def __init__(self) -> None:
        self._turned = _NeverWaits()
        super().__init__(self._turned)

    def time(self) -> float:
        """Seconds since it began."""
        return self._turned.now


class LoopClock:
    """The time of an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Seconds since 1970."""
        return _START + self._loop.time()

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)
