"""What every search engine can do, and how one that answers in pages is asked for enough of them."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from thresher.errors import NoAnswer


class Engine(Protocol):
    """Answers a few words with urls."""

    @property
    def name(self) -> str:
        """What it is called in messages and in a crawl file."""

    async def search(self, query: str, limit: int) -> list[str]:
        """At most so many urls as the engine spells them, the best first; `NoAnswer` or `BadInput` says who failed and why."""


async def paged(page: Callable[[int], Awaitable[list[str]]], limit: int, most: int, full: int = 1) -> list[str]:
    """The urls of pages 1, 2 … until there are enough, a page is not `full` or brings nothing new, or there were so many pages."""
    found: list[str] = []
    for number in range(1, most + 1):
        try:
            urls = await page(number)
        except NoAnswer:
            if not found:
                raise
            break  # a later page that is not to be had takes nothing from the first
        fresh = set(urls).difference(found)
        found += urls
        if not fresh or len(urls) < full or len(found) >= limit:
            break
    return found[:limit]
