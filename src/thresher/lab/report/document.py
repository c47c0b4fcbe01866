"""What a report is made of (headings, sentences, tables and pictures), and how it becomes Markdown or HTML.

Markdown tables line up in a terminal too. The HTML is one file: no script, nothing to load, light or dark as the reader likes, and fit to
be printed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from thresher.chart import clean
from thresher.results.report.html_pieces import framed_page

PLOTS = "plots"
"""The folder of the pictures, beside the Markdown."""


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
class TableBlock:
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


Block = Heading | Paragraph | Bullets | TableBlock | Pictures


# ── as Markdown ──


def markdown(blocks: Iterable[Block]) -> str:
    """The document; its pictures are files in `plots/`."""
    return "\n\n".join(map(_markdown_block, blocks)) + "\n"


def picture_files(blocks: Iterable[Block]) -> dict[str, str]:
    """The SVG files that the document shows, by name."""
    shown = (picture for block in blocks if isinstance(block, Pictures) for picture in block.pictures)
    return {f"{picture.name}.svg": picture.svg for picture in shown}


def plain(text: str) -> str:
    """Any text so that Markdown takes it as text.

    >>> plain("a|b *c* <d>")
    'a\\\\|b \\\\*c\\\\* &lt;d&gt;'
    """
    line = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", " ", text).split())
    marked = re.sub(r"([\\`*_\[\]|~#])", r"\\\1", line)
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _markdown_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {plain(text)}"
        case Paragraph(words, kind):
            return f"*{_markdown_sentence(words)}*" if kind == "note" else _markdown_sentence(words)
        case Bullets(items):
            return "\n".join(f"- {_markdown_sentence(item)}" for item in items)
        case TableBlock():
            return _markdown_table(block)
        case Pictures(shown):
            return "\n".join(map(_markdown_picture, shown))


def _markdown_sentence(words: Words) -> str:
    # Piece by piece would lose the blanks at their ends.
    return plain("".join(words))


def _markdown_picture(picture: Picture) -> str:
    return f"![{plain(picture.shows)}]({PLOTS}/{picture.name}.svg)"


def _markdown_table(table: TableBlock) -> str:
    rows = [[_markdown_cell(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(3, *(len(row[column]) for row in rows)) for column in range(len(table.head))]
    left = [column < table.words for column in range(len(widths))]
    rule = ["-" * width if to_left else f"{'-' * (width - 1)}:" for width, to_left in zip(widths, left, strict=True)]
    return "\n".join(_markdown_row(row, widths, left) for row in (rows[0], rule, *rows[1:]))


def _markdown_row(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    padded = (
        cell.ljust(width) if to_left else cell.rjust(width)
        for cell, width, to_left in zip(cells, widths, left, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _markdown_cell(cell: Cell) -> str:
    return f"**{plain(cell.text)}**" if cell.strong else plain(cell.text)


# ── as HTML ──


def html(title: str, blocks: Iterable[Block]) -> str:
    """The document, with its pictures and its style inside."""
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    body = "\n".join(map(_html_block, blocks))
    return framed_page(title, style, body)


def _html_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{clean(text)}</h{level}>"
        case Paragraph(words, kind):
            return f'<p class="{kind}">{_html_sentence(words)}</p>'
        case Bullets(items, small):
            return "\n".join(
                [
                    '<ul class="note">' if small else "<ul>",
                    *(f"<li>{_html_sentence(item)}</li>" for item in items),
                    "</ul>",
                ]
            )
        case TableBlock():
            return _html_table(block)
        case Pictures(shown):
            many = " many" if len(shown) > 1 else ""
            return "\n".join([f'<div class="pictures{many}">', *(picture.svg for picture in shown), "</div>"])


def _html_sentence(words: Words) -> str:
    return "".join(map(_html_word, words))


def _html_word(word: str) -> str:
    return f"<code>{clean(word)}</code>" if isinstance(word, Name) else clean(word)


def _html_table(table: TableBlock) -> str:
    upright = ' class="upright"' if table.upright else ""
    head = "".join(
        f"<th{_html_kind(place, table)}><span>{_html_word(cell.text)}</span></th>"
        for place, cell in enumerate(table.head)
    )
    rows = ("".join(_html_cell(cell, place, table) for place, cell in enumerate(row)) for row in table.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="table"><table{upright}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _html_cell(cell: Cell, place: int, table: TableBlock) -> str:
    tag = "th" if place == 0 else "td"
    shade = f' style="--shade:{cell.shade:.2f}"' if cell.shade else ""
    text = f"<strong>{_html_word(cell.text)}</strong>" if cell.strong else _html_word(cell.text)
    return f"<{tag}{_html_kind(place, table)}{shade}>{text}</{tag}>"


def _html_kind(place: int, table: TableBlock) -> str:
    return ' class="word"' if place < table.words else ""
