"""Urls over which a hand may have been lost: whoever did it is found by asking for them again, one at a time."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

_MOST = 10_000
_OFFENCES = 3


class Suspects:
    """The suspects of one hand, each with the number of hands that were lost over it."""

    def __init__(self) -> None:
        self._losses: dict[str, int] = {}
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncIterator[None]:
        """While a url is asked for. No two suspects are, so that the innocent come through."""
        if url not in self._losses:
            yield
            return
        async with self._turn:
            yield

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
