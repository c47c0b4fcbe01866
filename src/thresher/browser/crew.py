"""Keeps a Chromium at hand: the first page starts it, and another takes over when it died, is worn, or holds too much memory."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

from thresher.browser.chromium import Chromium, NoBrowser, held
from thresher.browser.options import BrowserOptions

_LOOK_EVERY = 0.5
_MEGABYTE = 1 << 20
_PAUSES = (0.2, 1.0)
"""Seconds between tries to start one."""
_AGAIN_AFTER = 60.0
"""Seconds after which a browser that could not be started is tried again."""


class Crew:
    """The browser that pages are rendered in, and those that are on their way out."""

    def __init__(self, options: BrowserOptions, program: str) -> None:
        self._options, self._program = options, program
        self._current: Chromium | None = None
        self._starting = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._running: set[Chromium] = set()
        self._failed = -_AGAIN_AFTER
        self.too_large = 0
        """Pages whose process was ended because of its memory, and that were not told yet."""

    @contextlib.asynccontextmanager
    async def lent(self) -> AsyncIterator[Chromium]:
        """A browser that is alive, for one page; raises `NoBrowser`."""
        async with self._starting:
            chromium = await self._ready()
            chromium.users += 1
            chromium.pages += 1
        try:
            yield chromium
        finally:
            chromium.users -= 1
            if chromium is not self._current and not chromium.users:
                self._end(chromium)

    async def close(self) -> None:
        """End all browsers."""
        if self._watch is not None:
            self._watch.cancel()
        current, self._current = self._current, None
        if current is not None:
            self._end(current)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _ready(self) -> Chromium:
        chromium = self._current
        if chromium is not None and (not chromium.alive or chromium.pages >= self._options.restart):
            self._current = None
            if not chromium.users:
                self._end(chromium)
            chromium = None
        return chromium or await self._started()

    async def _started(self) -> Chromium:
        if time.monotonic() - self._failed < _AGAIN_AFTER:
            raise NoBrowser("it could not be started a moment ago")
        try:
            chromium = await self._start()
        except NoBrowser:
            self._failed = time.monotonic()
            raise
        self._current = chromium
        self._running.add(chromium)
        if self._watch is None:
            self._watch = asyncio.ensure_future(self._look_after())
        return chromium

    async def _start(self) -> Chromium:
        """Start one. Whatever ended it at its beginning may have been meant for another."""
        for pause in _PAUSES:
            with contextlib.suppress(NoBrowser):
                return await Chromium.start(self._options, self._program)
            await asyncio.sleep(pause)
        return await Chromium.start(self._options, self._program)

    def _end(self, chromium: Chromium) -> None:
        ending = asyncio.ensure_future(chromium.stop())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        self._running.discard(chromium)

    async def _look_after(self) -> None:
        """Look at the memory of all browsers now and then. The largest page goes first; a browser without pages goes itself."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for chromium in list(self._running):
                if await asyncio.to_thread(_trim, chromium, self._options.memory * _MEGABYTE):
                    self.too_large += 1


def _trim(chromium: Chromium, most: int) -> bool:
    """End the process of the largest page if all processes hold too much; whether one was ended."""
    processes = chromium.processes()
    sizes = {process: held(process) for process in processes}
    if sum(sizes.values()) <= most:
        return False
    largest = max((each for each, is_page in processes.items() if is_page), key=lambda each: sizes[each], default=None)
    if largest is None or sizes[largest] < most // 8:
        chromium.kill()
        return False
    chromium.kill(largest)
    return True
