"""Pieces of HTML for whatever strangers wrote: text that stays text, links that only lead to the web, tables, and the frame of a page.

`Html` is text that is HTML already. All else is escaped where it is put in, so that it cannot be forgotten.
"""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import NamedTuple

from thresher.chart import clean
from thresher.results.plain_text import short_line, short_url

_LONGEST, _LONGEST_URL = 140, 90
_LONGEST_LINK = 2_000
"""Letters of an address; a longer one is shown, and cannot be followed."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Nothing on a page needs a script or another file, whatever a page of the web was called."""


class Html(str):
    """A piece of HTML."""

    __slots__ = ()


def text(words: str | Html, most: int = _LONGEST) -> Html:
    """Any text as a piece: on one line, cut, without marks of direction, and escaped."""
    return words if isinstance(words, Html) else Html(clean(short_line(words, most)))


def joined(*pieces: str | Html) -> Html:
    """Pieces and texts one after the other; texts of our own, which are not cut."""
    return Html("".join(piece if isinstance(piece, Html) else clean(piece) for piece in pieces))


def strange(words: str, most: int = _LONGEST) -> Html:
    """A text of somebody else's in a sentence of ours: it may be written from right to left, and ends where it ends."""
    return Html(f"<bdi>{text(words, most)}</bdi>")


def web_link(url: str, words: str = "") -> Html:
    """A link to a page of the web; only its text if the address is of another kind, or too long."""
    shown = strange(short_line(words, _LONGEST) or short_url(url, _LONGEST_URL))
    if (
        not url.startswith(("http://", "https://"))
        or len(url) > _LONGEST_LINK
        or not url.isprintable()
        or "@" in url.split("/", 3)[2]
    ):
        return shown
    return Html(f'<a href="{clean(url)}" target="_blank" rel="noopener noreferrer">{shown}</a>')


def element(name: str, *inside: str | Html, kind: str = "") -> Html:
    """`<p class="kind">…</p>`."""
    return Html(f"<{name}{_kind(kind)}>{joined(*inside)}</{name}>")


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def listed(items: Iterable[str | Html], name: str = "ul", kind: str = "") -> Html:
    """A list, of bullets or numbers."""
    return Html(f"<{name}{_kind(kind)}>\n" + "\n".join(element("li", item) for item in items) + f"\n</{name}>")


def opened(summary: str | Html, *inside: str | Html, already: bool = False) -> Html:
    """What can be opened: a line, and what stands behind it."""
    return Html(f"<details{' open' * already}><summary>{joined(summary)}</summary>\n{joined(*inside)}</details>")


def relevance_mark(relevance: float | None, *, relevant: bool) -> Html:
    """A relevance with a colour for how high it is; the number says the same."""
    if relevance is None:
        return Html('<span class="mark r0">–</span>')
    step = 1 + min(3, int(relevance * 4)) if relevant else 0
    return Html(f'<span class="mark r{step}">{relevance:.2f}</span>')


def bar(share: float) -> Html:
    """A share as a bar; the number beside it says the same."""
    return Html(f'<span class="bar" aria-hidden="true"><i style="width:{min(1.0, max(0.0, share)):.1%}"></i></span>')


class HeadCell(NamedTuple):
    """The head of a column."""

    name: str
    number: bool = False


def columns(words: str, numbers: str = "") -> tuple[HeadCell, ...]:
    """The heads of a table, with commas between them: first those of words, then those of numbers."""
    named = [HeadCell(name) for name in words.split(",")]
    return (*named, *(HeadCell(name, number=True) for name in numbers.split(",") if name))


def grid(caption: str, heads: Sequence[HeadCell], rows: Iterable[Sequence[str | Html]]) -> Html:
    """A table; the first cell of a row is its head."""
    head = "".join(f'<th scope="col"{_kind("number" * each.number)}>{text(each.name, 60)}</th>' for each in heads)
    body = "\n".join(f"<tr>{_cells(heads, row)}</tr>" for row in rows)
    kind, told = _kind("figures" * heads[-1].number), clean(caption)
    return Html(
        f"<table{kind}><caption>{told}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    )


def _cells(heads: Sequence[HeadCell], row: Sequence[str | Html]) -> str:
    first, *others = zip(heads, row, strict=True)
    cells = (f"<td{_kind('number' * head.number)}>{text(cell)}</td>" for head, cell in others)
    return f'<th scope="row">{text(first[1])}</th>' + "".join(cells)


def section(anchor: str, title: str, *inside: str | Html) -> Html:
    """A part of the page under a heading."""
    name = clean(anchor)
    body = "\n".join(joined(piece) for piece in inside if piece)
    head = f'<h2 id="{name}-head">{text(title)}</h2>'
    return Html(f'<section id="{name}" aria-labelledby="{name}-head">\n{head}\n{body}\n</section>')


def stylesheet() -> str:
    """How reports look."""
    return files(__package__).joinpath("report.css").read_text(encoding="utf-8")


def framed_page(title: str, style: str, body: str, mark: str = "Thresher") -> str:
    """A whole page of HTML that loads nothing and runs nothing."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="generator" content="{clean(mark)}">\n'
        f'<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
