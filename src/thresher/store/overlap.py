"""What two crawls have in common: one is read, the other stands beside it, attached under the name `other`.

A page is the same as one of the other crawl if it has its url, its bytes, or its text (the same simhash, which is kept of relevant pages
that are long enough). Each page is looked up in the indexes of the other crawl, so that neither is ever held in memory.
"""

from pathlib import Path
from typing import NamedTuple

from thresher.disk.found_rows import Read
from thresher.model import Url
from thresher.store.rejudgements import judged_in

_URL = """
    EXISTS (SELECT 1 FROM other.visit AS twin WHERE twin.url_hash = page.url_hash AND twin.url = page.url AND twin.outcome = 'page')
"""
_BYTES = """
    EXISTS (SELECT 1 FROM other.visit AS twin WHERE twin.content_hash = page.content_hash
            AND twin.duplicate_of IS NULL AND twin.file IS NOT NULL AND twin.outcome = 'page')
"""
# The first of the four bands in which a fingerprint is looked up.
_TEXT = (
    "EXISTS (SELECT 1 FROM other.band AS twin WHERE twin.key = (page.simhash & 65535) AND twin.simhash = page.simhash)"
)
_SHARED = f"""
    SELECT CASE WHEN {_URL} THEN 'url' WHEN {_BYTES} THEN 'bytes' WHEN {_TEXT} THEN 'text' ELSE 'only' END AS how, count(*)
    FROM visit AS page WHERE page.fresh GROUP BY how
"""  # noqa: S608 - all of it is our own
_ONLY = f"""
    SELECT page.url, coalesce(page.title, ''), page.relevance FROM visit AS page
    WHERE page.fresh AND NOT {_URL} AND NOT {_BYTES} AND NOT {_TEXT} ORDER BY page.relevance DESC LIMIT ?
"""  # noqa: S608 - as above
_BOTH = """
    SELECT count(*), coalesce(sum(page.relevant AND theirs.relevant), 0), coalesce(sum(page.relevant AND NOT theirs.relevant), 0),
           coalesce(sum(NOT page.relevant AND theirs.relevant), 0)
    FROM visit AS page
    CROSS JOIN other.visit AS twin ON twin.url_hash = page.url_hash AND twin.url = page.url AND twin.outcome = 'page'
    CROSS JOIN ({}) AS theirs ON theirs.number = twin.number
    WHERE page.outcome = 'page'
"""


class SharedHarvest(NamedTuple):
    """The relevant pages of a crawl, by whether the other crawl has them too. Pages that repeat others count once."""

    url: int = 0
    """The other crawl kept the page of the same url."""
    bytes: int = 0
    """It kept the same bytes under another url."""
    text: int = 0
    """It kept the same text under another url."""
    only: int = 0
    """It has no such page."""

    @property
    def shared(self) -> int:
        """Those that the other crawl has, under whatever url."""
        return self.url + self.bytes + self.text


class SameUrls(NamedTuple):
    """Pages that both crawls kept under the same url, and what their judges said of them."""

    pages: int
    relevant: int
    """By both."""
    only_first: int
    """Relevant only by the crawl that is read."""
    only_second: int


class OnlyPage(NamedTuple):
    """A relevant page that the other crawl does not have."""

    url: Url
    title: str
    relevance: float


def attach_other(read: Read, database: Path) -> None:
    """Put another crawl's file beside the one that is read."""
    read("ATTACH ? AS other", (f"{database.absolute().as_uri()}?mode=ro",))


def shared_harvest(read: Read) -> SharedHarvest:
    """How much of the harvest the other crawl has too."""
    return SharedHarvest(**dict(read(_SHARED).fetchall()))


def only_here(read: Read, limit: int) -> list[OnlyPage]:
    """The most relevant pages that the other crawl does not have."""
    return [OnlyPage(*row) for row in read(_ONLY, (limit,)).fetchall()]


def same_urls(read: Read, other: Read) -> SameUrls:
    """The pages that both have; `other` reads the other crawl by itself, and says which of its judgements hold."""
    return SameUrls(*read(_BOTH.format(judged_in(other, "other"))).fetchone())
