"""Texts with marks: where in a text words or names stand, as offsets into it. SQLite finds them, whatever their accents and endings."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

from thresher.language import words
from thresher.results.search.query import apart, phrase, together

# Both are characters for private use, which no text that is shown has: `one_line` and `paragraphs` leave them out.
FROM, TO = "\ue000", "\ue001"
TOKENIZE = "\"porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'\""
"""Marks belong to words (in Hindi the vowels are marks); accents and English endings are ignored."""
_TABLE = f"CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = {TOKENIZE})"
_INSERT = "INSERT INTO words (rowid, text) VALUES (?, ?)"
_MARKED = "SELECT rowid, highlight(words, 0, ?1, ?2) FROM words WHERE words MATCH ?3"
_MOST_NAMES = 64


class Marked(NamedTuple):
    """A text, and where in it words were found."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def marked(text: str) -> Marked:
    """The text that SQLite has put marks into, without them, and where they were."""
    plain, marks, length = list[str](), list[tuple[int, int]](), 0
    for part in together(text).split(FROM):
        word, end, rest = part.partition(TO)
        if end:
            marks.append((length, length + len(word)))
        plain += (word, rest)
        length += len(word) + len(rest)
    return Marked("".join(plain), tuple(marks))


def mark_names(texts: Sequence[str], names: Iterable[str]) -> list[Marked]:
    """Each text with the places where one of the names stands; of many names the first 64 count.

    >>> mark_names(["The eyes of a cat"], ["eye", "nose"])[0].marks
    ((4, 8),)
    """
    wanted = [phrase(several) for name in names if (several := words(name))][:_MOST_NAMES]
    if not wanted:
        return [Marked(text) for text in texts]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(_TABLE)
        connection.executemany(_INSERT, [(place, apart(text)) for place, text in enumerate(texts)])
        found = dict(connection.execute(_MARKED, (FROM, TO, " OR ".join(wanted))).fetchall())
    return [marked(found[place]) if place in found else Marked(text) for place, text in enumerate(texts)]
