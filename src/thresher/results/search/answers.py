"""Search what a crawl has kept: full text, the best pages first, with the words that match.

`search` widens the query by synonyms of the topic, asks the index, and cuts a snippet of each page. SQLite makes the snippets, in a
small index of the few pages that are shown; so what is marked is what matched, whatever its accents and endings.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from thresher.disk.folder import CrawlFolder
from thresher.disk.found_rows import Row
from thresher.errors import ThresherError
from thresher.knowledge import Knowledge, needs
from thresher.language import words
from thresher.model import Page, Url
from thresher.plugins import construct
from thresher.results.archive import Archive
from thresher.results.plain_text import short_title
from thresher.results.search.marks import FROM, TO, TOKENIZE, Marked, marked
from thresher.results.search.query import Expression, Query, read_query
from thresher.results.search.word_index import Hit, SearchIndex, zones
from thresher.settings import Settings
from thresher.store.current import current_row
from thresher.store.labels import word_of
from thresher.topic import Topic
from thresher.topic.sense_choice import Ambiguous

_LENGTH = 40
"""Words of a snippet; FTS5 gives 64 at most."""
_BEGINNING = 240
"""Characters of a page that is shown without marks."""
_TABLE = f"CREATE VIRTUAL TABLE words USING fts5 (title, headings, text, tokenize = {TOKENIZE})"
_INSERT = "INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)"
_MARKED = """
    SELECT rowid, highlight(words, 0, ?1, ?2), snippet(words, 2, ?1, ?2, '…', ?3) FROM words WHERE words MATCH ?4
"""
_SAME: set[str] = {"exact", "synonym"}
"""Tiers of the topic that mean the topic itself."""


class Snippet(NamedTuple):
    """A page in a few words."""

    title: Marked
    text: Marked


class FoundPage(NamedTuple):
    """One page that was found."""

    url: Url
    snippet: Snippet
    score: float
    """BM25 times 1 + relevance: only the order matters."""
    relevance: float | None
    relevant: bool
    """By the judge."""
    label: str
    """By a person: `relevant`, `not relevant`, or nothing."""
    language: str
    at: float
    copies: int
    """Other urls with the same page."""
    gone: float | None
    """When it was found to be gone, if it is."""
    judged_by: str
    """The judge whose relevance it is."""

    @property
    def title(self) -> str:
        """Its title, cut after 300 letters."""
        return short_title(self.snippet.title.text)

    @property
    def wanted(self) -> bool:
        """Whether it is relevant by its label, or by the judge if it has none."""
        return self.label == "relevant" if self.label else self.relevant

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        fields = self._asdict()
        snippet = fields.pop("snippet")
        return {
            "url": fields.pop("url"),
            "title": self.title,
            "snippet": snippet.text.text,
            "marks": snippet.text.marks,
            **fields,
        }


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search gives. Iterating over it gives the pages."""

    query: Query
    total: int
    """How many pages match; those in `found` are the best of them."""
    found: list[FoundPage]
    every: bool
    """False if no page has all the words, and these pages have some of them."""
    note: str = ""
    """Why no synonyms were added, if none were."""
    lost: int = 0
    """Of the best pages, those whose records cannot be read any more."""
    judged_anew: bool = False
    """Whether the pages of the crawl were judged anew: each says by which judge."""

    def __iter__(self) -> Iterator[FoundPage]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "total": self.total,
            "all_words": self.every,
            "synonyms": self.query.others,
            "note": self.note,
            "lost": self.lost,
            "judged_anew": self.judged_anew,
            "found": [page.as_json() for page in self.found],
        }


class Matches(NamedTuple):
    """The visits whose pages match, without snippets."""

    numbers: tuple[int, ...]
    """The best first."""
    total: int
    """How many match; `numbers` may have fewer."""
    every: bool
    """False if no page has all the words, and these have some of them."""
    behind: int
    """Pages that the index does not have yet."""


class Synonyms(NamedTuple):
    """Other names of the topic, by the words of each name; and a note if some cannot be had."""

    labels: Mapping[tuple[str, ...], Sequence[str]]
    note: str = ""


class AnyIndex(Protocol):
    """The words of a crawl's pages, in its folder or in its database."""

    def __enter__(self) -> Self:
        """Use it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""

    def behind(self) -> int:
        """How many pages are not in the index yet."""

    def update(self, took: Callable[[int], object] = ..., *, seconds: float = ...) -> None:
        """Add the pages that were kept since the last time."""

    def find(self, query: Query, limit: int, *, every: bool = ..., relevant: bool = ...) -> list[Hit]:
        """The best pages that match."""


def index_of(archive: Archive) -> AnyIndex:
    """The index of a crawl."""
    if isinstance(archive.folder, CrawlFolder):
        return SearchIndex(archive)
    from thresher.results.search.shared_index import SharedIndex  # noqa: PLC0415 - psycopg is an extra

    return SharedIndex(archive)


def search(  # noqa: PLR0913 - the options of the command
    archive: Archive,
    text: str,
    *,
    limit: int = 10,
    relevant: bool = False,
    expand: bool = True,
    progress: Callable[[AnyIndex], object] = lambda index: index.update(),
) -> SearchAnswer:
    """The pages that match what was typed; `progress` brings the index up to date, and may show how far it is.

    >>> with Archive.open(Path("iris-eye")) as archive:
    ...     search(archive, '"anterior chamber" -flower').found[0].url
    """
    read_query(text)  # what cannot be searched for is said before anything takes time
    synonyms = synonyms_of(archive.settings) if expand else Synonyms({})
    query = read_query(text, synonyms.labels)
    with index_of(archive) as index:
        progress(index)
        expression, hits = _hits(index, query, limit, relevant=relevant)
        every = expression == query.expression()
        found, total = _found(archive, hits, expression), hits[0].total if hits else 0
        lost, anew = len(hits) - len(found), archive.judged is not None
        return SearchAnswer(query, total, found, every, synonyms.note, lost, anew)


def matches(archive: Archive, text: str, *, limit: int, seconds: float) -> Matches:
    """The visits whose pages match what was typed; the index is brought up to date for so many seconds at most."""
    query = read_query(text)
    with index_of(archive) as index:
        index.update(seconds=seconds)
        expression, hits = _hits(index, query, limit, relevant=False)
        numbers, total = tuple(hit.number for hit in hits), hits[0].total if hits else 0
        return Matches(numbers, total, expression == query.expression(), index.behind())


def _hits(index: AnyIndex, query: Query, limit: int, *, relevant: bool) -> tuple[Expression, list[Hit]]:
    """Pages with all the words; if there are none, pages with any of them."""
    expression = query.expression()
    hits = index.find(query, limit, relevant=relevant)
    if hits or len(query.groups) == 1:
        return expression, hits
    some = query.expression(every=False)
    return some, index.find(query, limit, every=False, relevant=relevant)


def _found(archive: Archive, hits: list[Hit], expression: Expression) -> list[FoundPage]:
    rows = {hit.number: current_row(archive.read, hit.number) for hit in hits}
    pages = {number: page for number, row in rows.items() if (page := archive.visit_of(row).page) is not None}
    shown = snippets(pages, expression)
    return [
        _one(rows[hit.number], hit, shown[hit.number], archive.judged_by(rows[hit.number]))
        for hit in hits
        if hit.number in shown
    ]


def _one(row: Row, hit: Hit, snippet: Snippet, judged_by: str) -> FoundPage:
    return FoundPage(
        Url(row["url"]),
        snippet,
        hit.score,
        row["relevance"],
        bool(row["relevant"]),
        word_of(row["hand"]),
        row["language"] or "",
        row["at"],
        hit.copies,
        row["gone"],
        judged_by,
    )


def synonyms_of(settings: Settings) -> Synonyms:
    """The names of a crawl's topic, for each of its phrases. What is not installed gives a note, never an error."""
    known = construct(Knowledge, settings.knowledge, "[knowledge]")
    labels: dict[tuple[str, ...], Sequence[str]] = {}
    notes: list[str] = []
    for phrase in filter(None, map(str.strip, settings.topic.split(","))):
        try:
            labels |= _alike(needs(phrase, known)["concepts"].make())
        except Ambiguous as error:
            notes.append(f"{error.phrase!r} has {len(error.meanings)} meanings and the crawl was not told which")
        except ThresherError as error:
            notes.append(f"it takes {error}")
    return Synonyms(labels, "; ".join(dict.fromkeys(notes)))


def _alike(topic: Topic) -> dict[tuple[str, ...], Sequence[str]]:
    names = {tuple(words(term.label)): term.label for term in topic.terms if term.tier in _SAME}
    names.pop((), None)
    return {name: [other for key, other in names.items() if key != name] for name in names if len(names) > 1}


def snippets(pages: Mapping[int, Page], expression: Expression) -> dict[int, Snippet]:
    """A snippet of each page, by its number."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        connection.executemany(_INSERT, [(number, *zones(page)) for number, page in pages.items()])
        found = connection.execute(_MARKED, (FROM, TO, _LENGTH, expression.all))
        shown = {number: Snippet(marked(title), marked(text)) for number, title, text in found}
    # PostgreSQL knows forms of words that SQLite does not: such pages are shown without marks.
    return {number: shown.get(number) or _beginning(page) for number, page in pages.items()}


def _beginning(page: Page) -> Snippet:
    title, _, text = zones(page)
    return Snippet(marked(title), marked(" ".join(text[:_BEGINNING].split())))
