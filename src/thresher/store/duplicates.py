"""When two pages count as the same, or as nearly the same. Both stores use it."""

from hashlib import sha1
from typing import NamedTuple

from thresher.model import BROWSER, Response, Visit
from thresher.store.simhash import distance, simhash

NEAR = 3
"""Bits in which fingerprints of near-duplicates may differ. Of some 420 pairs found in 26,000 real pages nine in ten
had exactly the same text and 6 were about different things (short pages, or a template with another organ's name)."""
_BANDS = 4
"""One more than the bits that may differ, so that at least one band is the same (the pigeonhole principle)."""
_BAND_BITS = 64 // _BANDS
_ALL_BITS = (1 << 64) - 1


class Fingerprint(NamedTuple):
    """A text's simhash and the keys under which similar texts are found."""

    simhash: int
    """Signed, since SQLite has no unsigned numbers."""
    bands: tuple[int, ...]

    @classmethod
    def of(cls, simhash: int) -> "Fingerprint":
        """The fingerprint of a simhash, signed or not."""
        number = simhash & _ALL_BITS
        return cls(number - (number >> 63 << 64), _bands(number))

    def is_near(self, other: int) -> bool:
        """Whether a text with that simhash is nearly the same."""
        return distance(self.simhash, other) <= NEAR


def content_hash(response: Response) -> bytes:
    """The SHA-1 of the bytes as received: the WARC's payload digest."""
    return sha1(response.raw, usedforsecurity=False).digest()


def is_rendered(response: Response) -> bool:
    """Whether a browser made a page of the answer. Sites send the same bytes for all pages that a browser makes, so these say nothing."""
    return response.rendition is not None and response.rendition.by == BROWSER


def fingerprint(visit: Visit) -> Fingerprint | None:
    """The fingerprint of a page's text, without the menus its site shares; None for errors, short texts and what is off topic.

    Near-duplicates are found so that they do not count as harvest. Irrelevant pages never count, so they get no fingerprint: the search
    would take a tenth of the crawl's time.
    """
    if visit.page is None or not isinstance(visit.fetched, Response) or not 200 <= visit.fetched.status < 300:
        return None
    if visit.judgement is not None and not visit.judgement.relevant:
        return None
    number = simhash(visit.page.main or visit.page.text)
    return None if number is None else Fingerprint.of(number)


def _bands(number: int) -> tuple[int, ...]:
    mask = (1 << _BAND_BITS) - 1
    return tuple(band << _BAND_BITS | number >> band * _BAND_BITS & mask for band in range(_BANDS))
