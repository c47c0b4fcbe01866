"""A frontier in memory: for the lab, for tests, and for crawls that need not survive."""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from thresher.frontier.base import BaseFrontier, follows, merged, shortened
from thresher.frontier.host_entry import HostEntry, Key
from thresher.model import DROP, FIRST, Candidate, Claim, Standing, Url
from thresher.urls import host_of


@dataclass(slots=True, eq=False)
class KnownUrl:
    """A known url."""

    candidate: Candidate
    number: int
    entry: HostEntry
    waiting: bool = True
    tries: int = 0

    @property
    def key(self) -> Key:
        """Its place in the order."""
        return (-self.candidate.priority, self.number)


class MemoryFrontier(BaseFrontier):
    """All urls in a dict, and a heap with lazy deletion for each host."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._items: dict[Url, KnownUrl] = {}
        self._queues: dict[int, list[tuple[Key, KnownUrl]]] = {}
        self._lowest: list[tuple[float, int, KnownUrl]] = []
        self._count = 0

    def _take_in(self, candidates: list[Candidate], source: Claim | None) -> int:  # noqa: ARG002 - parents are kept as they are
        new = 0
        for candidate in candidates:
            item = self._items.get(candidate.url)
            if item is None:
                self._shelve(_as_kept(candidate))
                new += 1
            elif item.waiting:
                self._meet(item, candidate)
        return new

    def _shelve(self, candidate: Candidate) -> None:
        self._count += 1
        entry = self._calendar.entry(host_of(candidate.url))
        item = self._items[candidate.url] = KnownUrl(candidate, self._count, entry)
        self._came(entry, item.key)
        self._push(item)

    def _meet(self, item: KnownUrl, candidate: Candidate) -> None:
        old = item.candidate
        priority = merged(self.merge, old.priority, candidate.priority)
        if follows(self.merge, old.priority, candidate.priority):
            self._change(item, _as_kept(candidate)._replace(priority=priority))
        elif priority != old.priority:
            self._change(item, old._replace(priority=priority))

    def _change(self, item: KnownUrl, candidate: Candidate) -> None:
        before = item.key
        item.candidate = candidate
        if item.key != before:
            self._push(item)
            self._moved(item.entry, before, item.key)

    def _push(self, item: KnownUrl) -> None:
        queue = self._queues.setdefault(item.entry.number, [])
        heappush(queue, (item.key, item))
        if len(queue) > 2 * item.entry.waiting + 64:
            queue[:] = {item.number: (key, item) for key, item in queue if item.waiting and key == item.key}.values()
            heapify(queue)
        if self.cap is not None:
            self._push_lowest(item)

    def _push_lowest(self, item: KnownUrl) -> None:
        heappush(self._lowest, (self._worth(item), -item.number, item))
        if len(self._lowest) > 2 * self._waiting + 64:
            live = {entry[1]: entry for entry in self._lowest if entry[2].waiting and entry[0] == self._worth(entry[2])}
            self._lowest = list(live.values())
            heapify(self._lowest)

    def _best(self, entry: HostEntry) -> Key:
        queue = self._queues[entry.number]
        while not (queue[0][1].waiting and queue[0][0] == queue[0][1].key):
            heappop(queue)
        return queue[0][0]

    def _take(self, entry: HostEntry, number: int) -> tuple[Candidate, int]:
        self._best(entry)
        item = heappop(self._queues[entry.number])[1]
        assert item.number == number
        item.waiting = False
        return item.candidate, item.tries

    def _put_back(self, claim: Claim, *, tried: bool) -> None:
        item = self._items[claim.url]
        item.waiting = True
        item.tries += tried
        self._push(item)

    def _close(self, claim: Claim) -> None:
        pass  # no longer waiting and no longer lent is all there is to it

    def _set_priorities(self, wanted: dict[Url, float]) -> int:
        moved = 0
        for url, priority in wanted.items():
            item = self._items.get(url)
            if item is None or not item.waiting or item.candidate.priority >= FIRST:
                continue
            moved += item.candidate.priority != priority
            if priority == DROP:
                self._forget(item)
            else:
                self._change(item, item.candidate._replace(priority=priority))
        return moved

    def _standing(self, url: Url) -> Standing:
        item = self._items.get(url)
        if item is None:
            return "unknown"
        if item.waiting:
            return "closed" if self._calendar.closed(item.entry) else "waiting"
        return "claimed" if item.number in self._leases else "settled"

    def _forget_host(self, entry: HostEntry) -> None:
        for _, item in self._queues.pop(entry.number):
            if item.waiting:
                item.waiting = False
                self._items.pop(item.candidate.url, None)

    def _forget_lowest(self, count: int) -> None:
        while count:
            worth, _, item = heappop(self._lowest)
            if item.waiting and self._worth(item) == worth:
                self._forget(item)
                count -= 1

    def _worth(self, item: KnownUrl) -> float:
        """What a full frontier keeps a url for."""
        priority = item.candidate.priority
        return priority if self.evict == "lowest" or priority >= FIRST else 0.0

    def _forget(self, item: KnownUrl) -> None:
        item.waiting = False
        del self._items[item.candidate.url]
        self._left(item.entry, item.key)


def _as_kept(candidate: Candidate) -> Candidate:
    anchor = shortened(candidate.anchor)
    return candidate if anchor == candidate.anchor else candidate._replace(anchor=anchor)
