"""A frontier in the crawl's SQLite file: larger than memory, and safe to kill.

The urls are in the file. In memory are the hosts, each with the key of its best url, and a cache of recent links.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from thresher.disk.ledger import Ledger
from thresher.frontier.base import BaseFrontier, follows, merged, shortened
from thresher.frontier.best_waiting import BestWaiting
from thresher.frontier.host_entry import HostEntry, Key
from thresher.frontier.keys import first_key, key_of, last_key
from thresher.frontier.seen_cache import SeenCache
from thresher.frontier.upgrade import make_tables
from thresher.model import DROP, FIRST, Candidate, Claim, Standing, Url
from thresher.urls import host_of

_MOST_AT_ONCE = 64
# One statement for each number of links, so that each is prepared once.
_LOOK_UP = [
    f"SELECT key, seq, host, state, priority FROM known WHERE key IN ({','.join('?' * count)})"  # noqa: S608 - only marks
    for count in range(_MOST_AT_ONCE + 1)
]
_INSERT = "INSERT INTO known (key, seq, host, state, priority) VALUES (?, ?, ?, 0, ?)"
_INSERT_ORIGIN = "INSERT INTO origin (depth, parent, anchor, chain, seq, url) VALUES (?, ?, ?, ?, ?, ?)"
# Without what most urls lack: Python's sqlite3 looks for an adapter at each None, which takes as long as four other values.
_INSERT_LINKED = "INSERT INTO origin (depth, parent, anchor, seq, url) VALUES (?, ?, ?, ?, ?)"
_INSERT_SEED = "INSERT INTO origin (depth, seq, url) VALUES (?, ?, ?)"
_RAISE = "UPDATE known SET priority = ? WHERE key = ?"
_NEW_ORIGIN = "REPLACE INTO new_origin (depth, parent, anchor, chain, host, seq) VALUES (?, ?, ?, ?, ?, ?)"
_NEW_ORIGIN_LINKED = "REPLACE INTO new_origin (depth, parent, anchor, host, seq) VALUES (?, ?, ?, ?, ?)"
_TAKE = """
    SELECT first.url, first.tries, link.depth, coalesce(page.url, link.parent), link.anchor, link.chain
    FROM (SELECT depth, parent, anchor, chain FROM new_origin WHERE host = ?1 AND seq = ?2
          UNION ALL SELECT depth, parent, anchor, chain FROM origin WHERE seq = ?2 LIMIT 1) AS link
    JOIN origin AS first ON first.seq = ?2 LEFT JOIN origin AS page ON page.seq = link.parent"""
_SET_STATE = "UPDATE known SET state = ? WHERE key = ?"
_TRIED = "UPDATE origin SET tries = tries + 1 WHERE seq = ?"
_LENT = "SELECT key, seq, host, priority FROM known WHERE state = 1"
_FORGET = "DELETE FROM known WHERE key = ?"
_FORGET_ORIGIN = "DELETE FROM origin WHERE seq = ?"
_FORGET_NEW_ORIGIN = "DELETE FROM new_origin WHERE host = ? AND seq = ?"
_FORGET_OF_HOST = "DELETE FROM known WHERE key BETWEEN ?1 AND ?2 AND host = ?3 AND state = 0"
_FORGET_ORIGINS_OF_HOST = """
    DELETE FROM origin WHERE seq IN (SELECT seq FROM known WHERE key BETWEEN ?1 AND ?2 AND host = ?3 AND state = 0)"""
_FORGET_NEW_ORIGINS_OF_HOST = """
    DELETE FROM new_origin
    WHERE host = ?3 AND seq IN (SELECT seq FROM known WHERE key BETWEEN ?1 AND ?2 AND host = ?3 AND state = 0)"""
_LOWEST = "SELECT key, seq, host, priority FROM known WHERE state = 0 ORDER BY priority, seq DESC LIMIT ?"
_NEWEST = f"""
    SELECT key, seq, host, priority FROM known WHERE state = 0 AND (priority >= {FIRST}) = ? ORDER BY seq DESC LIMIT ?"""  # noqa: S608 - a number of our own
# Only a crawl with a cap pays for an order over all hosts.
_WITH_CAP = {
    "lowest": "CREATE INDEX IF NOT EXISTS known_by_priority ON known (priority, seq DESC) WHERE state = 0",
    "newest": "CREATE INDEX IF NOT EXISTS known_by_age ON known (seq DESC) WHERE state = 0",
}
_WITHOUT_CAP = "DROP INDEX IF EXISTS known_by_priority; DROP INDEX IF EXISTS known_by_age"
_HOSTS = "SELECT number, name, next_at, delay, pause, strains, fetched, settled, waiting FROM host ORDER BY number"
_WRITE_HOST = """
    REPLACE INTO host (number, name, next_at, delay, pause, strains, fetched, settled, waiting)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ALIKE = "SELECT host, level, pages, yields_till FROM alike"
_WRITE_ALIKE = "REPLACE INTO alike (host, level, pages, yields_till) VALUES (?, ?, ?, ?)"
_Values = tuple[int | str | None, ...]
_DONE = inf
"""In place of a settled url's priority: no link can change it."""


@dataclass(slots=True, eq=False)
class UrlRow:
    """A url in the file."""

    key: int
    seq: int
    entry: HostEntry
    waiting: bool
    priority: float
    before: float
    """The priority in the file."""
    origin_link: Candidate | None = None
    """The link that the url takes its depth, parent, anchor and chain from; None if those in the file stay."""


@dataclass(eq=False)
class SqliteFrontier(BaseFrontier):
    """All urls in SQLite, all hosts in memory. There is one writer: whoever opens it holds the lock of the crawl folder."""

    ledger: Ledger = field(kw_only=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._seen = SeenCache()
        self._best_waiting = BestWaiting(self.ledger)
        make_tables(self.ledger)
        self.ledger.script(_WITHOUT_CAP if self.cap is None else _WITH_CAP[self.evict])
        self._count = self.ledger.read("SELECT coalesce(max(seq), 0) FROM origin").fetchone()[0]
        self._load_hosts()
        self.ledger.before_commit.append(self._write_hosts)

    def _load_hosts(self) -> None:
        heads, alike = self._best_waiting.load(), {host: looks for host, *looks in self.ledger.read(_ALIKE)}
        for figures in self.ledger.read(_HOSTS).fetchall():
            entry = HostEntry(*figures)
            entry.head = heads.get(entry.number) or (self._best(entry) if entry.waiting else None)
            entry.alike, entry.alike_pages, entry.yields_till = alike.get(entry.number, (0, 0, 0))
            self._waiting += entry.waiting
            self._calendar.restore(entry)
            self._calendar.place(entry)
        self._take_back_all()
        self._calendar.reopen()

    def _take_back_all(self) -> None:
        # We hold the lock, so the process that made these claims has ended. They need not be waited for.
        for key, seq, host, priority in self.ledger.read(_LENT).fetchall():
            self.ledger.write(_SET_STATE, (0, key))
            self._best_waiting.add([(self._calendar[host], (-priority, seq))])
            self._came(self._calendar[host], (-priority, seq))

    def _write_hosts(self) -> None:
        changed = self._calendar.changed
        # In the order of the file, where neighbours stand on one page.
        self.ledger.write_many(_WRITE_HOST, [_figures(changed[number]) for number in sorted(changed)])
        alike = [entry for entry in changed.values() if entry.alike_pages]
        self.ledger.write_many(_WRITE_ALIKE, [(e.number, e.alike, e.alike_pages, e.yields_till) for e in alike])
        changed.clear()

    def _turn_ends(self) -> None:
        self.ledger.turn_ends()

    def _take_in(self, candidates: list[Candidate], source: Claim | None) -> int:
        maybe = self._seen.above(candidates)
        if not maybe:
            return 0
        rows, new = self._look_up([key for key, _ in maybe]), dict[int, Candidate]()
        for key, candidate in maybe:
            if (row := rows.get(key)) is not None:
                if row.waiting:
                    self._meet(row, candidate)
            elif (met := new.get(key)) is not None:
                new[key] = self._met_twice(met, candidate)
            else:
                new[key] = candidate
        self._shelve(rows, new, source)
        return len(new)

    def _meet(self, row: UrlRow, candidate: Candidate) -> None:
        if follows(self.merge, row.priority, candidate.priority):
            row.origin_link = candidate
        row.priority = merged(self.merge, row.priority, candidate.priority)

    def _met_twice(self, first: Candidate, again: Candidate) -> Candidate:
        """What two links to the same new url make of it."""
        link = again if follows(self.merge, first.priority, again.priority) else first
        return link._replace(priority=merged(self.merge, first.priority, again.priority))

    def _shelve(self, rows: dict[int, UrlRow], new: dict[int, Candidate], source: Claim | None) -> None:
        """Write what is new or changed, then update the calendar."""
        told = [(row, row.origin_link) for row in rows.values() if row.origin_link is not None]
        moved = [
            (row, (-row.before, row.seq), (-row.priority, row.seq))
            for row in rows.values()
            if row.priority != row.before
        ]
        came = self._write_new(new, source) if new else []
        if told:
            self._write_told(told, source)
        if moved:
            self._write_moved(moved)
        self._all_came(came)
        self._note(rows, new)

    def _write_new(self, new: dict[int, Candidate], source: Claim | None) -> list[tuple[HostEntry, Key]]:
        """Write urls that nobody knew; returns the host and the key of each."""
        entry_of, first = self._calendar.entry, self._count + 1
        self._count += len(new)
        came = [(entry_of(host_of(link.url)), (-link.priority, seq)) for seq, link in enumerate(new.values(), first)]
        self._write_origins(new.values(), first, source)
        known = [(key, seq, entry.number, -worth) for key, (entry, (worth, seq)) in zip(new, came, strict=True)]
        known.sort()
        self.ledger.write_many(_INSERT, known)
        self._best_waiting.add(came)
        return came

    def _write_origins(self, links: Iterable[Candidate], first: int, source: Claim | None) -> None:
        redirected, linked, seeds = list[_Values](), list[_Values](), list[_Values]()
        for seq, link in enumerate(links, first):
            depth, parent, anchor, chain = _origin_columns(link, source)
            if chain is not None:
                redirected.append((depth, parent, anchor, chain, seq, link.url))
            elif parent is not None or anchor is not None:
                linked.append((depth, parent, anchor, seq, link.url))
            else:
                seeds.append((depth, seq, link.url))
        for insert, rows in ((_INSERT_ORIGIN, redirected), (_INSERT_LINKED, linked), (_INSERT_SEED, seeds)):
            if rows:
                self.ledger.write_many(insert, rows)

    def _write_told(self, told: list[tuple[UrlRow, Candidate]], source: Claim | None) -> None:
        redirected, linked = list[_Values](), list[_Values]()
        for row, link in told:
            *place, chain = _origin_columns(link, source)
            if chain is not None:
                redirected.append((*place, chain, row.entry.number, row.seq))
            else:
                linked.append((*place, row.entry.number, row.seq))
        for replace, rows in ((_NEW_ORIGIN, redirected), (_NEW_ORIGIN_LINKED, linked)):
            if rows:
                self.ledger.write_many(replace, rows)

    def _write_moved(self, moved: list[tuple[UrlRow, Key, Key]]) -> None:
        self.ledger.write_many(_RAISE, [(row.priority, row.key) for row, _, _ in moved])
        self._best_waiting.remove((row.entry, before) for row, before, _ in moved)
        self._best_waiting.add((row.entry, after) for row, _, after in moved)
        for row, before, after in moved:
            self._moved(row.entry, before, after)

    def _note(self, rows: dict[int, UrlRow], new: dict[int, Candidate]) -> None:
        if self.merge == "max":
            priorities = [row.priority for row in rows.values()] + [link.priority for link in new.values()]
            self._seen.update([*rows, *new], priorities)
        elif self.merge == "first":
            self._seen.update([*rows, *new], _DONE)
        elif done := [key for key, row in rows.items() if row.priority == _DONE]:
            self._seen.update(done, _DONE)

    def _look_up(self, keys: Sequence[int]) -> dict[int, UrlRow]:
        rows = {}
        for start in range(0, len(keys), _MOST_AT_ONCE):
            some = keys[start : start + _MOST_AT_ONCE]
            found = self.ledger.read(_LOOK_UP[len(some)], some).fetchall()
            for key, seq, host, state, kept in found:
                priority = _DONE if state == 2 else kept
                rows[key] = UrlRow(key, seq, self._calendar[host], state == 0, priority, priority)
        return rows

    def _best(self, entry: HostEntry) -> Key:
        return self._best_waiting.first(entry)

    def _take(self, entry: HostEntry, number: int) -> tuple[Candidate, int]:
        assert entry.head is not None
        url, tries, depth, parent, anchor, chain = self.ledger.read(_TAKE, (entry.number, number)).fetchone()
        self.ledger.write(_SET_STATE, (1, key_of(url)))
        self._best_waiting.remove([(entry, entry.head)])
        told = depth, parent, anchor or "", tuple(chain.split("\n")) if chain else ()
        return Candidate(url, -entry.head[0], *told), tries

    def _put_back(self, claim: Claim, *, tried: bool) -> None:
        self.ledger.write(_SET_STATE, (0, key_of(claim.url)))
        if tried:
            self.ledger.write(_TRIED, (claim.number,))
        self._best_waiting.add([(self._calendar.entry(claim.host), (-claim.candidate.priority, claim.number))])

    def _close(self, claim: Claim) -> None:
        key = key_of(claim.url)
        self.ledger.write(_SET_STATE, (2, key))
        self.ledger.write(_FORGET_NEW_ORIGIN, (self._calendar.entry(claim.host).number, claim.number))
        self._seen[key] = _DONE

    def _set_priorities(self, wanted: dict[Url, float]) -> int:
        by_key = {key_of(url): priority for url, priority in wanted.items()}
        found = self._look_up(list(by_key))
        rows = {key: row for key, row in found.items() if row.waiting and row.priority < FIRST}
        dropped = [rows.pop(key) for key in list(rows) if by_key[key] == DROP]
        self._forget((row.key, row.seq, row.entry, row.priority) for row in dropped)
        for key, row in rows.items():
            row.priority = by_key[key]
        self._shelve(rows, {}, None)
        return len(dropped) + sum(row.priority != row.before for row in rows.values())

    def _standing(self, url: Url) -> Standing:
        row = self._look_up([key := key_of(url)]).get(key)
        if row is None:
            return "unknown"
        if row.waiting:
            return "closed" if self._calendar.closed(row.entry) else "waiting"
        return "claimed" if row.seq in self._leases else "settled"

    def _forget_host(self, entry: HostEntry) -> None:
        place = first_key(entry.name), last_key(entry.name), entry.number
        self.ledger.write(_FORGET_ORIGINS_OF_HOST, place)
        self.ledger.write(_FORGET_NEW_ORIGINS_OF_HOST, place)
        self.ledger.write(_FORGET_OF_HOST, place)
        self._best_waiting.forget(entry)
        self._seen = SeenCache()

    def _forget_lowest(self, count: int) -> None:
        lost = self.ledger.read(_LOWEST, (count,)).fetchall() if self.evict == "lowest" else self._newest(count)
        self._forget((key, seq, self._calendar[host], priority) for key, seq, host, priority in lost)

    def _newest(self, count: int) -> list[tuple[int, int, int, float]]:
        """The newest that wait; what was put first only if there are no others."""
        newest = self.ledger.read(_NEWEST, (False, count)).fetchall()
        return newest + self.ledger.read(_NEWEST, (True, count - len(newest))).fetchall()

    def _forget(self, lost: Iterable[tuple[int, int, HostEntry, float]]) -> None:
        for key, seq, entry, priority in lost:
            self.ledger.write(_FORGET, (key,))
            self.ledger.write(_FORGET_ORIGIN, (seq,))
            self.ledger.write(_FORGET_NEW_ORIGIN, (entry.number, seq))
            self._best_waiting.remove([(entry, (-priority, seq))])
            self._seen[key] = -inf
            self._left(entry, (-priority, seq))


def _figures(entry: HostEntry) -> tuple[Any, ...]:
    politeness = entry.next_at, entry.delay, entry.pause, entry.strains
    return (entry.number, entry.name, *politeness, entry.fetched, entry.settled, entry.waiting)


def _origin_columns(link: Candidate, source: Claim | None) -> tuple[int, int | str | None, str | None, str | None]:
    _, _, depth, parent, anchor, chain = link
    # The number of the parent takes 4 bytes, its url 60; nearly all links come from the page that is being settled.
    told = source.number if source is not None and parent == source.url else parent
    return depth, told, shortened(anchor) or None, "\n".join(chain) or None if chain else None
