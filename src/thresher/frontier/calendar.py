"""When each host may be visited, and which of the hosts that may be visited now has the best url.

The calendar knows every host but no urls: of each host it knows how many wait, and the key of the best one.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from thresher.frontier.host_entry import HostEntry, ReadyKey
from thresher.frontier.options import FrontierOptions
from thresher.frontier.turns import Turns
from thresher.model import Host, Outcome


class Calendar:
    """All hosts, with the politeness that is owed to each.

    Two heaps with lazy deletion, ready hosts by their best url and resting hosts by time: a pick costs O(log hosts).
    After any change to an entry call `place`.
    """

    def __init__(self, options: FrontierOptions) -> None:
        self.changed: dict[int, HostEntry] = {}
        """Entries that changed since somebody wrote them down and emptied this."""
        self._options = options
        self._entries: list[HostEntry] = []
        self._by_name: dict[str, HostEntry] = {}
        self._turns = Turns(options.alike_turns)
        self._ready: list[tuple[ReadyKey, int]] = []
        self._resting: list[tuple[float, int]] = []
        self._recently_asked: dict[int, HostEntry] = {}
        """Hosts that were asked, until they may be asked again."""
        self._now = 0.0
        self._owed_a_rest = 0

    def __iter__(self) -> Iterator[HostEntry]:
        """Every host ever met, in the order they were met."""
        return iter(self._entries)

    def __getitem__(self, number: int) -> HostEntry:
        """The host of that number."""
        return self._entries[number]

    def entry(self, name: Host) -> HostEntry:
        """The entry of a host; a new one if it was never met."""
        found = self._by_name.get(name)
        if found is None:
            found = HostEntry(len(self._entries), name)
            self.restore(found)
        return found

    def known(self, name: Host) -> HostEntry | None:
        """The entry of a host; None if it was never met."""
        return self._by_name.get(name)

    def restore(self, entry: HostEntry) -> None:
        """Put back an entry that was kept; they must come in the order of their numbers."""
        self._entries.append(entry)
        self._by_name[entry.name] = entry
        self._turns.restore(entry)

    def reopen(self) -> None:
        """Every host rests its delay after the next pick; hosts that were given up get another chance."""
        self._owed_a_rest = len(self._entries)
        self._recently_asked.clear()
        for entry in self._entries:
            if entry.strains >= self._options.give_up:
                entry.strains = self._options.give_up - 1
                self.place(entry)
            if entry.yields_till:
                self._turns.wait(entry)
                self.place(entry)

    def pick(self, now: float) -> HostEntry | None:
        """Of the hosts that may be visited now, the one with the best url; None if it is better to wait for others (`spread`)."""
        before, self._now = self._now, now
        if now < before:
            self._set_back(now)
        if self._owed_a_rest:
            self._rest_all(now)
        self._wake(now)
        entry = self._first_ready()
        if entry is None or self._worth_waiting(entry):
            return None
        heappop(self._ready)
        entry.ready_key = None
        return entry

    def place(self, entry: HostEntry) -> None:
        """Put a changed host where it belongs now: among the ready, among the resting, or nowhere."""
        self.changed[entry.number] = entry
        if entry.head is None or not self._open(entry):
            return
        if entry.next_at > self._now:
            if entry.rests_till != entry.next_at:
                entry.rests_till = entry.next_at
                heappush(self._resting, (entry.next_at, entry.number))
                self._compact_resting()
        elif entry.ready_key != (key := (self._turns.yields(entry), entry.head)):
            entry.ready_key = key
            heappush(self._ready, (key, entry.number))
            self._compact_ready()

    def lend(self, entry: HostEntry, url: int, now: float) -> None:
        """A url of the host was lent."""
        entry.in_flight += 1
        entry.lent = url, entry.next_at
        # Also with one request at a time: if the lease expires unsettled, the gap was kept all the same.
        entry.next_at = max(entry.next_at, now + max(self._options.delay, entry.delay))
        # Without a delay a host is free at once, or for who knows how long: no other waits for it.
        if self._options.spread and self._options.delay:
            self._recently_asked[entry.number] = entry
        self.place(entry)

    def take_back(self, entry: HostEntry) -> None:
        """A lent url came back without an outcome."""
        entry.in_flight -= 1
        entry.lent = None
        self.place(entry)

    def settle(self, entry: HostEntry, url: int, outcome: Outcome, now: float) -> bool:
        """A lent url came back with an outcome, from which we learn how the host is. True if it begins to lose turns."""
        entry.in_flight -= 1
        # Lending reserved a gap for a request. None was made, so the gap is given back.
        if entry.lent is not None and entry.lent[0] == url and _free(outcome):
            entry.next_at = entry.lent[1]
        entry.lent = None
        entry.fetched += outcome.final and outcome.tried
        if outcome.delay is not None:
            entry.delay = min(max(outcome.delay, 0.0), self._options.rest_most)
        if outcome.strain:
            self._strain(entry)
        elif outcome.tried:
            self._recover(entry)
        # A rest never shortens one that is running.
        entry.next_at = max(entry.next_at, now + self._owed(entry, outcome))
        if outcome.final:
            for number in self._turns.ended():
                self.place(self._entries[number])
        begins = self._turns.regard(entry, outcome)
        self.place(entry)
        return begins

    def due(self) -> float | None:
        """When the next pick could succeed; None if never. The pick may still return None because of `spread`."""
        entry = self._first_ready()
        if entry is None:
            return self._first_rest()
        awaited = self._worth_waiting(entry)
        return min(map(self._awaited_till, awaited)) if awaited else entry.next_at

    def closed(self, entry: HostEntry) -> bool:
        """Whether the host will not be asked again."""
        quota = self._options.quota
        return entry.strains >= self._options.give_up or (quota is not None and entry.fetched >= quota)

    def resting(self, entry: HostEntry) -> bool:
        """Whether the host must be left alone for now."""
        return entry.next_at > self._now or entry.in_flight >= self._options.per_host

    def _worth_waiting(self, entry: HostEntry) -> list[HostEntry]:
        """The hosts with better urls that a ready host waits for; none if they are fewer than `spread`."""
        spread = self._options.spread
        if not self._recently_asked:
            return []
        assert entry.head is not None
        for asked in list(self._recently_asked.values()):
            if not asked.in_flight and asked.next_at <= self._now:
                del self._recently_asked[asked.number]
        key = self._turns.yields(entry), entry.head
        better = [
            asked
            for asked in self._recently_asked.values()
            if asked.head is not None and (self._turns.yields(asked), asked.head) < key and self._free_soon(asked)
        ]
        return better if len(better) >= spread else []

    def _free_soon(self, entry: HostEntry) -> bool:
        """Whether a host that was asked will be free within two delays. One that rests longer or answers slowly is not waited for."""
        soon = self._now + 2 * self._options.delay
        return self._now < self._awaited_till(entry) and entry.next_at <= soon and not self.closed(entry)

    def _awaited_till(self, entry: HostEntry) -> float:
        return entry.next_at + self._options.delay if entry.in_flight else entry.next_at

    def _open(self, entry: HostEntry) -> bool:
        options = self._options
        return (
            entry.in_flight < options.per_host
            and entry.strains < options.give_up
            and (options.quota is None or entry.fetched + entry.in_flight < options.quota)
        )

    def _gap(self, entry: HostEntry) -> float:
        return max(self._options.delay, entry.delay, entry.pause)

    def _owed(self, entry: HostEntry, outcome: Outcome) -> float:
        rest = None if outcome.rest is None else min(max(outcome.rest, 0.0), self._options.rest_most)
        if outcome.tried or outcome.strain or rest is None:
            return max(self._gap(entry), rest or 0.0)
        # No request was made, so wait only the seconds we were told: 0, or what remains of another request's pause.
        return rest

    def _strain(self, entry: HostEntry) -> None:
        entry.strains += 1
        entry.pause = min(max(2 * entry.pause, self._options.backoff), self._options.backoff_most)

    def _recover(self, entry: HostEntry) -> None:
        entry.strains = 0
        entry.pause = entry.pause / 2 if entry.pause / 2 >= self._options.backoff else 0.0

    def _wake(self, now: float) -> None:
        while self._resting and self._resting[0][0] <= now:
            self._end_rest()

    def _first_ready(self) -> HostEntry | None:
        while self._ready:
            key, number = self._ready[0]
            entry = self._entries[number]
            current = entry.ready_key == key == (self._turns.yields(entry), entry.head)
            if current and entry.next_at <= self._now and self._open(entry):
                return entry
            heappop(self._ready)
            if entry.ready_key == key:
                entry.ready_key = None
                self.place(entry)
        return None

    def _first_rest(self) -> float | None:
        while self._resting:
            at, number = self._resting[0]
            entry = self._entries[number]
            if entry.rests_till == entry.next_at == at and entry.head is not None and self._open(entry):
                return at
            self._end_rest()
        return None

    def _end_rest(self) -> None:
        at, number = heappop(self._resting)
        entry = self._entries[number]
        if entry.rests_till == at:
            entry.rests_till = None
            self.place(entry)

    def _rest_all(self, now: float) -> None:
        # A crash makes us forget the latest requests: any host may have been asked a moment ago.
        for entry in self._entries[: self._owed_a_rest]:
            entry.next_at = max(min(entry.next_at, self._latest(entry, now)), now + self._gap(entry))
            self.place(entry)
        self._owed_a_rest = 0

    def _set_back(self, now: float) -> None:
        for entry in self._entries:
            if entry.next_at > self._latest(entry, now):
                entry.next_at = self._latest(entry, now)
                self.place(entry)

    def _latest(self, entry: HostEntry, now: float) -> float:
        # No rest is longer, so a later time was written under a clock that went wrong: it could mean years.
        return now + max(self._options.rest_most, self._gap(entry))

    # Stale keys are dropped when they come up; where more of them are than hosts, the heap is made anew.

    def _compact_ready(self) -> None:
        if len(self._ready) > 2 * len(self._entries) + 64:
            self._ready = [(entry.ready_key, entry.number) for entry in self._entries if entry.ready_key is not None]
            heapify(self._ready)

    def _compact_resting(self) -> None:
        if len(self._resting) > 2 * len(self._entries) + 64:
            self._resting = [
                (entry.rests_till, entry.number) for entry in self._entries if entry.rests_till is not None
            ]
            heapify(self._resting)


def _free(outcome: Outcome) -> bool:
    return not outcome.tried and not outcome.strain and outcome.rest == 0
