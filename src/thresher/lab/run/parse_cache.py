"""A web that stands still need not be read again for every run: most of what a run costs is reading its pages."""

import time

from thresher.model import Page, Response, Url
from thresher.ports import Parser

_LINK_BYTES = 300
"""A link in memory: its tuple and its url."""


class ReadOnce:
    """A parser that remembers the pages it has read, by their url, until they take up so many bytes; about that, by estimate.

    What the reading cost is remembered too, so that a run can be charged for it whoever went before.
    """

    def __init__(self, parser: Parser, most_bytes: int = 256_000_000) -> None:
        self._parser = parser
        self._room = most_bytes
        self._read: dict[Url, tuple[Page, float]] = {}
        self.spared = 0.0
        """CPU seconds that would have gone by if every page had been read again."""

    def parse(self, response: Response) -> Page:
        """Read one response, or remember it."""
        known = self._read.get(response.url)
        if known is not None:
            self.spared += known[1]
            return known[0]
        start = time.process_time()
        page = self._parser.parse(response)
        if (size := _size(page)) <= self._room:
            self._room -= size
            self._read[response.url] = page, time.process_time() - start
        return page


def _size(page: Page) -> int:
    texts = (page.text, page.main)
    return sum(len(text) * (1 if text.isascii() else 2) for text in texts) + _LINK_BYTES * len(page.links)
