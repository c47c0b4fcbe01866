"""What is known of a kept page before it is looked at again: its validators, its bytes, what a person saw."""

import json
from collections.abc import Iterator
from hashlib import sha1
from typing import NamedTuple

from thresher.fetch import HttpFetcher
from thresher.model import Candidate, Fetched, Page, Response, Url
from thresher.results.archive import Archive
from thresher.store.duplicates import content_hash
from thresher.warc.record import Earlier

_LATEST = """
    SELECT etag, modified, content_hash, look, body_at FROM revisit
    WHERE visit = ? AND found IN ('not-modified', 'same', 'changed') ORDER BY number DESC LIMIT 1
"""
_CANDIDATE = "SELECT url, priority, depth, parent, anchor, chain FROM visit WHERE number = ?"


class Known(NamedTuple):
    """A page as it was last seen."""

    number: int
    """Of the visit that kept it."""
    candidate: Candidate
    etag: str | None
    modified: str | None
    content_hash: bytes | None
    look: bytes | None
    body_at: float

    @property
    def earlier(self) -> Earlier:
        """What a revisit record refers to."""
        return Earlier(self.number, self.candidate.url, self.body_at)

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask for the page only if it is another one."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in asked.items() if value}


def look_of(page: Page) -> bytes:
    """A fingerprint of what a person sees: title, text and where the links lead."""
    targets = "\n".join(link.target for link in page.links)
    return sha1(f"{page.title}\0{page.text}\0{targets}".encode(errors="replace"), usedforsecurity=False).digest()


def validator(response: Response, name: str) -> str | None:
    """A header to be sent back one day; none that could break a request."""
    value = (response.header(name) or "").strip()
    return value if value.isascii() and value.isprintable() and len(value) < 1000 and value else None


class Memory:
    """Recalls pages when they are about to be fetched, and holds them until they are done with: as many as are under way."""

    def __init__(self, archive: Archive, numbers: dict[Url, int]) -> None:
        self._archive, self._numbers = archive, numbers
        self._under_way: dict[Url, Known] = {}

    def candidates(self) -> Iterator[Candidate]:
        """The pages as they once were in the frontier, so that a strategy sees what it saw."""
        for number in self._numbers.values():
            url, priority, depth, parent, anchor, chain = self._archive.read(_CANDIDATE, (number,)).fetchone()
            yield Candidate(url, priority, depth, parent, anchor, tuple(json.loads(chain)) if chain else ())

    def recall(self, url: Url) -> Known:
        """What is known of a page."""
        if url not in self._under_way:
            self._under_way[url] = self._read(self._numbers[url])
        return self._under_way[url]

    def forget(self, url: Url) -> None:
        """The page is done with."""
        self._under_way.pop(url, None)

    def _read(self, number: int) -> Known:
        visit = self._archive.visit_of(next(self._archive.rows("SELECT * FROM entry WHERE number = ?", number)))
        latest = self._archive.read(_LATEST, (number,)).fetchone()
        if latest is not None:
            return Known(number, visit.claim.candidate, *latest)
        answer = visit.fetched
        if not isinstance(answer, Response) or visit.page is None:
            # Its record is lost: asked for without conditions, it comes as if it were new.
            return Known(number, visit.claim.candidate, None, None, None, None, visit.at)
        validators = validator(answer, "etag"), validator(answer, "last-modified")
        return Known(
            number, visit.claim.candidate, *validators, content_hash(answer), look_of(visit.page), answer.at or visit.at
        )


class ConditionalFetcher:
    """Asks for pages only if they are others than those we have."""

    def __init__(self, pages: HttpFetcher, memory: Memory) -> None:
        self._pages, self._memory = pages, memory

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, once, with what is known of it as a condition."""
        return await self._pages.fetch(url, self._memory.recall(url).conditions)

    async def close(self) -> None:
        """Let go of connections."""
        await self._pages.close()
