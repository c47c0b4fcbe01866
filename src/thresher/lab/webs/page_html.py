"""The HTML of a generated page: menu, text, lists of links, footer."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple


class Pointer(NamedTuple):
    """A link to be printed."""

    href: str
    anchor: str

    def __str__(self) -> str:
        return f'<a href="{escape(self.href)}">{escape(self.anchor, quote=False)}</a>'


class Frame(NamedTuple):
    """What the pages of one site have around their text."""

    site: str
    menu: Sequence[Pointer]
    footer: str


STYLE = (
    "body{font:17px/1.5 Georgia,serif;max-width:44rem;margin:auto;padding:1rem;color:#222}"
    "nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1rem}"
    "footer{margin-top:3rem;font-size:.8rem;color:#666}"
)


def document(frame: Frame, title: str, description: str, main: str) -> str:
    """A whole page."""
    heading, site = escape(title, quote=False), escape(frame.site, quote=False)
    full_title = heading if title == frame.site else f"{heading} - {site}"
    menu = "".join(f"<li>{pointer}</li>" for pointer in frame.menu)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{full_title}</title>\n'
        f'<meta name="description" content="{escape(description)}"><style>{STYLE}</style></head>\n'
        f'<body><header><p class="site">{site}</p><nav><ul>{menu}</ul></nav></header>\n'
        f"<main><h1>{heading}</h1>\n{main}\n</main>\n"
        f"<footer><p>{escape(frame.footer, quote=False)}</p></footer></body></html>\n"
    )


def paragraph(text: str, mention: str = "", pointer: Pointer | None = None) -> str:
    """A paragraph, and perhaps a sentence with a link at its end: `See {link} too.`"""
    last = " " + escape(mention, quote=False).replace("{link}", str(pointer)) if pointer else ""
    return f"<p>{escape(text, quote=False)}{last}</p>"


def heading(text: str) -> str:
    """A heading inside a page."""
    return f"<h2>{escape(text, quote=False)}</h2>"


def link_list(title: str, pointers: Iterable[Pointer]) -> str:
    """A heading and links under it; nothing if there are none."""
    items = "".join(f"<li>{pointer}</li>\n" for pointer in pointers)
    return f"{heading(title)}\n<ul>{items}</ul>" if items else ""


def teaser(title: str, text: str, pointer: Pointer) -> str:
    """An entry of a section: the title is the link, or there is a link of its own after the text."""
    if pointer.anchor == title:
        return f"<h3>{pointer}</h3><p>{escape(text, quote=False)}</p>"
    return f"<h3>{escape(title, quote=False)}</h3><p>{escape(text, quote=False)} {pointer}</p>"


def dressed(html: str) -> str:
    """The same page in the markup of today: wrappers, classes and a long head.

    Of recorded pages two fifths are text (.12 to .53 a web); of the plain ones here it would be four fifths.
    """
    for plain, fancy in _CLOTHES:
        html = html.replace(plain, fancy)
    return html


_CLOTHES = (
    ("<style>", "".join(f'<meta property="og:x{n}" content="summary_large_image">\n' for n in range(20)) + "<style>"),
    (
        "</head>",
        "<script>"
        + "window.dataLayer=window.dataLayer||[];function track(){dataLayer.push(arguments)}" * 24
        + "</script></head>",
    ),
    ("<p>", '<div class="row row--text u-mb-4"><div class="col col-12 col-md-8"><p class="copy copy--body">'),
    ("</p>", "</p></div></div>"),
    ("<li>", '<li class="menu-item menu-item--child nav__item"><span class="nav__label">'),
    ("</li>", "</span></li>"),
    ("<h2>", '<h2 class="headline headline--m u-mt-6">'),
    ("<h3>", '<h3 class="headline headline--s">'),
    ('<a href="', '<a class="link link--underlined js-link" data-region="body" href="'),
)
