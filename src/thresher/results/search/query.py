"""What a person types into a search, read as a query: words, "phrases", -unwanted, beginnings*. No input is a syntax error.

Chinese, Japanese, Thai and some other scripts put no blanks between words. Each of their letters is a word to the index, and a word of
theirs is a phrase of letters: `apart` makes such texts ready for SQLite, `together` undoes it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words
from thresher.language.tokens import visible

# A quote that is never closed goes to the end.
_PIECE = re.compile(r'(?P<minus>-?)(?:"(?P<quoted>[^"]*+)(?:"|$)|(?P<plain>[^\s"]++))(?P<star>\*?)')
_MOST = 64
"""Pieces of a query that count: far more than anybody types, and few enough for SQLite."""
GAP = "\u200b"
"""Put between two such letters: it is invisible, and ends a word for SQLite."""

# Thai and Lao, Myanmar, Khmer, kana, Han with its extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = re.compile(f"[{_UNSPACED}]")
_APART = f"{GAP}\\g<0>{GAP}"
_ACCENTS = re.compile("[\u0300-\u036f]")


class QueryPiece(NamedTuple):
    """One part of a query: a word, or a phrase of several words."""

    words: tuple[str, ...]
    unwanted: bool = False
    quoted: bool = False
    beginning: bool = False
    """Whether its last word may go on: `iri*`."""

    def __str__(self) -> str:
        """The piece as one would type it."""
        words = " ".join(self.words)
        return "-" * self.unwanted + (f'"{words}"' if len(self.words) > 1 else words) + "*" * self.beginning


class QueryGroup(NamedTuple):
    """Pieces that together name one thing, and other names of it."""

    pieces: tuple[QueryPiece, ...]
    others: tuple[str, ...] = ()


class Expression(NamedTuple):
    """A query in the syntax of FTS5."""

    all: str
    """All wanted groups, each in the user's words or in synonyms."""
    own: str
    """Any of the user's own words."""


class Query(NamedTuple):
    """The wanted groups, and the unwanted pieces."""

    groups: tuple[QueryGroup, ...]
    unwanted: tuple[QueryPiece, ...] = ()

    def expression(self, *, every: bool = True) -> Expression:
        """For SQLite: pages with every group, or with any."""
        wanted = (" AND " if every else " OR ").join(map(_group, self.groups))
        unwanted = " OR ".join(map(_piece, self.unwanted))
        own = " OR ".join(_piece(piece) for group in self.groups for piece in group.pieces)
        return Expression(f"({wanted}) NOT ({unwanted})" if unwanted else wanted, own)

    @property
    def others(self) -> list[str]:
        """The synonyms that were added."""
        return list(dict.fromkeys(label for group in self.groups for label in group.others))

    def __str__(self) -> str:
        """The query as one would type it."""
        wanted = [piece for group in self.groups for piece in group.pieces]
        return " ".join(map(str, (*wanted, *self.unwanted)))


def read_query(text: str, synonyms: Mapping[tuple[str, ...], Sequence[str]] | None = None) -> Query:
    """A query from what was typed; `synonyms` maps the words of a name to other names of the same thing.

    >>> read_query('iris "anterior chamber" -flower').unwanted
    (QueryPiece(words=('flower',), unwanted=True, quoted=False, beginning=False),)
    """
    pieces = [piece for found in _PIECE.finditer(visible(text)) if (piece := _read(found)).words][:_MOST]
    unwanted = tuple(piece for piece in pieces if piece.unwanted)
    wanted = _telling([piece for piece in pieces if not piece.unwanted])
    if not wanted:
        also = "besides what is not wanted, " if unwanted else ""
        raise BadInput(f"{text!r} has no word to look for: {also}give at least one, such as 'iris eye'")
    return Query(tuple(_groups(wanted, synonyms or {})), unwanted)


def _read(found: re.Match[str]) -> QueryPiece:
    typed = found["quoted"] if found["quoted"] is not None else found["plain"]
    beginning = bool(found["star"]) or (found["quoted"] is None and typed.endswith("*"))
    return QueryPiece(tuple(words(typed)), bool(found["minus"]), found["quoted"] is not None, beginning)


def _telling(pieces: list[QueryPiece]) -> list[QueryPiece]:
    """The pieces without stop words, unless there are no others."""
    return [piece for piece in pieces if piece.quoted or not STOP_WORDS.issuperset(piece.words)] or pieces


def _groups(pieces: list[QueryPiece], synonyms: Mapping[tuple[str, ...], Sequence[str]]) -> list[QueryGroup]:
    """The pieces in groups that name one thing; the longest name is taken."""
    groups, start = list[QueryGroup](), 0
    longest = max(map(len, synonyms), default=1)
    while start < len(pieces):
        for end in range(min(len(pieces), start + longest), start, -1):
            some = tuple(pieces[start:end])
            others = () if any(piece.beginning for piece in some) else synonyms.get(_words(some), ())
            if others or end == start + 1:
                groups.append(QueryGroup(some, tuple(others)))
                start = end
                break
    return groups


def _words(pieces: Sequence[QueryPiece]) -> tuple[str, ...]:
    return tuple(word for piece in pieces for word in piece.words)


def _group(group: QueryGroup) -> str:
    own = " AND ".join(map(_piece, group.pieces))
    return f"({' OR '.join([f'({own})', *(phrase(words(label)) for label in group.others)])})"


def _piece(piece: QueryPiece) -> str:
    return phrase(piece.words) + " *" * piece.beginning


def phrase(each: Sequence[str]) -> str:
    """A phrase in quotes, so that nothing in it is FTS5 syntax; words contain no quotes."""
    return f'"{apart(" ".join(each))}"'


def apart(text: str) -> str:
    """The text with gaps around each letter of a script without blanks.

    >>> apart("虹膜 iris").replace(GAP, "|")
    '|虹||膜| iris'
    """
    return text if text.isascii() else _LETTER.sub(_APART, text)


def together(text: str) -> str:
    """The text without the gaps."""
    return text.replace(GAP, "")


def without_accents(text: str) -> str:
    """The text with bare letters. Marks that are vowels, as in Hindi, stay.

    >>> without_accents("café हिन्दी")
    'cafe हिन्दी'
    """
    return text if text.isascii() else normalize("NFC", _ACCENTS.sub("", normalize("NFD", text)))
