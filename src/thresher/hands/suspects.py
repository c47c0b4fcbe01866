"""Urls over which a hand may have been lost: whoever did it is found by asking for each again, and for nothing else meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

_MOST = 10_000
_OFFENCES = 3


class Suspects:
    """The suspects of one hand, each with the number of hands that were lost over it."""

    def __init__(self) -> None:
        self._losses: dict[str, int] = {}
        self._alone = asyncio.Lock()
        """Held while a suspect is asked for."""
        self._others = 0
        self._idle = asyncio.Event()
        """No url that is above suspicion is asked for."""
        self._idle.set()

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncIterator[None]:
        """While a url is asked for. A suspect is asked for alone, so that no innocent one pays for it, nor it for another."""
        if url in self._losses:
            async with self._alone:
                await self._idle.wait()
                yield
            return
        while self._alone.locked():
            async with self._alone:
                pass
        self._others += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._others -= 1
            if not self._others:
                self._idle.set()

    def acquit(self, url: str) -> None:
        """Its hand came through."""
        self._losses.pop(url, None)

    def accuse(self, urls: Iterable[str]) -> set[str]:
        """A hand was lost over one of these; which of them are guilty by now."""
        guilty = set()
        for url in urls:
            if len(self._losses) >= _MOST:
                self._losses.clear()
            self._losses[url] = self._losses.get(url, 0) + 1
            if self._losses[url] >= _OFFENCES:
                guilty.add(url)
                del self._losses[url]
        return guilty
