"""The links that lead to the best of the waiting urls: for each url the last few, as rows of arrays.

There is room for a fixed number of urls. When it is full, those of the lowest priority are let go: they keep their priority in the
frontier, and if they are met again they begin anew. So memory does not grow with the urls that wait.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.endings import MEDIA, ending_of
from thresher.model import Url
from thresher.strategy.place_statistics import Places, places_of
from thresher.strategy.word_numbers import WIDTH, Numbers

Slots = NDArray[np.int64]
LINKS_KEPT = 4
"""Of all links that lead to a url, so many are kept: the last ones."""
_COLUMNS = ("words", "values", "weighed", "pages", "links", "places", "media", "priority", "features", "shares")
LINK_VALUES = (
    "menu", "lokman", "around", "phrase",
    "anchor words", "context words", "url words", "heading words",
    "anchor odds", "context odds", "url odds", "heading odds",
)  # fmt: skip
"""What is kept of each link beside its words. The odds change when words are weighed anew."""
ODDS = slice(8, 12)
_LET_GO = 8
"""One in so many urls is let go when there is no more room."""


class LinkRows(NamedTuple):
    """Links of one page, a row each."""

    targets: Sequence[Url]
    words: Numbers
    values: NDArray[np.float64]
    """What its words are worth, in the order of `LINK_VALUES`; the odds are worked out later."""


class WaitingLinks:
    """Urls in slots, each with its last links."""

    def __init__(self, room: int, features: int) -> None:
        self.room = room
        self.slots: dict[Url, int] = {}
        self.urls: list[Url | None] = [None] * room
        self._free = list(range(room - 1, -1, -1))
        self.words = np.zeros((room, LINKS_KEPT, WIDTH), np.uint16)
        self.values = np.zeros((room, LINKS_KEPT, len(LINK_VALUES)))
        self.weighed = np.zeros((room, LINKS_KEPT), np.int64)
        """How often words had been weighed when the odds of a link were worked out; 0 if they were not yet."""
        self.pages = np.zeros((room, LINKS_KEPT), np.int64)
        """The visit numbers of the pages that link there; 0 for none."""
        self.links = np.zeros(room, np.int64)
        """How many links lead there, whether kept or not."""
        self.places = np.zeros((room, 4), np.uint32)
        self.media = np.zeros(room, bool)
        self.priority = np.full(room, -np.inf)
        self.features = np.zeros((room, features))
        """As they stood when the url was last scored."""
        self.shares = np.zeros((room, features))
        """What each feature added to the priority then."""

    def add(self, page: int, rows: LinkRows) -> Slots:
        """Note the links of a page; the slot of each."""
        self._make_room(len(rows.targets))
        known = map(self.slots.get, rows.targets)
        found = [self._slot(url) if slot is None else slot for url, slot in zip(rows.targets, known, strict=True)]
        slots = np.array(found, np.int64)
        links = slots * LINKS_KEPT + self._turns(slots)
        self.words.reshape(-1, WIDTH)[links] = rows.words
        self.values.reshape(-1, len(LINK_VALUES))[links, : ODDS.start] = rows.values
        self.weighed.reshape(-1)[links] = 0
        self.pages.reshape(-1)[links] = page
        return slots

    def remove(self, url: Url) -> int | None:
        """Let a url go; the slot it had, whose rows can be read until the next url is added."""
        slot = self.slots.pop(url, None)
        if slot is not None:
            self._clear(slot)
        return slot

    def rename(self, url: Url, other: Url) -> None:
        """Let another url take the place of one that redirects to it, unless it waits already."""
        if url in self.slots and other not in self.slots:
            slot = self.slots[other] = self.slots.pop(url)
            self._describe(slot, other)

    def places_of(self, url: str) -> Places:
        """The places of a url, whether it waits or not."""
        slot = self.slots.get(Url(url))
        if slot is None:
            return places_of(url)
        host, segment, directory, shape = self.places[slot].tolist()
        return host, segment, directory, shape

    def best(self, count: int) -> Slots:
        """The slots of so many urls of the highest priority."""
        used = len(self.slots)
        count = min(count, used)
        if not count:
            return np.empty(0, np.int64)
        return np.argpartition(-self.priority, count - 1)[:count]

    def to_arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """The slots in use, for `from_arrays`."""
        used = np.array(sorted(self.slots.values()), np.int64)
        yield "used", used
        yield "urls", np.frombuffer("\n".join(self.urls[slot] or "" for slot in used.tolist()).encode(), np.uint8)
        yield "free", np.array(self._free, np.int64)
        yield from ((name, getattr(self, name)[used]) for name in _COLUMNS)

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `to_arrays` gave."""
        used = arrays["used"].tolist()
        urls = arrays["urls"].tobytes().decode().split("\n") if used else []
        self._free = arrays["free"].tolist()
        for name in _COLUMNS:
            getattr(self, name)[used] = arrays[name]
        for slot, url in zip(used, urls, strict=True):
            self.slots[Url(url)] = slot
            self.urls[slot] = Url(url)

    def _slot(self, url: Url) -> int:
        slot = self.slots.get(url)
        if slot is None:
            slot = self.slots[url] = self._free.pop()
            self._describe(slot, url)
        return slot

    def _describe(self, slot: int, url: Url) -> None:
        self.urls[slot] = url
        self.places[slot] = places_of(url)
        self.media[slot] = ending_of(url) in MEDIA

    def _turns(self, slots: Slots) -> Slots:
        """Where each link goes among the last few of its url. A page may link to a url more than once."""
        turns: Slots = self.links.take(slots)
        if len(before := dict.fromkeys(listed := slots.tolist(), -1)) < len(listed):
            for place, slot in enumerate(listed):
                before[slot] += 1
                turns[place] += before[slot]
        self.links[slots] = turns + 1
        return turns % LINKS_KEPT

    def _make_room(self, wanted: int) -> None:
        if len(self._free) >= wanted:
            return
        worst = np.argsort(self.priority, kind="stable")
        for slot in worst[self.priority[worst] > -np.inf][: max(wanted, self.room // _LET_GO)].tolist():
            url = self.urls[slot]
            assert url is not None
            del self.slots[url]
            self._clear(slot)

    def _clear(self, slot: int) -> None:
        self.urls[slot] = None
        self.links[slot] = 0
        self.pages[slot] = 0
        self.priority[slot] = -np.inf
        self._free.append(slot)
