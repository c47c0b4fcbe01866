"""The index of a recorded web: url → where its answer stands. Built once, beside the recording; SQLite, so memory stays bounded."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from xxhash import xxh3_64_intdigest

from thresher.disk.caches import derived_places, write_derived
from thresher.disk.schemas import schema
from thresher.errors import BadInput
from thresher.model import Url
from thresher.urls import canonical, url_hash
from thresher.warc.format import Place
from thresher.warc.scan import ScannedAnswer, answers

SUFFIX = ".idx"
_FORMAT = 2
_CACHE_KIB = 65_536


class IndexedAnswer(NamedTuple):
    """One recorded url."""

    status: int
    head: Place
    content: Place | None
    """For a revisit, the record that has its content."""


class RecordingIndex:
    """The first answer of every url; a revisit counts only for a url that has no answer of its own."""

    def __init__(self, database: sqlite3.Connection, path: Path | None) -> None:
        self._database = database
        self.path = path
        """The file it is kept in; None if no place can be written to."""
        self.notes: Counter[str] = Counter(dict(database.execute("SELECT name, count FROM note")))

    @classmethod
    def open(cls, source: Sequence[Path], files: Sequence[Path]) -> "RecordingIndex":
        """The index of these files, made if there is none or if a file has changed since."""
        wanted = derived_places(source, SUFFIX)
        for path in wanted:
            if database := _kept(path, files):
                return cls(database, path)
        path_written = write_derived(wanted, lambda path: _make(path, files))
        if path_written and (database := _kept(path_written, files)):
            return cls(database, path_written)
        return cls(_filled(sqlite3.connect("", check_same_thread=False), files), None)

    def __len__(self) -> int:
        return int(self._database.execute("SELECT coalesce(max(id), 0) FROM page").fetchone()[0])

    def find(self, url: Url) -> IndexedAnswer | None:
        """Where the answer of a url stands."""
        row = self._database.execute(_FIND, (url_hash(url), url)).fetchone()
        if row is None:
            return None
        return IndexedAnswer(row[0], Place(*row[1:5]), None if row[5] is None else Place(*row[5:]))

    def urls(self) -> Iterator[Url]:
        """All urls, in the order of the recording, revisits last."""
        for (url,) in self._database.execute("SELECT url FROM page ORDER BY id"):
            yield Url(url)

    def stamp(self) -> str:
        """Identifies the files it was made of: other files give another stamp."""
        return repr(self._database.execute("SELECT name, size, modified FROM file ORDER BY id").fetchall())

    def close(self) -> None:
        """Close the file."""
        self._database.close()


_FIND = """
    SELECT status, file, offset, length, before, content_file, content_offset, content_length FROM page
    WHERE hash = ? AND url = ?
"""


def _kept(path: Path, files: Sequence[Path]) -> sqlite3.Connection | None:
    """The index at this path, if there is one and it was made of these files as they are now."""
    if not path.exists():
        return None
    # Immutable: the file is only ever replaced as a whole, so it needs no lock, and a read-only folder allows none.
    name = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    with suppress(sqlite3.Error):
        database = sqlite3.connect(name, uri=True, check_same_thread=False)
        with suppress(sqlite3.Error):
            known = database.execute("SELECT name, size, modified FROM file ORDER BY id").fetchall()
            if known == _seals(files) and database.execute("PRAGMA user_version").fetchone()[0] == _FORMAT:
                return database
        database.close()
    return None


def _seals(files: Sequence[Path]) -> list[tuple[str, int, int]]:
    return [(file.name, (stat := file.stat()).st_size, stat.st_mtime_ns) for file in files]


def _make(path: Path, files: Sequence[Path]) -> None:
    try:
        with closing(sqlite3.connect(path)) as database:
            _filled(database, files)
    except sqlite3.Error as error:
        raise OSError(f"{path}: {error}") from error


def _filled(database: sqlite3.Connection, files: Sequence[Path]) -> sqlite3.Connection:
    database.executescript(
        f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{_CACHE_KIB}; "
        f"PRAGMA user_version = {_FORMAT}"
    )
    database.executescript(schema("recording"))
    notes: Counter[str] = Counter()
    # Taken before the files are read: one that grows meanwhile is then read again the next time.
    seals = _seals(files)
    for number, file in enumerate(files):
        database.execute("INSERT INTO file VALUES (?, ?, ?, ?)", (number, *seals[number]))
        _take(database, number, file, notes)
    _resolve(database, notes)
    database.executemany("INSERT INTO note VALUES (?, ?)", notes.items())
    database.commit()
    return database


def _take(database: sqlite3.Connection, number: int, file: Path, notes: Counter[str]) -> None:
    try:
        for found in answers(file, notes):
            _add(database, number, found, notes)
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror or error}") from error


def _add(database: sqlite3.Connection, file: int, found: ScannedAnswer, notes: Counter[str]) -> None:
    url = canonical(found.target)
    if url is None:
        notes["not-http"] += 1
        return
    digest = xxh3_64_intdigest(found.digest.encode()) - (1 << 63) if found.digest else None
    spot = (file, found.offset, found.length)
    if found.revisit:
        row = (url, canonical(found.refers) or url, found.status, digest, *spot, found.before)
        database.execute("INSERT INTO revisit_record VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    elif _new(database, url):
        database.execute(_INSERT, (url_hash(url), url, found.status, digest, *spot, None, None, None, found.before))
    else:
        notes["again"] += 1
        database.execute("INSERT INTO again VALUES (?, ?, ?, ?, ?)", (digest, found.status, *spot))


_INSERT = "INSERT INTO page VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def _new(database: sqlite3.Connection, url: Url) -> bool:
    seen = database.execute("SELECT 1 FROM page WHERE hash = ? AND url = ?", (url_hash(url), url))
    return seen.fetchone() is None


def _resolve(database: sqlite3.Connection, notes: Counter[str]) -> None:
    """Revisits get the content of the answer that they refer to."""
    with closing(database.execute("SELECT * FROM revisit_record ORDER BY rowid")) as revisits:
        rows = iter(revisits)
        first = next(rows, None)
        if first is None:
            return
        database.execute("CREATE INDEX temp.again_by_digest ON again (digest)")
        database.execute("CREATE INDEX page_by_digest ON page (digest)")
        for row in chain((first,), rows):
            _add_revisit(database, row, notes)
    database.execute("DROP INDEX page_by_digest")


def _add_revisit(
    database: sqlite3.Connection, row: tuple[str, str, int, int | None, int, int, int, int], notes: Counter[str]
) -> None:
    url, refers, status, digest, *own, before = Url(row[0]), Url(row[1]), *row[2:]
    if not _new(database, url):
        notes["again"] += 1
        return
    found = database.execute(_SAME, {"digest": digest, "hash": url_hash(refers), "url": refers}).fetchone()
    if found is None:
        notes["revisit-of-nothing"] += 1
        return
    first_status, *content = found
    # "304 Not modified" was an answer to somebody who had the page already; and some revisit records have no head at all.
    if status in {0, 304}:
        database.execute(_INSERT, (url_hash(url), url, first_status, digest, *content, None, None, None, 0))
    else:
        database.execute(_INSERT, (url_hash(url), url, status, digest, *own, *content, before))


# The same digest is the same content, wherever it stands; a record without a digest can only name a url.
_SAME = """
    SELECT status, file, offset, length FROM page WHERE digest = :digest AND content_file IS NULL
    UNION ALL SELECT status, file, offset, length FROM again WHERE digest = :digest
    UNION ALL SELECT status, file, offset, length FROM page
        WHERE :digest IS NULL AND hash = :hash AND url = :url AND content_file IS NULL
    LIMIT 1
"""
