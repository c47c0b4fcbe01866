"""A crawl in a folder becomes one in PostgreSQL."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import tomli_w

from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Read
from thresher.disk.ledger import Ledger
from thresher.disk.postgres_home import PostgresHome
from thresher.disk.postgres_loader import PostgresLoader
from thresher.disk.postgres_reader import PostgresReader
from thresher.frontier import moved_urls
from thresher.frontier.keys import key_of
from thresher.frontier.moved_urls import SharedFrontier, SharedFrontierFiller
from thresher.frontier.upgrade import make_tables
from thresher.orders import moved_orders
from thresher.orders.workplace import workplace
from thresher.results.move.transfer import MovedPart, MoveReport, Took, compare, copy, same_part
from thresher.settings import Settings, kept_tables
from thresher.store import moved_rows
from thresher.warc import moved_files
from thresher.warc.file_places import S3Store, WarcFolder, place_of, this_machine


def into_database(folder: Home, home: Home, warc: str | None, took: Took) -> MoveReport:
    """Copy a crawl, and compare. WARC files are copied to a place, or stay where they are."""
    assert isinstance(folder, CrawlFolder)
    assert isinstance(home, PostgresHome)
    tables = kept_tables(folder)
    place = WarcFolder(folder.warc) if warc is None else place_of(warc)
    whence = f"{this_machine()}:{folder.path.absolute()}"
    with ExitStack() as stack:
        stack.enter_context(home)
        ledger = stack.enter_context(_opened(folder, tables))
        loader = stack.enter_context(PostgresLoader(home.path, whence))
        reader = stack.enter_context(closing(PostgresReader(home.path.url, home.path.schema, moving=whence)))
        if warc is None:
            place.prepare()
        else:
            moved_files.copy_out(ledger.read, folder.warc, place, lambda size: took("copying WARC files", size))
        copying = _Copying(folder, ledger.read, reader.execute, loader, place.name)
        copying.run(took)
        rows = compare(copying.parts, took)
        loader.complete(_with_place(tables, place))
    return MoveReport(rows, len(copying.parts), _named(place))


@contextmanager
def _opened(folder: CrawlFolder, tables: Mapping[str, Any]) -> Iterator[Ledger]:
    """The folder as a crawl that goes on would open it: what a kill has left is put in order, an older one is laid out anew."""
    with workplace(folder, Settings().with_changes(tables, folder.settings_name)) as opened:
        ledger = opened.tables
        assert isinstance(ledger, Ledger)
        moved_rows.bring_up_to_date(ledger)
        make_tables(ledger)
        ledger.function("key_of", key_of)
        yield ledger


class _Copying:
    """All parts of a crawl, from a folder into PostgreSQL."""

    def __init__(self, folder: CrawlFolder, old: Read, new: Read, loader: PostgresLoader, place: str) -> None:
        self._folder, self._old, self._new, self._loader, self._place = folder, old, new, loader, place
        self._filler = SharedFrontierFiller(loader)
        self.parts = [*self._frontier(), *self._catalogue(), *self._orders()]

    def run(self, took: Took) -> None:
        """Copy them, and have the server count on from there."""
        moved_rows.before_filling(self._loader)
        copy(self.parts, took)
        self._filler.finish()
        visits, *_ = moved_rows.figures(self._old)
        moved_rows.after_filling(self._loader, visits)
        moved_files.after_filling(self._loader)

    def _frontier(self) -> Iterator[MovedPart]:
        old, new, filler = self._old, self._new, self._filler
        yield MovedPart("hosts", lambda: moved_urls.hosts(old), filler.hosts, lambda: SharedFrontier(new).hosts())
        yield MovedPart("urls", lambda: moved_urls.urls(old), filler.urls, lambda: SharedFrontier(new).urls())
        yield MovedPart(
            "totals",
            lambda: [moved_rows.figures(old)],
            lambda rows: moved_rows.fill_totals(self._loader, rows),
            lambda: [moved_rows.shared_figures(new)],
        )

    def _catalogue(self) -> Iterator[MovedPart]:
        old, new, loader = self._old, self._new, self._loader
        yield MovedPart(
            "WARC files",
            lambda: moved_files.FILES.rows(old),
            lambda rows: moved_files.fill_shared_files(loader, rows, self._place),
            lambda: moved_files.SHARED_FILES.rows(new),
        )
        yield MovedPart(
            "states",
            lambda: moved_rows.states(old),
            lambda rows: moved_rows.fill_shared_states(loader, rows),
            lambda: moved_rows.shared_states(new),
        )
        for table in moved_rows.TABLES:
            yield same_part(table, old, new, loader)

    def _orders(self) -> Iterator[MovedPart]:
        old, new, loader = self._old, self._new, self._loader
        yield same_part(moved_orders.ANSWERS, old, new, loader)
        yield MovedPart(
            "orders that wait",
            lambda: moved_orders.waiting(self._folder, old),
            lambda rows: moved_orders.fill_shared_waiting(loader, rows),
            lambda: moved_orders.shared_waiting(new),
        )


def _with_place(tables: Mapping[str, Any], place: WarcFolder | S3Store) -> str:
    """The settings, as a crawl file, that say where new WARC files go."""
    return tomli_w.dumps({**tables, "store": {**tables.get("store", {}), "place": _named(place)}})


def _named(place: WarcFolder | S3Store) -> str:
    """A place as a person names it."""
    return place.name if isinstance(place, S3Store) else str(place.path)
