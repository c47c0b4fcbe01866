"""A frontier in PostgreSQL, for several workers on several machines: each url is lent to one of them at a time.

The rules of lending are functions of the server (`disk/schemas/postgres_lending.sql`, `postgres_taking_in.sql`), so that each claim and
each settle is one exchange and one transaction. A worker keeps nothing that the crawl needs: only which claims it holds, and a cache
of links that change nothing. That cache is wrong once another worker forgot a url or lowered its priority. Each worker counts how often it
did; a worker that sees the sum of the others change (the epoch) empties its cache, and sends the links again that it had held back.
"""

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple, TypeVar

from thresher.disk.postgres_arrays import texts
from thresher.disk.postgres_ledger import PATIENCE, PostgresLedger, Writes, no_writes
from thresher.errors import BadInput, LedgerLost
from thresher.frontier import turns
from thresher.frontier.base import HIGHEST, admitted, checked
from thresher.frontier.keys import key_of
from thresher.frontier.options import FrontierOptions
from thresher.frontier.postgres_columns import (
    HostNames,
    WantedLink,
    claim_of,
    folded,
    link_columns,
    priority_columns,
    settle_columns,
)
from thresher.frontier.seen_cache import SeenCache
from thresher.model import FIRST, Candidate, Census, Claim, Host, Outcome, Standing, Url

_OPTIONS = (
    "merge", "cap", "evict", "lease", "delay", "per_host", "spread", "quota", "backoff", "backoff_most", "give_up", "rest_most",
    "alike_turns",
)  # fmt: skip
# The first parameter of each are the options.
_JOIN = "SELECT mine, options, began FROM join_crawl(%s::text, %s, %s::float8, %s::text)"
# Every question of a worker is answered by an index, from a plan that is made once. Said for the connection: to say it for each call of a
# function costs more than the planning it saves.
_BY_INDEX = """
    SELECT set_config(name, value, false) FROM (VALUES
        ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_seqscan', 'off'), ('plan_cache_mode', 'force_generic_plan')
    ) AS plans (name, value)"""
_CLAIM = "SELECT * FROM claim(%s::text::lending_options, %s::integer, %s::integer, %s::float8)"
_SETTLE = """
    SELECT now, epoch, begins, floors, forgotten FROM settle(
        %s::text::lending_options, %s::integer, %s::float8, %s::float8, %s::bigint, %s::bigint, %s, %s, %s, %s::float8, %s::float8,
        %s::boolean, %b, %s::integer, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b)"""
_ADD = """
    SELECT fresh, epoch, floors, forgotten FROM add_links(
        %s::text::lending_options, %s::integer, %s::float8, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b)"""
_REPRIORITISE = "SELECT reprioritise(%s::text::lending_options, %s::integer, %s::float8, %b, %b, %b, %b)"
_PUT_FIRST = """
    SELECT standing, forgotten FROM put_first(
        %s::text::lending_options, %s::integer, %s::float8, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b)"""
_LEAVE = "SELECT leave(%s::text::lending_options, %s::integer, %s::float8, %s::text)"
_SET_BACK = "SELECT set_back(%s::text::lending_options, %s::float8)"
_DUE = "SELECT due(%s::text::lending_options, %s::float8)"
_CENSUS = "SELECT * FROM census(%s::text::lending_options, %s::float8)"
_LIMIT = "UPDATE lending SET pages = %s::bigint WHERE pages IS DISTINCT FROM %s::bigint"
_HELD = "SELECT EXISTS (SELECT FROM lease WHERE token = %s)"
_T = TypeVar("_T")
_MOST_AT_ONCE = 5000
"""Links that are sent in one statement."""


class HeldClaim(NamedTuple):
    """A claim that this worker holds."""

    claim: Claim
    token: int
    """Of its lease."""
    connection: int
    """By which connection, counted from 1, it was lent."""


@dataclass(eq=False, kw_only=True)
class PostgresFrontier(FrontierOptions):
    """All urls and hosts in PostgreSQL. Any number of these, in any number of processes, lend from one crawl."""

    ledger: PostgresLedger = field(kw_only=False)
    turned: bool = False
    """Whether the times that are given count, for tests and the lab. Otherwise the server's clock does, since those of workers differ."""
    patience: float = PATIENCE
    """Seconds for which a server that does not answer is waited for."""

    crash_rest: float = 60.0
    """Seconds for which every host is left alone after a crash of the server, which may have forgotten the latest claims: longer than any
    request that was under way."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._options = self._as_row()
        self._seen = SeenCache()
        self._held: dict[int, HeldClaim] = {}
        """Claims by their numbers."""
        self._now = self._later = 0.0
        """The server's time at the last claim, and how much later the worker's clock is."""
        self._at = time.monotonic()
        self._epoch = -1
        self.began = 0.0
        """When this worker joined, by the server's clock."""
        self._census = Census()
        self._join(again=False)
        self.ledger.on_connect.append(lambda: self._join(again=True))

    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in candidates; known ones are merged. Returns how many were new."""
        links = admitted(candidates)
        new = 0
        for start in range(0, max(len(links), 1), _MOST_AT_ONCE):
            maybe = self._seen.above(links[start : start + _MOST_AT_ONCE])
            new += await self._add(folded(maybe, self.merge))
        return new

    async def claim(self, limit: int, now: float) -> list[Claim]:
        """Lend up to so many urls. Empty if no host may be visited now."""
        given = now if self.turned else None
        # From before it is asked: the server's time is never taken for earlier than it is.
        asked, before = time.monotonic(), self._now
        rows = await self._sent(no_writes(), _CLAIM, limit, given)
        assert rows is not None
        server, epoch = rows[0][:2]
        self._heed(epoch)
        self._now, self._at, self._later = server, asked, now - server
        if server < before:
            await self._patiently(lambda: self.ledger.awaited_turn(_SET_BACK, (self._options, server), no_writes()))
        lent = [HeldClaim(claim_of(row[3:], self._later), row[2], self.ledger.connections) for row in rows[1:]]
        self._held.update((held.claim.number, held) for held in lent)
        return [held.claim for held in lent]

    async def settle(
        self,
        claim: Claim,
        outcome: Outcome,
        found: Iterable[Candidate],
        now: float,
        moved: Iterable[tuple[Url, float]] = (),
    ) -> bool:
        """End a claim, take in what its page gave, then give waiting urls other priorities: one transaction with what the ledger gathered.

        Nothing changes if the claim is no longer held. True if its host begins to lose turns, since its pages look alike.
        """
        candidates, wanted = admitted(found), checked(moved)
        held = self._held_claim(claim)
        if held is None:
            self.ledger.forget_turn()
            return False
        maybe = self._seen.above(candidates)
        links = folded(maybe, self.merge)
        told = outcome.final, outcome.tried, outcome.strain, outcome.rest, outcome.delay, outcome.alike
        times = now if self.turned else None, self._seen_time()
        columns = settle_columns(claim, links, wanted, final=outcome.final)
        rows = await self._turn(_SETTLE, *times, held.token, key_of(claim.url), *told, *columns)
        self._held.pop(claim.number, None)
        if rows is None:
            return False
        [(_, epoch, begins, floors, forgotten)] = rows
        outdated = self._heed(epoch)
        self._note(links, floors, forgotten, wanted)
        if outcome.final:
            self._seen[key_of(claim.url)] = inf
        if outdated and len(maybe) < len(candidates):
            await self._send_held_back(candidates, maybe)
        return bool(begins)

    def holds(self, claim: Claim) -> bool:
        """Whether a claim is still held, so that settling it would count.

        The server is asked only if its time is over, or if the connection was lost since: the server may have crashed, and forgotten it.
        """
        held = self._held_claim(claim)
        if held is None:
            return False
        if self._server_time() < claim.expires - self._later and held.connection == self.ledger.connections:
            return True
        try:
            [(lent,)] = self.ledger.read(_HELD, (held.token,))
        except LedgerLost:
            return True  # whoever settles it will know
        if not lent:
            del self._held[claim.number]
        return bool(lent)

    async def reprioritise(self, pairs: Iterable[tuple[Url, float]]) -> int:
        """Set the priorities of waiting urls; one that gets `DROP` is forgotten. All others stay as they are.

        What was put first stays there. Returns how many really moved.
        """
        wanted, hosts = checked(pairs), HostNames()
        if not wanted:
            await self._turn_ends()
            return 0
        columns = priority_columns(hosts, wanted)
        rows = await self._turn(_REPRIORITISE, self._seen_time(), texts(hosts.names), *columns)
        self._seen.update(list(map(key_of, wanted)), -inf)
        return int(rows[0][0] or 0) if rows else 0

    async def put_first(self, candidate: Candidate) -> Standing:
        """Lend this url before all others, as soon as its host may be visited; add it if it is unknown. Returns how it stood before."""
        hosts, key = HostNames(), key_of(candidate.url)
        columns = link_columns(hosts, {key: WantedLink(candidate._replace(priority=FIRST))}, None)
        rows = await self._turn(_PUT_FIRST, self._seen_time(), texts(hosts.names), *columns)
        assert rows is not None
        [(standing, forgotten)] = rows
        self._seen.update([key, *(forgotten or ())], -inf)
        told: Standing = standing
        return told

    async def leave(self, host: Host) -> int:
        """Forget all urls that wait on a host, in one go. Returns how many."""
        rows = await self._turn(_LEAVE, self._seen_time(), host)
        assert rows is not None
        self._seen = SeenCache()
        return int(rows[0][0])

    def count_workers(self) -> None:
        """Count who is there now: a url waits for so many better hosts for each of them, so that more workers are faster."""
        self.ledger.read("SELECT count_workers()")

    def limit(self, pages: int | None) -> None:
        """Lend no more pages than that in all, whoever lends."""
        self.ledger.safely(_LIMIT, (pages, pages))

    def due(self) -> float | None:
        """When the next claim could succeed if nothing is settled before, by the clock of the worker; None if never."""
        try:
            [(due,)] = self.ledger.read(_DUE, (self._options, self._seen_time()))
        except LedgerLost:
            due = self._server_time() + 1.0  # the next claim waits for the server
        return None if due is None else due + self._later

    def census(self) -> Census:
        """The frontier in figures; the last known ones while the server does not answer.

        It goes through all hosts: ask a few times a second, not at every page.
        """
        with suppress(LedgerLost):
            [row] = self.ledger.read(_CENSUS, (self._options, self._seen_time()))
            self._census = Census._make(row)
        return self._census

    def _held_claim(self, claim: Claim) -> HeldClaim | None:
        """What is known of a claim that this worker holds, as far as it knows."""
        held = self._held.get(claim.number)
        return held if held is not None and held.claim == claim else None

    async def _add(self, links: dict[int, WantedLink]) -> int:
        if not links and self.cap is None:
            await self._turn_ends()
            return 0
        hosts = HostNames()
        columns = link_columns(hosts, links, None)
        rows = await self._turn(_ADD, self._seen_time(), texts(hosts.names), *columns)
        assert rows is not None
        [(fresh, epoch, floors, forgotten)] = rows
        self._heed(epoch)
        self._note(links, floors, forgotten, ())
        return int(fresh)

    async def _send_held_back(self, candidates: list[Candidate], sent: list[tuple[int, Candidate]]) -> None:
        """Another worker changed urls: links that the cache held back may count after all."""
        keys = {key for key, _ in sent}
        links = folded([pair for pair in self._seen.above(candidates) if pair[0] not in keys], self.merge)
        await self._add(links)

    def _note(
        self,
        links: dict[int, WantedLink],
        floors: Sequence[float] | None,
        forgotten: Sequence[int] | None,
        moved: Iterable[Url],
    ) -> None:
        """What the server said of links that were sent: at which priorities they change nothing."""
        if self.merge == "max":
            self._seen.update(list(links), floors or ())
        elif self.merge == "first":
            self._seen.update(list(links), inf)
        else:
            done = [key for key, floor in zip(links, floors or (), strict=True) if floor == inf]
            self._seen.update(done, inf)
        self._seen.update([*map(key_of, moved), *(forgotten or ())], -inf)

    def _heed(self, epoch: int) -> bool:
        """Empty the cache if another worker forgot or lowered urls since; whether one did."""
        changed = epoch != self._epoch
        if changed:
            self._seen = SeenCache()
        self._epoch = epoch
        return changed

    def _server_time(self) -> float:
        return self._now + (0.0 if self.turned else time.monotonic() - self._at)

    def _seen_time(self) -> float | None:
        return self._now if self.turned else None

    def _join(self, *, again: bool) -> None:
        name = f"{socket.gethostname()}:{os.getpid()}"
        self.ledger.read(_BY_INDEX)
        [(self._slot, options, began)] = self.ledger.safely(_JOIN, (self._options, again, self.crash_rest, name))
        self.began = self.began or began
        if options != self._options:
            raise BadInput(
                f"{self.ledger.place.name}: other workers crawl with other options of the frontier; all must have the same"
            )

    def _as_row(self) -> str:
        """The options as PostgreSQL reads a row."""
        most = turns.FIRST + self.alike_turns.bit_length()
        values = [*(getattr(self, name) for name in _OPTIONS), turns.FIRST, most, HIGHEST, FIRST]
        return f"({','.join('' if value is None else str(value) for value in values)})"

    async def _turn(self, sql: str, *values: Any) -> list[tuple[Any, ...]] | None:
        """End the turn with one of the server's functions.

        While the server is waited for, other pages may come to their ends: each turn has its own writes. The slot may be another then.
        """
        return await self._sent(self.ledger.take(), sql, *values)

    async def _sent(self, writes: Writes, sql: str, *values: Any) -> list[tuple[Any, ...]] | None:
        return await self._patiently(
            lambda: self.ledger.awaited_turn(sql, (self._options, self._slot, *values), writes)
        )

    async def _turn_ends(self) -> None:
        """Send what a turn has written that has no last statement of its own."""
        if self.ledger.in_turn:
            writes = self.ledger.take()
            await self._patiently(lambda: self.ledger.awaited_turn("SELECT", (), writes))

    async def _patiently(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Ask until the server answers.

        What was kept and not acknowledged is sent twice. That does no harm: a claim settles once, and links that are known change nothing,
        except that under `sum` seeds may count twice.
        """
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                return await ask()
            except LedgerLost:
                if time.monotonic() > end:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, 2.0)
