"""The store of a crawl folder: one row for each visit in SQLite, the answer in WARC, and which pages are duplicates."""

from collections.abc import Iterator
from pathlib import Path

from thresher.budget import Tally
from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.errors import BadInput, FolderError
from thresher.model import Kept, Response, Url, Visit
from thresher.store.duplicates import Fingerprint, content_hash, fingerprint, is_rendered
from thresher.store.lookalikes import Lookalikes, Looks, packed, unpacked
from thresher.store.rows import INSERT, StoreFacts, add_facts, record_tables, row_of, visit_of
from thresher.store.totals import tally
from thresher.store.visits import Read, every_visit
from thresher.warc.files import PREFIX, check_prefix, make_table, recover, warc_paths
from thresher.warc.format import Earlier, Place
from thresher.warc.reader import Playback
from thresher.warc.writer import WarcWriter


class Catalogue:
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
        self._ledger, self._folder = ledger, warc_folder
        ledger.script(schema("store"))
        add_facts(ledger, "visit")
        make_table(ledger)
        _make(warc_folder)
        self.lost = recover(ledger, warc_folder, prefix, record_tables(ledger))
        """Pages whose bodies were found missing when the folder was opened."""
        self._lookalikes = Lookalikes(self._load_looks)
        ledger.before_commit.append(self._write_looks)
        self._warc = WarcWriter(warc_folder, ledger, prefix, rotate_bytes, software)

    async def keep(self, visit: Visit) -> Kept:
        """Keep one visit; it is safe from kill -9 with the ledger's next commit."""
        if not isinstance(visit.fetched, Response):
            self._ledger.write(INSERT, row_of(visit, StoreFacts()))
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
        self._ledger.write(INSERT, row_of(visit, found))
        if mark and near is None:
            self._ledger.write_many(_INSERT_BAND, [(key, visit.number, mark.simhash) for key in mark.bands])
        return Kept(same.url if same else None, self._url(near) if near else None, alike and near is None)

    def archive(self, response: Response, earlier: Earlier | None = None) -> Place:
        """Write an answer to the WARC files without a row in the catalogue; as a revisit record if an earlier record has its body."""
        return self._warc.append(response, response.at, content_hash(response), earlier)

    def _same(self, response: Response, digest: bytes) -> Earlier | None:
        """The first visit with the same status and bytes; an empty answer is no duplicate, nor is one that a browser made a page of."""
        if not response.raw or is_rendered(response):
            return None
        row = self._ledger.read(_SAME, (digest, response.status)).fetchone()
        return Earlier(*row) if row else None

    def _nearest(self, mark: Fingerprint) -> int | None:
        """The earliest visit with nearly the same text."""
        alike = self._ledger.read(_ALIKE, mark.bands)
        return min((number for number, simhash in alike if mark.is_near(simhash)), default=None)

    def _load_looks(self, host: str) -> Looks:
        row = self._ledger.read("SELECT looks FROM look WHERE host = ?", (host,)).fetchone()
        return unpacked(row[0]) if row else ()

    def _write_looks(self) -> None:
        changed = self._lookalikes.changed
        rows = [(host, packed(looks)) for host, looks in changed.items()]
        self._ledger.write_many("REPLACE INTO look (host, looks) VALUES (?, ?)", rows)
        changed.clear()

    def _url(self, number: int) -> Url:
        return Url(self._ledger.read("SELECT url FROM visit WHERE number = ?", (number,)).fetchone()[0])

    def visits(self) -> Iterator[Visit]:
        """Everything kept so far, in the order of the visits, one at a time."""
        self._warc.flush()
        rows = every_visit(self._ledger.read)
        with Playback(warc_paths(self._ledger.read, self._folder)) as playback:
            yield from (visit_of(row, playback) for row in rows)

    def tally(self, window: int) -> Tally:
        """What was fetched so far, and of the latest so many fetches which were relevant."""
        return tally(self._ledger.read, window)

    def remember(self, name: str, value: bytes) -> None:
        """Keep a small named state, in the same transaction as the visits; an empty one is forgotten."""
        if value:
            self._ledger.write("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", (name, value))
        else:
            self._ledger.write("DELETE FROM state WHERE name = ?", (name,))

    def recall(self, name: str) -> bytes | None:
        """What was remembered under that name."""
        return recall(self._ledger.read, name)

    def recall_all(self, beginning: str) -> dict[str, bytes]:
        """What was remembered under all names that begin so, by the rest of the name."""
        return recall_all(self._ledger.read, beginning)

    def close(self) -> None:
        """Commit what waits and let go of the WARC file; the ledger is closed by whoever opened it."""
        self._warc.close()


_SAME = """
    SELECT number, url, sent FROM visit
    WHERE content_hash = ? AND status = ? AND duplicate_of IS NULL AND file IS NOT NULL LIMIT 1
"""
_ALIKE = "SELECT number, simhash FROM band WHERE key IN (?, ?, ?, ?)"
_INSERT_BAND = "INSERT INTO band (key, number, simhash) VALUES (?, ?, ?)"


def recall(read: Read, name: str) -> bytes | None:
    """The state that a crawl remembered under a name."""
    row = read("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return row and bytes(row[0])


def recall_all(read: Read, beginning: str) -> dict[str, bytes]:
    """The states whose names begin so, by the rest of the name."""
    last = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    rows = read("SELECT name, value FROM state WHERE name >= ? AND name < ?", (beginning, last))
    return {name.removeprefix(beginning): bytes(value) for name, value in rows}


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the folder {folder}: {error.strerror}") from error
