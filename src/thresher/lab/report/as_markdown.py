"""A report as Markdown, whose tables line up in a terminal too."""

import re
from collections.abc import Iterable, Sequence

from thresher.lab.report.document import Block, Bullets, Cell, Heading, Paragraph, Picture, Pictures, Table, Words

PLOTS = "plots"


def markdown(blocks: Iterable[Block]) -> str:
    """The document; its pictures are files in `plots/`."""
    return "\n\n".join(map(_block, blocks)) + "\n"


def pictures(blocks: Iterable[Block]) -> dict[str, str]:
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


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {plain(text)}"
        case Paragraph(words, kind):
            return f"*{_sentence(words)}*" if kind == "note" else _sentence(words)
        case Bullets(items):
            return "\n".join(f"- {_sentence(item)}" for item in items)
        case Table():
            return _table(block)
        case Pictures(shown):
            return "\n".join(map(_picture, shown))


def _sentence(words: Words) -> str:
    # Piece by piece would lose the blanks at their ends.
    return plain("".join(words))


def _picture(picture: Picture) -> str:
    return f"![{plain(picture.shows)}]({PLOTS}/{picture.name}.svg)"


def _table(table: Table) -> str:
    rows = [[_cell(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(3, *(len(row[column]) for row in rows)) for column in range(len(table.head))]
    left = [column < table.words for column in range(len(widths))]
    rule = ["-" * width if to_left else f"{'-' * (width - 1)}:" for width, to_left in zip(widths, left, strict=True)]
    return "\n".join(_row(row, widths, left) for row in (rows[0], rule, *rows[1:]))


def _row(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    padded = (
        cell.ljust(width) if to_left else cell.rjust(width)
        for cell, width, to_left in zip(cells, widths, left, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _cell(cell: Cell) -> str:
    return f"**{plain(cell.text)}**" if cell.strong else plain(cell.text)
