"""What a frontier will do next, read by another process: which hosts rest and why, what waits, and in which order.

Each function takes a way to read, as those of `reading.py` do. None reads all urls.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import inf
from typing import Literal, NamedTuple

from thresher.disk.found_rows import Read
from thresher.frontier.frontier_questions import PRIORITIES, FrontierQuestions, in_postgres, questions_to
from thresher.frontier.keys import first_key, key_of, last_key
from thresher.frontier.options import FrontierOptions
from thresher.model import SEED, Host, Url

Why = Literal["closed", "quota", "back-off", "asked to wait", "crawl-delay", "delay"]
"""Why a host is not asked now: it was given up, its quota is used up, it gave bad answers, it said when to come back, its robots.txt
asks for pauses; or it is the usual pause between two requests."""

# Every so manieth url by its age. By their keys they stand together by hosts, and a sample of hosts is none of urls.
_EVERY = """
    WITH RECURSIVE place (seq) AS (SELECT ?1 UNION ALL SELECT seq + ?1 FROM place WHERE seq + ?1 <= ?2)
    SELECT page.url FROM place CROSS JOIN origin AS page ON page.seq = place.seq
"""
_PRIORITIES = "SELECT priority FROM known WHERE state < 2 AND key IN ({})"
_MOST_SAMPLED, _AT_A_TIME = 20_000, 500
_HOSTS_REGARDED = 400


class RestingHost(NamedTuple):
    """A host with waiting urls that is not asked now."""

    host: str
    why: Why
    until: float
    """In seconds since 1970; infinite if it is not asked again in this run."""
    gap: float
    """Seconds between two requests to it."""
    strains: int
    """Bad answers in a row."""
    waiting: int


class Rests(NamedTuple):
    """The hosts that are left alone."""

    hosts: tuple[RestingHost, ...]
    """Those that rest for another reason than the usual pause, those that rest longest first."""
    counts: dict[Why, int]
    """How many rest for each reason."""
    waiting_hosts: int
    """Hosts with waiting urls, resting or not."""


class NextUrl(NamedTuple):
    """A url that waits, and when its turn could come."""

    url: Url
    host: str
    priority: float
    at: float
    """When its host may be asked for it, in seconds since 1970; infinite if not in this run."""
    tries: int
    depth: int
    parent: Url | None
    anchor: str
    chain: tuple[Url, ...]


class HostQueue(NamedTuple):
    """What waits on a host."""

    host: str
    waiting: int
    best: float | None
    """The priority of the best url; None if nobody has sorted them yet."""
    at: float
    """When the host may be asked."""


class ScoreSpread(NamedTuple):
    """How many urls wait with which priority."""

    edges: tuple[float, ...]
    """One more than there are counts."""
    counts: tuple[int, ...]
    each: int
    """How many urls one stands for that was looked at; 1 if all were."""


class _Queue(NamedTuple):
    number: int
    name: str
    next_at: float
    delay: float
    pause: float
    strains: int
    fetched: int
    waiting: int
    worth: float = 0.0


def rests(read: Read, options: FrontierOptions, now: float, most: int = 50) -> Rests:
    """Which hosts are left alone, and why."""
    every = [_rest(_Queue(*row), options, now) for row in read(questions_to(read).hosts)]
    resting = [each for each in every if each is not None]
    unusual = [each for each in resting if each.why != "delay"]
    longest = nlargest(most, unusual, key=lambda each: (each.until, each.waiting))
    return Rests(tuple(longest), dict(Counter(each.why for each in resting)), len(every))


def _rest(host: _Queue, options: FrontierOptions, now: float) -> RestingHost | None:
    gap = max(options.delay, host.delay, host.pause)
    why = _closed(host, options)
    if why is None and host.next_at <= now:
        return None
    until = host.next_at if why is None else inf
    why = why or _reason(host, options, now)
    return RestingHost(host.name, why, until, gap, host.strains, host.waiting)


def _closed(host: _Queue, options: FrontierOptions) -> Why | None:
    if host.strains >= options.give_up:
        return "closed"
    return "quota" if options.quota is not None and host.fetched >= options.quota else None


def _reason(host: _Queue, options: FrontierOptions, now: float) -> Why:
    usual = max(options.delay, host.delay, host.pause)
    if host.next_at - now > usual + 1.0:
        return "asked to wait"
    if host.pause and host.pause >= max(options.delay, host.delay):
        return "back-off"
    return "crawl-delay" if host.delay > options.delay else "delay"


def next_up(read: Read, options: FrontierOptions, now: float, most: int = 20) -> list[NextUrl]:
    """The urls that would be lent next if nothing new were found, in order; those of closed hosts are left out.

    Only the best hosts are regarded.
    """
    ask = questions_to(read)
    if not ask.heads:
        return []
    heads = [_Queue(*row) for row in read(ask.heads, {"most": _HOSTS_REGARDED})]
    yields = dict(read(ask.yielding)) if ask.yielding else {}
    lanes = [
        _Lane(read, ask, head, options, most, yields=head.number in yields)
        for head in heads
        if not _closed(head, options)
    ]
    found = list[NextUrl]()
    while len(found) < most and (pick := _pick(lanes, options, now)) is not None:
        lane, now = pick
        found.append(lane.take(now))
    return found


class _Lane:
    """A host and its best urls, from which one is taken at a time."""

    def __init__(  # noqa: PLR0913 - all that a host's turn depends on
        self, read: Read, ask: FrontierQuestions, host: _Queue, options: FrontierOptions, most: int, *, yields: bool
    ) -> None:
        self._read, self._ask = read, ask
        self.host, self.free_at = host, host.next_at
        self._gap, self._yields = max(options.delay, host.delay, host.pause), yields
        found = read(ask.best_of_host, {"number": host.number, "most": most}).fetchall()
        self._keys: Sequence[tuple[float, int]] = found
        self._place = 0

    @property
    def key(self) -> tuple[bool, float, int] | None:
        """The order of its next url; None if none is left."""
        return (self._yields, *self._keys[self._place]) if self._place < len(self._keys) else None

    def take(self, now: float) -> NextUrl:
        """Its next url, at that time."""
        worth, seq = self._keys[self._place]
        self._place += 1
        self.free_at = now + self._gap
        wanted = {"number": self.host.number, "worth": worth, "seq": seq}
        url, tries, depth, parent, anchor, chain = self._read(self._ask.waiting_url, wanted).fetchone()
        hops = tuple(map(Url, chain.split("\n"))) if chain else ()
        found_on = Url(parent) if isinstance(parent, str) else None
        words = self._ask.anchor(anchor or "")
        return NextUrl(Url(url), self.host.name, -worth, now, tries, depth, found_on, words, hops)


def _pick(lanes: Iterable[_Lane], options: FrontierOptions, now: float) -> tuple[_Lane, float] | None:
    """The lane whose turn it is, and when: as the calendar picks, which lets a url wait while enough better hosts are free soon."""
    open_lanes = [(lane.key, lane) for lane in lanes if lane.key is not None]
    while open_lanes:
        ready = [each for each in open_lanes if each[1].free_at <= now]
        if ready:
            key, lane = min(ready, key=lambda each: each[0] or (True, inf, 0))
            soon = now + 2 * options.delay
            better = [other.free_at for k, other in open_lanes if k and key and k < key and now < other.free_at <= soon]
            if not options.spread or not options.delay or len(better) < options.spread:
                return lane, now
            now = min(better)
        else:
            now = min(lane.free_at for _, lane in open_lanes)
    return None


def queues(read: Read, options: FrontierOptions, most: int = 15) -> list[HostQueue]:
    """The hosts on which most urls wait."""
    ask = questions_to(read)
    rows = nlargest(most, (_Queue(*row) for row in read(ask.hosts)), key=lambda each: (each.waiting, each.name))
    return [
        HostQueue(
            host.name,
            host.waiting,
            _best(read, ask, host.number),
            inf if _closed(host, options) else host.next_at,
        )
        for host in rows
    ]


def _best(read: Read, ask: FrontierQuestions, number: int) -> float | None:
    row = read(ask.best_of_host, {"number": number, "most": 1}).fetchone() if ask.best_of_host else None
    return -row[0] if row else None


def scores(read: Read, bins: int = 24) -> ScoreSpread:
    """How the priorities of waiting urls are spread; of very many urls, as an even sample says."""
    each, priorities = _sample(read)
    # Seeds have a priority above all others, which would press the rest into one bin.
    values = [priority for priority in priorities if abs(priority) < SEED / 2]
    if not values:
        return ScoreSpread((), (), each)
    low, high = min(values), max(values)
    width = (high - low) / bins or 1.0
    places = Counter(min(int((value - low) / width), bins - 1) for value in values)
    edges = tuple(low + place * width for place in range(bins + 1))
    return ScoreSpread(edges, tuple(each * places[place] for place in range(bins)), each)


def _sample(read: Read) -> tuple[int, list[float]]:
    """The priorities of some waiting urls, evenly spread over the time in which they were found, and how many one of them stands for."""
    if in_postgres(read):
        (known,) = read("SELECT coalesce(sum(waiting + in_flight + settled), 0) FROM host").fetchone()
        step = max(1, -(-known // _MOST_SAMPLED))
        return step, [priority for (priority,) in read(PRIORITIES, {"share": 100.0 / step})]
    if not questions_to(read).heads:
        return 1, []
    (newest,) = read("SELECT coalesce(max(seq), 0) FROM origin").fetchone()
    step = max(1, -(-newest // _MOST_SAMPLED))
    keys = [key_of(Url(url)) for (url,) in read(_EVERY, (step, newest))]
    parts = (keys[start : start + _AT_A_TIME] for start in range(0, len(keys), _AT_A_TIME))
    return step, [
        priority for part in parts for (priority,) in read(_PRIORITIES.format(",".join("?" * len(part))), part)
    ]


def settled_of_host(read: Read, host: str, limit: int, skip: int = 0) -> list[Url]:
    """So many urls of a host that were visited, in the order in which they were found."""
    ask, name = questions_to(read).settled_of_host, Host(host)
    wanted = {"host": host, "first": first_key(name), "last": last_key(name), "most": limit, "skip": skip}
    return [Url(url) for (url,) in read(ask, wanted)] if ask else []
