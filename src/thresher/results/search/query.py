"""What a person types into a search, read as it is meant: words, "phrases", -unwanted, beginnings*. Nothing typed is a wrong syntax."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words
from thresher.language.normalise import visible
from thresher.results.search.unspaced_scripts import apart

# A quote that is never closed goes to the end.
_PIECE = re.compile(r'(?P<minus>-?)(?:"(?P<quoted>[^"]*)(?:"|$)|(?P<plain>[^\s"]+))(?P<star>\*?)')
_MOST = 64
"""Pieces of a query that are looked at: far more than anybody types, and few enough for SQLite."""


class Piece(NamedTuple):
    """One thing that is asked for: a word, or a phrase of several."""

    words: tuple[str, ...]
    unwanted: bool = False
    quoted: bool = False
    beginning: bool = False
    """Whether its last word may go on: `iri*`."""


class Group(NamedTuple):
    """Pieces that are asked for, and what means the same."""

    pieces: tuple[Piece, ...]
    others: tuple[str, ...] = ()


class Expression(NamedTuple):
    """A query as FTS5 wants it."""

    all: str
    """All that is wanted, each in its own words or in others that mean the same."""
    own: str
    """Any of the user's own words."""


class Query(NamedTuple):
    """What is wanted, group by group, and what is not."""

    groups: tuple[Group, ...]
    unwanted: tuple[Piece, ...] = ()

    def expression(self, *, every: bool = True) -> Expression:
        """For SQLite: pages with every group, or with any."""
        wanted = (" AND " if every else " OR ").join(map(_group, self.groups))
        unwanted = " OR ".join(map(_piece, self.unwanted))
        own = " OR ".join(_piece(piece) for group in self.groups for piece in group.pieces)
        return Expression(f"({wanted}) NOT ({unwanted})" if unwanted else wanted, own)

    @property
    def others(self) -> list[str]:
        """The words that were added because they mean the same."""
        return list(dict.fromkeys(label for group in self.groups for label in group.others))


def read_query(text: str, synonyms: Mapping[tuple[str, ...], Sequence[str]] | None = None) -> Query:
    """A query of what was typed; `synonyms` has labels by the words of a label that means the same.

    >>> read_query('iris "anterior chamber" -flower').unwanted
    (Piece(words=('flower',), unwanted=True, quoted=False, beginning=False),)
    """
    pieces = [piece for found in _PIECE.finditer(visible(text)) if (piece := _read(found)).words][:_MOST]
    unwanted = tuple(piece for piece in pieces if piece.unwanted)
    wanted = _telling([piece for piece in pieces if not piece.unwanted])
    if not wanted:
        also = "besides what is not wanted, " if unwanted else ""
        raise BadInput(f"{text!r} has no word to look for: {also}give at least one, such as 'iris eye'")
    return Query(tuple(_groups(wanted, synonyms or {})), unwanted)


def _read(found: re.Match[str]) -> Piece:
    typed = found["quoted"] if found["quoted"] is not None else found["plain"]
    beginning = bool(found["star"]) or (found["quoted"] is None and typed.endswith("*"))
    return Piece(tuple(words(typed)), bool(found["minus"]), found["quoted"] is not None, beginning)


def _telling(pieces: list[Piece]) -> list[Piece]:
    """Without words that say nothing, unless there are no others."""
    return [piece for piece in pieces if piece.quoted or not STOP_WORDS.issuperset(piece.words)] or pieces


def _groups(pieces: list[Piece], synonyms: Mapping[tuple[str, ...], Sequence[str]]) -> list[Group]:
    """The pieces, those together that name one thing: the longest name counts."""
    groups, start = list[Group](), 0
    longest = max(map(len, synonyms), default=1)
    while start < len(pieces):
        for end in range(min(len(pieces), start + longest), start, -1):
            some = tuple(pieces[start:end])
            others = () if any(piece.beginning for piece in some) else synonyms.get(_words(some), ())
            if others or end == start + 1:
                groups.append(Group(some, tuple(others)))
                start = end
                break
    return groups


def _words(pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(word for piece in pieces for word in piece.words)


def _group(group: Group) -> str:
    own = " AND ".join(map(_piece, group.pieces))
    return f"({' OR '.join([f'({own})', *(_phrase(words(label)) for label in group.others)])})"


def _piece(piece: Piece) -> str:
    return _phrase(piece.words) + " *" * piece.beginning


def _phrase(each: Sequence[str]) -> str:
    """In quotes, so that nothing in it means anything to FTS5; words have no quotes of their own."""
    return f'"{apart(" ".join(each))}"'
