"""The search index of a crawl in PostgreSQL: the words of the kept pages in its own full-text columns.

Each page is taken in by the rules of its language, of which PostgreSQL knows some thirty. A word that is looked for is looked for in its
forms of all languages that the crawl has met. Accents count for nothing, as in the index of a folder. Pages are ranked by how near to
each other and where the words stand (`ts_rank_cd`), since PostgreSQL has no BM25, and by relevance.
"""

import math
import time
from collections.abc import Callable, Sequence
from functools import reduce
from types import TracebackType
from typing import Any, NamedTuple, Self

from thresher.disk.crawl_home import Home
from thresher.disk.found_rows import Row
from thresher.disk.postgres_home import PostgresHome
from thresher.disk.postgres_tables import PostgresWriter
from thresher.language import words
from thresher.model import Page
from thresher.results.archive import Archive
from thresher.results.search.query import GAP, Query, QueryGroup, QueryPiece, apart, without_accents
from thresher.results.search.word_index import Hit, zones
from thresher.store.current import by_hand, changed_after
from thresher.store.looks import count_changed_after
from thresher.store.rejudgements import judged_in
from thresher.store.visits import count_pages, first_of_cluster, pages_after

_BATCH = 50
"""Pages in one transaction."""
_MOST = 1 << 62
_LONGEST = 60_000
"""Characters of a text that are taken in. The words of a page must fit into a megabyte, however different they are."""
# What PostgreSQL calls the languages that it knows forms of.
_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SIMPLE = "simple"
_UNTIL = "SELECT visit, look, round FROM indexed_until"
_LOCKED = f"{_UNTIL} FOR UPDATE"
_SEEN = "UPDATE indexed_until SET visit = ?"
_LOOKED = "UPDATE indexed_until SET look = ?"
_BEGIN_ANEW = (
    "DELETE FROM page_words", "DELETE FROM indexed_page", "UPDATE indexed_until SET visit = 0, look = 0, round = ?"
)  # fmt: skip
_COPY = "UPDATE indexed_page SET copies = copies + 1 WHERE number = ? AND url_hash <> ?"
_REMOVE = (
    "DELETE FROM page_words WHERE id IN (SELECT words FROM indexed_page WHERE url_hash = ?)",
    "DELETE FROM indexed_page WHERE url_hash = ?",
)
_PAGE = "INSERT INTO indexed_page (number, url_hash, words) VALUES (?, ?, ?)"
_LANGUAGE = "INSERT INTO indexed_language (name) VALUES (CAST(? AS regconfig)) ON CONFLICT DO NOTHING"
_WORDS = """
    INSERT INTO page_words (id, said) SELECT ?1, setweight(to_tsvector(CAST(?2 AS regconfig), ?3), 'A')
        || setweight(to_tsvector(CAST(?2 AS regconfig), ?4), 'B') || to_tsvector(CAST(?2 AS regconfig), ?5)
"""
# A sum over the words asked for is the same in both expressions, so half of both together counts their synonyms half.
_FIND = """
    WITH wanted AS (SELECT CAST(? AS tsquery) AS everything, CAST(? AS tsquery) AS own),
         hit AS (
             SELECT id AS words, (fit(said, everything) + fit(said, own)) / 2 AS score
             FROM page_words, wanted WHERE said @@ everything
         ),
         judged AS ({judged}),
         hand AS (SELECT number, relevant FROM unnest(CAST(? AS bigint[]), CAST(? AS boolean[])) AS said (number, relevant))
    SELECT number, hit.score * (1 + coalesce(judged.relevance, 0)) AS score, copies, count(*) OVER () AS total
    FROM hit JOIN indexed_page USING (words) JOIN judged USING (number) LEFT JOIN hand USING (number)
    WHERE coalesce(hand.relevant, judged.relevant, FALSE) OR NOT CAST(? AS boolean) ORDER BY 2 DESC, number LIMIT ?
"""


class _Until(NamedTuple):
    visit: int
    look: int
    round: int


class SharedIndex:
    """The words of all kept pages, duplicates once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._tables = _writer(archive.folder)
        if self._until().round != _round(archive):
            # Which pages are copies of others depends on which are relevant.
            self._begin_anew()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tables.close()

    def behind(self) -> int:
        """How many pages are not in the index yet."""
        until = self._until()
        return count_pages(self._archive.read, after=until.visit) + count_changed_after(self._archive.read, until.look)

    def update(self, took: Callable[[int], object] = lambda _: None, *, seconds: float = math.inf) -> None:
        """Add the pages that were kept since the last time, for so many seconds; `took` is called with the number of pages of each step."""
        end = time.monotonic() + seconds
        for take in (self._take_batch, self._take_changed):
            while time.monotonic() < end and (pages := take()):
                took(pages)

    def find(self, query: Query, limit: int, *, every: bool = True, relevant: bool = False) -> list[Hit]:
        """The best pages that match; with `relevant` only relevant ones, where a person's label counts for more than the judge."""
        hands = by_hand(self._archive.read) if relevant else []
        judged = judged_in(self._archive.read, "main")
        everything, own = self._asked(query, every=every)
        values = (
            everything,
            own,
            [each.number for each in hands],
            [each.relevant for each in hands],
            relevant,
            min(limit, _MOST),
        )
        return [Hit(*row) for row in self._tables.execute(_FIND.format(judged=judged), values)]

    def _asked(self, query: Query, *, every: bool) -> tuple[str, str]:
        """The query in PostgreSQL's own words: pages with every group, or with any; and the user's own words alone."""
        found = self._tables.execute("SELECT CAST(name AS text) FROM indexed_language ORDER BY 1")
        asking = _Asking(self._tables, [name for (name,) in found] or [_SIMPLE])
        wanted = asking.joined("&&" if every else "||", [asking.group(each) for each in query.groups])
        if query.unwanted:
            unwanted = asking.joined("||", [asking.piece(each) for each in query.unwanted])
            wanted = asking.one("SELECT CAST(CAST(? AS tsquery) && !! CAST(? AS tsquery) AS text)", wanted, unwanted)
        own = asking.joined("||", [asking.piece(piece) for group in query.groups for piece in group.pieces])
        return wanted, own

    def _until(self) -> _Until:
        return _Until(*self._tables.execute(_UNTIL).fetchone())

    def _begin_anew(self) -> None:
        with self._tables.as_one():
            self._tables.write(_LOCKED).fetchone()
            for statement in _BEGIN_ANEW:
                self._tables.write(statement, (_round(self._archive),) if "?" in statement else ())

    def _take_batch(self) -> int:
        with self._tables.as_one():
            # Locked before it looks how far it is: of two searches at once each page is taken in by one.
            until = _Until(*self._tables.write(_LOCKED).fetchone())
            rows = pages_after(self._archive.read, until.visit, _BATCH)
            for row in rows:
                self._take(row)
            if rows:
                self._tables.write(_SEEN, (rows[-1]["number"],))
        return len(rows)

    def _take_changed(self) -> int:
        """Replace pages that a later look found changed by their new versions."""
        with self._tables.as_one():
            until = _Until(*self._tables.write(_LOCKED).fetchone())
            rows = changed_after(self._archive.read, until.look, _BATCH)
            for row in rows:
                page = self._archive.visit_of(row).page
                if page is not None:
                    self._put(row, page, -row["version"])
            if rows:
                self._tables.write(_LOOKED, (rows[-1]["version"],))
        return len(rows)

    def _take(self, row: Row) -> None:
        first = row["duplicate_of"] or row["near"]
        if first is not None:
            # Of a copy of a page that is nearly another one, the other one is the first.
            self._tables.write(_COPY, (first_of_cluster(self._archive.read, first), row["url_hash"]))
            return
        page = self._archive.visit_of(row).page
        if page is not None:  # its record may be lost
            self._put(row, page, row["number"])

    def _put(self, row: Row, page: Page, number: int) -> None:
        language = _LANGUAGES.get(page.language.partition("-")[0].lower(), _SIMPLE)
        for statement in _REMOVE:
            self._tables.write(statement, (row["url_hash"],))
        self._tables.write(_PAGE, (row["number"], row["url_hash"], number))
        self._tables.write(_LANGUAGE, (language,))
        self._tables.write(_WORDS, (number, language, *(_plain(zone[:_LONGEST]) for zone in zones(page))))


class _Asking:
    """Makes queries of words, in the forms of several languages."""

    def __init__(self, tables: PostgresWriter, languages: Sequence[str]) -> None:
        self._tables, self._languages = tables, languages

    def group(self, group: QueryGroup) -> str:
        """The user's words, or one of the other names of the same thing."""
        own = self.joined("&&", [self.piece(each) for each in group.pieces])
        return self.joined("||", [own, *(self.piece(QueryPiece(tuple(words(label)))) for label in group.others)])

    def piece(self, piece: QueryPiece) -> str:
        """A word or a phrase; if it is a beginning, its last word may go on."""
        said = _plain(apart(" ".join(piece.words)))
        if piece.beginning:
            # No forms: what goes on is no whole word.
            wanted = " <-> ".join(f"'{word}'" for word in said.split())
            return self.one("SELECT CAST(to_tsquery('simple', ?) AS text)", f"{wanted}:*")
        return self.joined("||", [self.one(_PHRASE, language, said) for language in self._languages])

    def joined(self, sign: str, several: Sequence[str]) -> str:
        """Several queries as one."""
        joining = f"SELECT CAST(CAST(? AS tsquery) {sign} CAST(? AS tsquery) AS text)"
        return reduce(lambda one, other: self.one(joining, one, other), several)

    def one(self, sql: str, *values: Any) -> str:
        """What the server makes of it."""
        return str(self._tables.execute(sql, values).fetchone()[0])


_PHRASE = "SELECT CAST(phraseto_tsquery(CAST(? AS regconfig), ?) AS text)"


def _plain(text: str) -> str:
    """Words with blanks between, without accents; letters of scripts without blanks are words by themselves."""
    return without_accents(" ".join(words(text.replace(GAP, " "))))


def _round(archive: Archive) -> int:
    return archive.judged.number if archive.judged else 0


def _writer(home: Home) -> PostgresWriter:
    assert isinstance(home, PostgresHome)
    return PostgresWriter(home.path.url, home.path.schema)
