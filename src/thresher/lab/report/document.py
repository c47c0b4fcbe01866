"""What a report is made of, before it is HTML or Markdown: headings, sentences, tables and pictures."""

from dataclasses import dataclass
from typing import Literal


class Name(str):
    """A word that somebody else chose: a strategy, a task, a url."""

    __slots__ = ()


Words = tuple[str, ...]
"""A sentence in pieces, so that its names can be told from its own words."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The beginning of a section."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two."""

    words: Words
    kind: Literal["plain", "lead", "note"] = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences in a list."""

    items: tuple[Words, ...]
    small: bool = False
    """Whether they are to be looked up rather than read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    text: str
    strong: bool = False
    shade: float = 0.0
    """From 0 to 1, where the page can show it."""


def heads(names: str) -> tuple[Cell, ...]:
    """The head of a table, from names with commas between them."""
    return tuple(map(Cell, names.split(",")))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head. The columns of words stand first, then those of numbers."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1
    """How many columns hold words."""
    upright: bool = False
    """Whether the heads of the columns of numbers are long, and better turned."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG with the name of its file, and what it shows in words."""

    name: str
    svg: str
    shows: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """One picture, or several small ones beside each other."""

    pictures: tuple[Picture, ...]


Block = Heading | Paragraph | Bullets | Table | Pictures
