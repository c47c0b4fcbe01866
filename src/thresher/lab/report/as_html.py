"""A report as one HTML file: no script, nothing to load, light or dark as the reader likes, and fit to be printed."""

from collections.abc import Iterable
from importlib.resources import files

from thresher.chart import clean
from thresher.lab.report.document import Block, Bullets, Cell, Heading, Name, Paragraph, Pictures, Table, Words


def html(title: str, blocks: Iterable[Block]) -> str:
    """The document, with its pictures and its style inside."""
    style = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    body = "\n".join(map(_block, blocks))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing in a report needs a script or another file, whatever a page of the web was called.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{clean(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{clean(text)}</h{level}>"
        case Paragraph(words, kind):
            return f'<p class="{kind}">{_sentence(words)}</p>'
        case Bullets(items, small):
            return "\n".join(
                ['<ul class="note">' if small else "<ul>", *(f"<li>{_sentence(item)}</li>" for item in items), "</ul>"]
            )
        case Table():
            return _table(block)
        case Pictures(shown):
            many = " many" if len(shown) > 1 else ""
            return "\n".join([f'<div class="pictures{many}">', *(picture.svg for picture in shown), "</div>"])


def _sentence(words: Words) -> str:
    return "".join(map(_word, words))


def _word(word: str) -> str:
    return f"<code>{clean(word)}</code>" if isinstance(word, Name) else clean(word)


def _table(table: Table) -> str:
    upright = ' class="upright"' if table.upright else ""
    head = "".join(
        f"<th{_kind(place, table)}><span>{_word(cell.text)}</span></th>" for place, cell in enumerate(table.head)
    )
    rows = ("".join(_cell(cell, place, table) for place, cell in enumerate(row)) for row in table.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="table"><table{upright}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _cell(cell: Cell, place: int, table: Table) -> str:
    tag = "th" if place == 0 else "td"
    shade = f' style="--shade:{cell.shade:.2f}"' if cell.shade else ""
    text = f"<strong>{_word(cell.text)}</strong>" if cell.strong else _word(cell.text)
    return f"<{tag}{_kind(place, table)}{shade}>{text}</{tag}>"


def _kind(place: int, table: Table) -> str:
    return ' class="word"' if place < table.words else ""
