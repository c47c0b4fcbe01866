"""A frontier in the crawl's SQLite file: larger than memory, and safe to kill.

The urls are in the file. In memory are the hosts, each with the key of its best url, and a cache of recent links.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.frontier.base import BaseFrontier, shortened
from thresher.frontier.calendar import HostEntry, Key
from thresher.model import DROP, Candidate, Claim, Url
from thresher.urls import host_of, url_hash

_LOOK_UP = "SELECT hash, seq, host, state, priority FROM url WHERE hash IN ({})"
_INSERT = (
    "INSERT INTO url (seq, hash, host, priority, depth, parent, anchor, chain, url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_RAISE = "UPDATE url SET priority = ? WHERE seq = ?"
_UPDATE_ORIGIN = "UPDATE url SET priority = ?, depth = ?, parent = ?, anchor = ?, chain = ? WHERE seq = ?"
_BEST = "SELECT priority, seq FROM url WHERE host = ? AND state = 0 ORDER BY priority DESC, seq LIMIT 1"
_TAKE = """
    SELECT url.url, url.priority, url.depth, coalesce(page.url, url.parent), url.anchor, url.chain, url.tries
    FROM url LEFT JOIN url AS page ON page.seq = url.parent WHERE url.seq = ?"""
_LEND = "UPDATE url SET state = 1 WHERE seq = ?"
_RETURN = "UPDATE url SET state = 0, tries = tries + ? WHERE seq = ?"
_SETTLE = "UPDATE url SET state = 2 WHERE seq = ?"
_FORGET = "DELETE FROM url WHERE seq = ?"
_LOWEST = "SELECT hash, seq, host, priority FROM url WHERE state = 0 ORDER BY priority, seq DESC LIMIT ?"
_NEWEST = "SELECT hash, seq, host, priority FROM url WHERE state = 0 ORDER BY seq DESC LIMIT ?"
# Only a crawl with a cap pays for this order over all hosts.
_WITH_CAP = "CREATE INDEX IF NOT EXISTS url_by_priority ON url (priority, seq DESC) WHERE state = 0"
_WITHOUT_CAP = "DROP INDEX IF EXISTS url_by_priority"
_HOSTS = "SELECT number, name, next_at, delay, pause, strains, fetched, settled, waiting FROM host ORDER BY number"
_WRITE_HOST = """
    REPLACE INTO host (number, name, next_at, delay, pause, strains, fetched, settled, waiting)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_MOST_AT_ONCE = 64
_DONE = inf
"""In place of a settled url's priority: no link can change it."""


@dataclass(slots=True, eq=False)
class UrlRow:
    """A url in the file, or on its way there."""

    seq: int
    entry: HostEntry
    waiting: bool
    priority: float
    before: float | None
    """The priority in the file; None if it is new."""
    origin_link: Candidate | None = None
    """The link that the url takes its depth, parent, anchor and chain from; None if those in the file stay."""


class SeenCache:
    """Cache of recent links; for each, the highest priority at which seeing it again changes nothing. These need no look-up in the file.

    A table of fixed size; a newer link takes the place of an older one with the same low bits.

    Most links of a page are menus and neighbours that were met before. A look-up costs 3 µs or more in SQLite and .2 µs
    here; an entry takes 16 bytes here and 150 in a dict.
    """

    def __init__(self, slots: int = 1 << 19) -> None:
        assert slots & (slots - 1) == 0, "a power of two"
        self._mask = slots - 1
        self._hashes = array("q", bytes(8 * slots))
        self._floors = array("d", [-inf]) * slots

    def __getitem__(self, url_hash: int) -> float:
        """Links to the url with this priority or a lower one change nothing."""
        slot = url_hash & self._mask
        return self._floors[slot] if self._hashes[slot] == url_hash else -inf

    def __setitem__(self, url_hash: int, floor: float) -> None:
        slot = url_hash & self._mask
        self._hashes[slot] = url_hash
        self._floors[slot] = floor

    def above(self, candidates: Iterable[Candidate]) -> list[tuple[int, Candidate]]:
        """The candidates that may change something, with their hashes."""
        # Every link of every page passes here, so the loop is written out: half the time of asking self[...] for each.
        mask, hashes, floors, hash_of = self._mask, self._hashes, self._floors, url_hash
        found = []
        for candidate in candidates:
            number = hash_of(candidate.url)
            slot = number & mask
            if hashes[slot] != number or floors[slot] < candidate.priority:
                found.append((number, candidate))
        return found


@dataclass(eq=False)
class SqliteFrontier(BaseFrontier):
    """All urls in SQLite, all hosts in memory. There is one writer: whoever opens it holds the lock of the crawl folder."""

    ledger: Ledger = field(kw_only=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._seen = SeenCache()
        self.ledger.script(schema("frontier"))
        self.ledger.script(_WITHOUT_CAP if self.cap is None else _WITH_CAP)
        self._count = self.ledger.read("SELECT coalesce(max(seq), 0) FROM url").fetchone()[0]
        self._load_hosts()
        self.ledger.before_commit.append(self._write_hosts)

    def _load_hosts(self) -> None:
        # We hold the lock, so the process that made these claims has ended. They need not be waited for.
        lent = dict(self.ledger.read("SELECT host, count(*) FROM url WHERE state = 1 GROUP BY host").fetchall())
        if lent:
            self.ledger.write("UPDATE url SET state = 0 WHERE state = 1")
        for figures in self.ledger.read(_HOSTS).fetchall():
            self._load_host(HostEntry(*figures), lent.get(figures[0], 0))
        self._calendar.reopen()

    def _load_host(self, entry: HostEntry, lent: int) -> None:
        entry.waiting += lent
        self._waiting += entry.waiting
        entry.head = self._best(entry) if entry.waiting else None
        self._calendar.restore(entry)
        self._calendar.place(entry)

    def _write_hosts(self) -> None:
        changed = self._calendar.changed
        self.ledger.write_many(_WRITE_HOST, [_figures(entry) for entry in changed.values()])
        changed.clear()

    def _turn_ends(self) -> None:
        self.ledger.turn_ends()

    def _take_in(self, candidates: list[Candidate], source: Claim | None) -> int:
        maybe = self._seen.above(candidates)
        if not maybe:
            return 0
        rows = self._look_up([number for number, _ in maybe])
        for number, candidate in maybe:
            row = rows.get(number)
            if row is None:
                rows[number] = self._new_row(candidate)
            elif row.waiting:
                self._meet(row, candidate)
        return self._shelve(rows, source)

    def _new_row(self, candidate: Candidate) -> UrlRow:
        self._count += 1
        entry = self._calendar.entry(host_of(candidate.url))
        return UrlRow(self._count, entry, waiting=True, priority=candidate.priority, before=None, origin_link=candidate)

    def _meet(self, row: UrlRow, candidate: Candidate) -> None:
        if self._follows(row.priority, candidate.priority):
            row.origin_link = candidate
        row.priority = self._merged(row.priority, candidate.priority)

    def _shelve(self, rows: dict[int, UrlRow], source: Claim | None) -> int:
        """Write what is new or changed, then update the calendar."""
        new = [(number, row) for number, row in rows.items() if row.before is None]
        origin_changed = [row for row in rows.values() if row.before is not None and row.origin_link is not None]
        raised = [row for row in rows.values() if row.origin_link is None and row.priority != row.before]
        if new:
            self.ledger.write_many(_INSERT, [_fields(number, row, source) for number, row in new])
        if origin_changed:
            self.ledger.write_many(
                _UPDATE_ORIGIN, [(row.priority, *_origin_columns(row, source), row.seq) for row in origin_changed]
            )
        if raised:
            self.ledger.write_many(_RAISE, [(row.priority, row.seq) for row in raised])
        for row in raised + origin_changed:
            assert row.before is not None
            self._moved(row.entry, (-row.before, row.seq), (-row.priority, row.seq))
        for _, row in new:
            self._came(row.entry, (-row.priority, row.seq))
        self._note(rows)
        return len(new)

    def _note(self, rows: dict[int, UrlRow]) -> None:
        seen = self._seen
        for number, row in rows.items():
            if self.merge == "max" or row.priority == _DONE:
                seen[number] = row.priority
            elif self.merge == "first":
                seen[number] = _DONE

    def _look_up(self, numbers: Sequence[int]) -> dict[int, UrlRow]:
        rows = {}
        for start in range(0, len(numbers), _MOST_AT_ONCE):
            some = numbers[start : start + _MOST_AT_ONCE]
            # One statement for each length, so that each is prepared once.
            found = self.ledger.read(_LOOK_UP.format(",".join("?" * len(some))), some)
            for number, seq, host, state, kept in found:
                priority = _DONE if state == 2 else kept
                rows[number] = UrlRow(seq, self._calendar[host], state == 0, priority, priority)
        return rows

    def _best(self, entry: HostEntry) -> Key:
        priority, seq = self.ledger.read(_BEST, (entry.number,)).fetchone()
        return (-priority, seq)

    def _take(self, entry: HostEntry, number: int) -> tuple[Candidate, int]:  # noqa: ARG002 - the number says it all here
        url, priority, depth, parent, anchor, chain, tries = self.ledger.read(_TAKE, (number,)).fetchone()
        self.ledger.write(_LEND, (number,))
        return Candidate(url, priority, depth, parent, anchor or "", tuple(chain.split("\n")) if chain else ()), tries

    def _put_back(self, claim: Claim, *, tried: bool) -> None:
        self.ledger.write(_RETURN, (tried, claim.number))

    def _close(self, claim: Claim) -> None:
        self.ledger.write(_SETTLE, (claim.number,))
        self._seen[url_hash(claim.url)] = _DONE

    def _set_priorities(self, wanted: dict[Url, float]) -> None:
        by_number = {url_hash(url): priority for url, priority in wanted.items()}
        rows = {number: row for number, row in self._look_up(list(by_number)).items() if row.waiting}
        dropped = {number: rows.pop(number) for number in list(rows) if by_number[number] == DROP}
        self._forget((number, row.seq, row.entry, row.priority) for number, row in dropped.items())
        for number, row in rows.items():
            row.priority = by_number[number]
        self._shelve(rows, None)

    def _forget_lowest(self, count: int) -> None:
        lost = self.ledger.read(_LOWEST if self.evict == "lowest" else _NEWEST, (count,)).fetchall()
        self._forget((number, seq, self._calendar[host], priority) for number, seq, host, priority in lost)

    def _forget(self, lost: Iterable[tuple[int, int, HostEntry, float]]) -> None:
        for number, seq, entry, priority in lost:
            self.ledger.write(_FORGET, (seq,))
            self._seen[number] = -inf
            self._left(entry, (-priority, seq))


def _figures(entry: HostEntry) -> tuple[Any, ...]:
    politeness = entry.next_at, entry.delay, entry.pause, entry.strains
    return (entry.number, entry.name, *politeness, entry.fetched, entry.settled, entry.waiting)


def _fields(number: int, row: UrlRow, source: Claim | None) -> tuple[Any, ...]:
    assert row.origin_link is not None
    return (row.seq, number, row.entry.number, row.priority, *_origin_columns(row, source), row.origin_link.url)


def _origin_columns(row: UrlRow, source: Claim | None) -> tuple[Any, ...]:
    assert row.origin_link is not None
    link = shortened(row.origin_link)
    # The number of the parent takes 4 bytes, its url 60; nearly all links come from the page that is being settled.
    parent = source.number if source is not None and link.parent == source.url else link.parent
    return link.depth, parent, link.anchor or None, "\n".join(link.chain) or None
