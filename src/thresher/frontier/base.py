"""The rules of lending, which both frontiers share; they differ only in where the urls lie.

A url's depth, parent, anchor and chain always come from one link: under `max` the one with the highest priority, under
`last` the latest, under `first` and `sum` the first. So they tell one true story of why the url is visited.
"""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from math import inf, isfinite
from operator import itemgetter

from thresher.frontier.calendar import Calendar
from thresher.frontier.host_entry import HostEntry, Key
from thresher.frontier.options import FrontierOptions
from thresher.model import DROP, FIRST, Candidate, Census, Claim, Host, Merge, Outcome, Standing, Url

_LONGEST_ANCHOR = 200
_PRIORITY = itemgetter(1)
HIGHEST = 1.7e308
"""No sum of priorities is further from 0."""


class BaseFrontier(FrontierOptions, ABC):
    """A frontier, except for where its urls lie: that is left to the methods that are abstract here."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._calendar = Calendar(self)
        self._leases = Leases()
        self._waiting = 0

    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in candidates; known ones are merged. Returns how many were new."""
        new = self._take_in(admitted(candidates), None)
        self._evict()
        self._turn_ends()
        return new

    async def claim(self, limit: int, now: float) -> list[Claim]:
        """Lend up to so many urls. Empty if no host may be visited now."""
        for expired in self._leases.expired(now):
            self._take_back(expired)
        claims: list[Claim] = []
        while len(claims) < limit and (entry := self._calendar.pick(now)) is not None:
            claims.append(self._lend(entry, now))
        return claims

    async def settle(
        self,
        claim: Claim,
        outcome: Outcome,
        found: Iterable[Candidate],
        now: float,
        moved: Iterable[tuple[Url, float]] = (),
    ) -> bool:
        """End a claim, take in what its page gave, then give waiting urls other priorities, all in one transaction.

        Nothing changes if the claim is no longer held. True if its host begins to lose turns, since its pages look alike.
        """
        candidates, wanted = admitted(found), checked(moved)
        if not self._leases.end(claim):
            return False
        entry = self._calendar.entry(claim.host)
        if outcome.final:
            self._close(claim)
            entry.settled += 1
        else:
            self._wait_again(claim, entry, tried=outcome.tried)
        begins = self._calendar.settle(entry, claim.number, outcome, now)
        self._take_in(candidates, claim if outcome.final else None)
        if wanted:
            self._set_priorities(wanted)
        self._evict()
        self._turn_ends()
        return begins

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held, so that settling it would count."""
        return self._leases.holds(claim)

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> int:
        """Set the priorities of waiting urls; one that gets `DROP` is forgotten. All others stay as they are.

        What was put first stays there. Returns how many really moved.
        """
        moved = self._set_priorities(checked(pairs))
        self._turn_ends()
        return moved

    async def put_first(self, candidate: Candidate) -> Standing:
        """Lend this url before all others, as soon as its host may be visited; add it if it is unknown. Returns how it stood before."""
        standing = self._standing(candidate.url)
        if standing == "unknown":
            self._take_in([candidate._replace(priority=FIRST)], None)
        elif standing in {"waiting", "closed"}:
            self._set_priorities({candidate.url: FIRST})
        self._evict()
        self._turn_ends()
        return standing

    async def leave(self, host: Host) -> int:
        """Forget all urls that wait on a host, in one go. Returns how many."""
        entry = self._calendar.known(host)
        if entry is None or not entry.waiting:
            return 0
        count, entry.waiting = entry.waiting, 0
        self._forget_host(entry)
        self._waiting -= count
        self._lead(entry, None)
        self._turn_ends()
        return count

    def take_back(self) -> None:
        """Take back every claim, as after a crash: whoever held them is gone."""
        for claim in self._leases.all():
            self._take_back(claim)
        self._calendar.reopen()

    def due(self) -> float | None:
        """When the next claim could succeed if nothing is settled before; None if never."""
        times = [time for time in (self._calendar.due(), self._leases.next_expiry()) if time is not None]
        return min(times, default=None)

    def census(self) -> Census:
        """The frontier in figures. It goes through all hosts: ask a few times a second, not at every page."""
        calendar = self._calendar
        busy = [(entry, entry.head) for entry in calendar if entry.head is not None]
        return Census(
            waiting=sum(entry.waiting for entry, _ in busy),
            claimed=len(self._leases),
            settled=sum(entry.settled for entry in calendar),
            hosts=len(busy),
            resting=sum(calendar.resting(entry) for entry, _ in busy if not calendar.closed(entry)),
            closed=sum(entry.waiting for entry, _ in busy if calendar.closed(entry)),
            best=max((-head[0] for _, head in busy), default=None),
        )

    def _evict(self) -> None:
        if self.cap is not None and self._waiting > self.cap:
            self._forget_lowest(self._waiting - self.cap)

    def _lend(self, entry: HostEntry, now: float) -> Claim:
        assert entry.head is not None
        key = entry.head
        candidate, tries = self._take(entry, key[1])
        self._left(entry, key)
        self._calendar.lend(entry, key[1], now)
        claim = Claim(candidate, entry.name, key[1], now + self.lease, tries)
        self._leases.lend(claim)
        return claim

    def _take_back(self, claim: Claim) -> None:
        entry = self._calendar.entry(claim.host)
        self._wait_again(claim, entry, tried=False)
        self._calendar.take_back(entry)

    def _wait_again(self, claim: Claim, entry: HostEntry, *, tried: bool) -> None:
        self._put_back(claim, tried=tried)
        self._came(entry, (-claim.candidate.priority, claim.number))

    def _came(self, entry: HostEntry, key: Key) -> None:
        """One more url of the host waits."""
        self._all_came(((entry, key),))

    def _all_came(self, came: Sequence[tuple[HostEntry, Key]]) -> None:
        """These urls wait now too, each of its host."""
        self._waiting += len(came)
        changed = self._calendar.changed
        for entry, key in came:
            entry.waiting += 1
            changed[entry.number] = entry
            if entry.head is None or key < entry.head:
                self._lead(entry, key)

    def _left(self, entry: HostEntry, key: Key) -> None:
        """One url of the host waits no more."""
        entry.waiting -= 1
        self._waiting -= 1
        self._calendar.changed[entry.number] = entry
        if entry.head == key:
            self._lead(entry, self._best(entry) if entry.waiting else None)

    def _moved(self, entry: HostEntry, before: Key, after: Key) -> None:
        """A waiting url of the host got another key."""
        if entry.head is None or after < entry.head:
            self._lead(entry, after)
        elif entry.head == before:
            self._lead(entry, self._best(entry))

    def _lead(self, entry: HostEntry, key: Key | None) -> None:
        entry.head = key
        self._calendar.place(entry)

    @abstractmethod
    def _take_in(self, candidates: list[Candidate], source: Claim | None) -> int:
        """Keep the new, merge the waiting, ignore the others; returns how many were new.

        The source is the settled page that most of them were found on; what settled is never forgotten.
        """

    @abstractmethod
    def _take(self, entry: HostEntry, number: int) -> tuple[Candidate, int]:
        """Take a waiting url out: the candidate and its tries."""

    @abstractmethod
    def _put_back(self, claim: Claim, *, tried: bool) -> None:
        """Put a url back where it was taken from."""

    @abstractmethod
    def _close(self, claim: Claim) -> None:
        """Mark a url as settled."""

    @abstractmethod
    def _best(self, entry: HostEntry) -> Key:
        """The key of the best url that waits, of a host where some do."""

    @abstractmethod
    def _set_priorities(self, wanted: dict[Url, float]) -> int:
        """Give waiting urls other priorities, except those that were put first; returns how many had another."""

    @abstractmethod
    def _standing(self, url: Url) -> Standing:
        """How a url stands."""

    @abstractmethod
    def _forget_host(self, entry: HostEntry) -> None:
        """Forget every waiting url of a host."""

    @abstractmethod
    def _forget_lowest(self, count: int) -> None:
        """Forget so many waiting urls: the lowest, of equals the newest; or the newest whatever they are worth."""

    def _turn_ends(self) -> None:
        """What is kept now is complete, and may be committed."""


class Leases:
    """Which urls are lent and until when, oldest first.

    All leases are of one length, so the oldest expires first: no heap is needed, and each step costs O(1).
    """

    def __init__(self) -> None:
        self._held: OrderedDict[int, Claim] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, number: int) -> bool:
        return number in self._held

    def lend(self, claim: Claim) -> None:
        """Note a new claim."""
        self._held[claim.number] = claim

    def holds(self, claim: Claim) -> bool:
        """Whether the claim is the one that is held for its url."""
        return self._held.get(claim.number) == claim

    def end(self, claim: Claim) -> bool:
        """End a claim; False if it is no longer held."""
        if not self.holds(claim):
            return False
        del self._held[claim.number]
        return True

    def expired(self, now: float) -> Iterator[Claim]:
        """Take out the claims whose time is over."""
        while self._held and next(iter(self._held.values())).expires <= now:
            yield self._held.popitem(last=False)[1]

    def all(self) -> Iterator[Claim]:
        """Take out every claim."""
        while self._held:
            yield self._held.popitem(last=False)[1]

    def next_expiry(self) -> float | None:
        """When the next claim expires."""
        return next(iter(self._held.values())).expires if self._held else None


def admitted(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates worth a visit. All are checked before any is taken in, so that a bad one leaves nothing half done."""
    candidates = list(candidates)
    # Nearly always all are, and one sum says so; where it does not, it may only have overflowed.
    if isfinite(sum(map(_PRIORITY, candidates))):
        return candidates
    return [candidate for candidate in candidates if isfinite(candidate.priority) or _not_dropped(candidate)]


def merged(merge: Merge, old: float, new: float) -> float:
    """The priority of a url that had one and is met again with another."""
    match merge:
        case "max":
            return max(old, new)
        case "sum":
            return min(max(old + new, -HIGHEST), HIGHEST)
        case "first":
            return old
        case "last":
            return old if old >= FIRST else new


def follows(merge: Merge, old: float, new: float) -> bool:
    """Whether depth, parent, anchor and chain of the url are from now on those of the new link."""
    return merge == "last" or (merge == "max" and new > old)


def shortened(anchor: str) -> str:
    """An anchor as it is kept: on one line, and cut, because some are whole paragraphs."""
    return anchor and " ".join(anchor.split())[:_LONGEST_ANCHOR]


def _not_dropped(candidate: Candidate) -> bool:
    if candidate.priority != DROP:
        _check(candidate.url, candidate.priority)
    return False


def checked(pairs: Iterable[tuple[Url, float]]) -> dict[Url, float]:
    """New priorities by url. All are checked before any is set."""
    wanted = dict(pairs)
    for url, priority in wanted.items():
        if priority != DROP:
            _check(url, priority)
    return wanted


def _check(url: Url, priority: float) -> None:
    if not isfinite(priority):
        raise ValueError(
            f"the priority of {url} is {priority}, but must be a finite number (or {-inf} to drop the url)"
        )
