"""What was found out about urls, for pages that repeat the links of others."""

from collections.abc import Callable
from typing import Generic, TypeVar

from thresher.model import Url

Answer = TypeVar("Answer")

MOST = 1 << 16
"""Urls: the links of a thousand pages."""
LONGEST = 300
"""Characters of a url that is remembered."""
ROOM = 4_000_000
"""Characters of all of them."""


class Remembered(dict[Url, Answer], Generic[Answer]):
    """What a function says of each url: `remembered[url]`. When there is no room left, all is forgotten, and found out again.

    Not `lru_cache`: of a look-up there half the time goes into noting that this url is now the latest.
    """

    def __init__(self, ask: Callable[[Url], Answer]) -> None:
        super().__init__()
        self._ask = ask
        self._room = ROOM

    def __missing__(self, url: Url) -> Answer:
        """Find it out."""
        said = self._ask(url)
        if len(url) <= LONGEST:
            if len(self) >= MOST or self._room < 0:
                self.clear()
            self[url] = said
            self._room -= len(url)
        return said

    def clear(self) -> None:
        """Forget all."""
        super().clear()
        self._room = ROOM
