"""A crawl in PostgreSQL becomes one in a folder."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import tomli_w

from thresher import plugins
from thresher.disk.atomic_file import sync, write_whole
from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Read
from thresher.disk.ledger import Ledger
from thresher.disk.postgres_home import PostgresHome
from thresher.disk.table_loader import SqliteLoader
from thresher.errors import BadInput
from thresher.frontier import SqliteFrontier, moved_urls
from thresher.frontier.keys import key_of
from thresher.frontier.upgrade import make_tables
from thresher.knowledge import Knowledge, needs, part
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.orders import moved_orders
from thresher.ports import Strategy
from thresher.results.move.transfer import MovedPart, MoveReport, Took, compare, copy, same_part
from thresher.settings import Settings, kept_tables
from thresher.store import moved_rows
from thresher.store.states import recall_all
from thresher.warc import moved_files
from thresher.warc.files import make_table

_SHARED_KEYS = frozenset({"place", "spool", "durability", "rotate_seconds"})
"""Keys of `[store]` that only a crawl in PostgreSQL has."""
_MADE_FIRST = frozenset({"crawl.lock", "warc"})


def into_folder(home: Home, folder: Home, took: Took) -> MoveReport:
    """Copy a crawl with its WARC files, and compare."""
    assert isinstance(home, PostgresHome)
    assert isinstance(folder, CrawlFolder)
    tables = _without_place(kept_tables(home))
    with ExitStack() as stack:
        stack.enter_context(home)
        home.keep_workers_out()
        old = stack.enter_context(closing(home.catalogue())).execute
        mark = f"{home.path}\n{home.crawl()}\n"
        _check_free(folder, mark)
        stack.enter_context(folder)
        _clear(folder, mark)
        moved_files.copy_in(old, folder.warc, lambda size: took("copying WARC files", size))
        ledger = stack.enter_context(closing(_made(folder, old)))
        frontier = moved_urls.SharedFrontier(old)
        parts = list(_parts(folder, old, ledger, frontier))
        copy(parts, took)
        rows = compare(parts, took)
        lessons = moved_rows.unheard_lessons(old)
        if lessons:
            _learn(Settings().with_changes(tables, home.settings_name), ledger, lessons)
        ledger.commit()
        folder.settings.write_text(tomli_w.dumps(tables), "utf-8")
        sync(folder.settings)
        folder.moving.unlink()
    return MoveReport(rows, len(parts), str(folder.warc), frontier.left_out, len(lessons))


def _check_free(folder: CrawlFolder, mark: str) -> None:
    """Nothing may be there but what an unfinished move of the same crawl has left."""
    if folder.moving.exists():
        if folder.moving.read_text("utf-8", "replace") != mark:
            raise BadInput(f"{folder.path} is an unfinished copy of another crawl: name another folder")
    elif folder.path.exists() and (
        not folder.path.is_dir() or {each.name for each in folder.path.iterdir()} - _MADE_FIRST
    ):
        raise BadInput(f"{folder.path} is there already: name a folder that is not")


def _clear(folder: CrawlFolder, mark: str) -> None:
    """Mark the folder as unfinished, and remove what an earlier move has left; WARC files are written over."""
    write_whole(folder.moving, mark)
    for ending in ("", "-journal", "-wal", "-shm"):
        Path(f"{folder.database}{ending}").unlink(missing_ok=True)
    folder.settings.unlink(missing_ok=True)
    moved_orders.empty_inbox(folder)


def _made(folder: CrawlFolder, old: Read) -> Ledger:
    """The folder's file, with all tables that are needed."""
    ledger = Ledger(folder.database)
    moved_rows.make_catalogue(ledger)
    make_table(ledger)
    make_tables(ledger)
    ledger.function("key_of", key_of)
    moved_rows.make_late_tables(ledger, old)
    moved_orders.make_answers(ledger, old)
    return ledger


def _parts(folder: CrawlFolder, old: Read, ledger: Ledger, frontier: moved_urls.SharedFrontier) -> Iterator[MovedPart]:
    loader, new = SqliteLoader(ledger), ledger.read
    yield MovedPart(
        "hosts", frontier.hosts, lambda rows: moved_urls.fill_hosts(loader, rows), lambda: moved_urls.hosts(new)
    )
    yield MovedPart(
        "urls", frontier.urls, lambda rows: moved_urls.fill_urls(loader, rows), lambda: moved_urls.urls(new)
    )
    yield MovedPart(
        "WARC files",
        lambda: moved_files.SHARED_FILES.rows(old),
        lambda rows: moved_files.FILES.fill(loader, rows),
        lambda: moved_files.FILES.rows(new),
    )
    yield MovedPart(
        "states",
        lambda: moved_rows.shared_states(old),
        lambda rows: moved_rows.fill_states(loader, rows),
        lambda: moved_rows.states(new),
    )
    for table in (*moved_rows.TABLES, moved_orders.ANSWERS):
        yield same_part(table, old, new, loader)
    yield MovedPart(
        "orders that wait",
        lambda: moved_orders.shared_waiting(old),
        lambda rows: moved_orders.fill_waiting(folder, rows),
        lambda: moved_orders.waiting(folder, new),
    )
    yield MovedPart(
        "totals", lambda: [moved_rows.shared_figures(old)], lambda _: None, lambda: [moved_rows.figures(new)]
    )


def _without_place(tables: Mapping[str, Any]) -> dict[str, Any]:
    """The settings for a folder, which has a place of its own for WARC files."""
    store = {key: value for key, value in tables.get("store", {}).items() if key not in _SHARED_KEYS}
    return {**{key: value for key, value in tables.items() if key != "store"}, **({"store": store} if store else {})}


def _learn(settings: Settings, ledger: Ledger, lessons: Sequence[bytes]) -> None:
    """Let the strategy learn what workers learnt last, as the next worker would have done."""
    given = needs(settings.topic, plugins.construct(Knowledge, settings.knowledge, "[knowledge]"))
    strategy = in_a_team(part("strategy", settings.strategy, given))
    strategy.load(recall_all(ledger.read, "strategy/"))
    if isinstance(strategy, TeamStrategy):
        visits, *_ = moved_rows.figures(ledger.read)
        strategy.elect(strategy.strategy, visits)
    moved = tuple(strategy.take_in(lessons))
    moved_rows.put_strategy(ledger, strategy.save())
    asyncio.run(_frontier(settings, ledger, strategy).reprioritise(moved))


def _frontier(settings: Settings, ledger: Ledger, strategy: Strategy) -> SqliteFrontier:
    made: SqliteFrontier = plugins.construct(
        SqliteFrontier, settings.frontier, "[frontier]", ledger=ledger, merge=strategy.merge
    )
    return made
