"""The search index of a crawl folder, `search.sqlite`: the words of the kept pages. It is brought up to date before each search."""

import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from thresher.disk.crawl_home import folder_of
from thresher.disk.found_rows import Row
from thresher.disk.guarded_sqlite import SQLITE_ERRORS, damage_in, explained, is_damage
from thresher.disk.schemas import schema
from thresher.errors import BadInput, DiskFull, FolderError
from thresher.model import Page
from thresher.results.archive import Archive
from thresher.results.plain_text import one_line
from thresher.results.search.marks import TOKENIZE
from thresher.results.search.query import Query, apart
from thresher.store.current import by_hand, changed_after
from thresher.store.looks import count_changed_after
from thresher.store.rejudgements import judged_in
from thresher.store.visits import count_pages, first_of_cluster, is_visit, pages_after

NAME = "search.sqlite"
_VERSION = 3
_MOST = 1 << 62
"""The largest limit that SQLite takes is a little above this."""
_BATCH = 50
"""Pages in one transaction: a second search, or a kill, finds complete batches."""

_SCHEMA = schema("search").replace("TOKENIZE", TOKENIZE)
_LATEST = "SELECT number, url_hash, at FROM latest"
_COPY = "UPDATE page SET copies = copies + 1 WHERE number = ? AND url_hash <> ?"
_PAGE = "INSERT OR REPLACE INTO page (number, url_hash, words) VALUES (?1, ?2, ?1)"
_CHANGED = "INSERT OR REPLACE INTO page (number, url_hash, words) VALUES (?, ?, ?)"
_WORDS = "INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)"
# A sum over the words asked for is the same in both expressions, so half of both together counts their synonyms half.
# Relevance is a factor: in a focused crawl the topic's words stand on most pages, and BM25 gives such words next to nothing.
_FIND = """
    WITH hit AS (SELECT rowid AS words, rank AS score FROM words WHERE words MATCH :all),
         own AS (SELECT rowid AS words, rank AS score FROM words WHERE words MATCH :own),
         judged AS ({judged}),
         hand AS (SELECT json_extract(value, '$[0]') AS number, json_extract(value, '$[1]') AS relevant FROM json_each(:hand))
    SELECT number, -(hit.score + coalesce(own.score, 0)) / 2 * (1 + coalesce(judged.relevance, 0)) AS score,
           copies, count(*) OVER () AS total
    FROM hit JOIN page USING (words) JOIN judged USING (number) LEFT JOIN own USING (words) LEFT JOIN hand USING (number)
    WHERE coalesce(hand.relevant, judged.relevant, 0) OR NOT :relevant ORDER BY score DESC, number LIMIT :limit
"""


class Hit(NamedTuple):
    """A page that matches."""

    number: int
    score: float
    copies: int
    """Other urls with the same page."""
    total: int
    """How many pages match, this one included."""


class SearchIndex:
    """The words of all kept pages, duplicates once."""

    def __init__(self, archive: Archive) -> None:
        self._archive, self._folder = archive, folder_of(archive.folder, "to search")
        self._path = self._folder.path / NAME
        self._connection = _open(archive)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def behind(self) -> int:
        """How many pages are not in the index yet."""
        read = self._archive.read
        with self._guarded():
            return count_pages(read, after=self._reached()) + count_changed_after(read, self._looked())

    def update(self, took: Callable[[int], object] = lambda _: None, *, seconds: float = math.inf) -> None:
        """Add the pages that were kept since the last time, for so many seconds; `took` is called with the number of pages of each step."""
        until = time.monotonic() + seconds
        with self._guarded():
            for take in (self._take_batch, self._take_changed):
                while time.monotonic() < until and (pages := take()):
                    took(pages)

    def find(self, query: Query, limit: int, *, every: bool = True, relevant: bool = False) -> list[Hit]:
        """The best pages that match; with `relevant` only relevant ones, where a person's label counts for more than the judge."""
        hand = json.dumps([(each.number, each.relevant) for each in by_hand(self._archive.read)] if relevant else [])
        expression = query.expression(every=every)
        asked = {
            "all": expression.all,
            "own": expression.own,
            "limit": min(limit, _MOST),
            "relevant": relevant,
            "hand": hand,
        }
        judged = judged_in(self._archive.read, "kept")
        with self._guarded(), self._beside_the_catalogue():
            return [Hit(*row) for row in self._connection.execute(_FIND.format(judged=judged), asked)]

    @contextmanager
    def _beside_the_catalogue(self) -> Iterator[None]:
        # Attached only meanwhile: a transaction of ours would be one on the catalogue too, and hold up the crawl's own tidying.
        self._connection.execute("ATTACH ? AS kept", (f"{self._folder.database.absolute().as_uri()}?mode=ro",))
        try:
            yield
        finally:
            self._connection.execute("DETACH kept")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Say what is wrong with the index in one sentence. A damaged one is removed: it is only a copy."""
        try:
            yield
        except SQLITE_ERRORS as error:
            if not is_damage(error):
                raise _unwritable(error, self._path) from error
            # It may be the catalogue beside it.
            damage = damage_in(self._folder.database)
            if damage is None:
                self._connection.close()
                self._path.unlink(missing_ok=True)
            raise damage or FolderError(f"{self._path} was damaged and is removed: search again") from error

    def _reached(self) -> int:
        row = self._connection.execute("SELECT number FROM latest").fetchone()
        return int(row[0]) if row else 0

    def _looked(self) -> int:
        return int(self._connection.execute("SELECT number FROM latest_look").fetchone()[0])

    def _take_batch(self) -> int:
        write = self._connection.execute
        # Locked before it looks how far it is: of two searches at once each page is taken in by one.
        with self._connection:
            write("BEGIN IMMEDIATE")
            rows = pages_after(self._archive.read, self._reached(), _BATCH)
            for row in rows:
                self._take(row)
            if rows:
                write("DELETE FROM latest")
                write("INSERT INTO latest VALUES (?, ?, ?)", [rows[-1][key] for key in ("number", "url_hash", "at")])
        return len(rows)

    def _take_changed(self) -> int:
        """Replace pages that a later look found changed by their new versions."""
        write = self._connection.execute
        with self._connection:
            write("BEGIN IMMEDIATE")
            rows = changed_after(self._archive.read, self._looked(), _BATCH)
            for row in rows:
                page = self._archive.visit_of(row).page
                if page is not None:
                    write(_CHANGED, (row["number"], row["url_hash"], -row["version"]))
                    write(_WORDS, (-row["version"], *zones(page)))
            if rows:
                write("UPDATE latest_look SET number = ?", (rows[-1]["version"],))
        return len(rows)

    def _take(self, row: Row) -> None:
        first = row["duplicate_of"] or row["near"]
        if first is not None:
            # Of a copy of a page that is nearly another one, the other one is the first.
            root = first_of_cluster(self._archive.read, first)
            self._connection.execute(_COPY, (root, row["url_hash"]))
            return
        page = self._archive.visit_of(row).page
        if page is not None:  # its record may be lost
            self._connection.execute(_PAGE, (row["number"], row["url_hash"]))
            self._connection.execute(_WORDS, (row["number"], *zones(page)))


def zones(page: Page) -> tuple[str, str, str]:
    """Title, headings and text as they are indexed; menus and footers only if there is no other text."""
    title, headings, text = map(one_line, (page.title, "\n".join(page.headings), page.main or page.text))
    return apart(title), apart(headings), apart(text)


def _open(archive: Archive) -> sqlite3.Connection:
    """The index. It is made again if it is of another version, of another crawl, or damaged: it is only a copy."""
    path = folder_of(archive.folder, "to search").path / NAME
    try:
        connection = _connect(path, archive)
        with ExitStack() as unless_kept:
            unless_kept.callback(connection.close)
            if _is_of(connection, archive):
                unless_kept.pop_all()
                return connection
    except sqlite3.DatabaseError as error:
        if "fts5" in str(error):
            raise BadInput("the SQLite of this Python has no full-text search: one with FTS5 is needed") from error
        if isinstance(error, sqlite3.OperationalError):
            raise _unwritable(error, path) from error
    path.unlink()
    return _connect(path, archive)


def _unwritable(error: Exception, path: Path) -> DiskFull | FolderError:
    told = explained(error, path)
    return told if isinstance(told, DiskFull) else FolderError(f"cannot write the search index {path}: {error}")


def _connect(path: Path, archive: Archive) -> sqlite3.Connection:
    connection = sqlite3.connect(path.absolute().as_uri(), uri=True, timeout=60, isolation_level=None)
    try:
        if _version(connection) == 0:
            judged = f"INSERT INTO judging_round VALUES ({_round(archive)});"  # noqa: S608 - a number of our own
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {judged} PRAGMA user_version = {_VERSION}; COMMIT")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _is_of(connection: sqlite3.Connection, archive: Archive) -> bool:
    """Whether it is of this version, of this crawl (the folder may have been emptied and used again), and of these judgements."""
    if _version(connection) != _VERSION:
        return False
    # Which pages are copies of others depends on which are relevant.
    if connection.execute("SELECT number FROM judging_round").fetchone()[0] != _round(archive):
        return False
    latest = connection.execute(_LATEST).fetchone()
    return latest is None or is_visit(archive.read, *latest)


def _round(archive: Archive) -> int:
    return archive.judged.number if archive.judged else 0


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
