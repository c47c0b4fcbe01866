"""The place on a page that has what was asked for, with the words that match marked.

SQLite finds it, in a small index of the few pages that are shown: so what is marked is what matched, accents, endings and all.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

from thresher.model import Page
from thresher.results.plain_text import one_line
from thresher.results.search.index import TOKENIZE, zones
from thresher.results.search.query import Expression
from thresher.results.search.unspaced_scripts import together

# `one_line` moved to `plain`; those who still ask for it here find it.
__all__ = ["Marked", "Snippet", "one_line", "snippets"]

_FROM, _TO = "\ue000", "\ue001"
_LENGTH = 40
"""Words of a snippet; FTS5 gives 64 at most."""
_TABLE = f"CREATE VIRTUAL TABLE words USING fts5 (title, headings, text, tokenize = {TOKENIZE})"
_INSERT = "INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)"
_MARKED = """
    SELECT rowid, highlight(words, 0, ?1, ?2), snippet(words, 2, ?1, ?2, '…', ?3) FROM words WHERE words MATCH ?4
"""


class Marked(NamedTuple):
    """A text, and where in it words were found."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class Snippet(NamedTuple):
    """A page in a few words."""

    title: Marked
    text: Marked


def snippets(pages: Mapping[int, Page], expression: Expression) -> dict[int, Snippet]:
    """A snippet of each page, by its number."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        connection.executemany(_INSERT, [(number, *zones(page)) for number, page in pages.items()])
        found = connection.execute(_MARKED, (_FROM, _TO, _LENGTH, expression.all))
        return {number: Snippet(_marked(title), _marked(text)) for number, title, text in found}


def _marked(text: str) -> Marked:
    plain, marks, length = list[str](), list[tuple[int, int]](), 0
    for part in together(text).split(_FROM):
        word, end, rest = part.partition(_TO)
        if end:
            marks.append((length, length + len(word)))
        plain += (word, rest)
        length += len(word) + len(rest)
    return Marked("".join(plain), tuple(marks))
