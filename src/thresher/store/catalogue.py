"""Stores with tables: a visit becomes a row, its answer a WARC record, and pages that were kept before are found.

`VisitKeeper` does what all of them do. `Catalogue` is the store of a crawl folder; `shared_catalogue.py` has that of a crawl in PostgreSQL.
"""

from abc import ABC
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from thresher.budget import Tally
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.disk.tables import Tables
from thresher.errors import BadInput, FolderError
from thresher.model import Kept, Response, Url, Visit
from thresher.store.duplicates import Fingerprint, content_hash, fingerprint, is_rendered
from thresher.store.lookalikes import Lookalikes, Looks, packed, unpacked
from thresher.store.rows import INSERT, StoreFacts, add_facts, record_tables, row_of, visit_of
from thresher.store.states import recall, recall_all
from thresher.store.totals import tally
from thresher.store.visits import every_visit
from thresher.warc.files import PREFIX, check_prefix, make_table, recover, warc_paths
from thresher.warc.format import Earlier, Place
from thresher.warc.reader import Playback, RecordFiles
from thresher.warc.writer import WarcWriter

SAME = """
    SELECT number, url, sent FROM visit
    WHERE content_hash = ? AND status = ? AND duplicate_of IS NULL AND file IS NOT NULL LIMIT 1
"""
"""Asks for the first visit with these bytes and this status."""
_ALIKE = "SELECT number, simhash FROM band WHERE key IN (?, ?, ?, ?)"
_LOOKS = "INSERT INTO look (host, looks) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET looks = excluded.looks"
_REMEMBER = "INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_INSERT_BAND = "INSERT INTO band (key, number, simhash) VALUES (?, ?, ?)"


class AnswerFile(Protocol):
    """Where answers are written."""

    def append(self, response: Response, at: float, digest: bytes, earlier: Earlier | None = None) -> Place:
        """Add a response and its request; a revisit record if the same bytes were kept earlier."""

    def flush(self) -> None:
        """Hand everything to the operating system."""

    def close(self) -> None:
        """Commit what waits, and close the file."""


class VisitKeeper(ABC):
    """Keeps visits in tables, and their answers in WARC files."""

    _warc: AnswerFile

    def __init__(self, tables: Tables, warc_files: Callable[[], RecordFiles]) -> None:
        """Say where the tables are, and how the WARC files are called by now."""
        self.tables, self._warc_files = tables, warc_files
        self._lookalikes = Lookalikes(self._load_looks)
        tables.before_commit.append(self._write_looks)

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit; it is safe from kill -9 with the next commit."""
        if not isinstance(visit.fetched, Response):
            self._write(visit, StoreFacts())
            return Kept()
        return self._keep_answer(visit, visit.fetched)

    def _keep_answer(self, visit: Visit, response: Response) -> Kept:
        digest = content_hash(response)
        same = self._same(response, digest)
        mark = None if same else fingerprint(visit)
        near = self._nearest(mark) if mark else None
        alike = visit.page is not None and same is None and self._lookalikes.regard(visit.page)
        sent = response.at or visit.at
        place = self._warc.append(response, sent, digest, same)
        found = StoreFacts(same.number if same else None, near, digest, mark.simhash if mark else None, sent, place)
        self._write(visit, found, mark)
        return Kept(same.url if same else None, self._url(near) if near else None, alike and near is None)

    def _write(self, visit: Visit, found: StoreFacts, mark: Fingerprint | None = None) -> None:  # noqa: ARG002 - not all need it
        """Write the row of a visit, and what finds pages that nearly repeat it."""
        self.tables.write(INSERT, row_of(visit, found))

    def archive(self, response: Response, earlier: Earlier | None = None) -> Place:
        """Write an answer to the WARC files without a row in the catalogue; as a revisit record if an earlier record has its body."""
        return self._warc.append(response, response.at, content_hash(response), earlier)

    def _same(self, response: Response, digest: bytes) -> Earlier | None:
        """The first visit with the same status and bytes."""
        if not can_repeat(response):
            return None
        row = self.tables.read(SAME, (digest, response.status)).fetchone()
        return Earlier(*row) if row else None

    def _nearest(self, mark: Fingerprint) -> int | None:
        """The earliest visit with nearly the same text."""
        alike = self.tables.read(_ALIKE, mark.bands)
        return min((number for number, simhash in alike if mark.is_near(simhash)), default=None)

    def _load_looks(self, host: str) -> Looks:
        row = self.tables.read("SELECT looks FROM look WHERE host = ?", (host,)).fetchone()
        return unpacked(row[0]) if row else ()

    def _write_looks(self) -> None:
        changed = self._lookalikes.changed
        if changed:
            self.tables.write_many(_LOOKS, [(host, packed(looks)) for host, looks in changed.items()])
            changed.clear()

    def _url(self, number: int) -> Url:
        return Url(self.tables.read("SELECT url FROM visit WHERE number = ?", (number,)).fetchone()[0])

    def visits(self) -> Iterator[Visit]:
        """Everything kept so far, in the order of the visits, one at a time."""
        self._warc.flush()
        rows = every_visit(self.tables.read)
        with Playback(self._warc_files()) as playback:
            yield from (visit_of(row, playback) for row in rows)

    def tally(self, window: int) -> Tally:
        """What was fetched so far, and of the latest so many fetches which were relevant."""
        return tally(self.tables.read, window)

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state, in the same transaction as the visits; an empty one is forgotten."""
        if value:
            self.tables.write(_REMEMBER, (name, value))
        else:
            self.tables.write("DELETE FROM state WHERE name = ?", (name,))

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""
        return recall(self.tables.read, name)

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """What was remembered under all names that begin so, by the rest of the name."""
        return recall_all(self.tables.read, beginning)

    def close(self) -> None:
        """Commit what waits and let go of the WARC file; the tables are closed by whoever opened them."""
        self._warc.close()


class Catalogue(VisitKeeper):
    """Keeps visits in the ledger's transaction and their answers in WARC files beside it."""

    def __init__(
        self,
        ledger: Ledger,
        warc_folder: Path,
        *,
        prefix: str = PREFIX,
        rotate_bytes: int = 1_000_000_000,
        software: str = "Thresher",
    ) -> None:
        check_prefix(prefix)
        if rotate_bytes < 1:
            raise BadInput(f"[store]: rotate_bytes is {rotate_bytes}, but must be at least 1")
        ledger.script(schema("store"))
        add_facts(ledger, "visit")
        make_table(ledger)
        _make(warc_folder)
        self.lost = recover(ledger, warc_folder, prefix, record_tables(ledger))
        """Pages whose bodies were found missing when the folder was opened."""
        super().__init__(ledger, lambda: warc_paths(ledger.read, warc_folder))
        # After the looks: whatever is written before a commit, the bytes go out last.
        self._warc = WarcWriter(warc_folder, ledger, prefix, rotate_bytes, software)

    def _write(self, visit: Visit, found: StoreFacts, mark: Fingerprint | None = None) -> None:
        super()._write(visit, found, mark)
        if mark and found.near is None:
            self.tables.write_many(_INSERT_BAND, [(key, visit.number, mark.simhash) for key in mark.bands])


def can_repeat(response: Response) -> bool:
    """Whether an answer may be the same as an earlier one: an empty one is no duplicate, nor is one that a browser made a page of."""
    return bool(response.raw) and not is_rendered(response)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the folder {folder}: {error.strerror}") from error
