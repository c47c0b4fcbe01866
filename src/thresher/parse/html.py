"""A response becomes a page: its words, its headings, and every link with what stands around it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from sys import maxsize

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from thresher.model import BROWSER, PAGE, RESERVED, SHELL, Link, Page, Rendition, Response, Url
from thresher.native import inner_loops, link_loops
from thresher.parse.encoding import utf8
from thresher.parse.facts import Facts, facts_of, reservation
from thresher.parse.guard import tamed
from thresher.parse.hidden_links import hidden_targets
from thresher.parse.layout import Region, Span, layout
from thresher.parse.linked_data import things
from thresher.parse.lists import list_page
from thresher.parse.metadata import language_of, may, orders_of, refresh_of
from thresher.parse.missing_pages import form_of, says_missing
from thresher.parse.shells import LITTLE, is_shell, island_text
from thresher.parse.text import plain, put_together
from thresher.parse.walk import Anchor, walk
from thresher.urls import join, join_all

_LONGEST_HEADING = 1_000
_LONGEST_BASE = 2_000
_AT_ONCE = 1_000
# What a list begins with that is sent as HTML, and as a page no more than some XHTML does.
_LIST_STARTS = (b"<?xml", b"<rss", b"<feed", b"<rdf:RDF", b"<urlset", b"<sitemapindex", b"\x1f\x8b", b"{")
# Two bytes at a time, in small letters.
_SMALL = np.uint16(0x2020)
_HI, _ID, _DD, _DE = (np.uint16(int.from_bytes(letters, "little")) for letters in (b"hi", b"id", b"dd", b"de"))


class HtmlParser:
    """Reads HTML as browsers do, and plain text as text. Never raises on any bytes.

    A target that is linked more than once is one link, in the place of the first, with the words of the best: in the
    text rather than in navigation, with an anchor rather than without, the first of equals.

    With `hidden`, links that no person can click follow behind these, each with its kind, and feeds and sitemaps are read as lists.
    With `respect_tdm`, a page that reserves text and data mining is of the form `reserved`, which is no page.
    """

    def __init__(
        self,
        *,
        max_tags: int = 100_000,
        max_links: int = 10_000,
        max_chars: int = 1_000_000,
        hidden: bool = True,
        respect_tdm: bool = False,
    ) -> None:
        self._max_tags = max_tags
        self._max_links = max_links
        self._max_chars = max_chars
        self._hidden, self._respect_tdm = hidden, respect_tdm

    def __repr__(self) -> str:
        limits = f"max_tags={self._max_tags}, max_links={self._max_links}, max_chars={self._max_chars}"
        return f"HtmlParser({limits}, hidden={self._hidden}, respect_tdm={self._respect_tdm})"

    def parse(self, response: Response) -> Page:
        """Read one response."""
        if response.rendition is not None:
            return self._page(response, response.rendition.html)
        content_type = response.header("content-type") or ""
        if self._hidden and _may_be_list(response.body, content_type):
            listed = list_page(response, self._max_links, self._max_chars)
            if listed is not None:
                return listed
        body = utf8(response.body, content_type)
        if content_type.lstrip().lower().startswith("text/plain"):
            return self._plain(response, body)
        return self._page(response, body)

    def _plain(self, response: Response, body: bytes) -> Page:
        said = body[: 4 * self._max_chars].decode("utf-8", "replace")
        lines = map(plain, said.splitlines())
        text = "\n".join(filter(None, lines))[: self._max_chars]
        orders = orders_of(response, ())
        follow, index = may(orders, response.at)
        facts = (("medium", "txt"), *reservation(response, {}, orders))
        return Page(
            response.url,
            text=text,
            main=text,
            follow=follow,
            index=index,
            form=self._reserved_form(facts) or PAGE,
            facts=facts,
        )

    def _page(self, response: Response, body: bytes) -> Page:
        tame = tamed(body, self._max_tags)
        # Asked now, while the page is at hand in the processor's cache: behind the parser it would take three times as long.
        hides = _may_hide(body)
        tree = LexborHTMLParser(tame)
        walked = walk(tree, hides=hides)
        url, head, named = response.url, walked.head, walked.head.named
        base = _base(url, head.base)
        text, offsets = put_together(walked.parts, self._max_chars)
        spans = _apart([(offsets[start], offsets[end]) for _, start, end, _, _ in walked.anchors])
        regions = [Region(role, offsets[start], offsets[end]) for role, start, end in walked.regions]
        main, navigation, own = layout(text, spans, regions)
        if head.islands:
            head.linked = things(head.islands)
        facts = response.notes + _medium(response.rendition)
        if len(main) < LITTLE:
            # Few pages: what they keep in their data is read too, and those that scripts would fill are marked.
            in_data = island_text(head.linked, head.islands)[: self._max_chars - len(text)] if head.islands else ""
            if in_data:
                text, main, own = _joined(text, in_data), _joined(main, in_data), _joined(own, in_data)
            facts += _emptiness(response, tree if head.scripted else None, main, text, len(spans))
        headings = _headings(text, [(offsets[start], offsets[end]) for start, end in walked.headings])
        bold = _headings(text, [(offsets[start], offsets[end]) for start, end in walked.bold])
        targets = _targets(base, [anchor[0]["href"] or "" for anchor in walked.anchors])
        chosen = _chosen(targets, url, spans, navigation, self._max_links)
        links = _seen_links(url, text, walked.anchors, spans, navigation, _nearest(headings), chosen)
        licences = [link.target for link in links if "license" in link.rel]
        orders = orders_of(response, head.robots)
        follow, index = may(orders, response.at)
        canonical = _elsewhere(base, head.canonical)
        if self._hidden and follow:
            hidden = hidden_targets(head, response, base, canonical, chosen)
            for position, (target, kind) in enumerate(hidden.items(), len(links)):
                links.append(Link(url, target, text, 0, 0, position=position, kind=kind))
        facts += (*facts_of(response.at, base, head, licences, head.linked), *reservation(response, named, orders))
        said = tuple(filter(None, headings))
        if main is not own and says_missing(head.title, said):
            main = own  # a page that is not there is not its menus either
        return Page(
            url=url,
            title=head.title,
            description=plain(named.get("description") or named.get("og:description") or ""),
            language=language_of(head.language, named.get("content-language"), response.header("content-language")),
            text=text,
            main=main,
            headings=said,
            links=tuple(links),
            canonical=canonical,
            refresh=_elsewhere(base, refresh_of(named.get("refresh", "")), but=url),
            follow=follow,
            index=index,
            bold=tuple(filter(None, bold)),
            form=self._reserved_form(facts) or form_of(url, head.title, said, own, text, body),
            facts=facts,
        )

    def _reserved_form(self, facts: Facts) -> str:
        return RESERVED if self._respect_tdm and any(name == RESERVED for name, _ in facts) else ""


def _seen_links(  # noqa: PLR0913, PLR0917 - called for every page; a tuple would have to be made for it
    url: Url,
    text: str,
    anchors: list[Anchor],
    spans: list[Span],
    navigation: list[bool],
    above: list[str],
    chosen: dict[Url, int],
) -> list[Link]:
    """The links that a person can click."""
    if link_loops is not None:
        return link_loops.seen_links(Link, url, text, anchors, spans, navigation, above, chosen)
    links: list[Link] = []
    new, lower = tuple.__new__, str.lower  # as functions: mypyc's own `lower` does not know the final sigma
    for position, (target, number) in enumerate(chosen.items()):
        attributes, _, _, heading, aside = anchors[number]
        start, end = spans[number]
        rel = attributes.get("rel")
        rel = lower(rel) if rel else ""
        row = (url, target, text, start, end, above[heading], position, rel, aside or navigation[number], "")
        # Link._make, which is a Python function, takes three times as long.
        links.append(new(Link, row))
    return links


def _joined(text: str, more: str) -> str:
    return f"{text}\n{more}" if text else more


def _emptiness(
    response: Response, tree: LexborHTMLParser | None, main: str, text: str, links: int
) -> tuple[tuple[str, str], ...]:
    """The fact that a page is empty without its scripts, which nobody ran. No tree, no scripts."""
    if tree is None or response.rendition is not None or len(main) >= LITTLE or not is_shell(tree, text, links):
        return ()
    return ((SHELL, "yes"),)


def _medium(rendition: Rendition | None) -> tuple[tuple[str, str], ...]:
    """What kind of document the page was made of."""
    return () if rendition is None or rendition.by == BROWSER else (("medium", rendition.by),)


def _base(url: Url, href: str) -> Url:
    """What links start from. A base that is too long is left out: each link would repeat it."""
    return (len(href) <= _LONGEST_BASE and join(url, href)) or url


def _may_be_list(body: bytes, content_type: str) -> bool:
    """Whether it is worth a look whether an answer is a feed or a sitemap: it is not called HTML, or does not begin so."""
    return "html" not in content_type.lower() or body[:64].lstrip().startswith(_LIST_STARTS)


def _targets(base: Url, hrefs: list[str]) -> Iterator[Url | None]:
    """A few at a time, so that a page of too many links does not hold what nobody asks for."""
    return chain.from_iterable(join_all(base, hrefs[at : at + _AT_ONCE]) for at in range(0, len(hrefs), _AT_ONCE))


def _may_hide(body: bytes) -> bool:
    """Whether the word `hidden` is in a page, in any case: then an element may have it as an attribute."""
    if inner_loops is not None:
        return inner_loops.may_hide(body)
    # Whether it begins at an even or an odd place, one of two neighbours shows it. Setting one bit makes letters small.
    # For a page of 30 KB this takes 10 µs; to search the page in small letters takes 21, or 45 if `lower` makes them.
    pairs = np.frombuffer(body, "<u2", len(body) // 2) | _SMALL
    first, second = pairs[:-1], pairs[1:]
    even, odd = first == _HI, first == _ID
    even &= second == _DD
    odd &= second == _DE
    even |= odd
    return bool(even.any()) and b"hidden" in body.lower()


def _chosen(
    targets: Iterable[Url | None], source: Url, spans: Sequence[Span], navigation: Sequence[bool], most: int
) -> dict[Url, int]:
    """Which occurrence stands for each target, in the order of their first ones, for so many targets at most."""
    chosen: dict[Url, int] = {}
    for number, target in enumerate(targets):
        if target is None or target == source:
            continue
        before = chosen.setdefault(target, number)
        if before != number:
            if _rank(number, spans, navigation) > _rank(before, spans, navigation):
                chosen[target] = number
        elif len(chosen) > most:
            del chosen[target]
            break
    return chosen


def _rank(number: int, spans: Sequence[Span], navigation: Sequence[bool]) -> int:
    start, end = spans[number]
    return (0 if navigation[number] else 2) + (end > start)


def _headings(text: str, spans: list[Span]) -> list[str]:
    """Headings, or what is bold: each on one line, and cut where it is too long."""
    return [" ".join(text[start : min(end, start + _LONGEST_HEADING)].split()) for start, end in _apart(spans)]


def _apart(spans: list[Span]) -> list[Span]:
    """Links or headings in the order in which they begin: one that holds another ends where the words of that begin.

    Else a page of links within links would repeat its text in each: 4,900 of them around 900 KB of text were 4.4 GB of anchors.
    One without words repeats nothing, so it ends no other.
    """
    apart = spans.copy()
    following = maxsize
    for place in range(len(spans) - 1, -1, -1):
        start, end = spans[place]
        if following < end:
            apart[place] = start, max(start, following)
        if start < end:
            following = start
    return apart


def _nearest(headings: Sequence[str]) -> list[str]:
    """After so many headings, the last one that had words."""
    nearest = [""]
    for heading in headings:
        nearest.append(heading or nearest[-1])
    return nearest


def _elsewhere(base: Url, href: str, but: Url | None = None) -> Url | None:
    target = join(base, href) if href else None
    return target if target != but else None
