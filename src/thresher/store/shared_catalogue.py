"""The store of a crawl in PostgreSQL: each worker keeps its visits there, and their answers in WARC files of its own.

The server numbers the visits, in the order in which they are committed, and looks once more whether a page repeats another: a fellow
worker may have kept the same page a moment ago (`disk/schemas/postgres_store.sql`). What a strategy has learnt is kept for each worker by
itself, since each learns on its own and hears of the others' lessons later.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

from thresher.budget import SharedTally
from thresher.disk.postgres_arrays import byteas, texts
from thresher.disk.postgres_ledger import PostgresLedger
from thresher.disk.postgres_tables import PostgresTables
from thresher.errors import LedgerLost
from thresher.model import Kept, Response, Visit
from thresher.store.catalogue import SAME, AnswerFile, VisitKeeper, can_repeat
from thresher.store.duplicates import Fingerprint, content_hash
from thresher.store.lookalikes import packed, unpacked
from thresher.store.rows import INSERT, StoreFacts, row_of
from thresher.urls import host_of
from thresher.warc.format import Earlier, Place
from thresher.warc.reader import RecordFiles
from thresher.warc.shared_recovery import FileRows

STRATEGY = "strategy/"
"""The names under which a strategy is remembered begin so."""
_TOTALS = "SELECT visits, fetched, relevant, bytes FROM totals"
_RECENT = "SELECT fresh FROM visit WHERE asked ORDER BY number DESC LIMIT ?"
_BETWEEN = "SELECT fresh FROM visit WHERE number > ? AND number <= ? AND asked ORDER BY number DESC LIMIT ?"
# In one exchange with the server.
_SAME_AND_LOOKS = f"""
    SELECT (SELECT looks FROM look WHERE host = ?), same.number, same.url, same.sent
    FROM (SELECT 1) AS one LEFT JOIN ({SAME}) AS same ON TRUE
"""  # noqa: S608 - SQL of our own
_LOOKS = """
    INSERT INTO look (host, looks) SELECT * FROM unnest(?, ?) ON CONFLICT (host) DO UPDATE SET looks = excluded.looks
"""
_LOOKS_WAIT = 1.0
"""Seconds for which looks may wait: a kill takes those of the last pages, which say only that a site without an end was met."""
_LABELS = "SELECT CAST((SELECT ROW(count(*), max(at)) FROM label) AS text)"


_MOST_SEARCHES = 1000
"""Searches whose pages may never come to be kept, before all are forgotten."""


class _Search:
    """A search for the same bytes, on its way or answered."""

    is_answered = False
    found: Earlier | None = None


class SharedCatalogue(VisitKeeper):
    """Keeps the visits of one worker among those of others."""

    def __init__(self, tables: PostgresTables, warc: AnswerFile, warc_files: Callable[[], RecordFiles]) -> None:
        """Take the tables, the WARC files of this worker, and what finds those of all workers."""
        super().__init__(tables, warc_files)
        self.tables: PostgresTables = tables
        self._warc = warc
        self.learner = 0
        """The number of this worker's strategy among those of all workers."""
        self._looks_at = monotonic()
        """When looks were written."""
        self._unsent: dict[str, bytes] = {}
        """What was remembered since the last turn was sent: the server does not know it yet."""
        self._searches: dict[tuple[bytes, int], _Search] = {}
        """By what is searched for: bytes and status."""

    async def look_up(self, response: Response) -> None:
        """Search for the same bytes before an answer is kept, while others work."""
        if not can_repeat(response):
            return
        self._send_visit()
        wanted, search = (content_hash(response), response.status), _Search()
        if len(self._searches) >= _MOST_SEARCHES:
            self._searches.clear()
        # Whoever keeps the same bytes meanwhile takes it away: the answer does not know of him.
        self._searches[wanted] = search
        host = host_of(response.url)
        with suppress(LedgerLost):  # whoever keeps the answer waits for the server
            looks, *same = await self.tables.awaited_row(_SAME_AND_LOOKS, (host, *wanted))
            self._bring_looks(host, looks)
            search.is_answered, search.found = True, _earlier(same)

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit; it is safe when its turn is. One that no settle follows is a turn by itself."""
        self._send_visit()
        return await super().keep(visit)

    def _send_visit(self) -> None:
        if self.tables.visit_waits:
            self.tables.turn_ends()

    def _write(self, visit: Visit, found: StoreFacts, mark: Fingerprint | None = None) -> None:  # noqa: ARG002 - the server sees to it
        # Last in its transaction: all workers wait for the number of a visit.
        self.tables.write_last(INSERT, row_of(visit, found))

    def _same(self, response: Response, digest: bytes) -> Earlier | None:
        search = self._searches.pop((digest, response.status), None)
        if search is not None and search.is_answered:
            return search.found
        host = host_of(response.url)
        if not can_repeat(response) or self._lookalikes.knows(host):
            return super()._same(response, digest)
        looks, *same = self.tables.read(_SAME_AND_LOOKS, (host, digest, response.status)).fetchone()
        self._bring_looks(host, looks)
        return _earlier(same)

    def _bring_looks(self, host: str, looks: bytes | None) -> None:
        if not self._lookalikes.knows(host):
            self._lookalikes.bring(host, unpacked(looks) if looks else ())

    def _write_looks(self) -> None:
        changed = self._lookalikes.changed
        if changed and monotonic() >= self._looks_at + _LOOKS_WAIT:
            self.tables.write(_LOOKS, (texts(list(changed)), byteas([packed(looks) for looks in changed.values()])))
            changed.clear()
            self._looks_at = monotonic()

    def visits(self) -> Iterator[Visit]:
        """Everything that all workers kept so far, in the order of the visits."""
        self.tables.turn_ends()
        return super().visits()

    def tally(self, window: int) -> SharedTally:
        """What all workers fetched so far, and of the latest so many fetches which were relevant."""
        self.tables.turn_ends()
        latest = self.tables.read(_RECENT, (window,)).fetchall()
        recent = deque(fresh for (fresh,) in reversed(latest))
        return SharedTally(*self.totals(), recent, sum(recent))

    def fetches(self, after: int, until: int, most: int) -> list[bool]:
        """Of the fetches of all workers after one visit and until another, the latest so many in their order: was it harvest?"""
        return [fresh for (fresh,) in reversed(self.tables.read(_BETWEEN, (after, until, most)).fetchall())]

    def totals(self) -> tuple[int, int, int, int]:
        """Visits, fetches, relevant pages and bytes of all workers."""
        found: tuple[int, int, int, int] = tuple(self.tables.read(_TOTALS).fetchone())
        return found

    def label_mark(self) -> str:
        """A text that is another after a label was given or taken back."""
        return str(self.tables.read(_LABELS).fetchone()[0])

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state with the turn; an empty one is forgotten."""
        if not self.tables.in_turn:
            self._unsent.clear()
        self._unsent[name] = value
        super().remember(self._name(name), value)

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""
        if self.tables.in_turn and name in self._unsent:
            return self._unsent[name] or None
        return super().recall(self._name(name))

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """What was remembered under all names that begin so, by the rest of the name."""
        self.tables.turn_ends()
        return super().recall_all(self._name(beginning))

    def _name(self, name: str) -> str:
        return f"learner/{self.learner}/{name}" if name.startswith(STRATEGY) else name

    def close(self) -> None:
        """Send what waits, and let go of the WARC file."""
        self._looks_at = -inf
        self._write_looks()
        self.tables.turn_ends()
        super().close()


def _earlier(same: Sequence[Any]) -> Earlier | None:
    return None if same[0] is None else Earlier(*same)


def shared_record_tables(ledger: PostgresLedger) -> tuple[FileRows, ...]:
    """The tables whose rows name WARC records."""
    return _SharedRecordTable(ledger, "visit"), _SharedRecordTable(ledger, "revisit")


class _SharedRecordTable:
    """The rows of one table, by where their WARC records stand."""

    def __init__(self, ledger: PostgresLedger, table: str) -> None:
        self._ledger, self._table = ledger, table

    def lose(self, file: int, offset: int) -> int:
        """Mark the rows whose record ends behind this offset of a file as lost, at once; returns how many there were."""
        gone = (
            f'WITH gone AS (UPDATE {self._table} SET file = NULL WHERE file = %s AND "offset" + length > %s RETURNING 1) '  # noqa: S608 - a name of our own
            f"SELECT count(*) FROM gone"
        )
        return int(self._ledger.safely(gone, (file, offset))[0][0])

    def last(self, file: int) -> Place | None:
        """The last record of a file that a row names."""
        last = (
            f'SELECT file, "offset", length, coalesce(request, 0) FROM {self._table} '  # noqa: S608 - a name of our own
            f'WHERE file = %s ORDER BY "offset" DESC LIMIT 1'
        )
        rows = self._ledger.read(last, (file,))
        return Place(*rows[0]) if rows else None
