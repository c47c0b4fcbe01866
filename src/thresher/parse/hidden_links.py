"""Where links hide: what a page names for programs and no person can click. Each has a kind, which is where it was found:

    next         `<link rel=next>` and `rel=prev`
    canonical    `<link rel=canonical>`, if it names another page
    header       the header `Link` of the answer
    feed         `<link rel=alternate type=application/rss+xml>` and the like
    alternate    `<link rel=alternate hreflang=de>`
    opengraph    `og:url`, `og:see_also`
    json-ld      `url`, `@id`, `mainEntityOfPage`, `relatedLink`, `significantLink`, the elements of lists
    data         strings in `<script type=application/json>` that are addresses of pages of the same site

They stand behind the links that are seen, have no words, and are few: so many of a kind, a hundred in all. What is linked visibly too is
not repeated, nor is the page itself under another spelling of its address.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Any

from thresher.endings import PROMISES, ending_of
from thresher.list_forms import FEED_TYPES
from thresher.model import Response, Url
from thresher.parse.link_header import header_links
from thresher.parse.linked_data import strings, texts, types_of
from thresher.parse.metadata import Head, HeadLink
from thresher.urls import host_of, join_all

Hidden = tuple[str, str]
"""Kind and href."""

MOST = 100
_MOST_OF = {
    "feed": 2,
    "next": 4,
    "canonical": 1,
    "header": 20,
    "alternate": 20,
    "opengraph": 5,
    "json-ld": 50,
    "data": 50,
}
"""Of a page. The first feeds are those of the site; behind them come those of comments on this page, a new one for each page."""
_OTHERS = frozenset({"next", "header", "feed", "alternate"})
"""These name another page, often by its query alone: `?page=2`, `?lang=de`, `?feed=rss2`. The others name the page itself, too."""
_NEIGHBOURS = frozenset({"next", "prev", "previous"})
_LED_TO = _NEIGHBOURS | {"alternate", "canonical", "first", "last", "item", "related", "section", "chapter", "contents"}
"""The relations of a header that lead to pages; most others name style sheets, scripts and services."""
_PAGES = frozenset({"", "text/html", "application/xhtml+xml"})
_PROPERTIES = ("url", "@id", "mainEntityOfPage", "relatedLink", "significantLink", "itemListElement", "item")
_NO_PAGES = frozenset({"ImageObject", "AudioObject", "VideoObject", "MediaObject", "EntryPoint"})
_MOST_VALUES = 20_000
"""Of data that are looked at."""
_LONGEST_PATH = 300
_IN_PATHS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/%?=&+,;@!'()")
_MACHINES = ("/_", "/api/", "/static/", "/assets/", "/wp-json", "/graphql", "/cdn-cgi/")
_WEB = ("http://", "https://")


def hidden_targets(
    head: Head, response: Response, base: Url, canonical: Url | None, seen: Container[Url]
) -> dict[Url, str]:
    """Where the hidden links of a page lead, each with its kind, in order; none that is seen."""
    url, found = response.url, dict[Url, str]()
    hrefs = list(_hrefs(head, response, canonical))
    if not hrefs:
        return found
    room = Counter(_MOST_OF)
    for target, (kind, _) in zip(join_all(base, [href for _, href in hrefs]), hrefs, strict=True):
        if target is None or target in seen or target in found or not room[kind]:
            continue
        if same_page(target, url, query=kind in _OTHERS):
            continue
        room[kind] -= 1
        found[target] = kind
        if len(found) == MOST:
            break
    return found


def same_page(one: Url, other: Url, *, query: bool = False) -> bool:
    """Whether two urls are most likely one page: they differ in the scheme, `www.`, a slash at the end, or a query, unless that counts."""
    return one == other or _bare(one, query=query) == _bare(other, query=query)


def _bare(url: Url, *, query: bool) -> tuple[str, str]:
    path, _, asked = url.partition("?")
    return path.partition("://")[2].removeprefix("www.").rstrip("/"), asked if query else ""


def _hrefs(head: Head, response: Response, canonical: Url | None) -> Iterator[Hidden]:
    relations = [link for link in head.relations if "alternate" in link.rel or "next" in link.rel or "prev" in link.rel]
    yield from (("next", link.href) for link in relations if not _NEIGHBOURS.isdisjoint(link.rel.split()))
    if canonical is not None:
        yield "canonical", canonical
    yield from (("header", link.href) for link in header_links(response) if _leads_to_page(link))
    yield from (each for link in relations if (each := _alternate(link)))
    named = head.named
    yield from (("opengraph", named[name]) for name in ("og:url", "og:see_also") if name in named)
    if head.islands:
        yield from (("json-ld", href) for href in _linked(head.linked))
        site = host_of(response.url).removeprefix("www.")
        yield from (("data", text) for text in strings(head.islands, _MOST_VALUES) if _is_page(text, site))


def _leads_to_page(link: HeadLink) -> bool:
    rels = link.rel.split()
    if "stylesheet" in rels or _LED_TO.isdisjoint(rels):
        return False
    return _plain_type(link) in _PAGES or _plain_type(link) in FEED_TYPES


def _alternate(link: HeadLink) -> Hidden | None:
    """A feed, or the page in another language; what is for a printer, a telephone or a program is the same page once more."""
    rels, kind = link.rel.split(), _plain_type(link)
    if "alternate" not in rels or "stylesheet" in rels:
        return None
    if kind in FEED_TYPES:
        return "feed", link.href
    return ("alternate", link.href) if link.hreflang and kind in _PAGES else None


def _plain_type(link: HeadLink) -> str:
    return link.type.partition(";")[0].strip().lower()


def _linked(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The addresses that JSON-LD names. An id may also be a mere name: `_:b0`, `#author`."""
    for thing in objects:
        if _NO_PAGES.isdisjoint(types_of(thing)):
            for name in _PROPERTIES:
                if name in thing:
                    yield from (text for text in texts(thing[name]) if text.startswith((*_WEB, "/")))


def _is_page(text: str, site: str) -> bool:
    """Whether a text is the address of a page of the site: spelled in full, or as a path."""
    if len(text) > _LONGEST_PATH:
        return False
    if text.startswith(_WEB):
        host, _, rest = text.partition("://")[2].partition("/")
        if host.lower().removeprefix("www.") != site:
            return False
        text = "/" + rest
    if not text.startswith("/") or text.startswith(("//", *_MACHINES)) or not _IN_PATHS.issuperset(text):
        return False
    return len(text) > 1 and ending_of("http://a" + text) not in PROMISES
