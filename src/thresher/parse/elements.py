"""The elements of HTML, as the walk sees them: each is of one kind.

Kinds are plain numbers, and `Final`: compiled, a comparison with one costs next to nothing.
"""

from typing import Final

from selectolax.lexbor import create_tag

INLINE: Final = 0
"""Nothing happens at its beginning or end."""
LINE: Final = 1
"""It stands on lines of its own."""
HEADING: Final = 2
"""It holds for all links up to the next one."""
LINK: Final = 3
PICTURE: Final = 4
"""Its name counts in a link that has no words."""
AREA: Final = 5
"""A part of a picture that leads somewhere."""
FRAME: Final = 6
"""A page within the page."""
CONTAINER: Final = 7
"""Its attributes may say what it is for."""
BOILERPLATE: Final = 8
"""Menus, asides and form fields."""
HEADER: Final = 9
"""That of the page is boilerplate; that of an article is its beginning."""
MAIN: Final = 10
"""What the page itself marks as its content."""
ARTICLE: Final = 11
"""It may have a header of its own."""
SILENT: Final = 12
"""Its links count, its words do not, because nobody sees them."""
NOTHING: Final = 13
"""Its content is not for people."""
TITLE: Final = 14
HTML: Final = 15
BASE: Final = 16
RELATION: Final = 17
"""`<link>`."""
META: Final = 18
BOLD: Final = 19
"""It is set off from the words around it."""
SCRIPT: Final = 20
"""Not for people, but some hold data."""
DRAWING: Final = 21
"""Of its words only those that are drawn are seen."""
FOREIGN: Final = 22
"""A piece of page within a drawing."""
DRAWN: Final = 23
"""An element that HTML does not know, in a drawing."""
WORDS: Final = 255
"""No element, but text."""
_TAGS = {
    "address blockquote br caption center dd details dir dt fieldset figcaption figure hgroup hr": LINE,
    "legend li listing optgroup option p plaintext pre summary tbody td tfoot th thead tr xmp": LINE,
    "h1 h2 h3 h4 h5 h6": HEADING,
    "a": LINK,
    "img": PICTURE,
    "area": AREA,
    "iframe frame": FRAME,
    "div dl form ol section table ul": CONTAINER,
    "aside button datalist dialog footer menu nav select textarea": BOILERPLATE,
    "header": HEADER,
    "main": MAIN,
    "article": ARTICLE,
    "noscript": SILENT,
    "clippath noembed noframes style template": NOTHING,
    "script": SCRIPT,
    "title": TITLE,
    "html": HTML,
    "base": BASE,
    "link": RELATION,
    "meta": META,
    "b strong": BOLD,
    "svg": DRAWING,
    "foreignobject": FOREIGN,
}

TEXT: Final = 2
"""What Lexbor calls a text node. The elements that HTML knows have small numbers too, all others huge ones."""
KNOWN: Final = 256


def _kinds() -> bytes:
    kinds = bytearray(KNOWN)
    for names, kind in _TAGS.items():
        for name in names.split():
            kinds[create_tag(name).tag_id] = kind
    return bytes(kinds)


KINDS: Final = _kinds()
"""The kind of each element that HTML knows."""
