"""Search what a crawl has kept: full text, the best pages first, with the words that match."""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.search.index import Hit, Index
from thresher.results.search.query import Expression, Query, read_query
from thresher.results.search.snippets import Snippet, snippets
from thresher.results.search.synonyms import Synonyms, synonyms_of
from thresher.store.labels import word_of

_ENTRY = "SELECT * FROM current WHERE number = ?"


class Found(NamedTuple):
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


class Answer(NamedTuple):
    """What a search gives."""

    query: Query
    total: int
    """How many pages have it; those found are the best of them."""
    found: list[Found]
    every: bool
    """False if no page has all that was asked for, and these have some of it."""
    note: str = ""
    """Why the query was not widened, if it was not."""
    lost: int = 0
    """Of the best pages, those whose records cannot be read any more."""


def search(  # noqa: PLR0913 - the options of the command
    archive: Archive,
    text: str,
    *,
    limit: int = 10,
    relevant: bool = False,
    expand: bool = True,
    progress: Callable[[Index], object] = Index.update,
) -> Answer:
    """The pages that have what was typed; `progress` brings the index up to date, and may show it.

    >>> with Archive.open(Path("iris-eye")) as archive:
    ...     search(archive, '"anterior chamber" -flower').found[0].url
    """
    read_query(text)  # what cannot be searched for is said before anything takes time
    synonyms = synonyms_of(archive.settings) if expand else Synonyms({})
    query = read_query(text, synonyms.labels)
    with Index(archive) as index:
        progress(index)
        expression, hits = _hits(index, query, limit, relevant=relevant)
        every = expression == query.expression()
        found, total = _found(archive, hits, expression), hits[0].total if hits else 0
        return Answer(query, total, found, every, synonyms.note, len(hits) - len(found))


def _hits(index: Index, query: Query, limit: int, *, relevant: bool) -> tuple[Expression, list[Hit]]:
    """Pages with all that was asked for, or if there are none, with any of it."""
    expression = query.expression()
    hits = index.find(expression, limit, relevant=relevant)
    if hits or len(query.groups) == 1:
        return expression, hits
    some = query.expression(every=False)
    return some, index.find(some, limit, relevant=relevant)


def _found(archive: Archive, hits: list[Hit], expression: Expression) -> list[Found]:
    rows = {hit.number: next(archive.rows(_ENTRY, hit.number)) for hit in hits}
    pages = {number: page for number, row in rows.items() if (page := archive.visit_of(row).page) is not None}
    shown = snippets(pages, expression)
    return [_one(rows[hit.number], hit, shown[hit.number]) for hit in hits if hit.number in shown]


def _one(row: sqlite3.Row, hit: Hit, snippet: Snippet) -> Found:
    return Found(
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
    )
