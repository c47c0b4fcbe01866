"""Does a page look like one of the last pages of its host? So look sites without an end: a calendar has a page for each day.

Only pages whose urls differ in nothing but their numbers are compared: `/2031/03/12` with `/2031/03/13`. They look alike if their texts
are nearly the same without their numbers. An archive of numbered articles has different texts, and nothing looks alike there.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from struct import Struct
from typing import NamedTuple

from xxhash import xxh3_64_intdigest, xxh32_intdigest

from thresher.model import Page, Url
from thresher.store.simhash import distance, simhash
from thresher.urls import host_of

ALIKE = 8
"""Bits of 64 in which the fingerprints of two lookalikes may differ. Of the numbered pages of four recorded webs 8 were that close to
one of the last 16 of their shape; of the days of three calendars 98 to 100 in 100 were."""
_LOOKS = 16
"""Looks of a host that are remembered: a calendar may have days, weeks and months."""
_HOSTS = 4096
_NUMBER = re.compile("[0-9]+")
_PACKED = Struct("<IQ")
_UNKNOWN = 0


class Look(NamedTuple):
    """What a page with a number in its url looks like."""

    shape: int
    """Stands for the url without its numbers."""
    text: int
    """The fingerprint of the text; 0 if nobody needed it."""

    def is_like(self, other: "Look") -> bool:
        """Whether two pages look alike."""
        known = self.text != _UNKNOWN != other.text
        return known and self.shape == other.shape and distance(self.text, other.text) <= ALIKE


Looks = tuple[Look, ...]


class Lookalikes:
    """The looks of the last pages of each host."""

    def __init__(self, load: Callable[[str], Looks] = lambda _host: ()) -> None:
        self.changed: dict[str, Looks] = {}
        """Looks of hosts that changed since somebody wrote them down and emptied this."""
        self._load = load
        self._recent = OrderedDict[str, Looks]()
        """Looks of hosts that were visited lately. Those of others are loaded again."""

    def knows(self, host: str) -> bool:
        """Whether the looks of a host are here, so that they are not loaded."""
        return host in self._recent or host in self.changed

    def bring(self, host: str, looks: Looks) -> None:
        """The looks of a host, from whoever has loaded them."""
        self._recent[host] = looks
        self._recent.move_to_end(host)
        if len(self._recent) > _HOSTS:
            self._recent.popitem(last=False)

    def regard(self, page: Page) -> bool:
        """Remember what a page looks like; True if one of the last pages of its host looks so too."""
        shape = shape_of(page.url)
        if shape is None:
            return False
        host = host_of(page.url)
        before = self._looks(host)
        # A fingerprint takes 110 µs for a page of 13,000 letters, so the first page of a shape gets none.
        needed = any(look.shape == shape for look in before)
        look = Look(shape, _fingerprint(page) if needed else _UNKNOWN)
        self._remember(host, (*before, look)[-_LOOKS:])
        return any(map(look.is_like, before))

    def _looks(self, host: str) -> Looks:
        for known in (self._recent, self.changed):
            if host in known:
                return known[host]
        return self._load(host)

    def _remember(self, host: str, looks: Looks) -> None:
        self.changed[host] = looks
        self.bring(host, looks)


def packed(looks: Looks) -> bytes:
    """The looks in a few bytes."""
    return b"".join(_PACKED.pack(*look) for look in looks)


def unpacked(looks: bytes) -> Looks:
    """The same looks again."""
    return tuple(Look(*each) for each in _PACKED.iter_unpack(looks))


def shape_of(url: Url) -> int | None:
    """Stands for a url without the numbers in its path and query; None if it has none."""
    shape, numbers = _NUMBER.subn("0", url[url.index("/", 8) :])
    return xxh32_intdigest(shape.encode()) if numbers else None


def _fingerprint(page: Page) -> int:
    """The simhash of the text without its numbers. A text too short for one has a hash: such pages look alike only if they say the same."""
    text = page.main or page.text
    number = simhash(text, digits=False)
    return xxh3_64_intdigest(_NUMBER.sub(" ", text).encode()) if number is None else number
