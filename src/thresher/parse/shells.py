"""Pages with little text: what they keep in their data, and whether they are empty without scripts.

Applications often send the text of a page as data alone: JSON-LD, and the JSON that frameworks leave for their scripts. What reads like
prose there is read as text of the page, so that it can be judged without a browser. All is bounded: so many values, so many characters.

A page with little text alone is no shell: many honest pages are short. It must also load a script, and show where the script puts its
work: an element that frameworks use as root, a `noscript` notice that asks for JavaScript, or a body without any words or links.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser

from thresher.parse.guard import tamed
from thresher.parse.linked_data import Thing, strings, texts
from thresher.parse.metadata import Island
from thresher.parse.text import plain

LITTLE = 200
"""Characters of main text: a page with as many is never a shell, and its data are not looked at."""

_WITH_MENUS = 600
"""Characters of text, menus included: a page that has more was made on its server."""
_NOTHING = 30
"""Characters of text that a page without words may have: `Loading …`."""
_ROOTS = (
    "#root, #app, #__next, #__nuxt, #___gatsby, #app-root, #react-root, #main-app, #svelte, #q-app, "
    "app-root, [ng-app], [data-ng-app], [ng-version], [data-reactroot], [data-server-rendered]"
)
_LONGEST_NOTICE = 2_000
_MOST_NOTICES = 20

_SAYING = ("headline", "name", "description", "articleBody", "text")
"""Properties of JSON-LD that hold what a person would read."""
_SHORTEST_PROSE, _FEWEST_BLANKS = 40, 5
_MOST_VALUES = 100_000
_MOST_SAYINGS = 5_000
_MOST_CHARS = 100_000
_MOST_TAGS = 1_000
_CODE = frozenset("{}[]=|\\")
_LOOKED_AT = 400
"""Characters by which prose is told from code."""

# ── shells ──


def is_shell(tree: LexborHTMLParser, text: str, links: int) -> bool:
    """Whether a page with little main text, which loads a program, is one that the program fills."""
    if len(text) > _WITH_MENUS:
        return False
    bare = len(text) <= _NOTHING and not links
    return bare or tree.css_first(_ROOTS) is not None or _asks_for_scripts(tree)


def _asks_for_scripts(tree: LexborHTMLParser) -> bool:
    """Whether a `noscript` names JavaScript, which is called so in all languages."""
    notices = tree.css("noscript")[:_MOST_NOTICES]
    return any("javascript" in notice.text()[:_LONGEST_NOTICE].lower() for notice in notices)


# ── data ──


def island_text(linked: Iterable[Thing], islands: Iterable[Island]) -> str:
    """What the data of a page say, its JSON-LD first, one saying a line, each once."""
    said: dict[str, None] = {}
    room = _MOST_CHARS
    for each in islice(_sayings(linked, islands), _MOST_SAYINGS):
        words = _words(each[:room])
        if words and words not in said:
            said[words] = None
            room -= len(words)
        if room <= 0:
            break
    return "\n".join(said)


def _sayings(linked: Iterable[Thing], islands: Iterable[Island]) -> Iterator[str]:
    for thing in linked:
        for name in _SAYING:
            yield from texts(thing.get(name))
    yield from filter(_is_prose, strings(islands, _MOST_VALUES))


def _is_prose(said: str) -> bool:
    """Whether a string is long and made of words, rather than an address, a style or a program."""
    if len(said) < _SHORTEST_PROSE:
        return False
    shown = _words(said[:_LOOKED_AT])
    if not _CODE.isdisjoint(shown):
        return False
    letters = sum(letter.isalpha() or letter in " ,.'" for letter in shown)
    # Languages without blanks have letters that are not ASCII.
    return letters >= 0.85 * max(len(shown), 1) and (shown.count(" ") >= _FEWEST_BLANKS or not shown.isascii())


def _words(said: str) -> str:
    """What a person would read of a string, which may be HTML."""
    if "<" not in said:
        return plain(said)
    tree = LexborHTMLParser(tamed(said.encode("utf-8", "replace"), _MOST_TAGS))
    tree.strip_tags(["script", "style", "template", "noscript"])
    return plain(tree.body.text(separator=" ")) if tree.body is not None else ""
