"""A crawl in PostgreSQL, opened to be worked on by one of its workers."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.disk.caches import state_folder
from thresher.disk.crawl_home import Home
from thresher.disk.postgres_home import PostgresHome
from thresher.disk.postgres_ledger import Durability, PostgresLedger
from thresher.disk.postgres_tables import PostgresTables
from thresher.errors import BadInput
from thresher.frontier.postgres import PostgresFrontier
from thresher.model import Response
from thresher.orders.table_inbox import TableInbox
from thresher.orders.workplace import Workplace
from thresher.settings import Settings
from thresher.store.catalogue import AnswerFile
from thresher.store.shared_catalogue import SharedCatalogue, shared_record_tables
from thresher.warc.file_places import place_of
from thresher.warc.files import PREFIX
from thresher.warc.format import Earlier, Place
from thresher.warc.record_files import record_files
from thresher.warc.shared_files import PostgresWarcFiles
from thresher.warc.shared_writer import SharedWarcOptions, SharedWarcWriter


@dataclass(frozen=True)
class SharedStoreOptions:
    """The `[store]` table of a crawl in PostgreSQL."""

    place: str = ""
    """Where WARC files are written: a folder, which each machine has for itself or all share, or `s3://bucket/prefix`."""
    spool: str = ""
    """The folder of this machine in which files for a store are gathered."""
    durability: Durability = "fast"
    """Whether a turn waits for the disk of the server: `safe`, or not: `fast`."""
    prefix: str = PREFIX
    rotate_bytes: int = 1_000_000_000
    rotate_seconds: float = 300.0
    software: str = "Thresher"

    def __post_init__(self) -> None:
        if not self.place:
            raise BadInput(
                "[store]: place is missing: say where WARC files are written, such as --warcs /srv/iris/warc"
            )

    def writer(self, ledger: PostgresLedger) -> SharedWarcWriter:
        """The WARC files of a worker."""
        options = SharedWarcOptions(
            spool=Path(self.spool) if self.spool else state_folder() / "spool",
            prefix=self.prefix,
            rotate_bytes=self.rotate_bytes,
            rotate_seconds=self.rotate_seconds,
            sync=self.durability == "safe",
            software=self.software,
        )
        files, rows = PostgresWarcFiles(ledger), shared_record_tables(ledger)
        return SharedWarcWriter(place_of(self.place), files, rows, options)


@dataclass(frozen=True)
class SharedWorkplace(Workplace):
    """One crawl in PostgreSQL, opened by one of its workers, or by somebody who carries out orders while there is none."""

    ledger: PostgresLedger = field(kw_only=True)
    shared_store: SharedCatalogue = field(kw_only=True)


@contextmanager
def shared_workplace(home: Home, settings: Settings, *, keeps: bool = True) -> Iterator[SharedWorkplace]:
    """Join the crawl. Who keeps no pages writes no WARC files."""
    assert isinstance(home, PostgresHome)
    options: SharedStoreOptions = plugins.construct(SharedStoreOptions, settings.store, "[store]")
    if keeps:
        # Before the crawl is made: one without a place for its pages should not be there.
        place_of(options.place).prepare()
    with ExitStack() as stack:
        address = home.path
        ledger = PostgresLedger(address.url, schema=address.schema, durability=options.durability)
        stack.callback(ledger.close)
        tables = PostgresTables(ledger)
        answers = options.writer(ledger) if keeps else _NoAnswers()
        store = SharedCatalogue(tables, answers, lambda: record_files(home, tables.read))
        # Before a turn is sent, the bytes that it names go out.
        ledger.before_turn.append(answers.flush)
        stack.callback(store.close)

        def frontier(**wanted: Any) -> PostgresFrontier:
            made: PostgresFrontier = plugins.construct(
                PostgresFrontier, settings.frontier, "[frontier]", ledger=ledger, **wanted
            )
            return made

        yield SharedWorkplace(home, tables, store, TableInbox(ledger), frontier, ledger=ledger, shared_store=store)


class _NoAnswers(AnswerFile):
    """For those who keep no pages."""

    def append(self, response: Response, at: float, digest: bytes, earlier: Earlier | None = None) -> Place:  # noqa: ARG002 - of the port
        raise AssertionError("nothing is fetched here")

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass
