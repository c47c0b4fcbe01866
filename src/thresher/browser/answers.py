"""Scripts and data that pages asked for, fetched once and kept for the next page that asks."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from thresher.model import Failed, Fetched, Response, Url
from thresher.outcomes import redirect_target

Ask = Callable[[Url, Mapping[str, str]], Awaitable[Fetched]]
"""Fetches a url with more headers, as politely as any."""
Key = tuple[Url, str, str]
"""Url, `Origin` and `Accept`: an answer may depend on each."""

_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ENTRY = 1_000
"""About how many bytes an answer takes beside its body."""


@dataclass
class _Question:
    """What is being asked, and for how many pages."""

    task: asyncio.Task[Fetched]
    waiting: int = 0


class Answers:
    """Fetches for pages, follows redirects, and remembers what came whole, up to so many bytes: the oldest goes first."""

    def __init__(self, ask: Ask, most_bytes: int) -> None:
        self._ask, self._most = ask, most_bytes
        self._kept: OrderedDict[Key, Response] = OrderedDict()
        self._bytes = 0
        self._asked: dict[Key, _Question] = {}

    async def get(self, key: Key) -> Fetched:
        """What a url answers. Two pages that want the same at the same time ask once; what nobody waits for is asked no more."""
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        question = self._asked.get(key)
        if question is None:
            question = self._asked[key] = _Question(asyncio.ensure_future(self._fetch(key)))
            question.task.add_done_callback(lambda _: self._asked.pop(key, None))
        question.waiting += 1
        try:
            # A page that gives up must not take the answer from another that waits for it.
            return await asyncio.shield(question.task)
        finally:
            question.waiting -= 1
            if not question.waiting:
                self._asked.pop(key, None)
                question.task.cancel()

    async def close(self) -> None:
        """Give up what is under way."""
        asked = [question.task for question in self._asked.values()]
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    async def _fetch(self, key: Key) -> Fetched:
        url, origin, accept = key
        headers = {"Accept": accept} | ({"Origin": origin} if origin else {})
        fetched = await self._ask(url, headers)
        for _ in range(_HOPS):
            if not isinstance(fetched, Response) or fetched.status not in _REDIRECTS:
                break
            target = redirect_target(fetched)
            fetched = Failed("redirect-bad") if target is None else await self._ask(target, headers)
        else:
            return Failed("redirect-limit")
        if isinstance(fetched, Response) and fetched.status == 200:
            self._keep(key, fetched)
        return fetched

    def _keep(self, key: Key, response: Response) -> None:
        self._kept[key] = response
        self._bytes += _size(key, response)
        while self._bytes > self._most and self._kept:
            self._bytes -= _size(*self._kept.popitem(last=False))


def _size(key: Key, response: Response) -> int:
    body = len(response.body) + (0 if response.raw is response.body else len(response.raw))
    return _ENTRY + sum(map(len, key)) + body + sum(len(name) + len(value) for name, value in response.headers)
