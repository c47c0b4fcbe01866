"""The store of a crawl in PostgreSQL: each worker keeps its visits there, and their answers in WARC files of its own.

The server numbers the visits, in the order in which they are committed, and looks once more whether a page repeats another: a fellow
worker may have kept the same page a moment ago (`disk/schemas/postgres_store.sql`). What a strategy has learnt is kept for each worker by
itself, since each learns on its own and hears of the others' lessons later.
"""

from collections import deque
from collections.abc import Callable, Iterator

from thresher.budget import SharedTally
from thresher.disk.postgres_tables import PostgresTables
from thresher.model import Kept, Visit
from thresher.store.duplicates import Fingerprint
from thresher.store.rows import INSERT, StoreFacts, row_of
from thresher.store.visit_keeper import AnswerFile, VisitKeeper
from thresher.warc.reader import RecordFiles

STRATEGY = "strategy/"
"""The names under which a strategy is remembered begin so."""
_TOTALS = "SELECT visits, fetched, relevant, bytes FROM totals"
_RECENT = "SELECT fresh FROM visit WHERE asked ORDER BY number DESC LIMIT ?"


class SharedCatalogue(VisitKeeper):
    """Keeps the visits of one worker among those of others."""

    def __init__(self, tables: PostgresTables, warc: AnswerFile, warc_files: Callable[[], RecordFiles]) -> None:
        """Take the tables, the WARC files of this worker, and what finds those of all workers."""
        super().__init__(tables, warc_files)
        self.tables: PostgresTables = tables
        self._warc = warc
        self.learner = 0
        """The number of this worker's strategy among those of all workers."""
        self._unsent: dict[str, bytes] = {}
        """What was remembered since the last turn was sent: the server does not know it yet."""

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit; it is safe when its turn is. One that no settle follows is a turn by itself."""
        if self.tables.visit_waits:
            self.tables.turn_ends()
        return await super().keep(visit)

    def _write(self, visit: Visit, found: StoreFacts, mark: Fingerprint | None = None) -> None:  # noqa: ARG002 - the server sees to it
        # Last in its transaction: all workers wait for the number of a visit.
        self.tables.write_last(INSERT, row_of(visit, found))

    def visits(self) -> Iterator[Visit]:
        """Everything that all workers kept so far, in the order of the visits."""
        self.tables.turn_ends()
        return super().visits()

    def tally(self, window: int) -> SharedTally:
        """What all workers fetched so far, and of the latest so many fetches which were relevant."""
        self.tables.turn_ends()
        latest = self.tables.read(_RECENT, (window,)).fetchall()
        recent = deque(fresh for (fresh,) in reversed(latest))
        visits, fetched, relevant, received = self.tables.read(_TOTALS).fetchone()
        return SharedTally(visits, fetched, relevant, received, recent, sum(recent))

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
        self.tables.turn_ends()
        super().close()
