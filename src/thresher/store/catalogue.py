"""The store of a crawl folder: one row for each visit in SQLite, the answer in WARC, and which pages are duplicates."""

from pathlib import Path

from thresher.disk.ledger import Ledger
from thresher.disk.schemas import schema
from thresher.errors import BadInput, FolderError
from thresher.model import Visit
from thresher.store.duplicates import Fingerprint
from thresher.store.rows import StoreFacts, add_facts, record_tables
from thresher.store.visit_keeper import VisitKeeper
from thresher.warc.files import PREFIX, check_prefix, make_table, recover, warc_paths
from thresher.warc.writer import WarcWriter

_INSERT_BAND = "INSERT INTO band (key, number, simhash) VALUES (?, ?, ?)"


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
            self._tables.write_many(_INSERT_BAND, [(key, visit.number, mark.simhash) for key in mark.bands])


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the folder {folder}: {error.strerror}") from error
