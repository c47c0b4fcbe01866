"""Which part of a page is its own, and which is menu, header and footer.

What the page says itself comes first: `<main>`, `<nav>`, roles; then the names it gives (`class="sidebar"`), unless
such a region holds most of the page; then how it looks: three links or more on lines that are mostly links are a menu,
unless they are most of what the page itself marks as its content (`<main>`): a table of contents is the text of its page.
If next to nothing would be left, the last rule is dropped, then all of them: a page of links is a page too.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

Span = tuple[int, int]

_MENU_LINKS = 3
_GAP = 24
"""Characters between two lines of a menu that may be no links: a title, a bullet."""
_LITTLE = 140
"""A main text shorter than this, and than a fifth of the whole, is next to nothing."""

_BOILERPLATE = "navigation banner contentinfo complementary search menu menubar toolbar tablist dialog alertdialog"
_ROLES = {"main": "main", "article": "article"} | dict.fromkeys(_BOILERPLATE.split(), "boilerplate")
# Whole words: `main_menu`, `topnav` and `siteFooter` are hints; `menuhin`, `navigate` and `article-header` are not.
_HINT = re.compile(
    r"(?:(?<![A-Za-z])(?:top|sub|site|main|page|left|right|side|global|local|foot)?|(?<=[a-z])(?=[A-Z]))"
    r"(?i:nav|navbar|navbox|navi|navigation|menu|menubar|menus|dropdown|breadcrumbs?|sidebar|topbar|toolbar|masthead"
    r"|footer|footers|pager|pagination|skip-?links?|cookies?-?(?:banner|bar|consent|notice)"
    r"|(?:consent|gdpr|cookies?)-?(?:banner|box|container|dialog|layer|manager|modal|overlay|popup)"
    r"|qc-cmp2|didomi|iubenda|klaro|usercentrics"
    r"|(?:social|share|sharing)-?(?:bar|buttons|icons|links|media))(?![a-z])"
    r"|(?:^|\s)(?:site|page|main|global|top)?[-_]?(?i:header)(?![\w-])"
)
_LONGEST_REMEMBERED = 300
_LOOKED_AT = 2_000
_NOT_SHOWN = re.compile(r"display\s*+:\s*+none", re.IGNORECASE)


class Region(NamedTuple):
    """A piece of the page, from one part of the text to another."""

    role: str
    """`main`, `article`, `boilerplate`; or `perhaps`: boilerplate if we believe its class or id."""
    start: int
    end: int


class Layout(NamedTuple):
    """The main text, and of each link whether it stands in navigation."""

    main: str
    navigation: list[bool]
    own: str
    """The main text as it was before a page of links got its links back: next to nothing, on such a page."""


def role_of(role: str | None, classes: str | None, name: str | None) -> str:
    """What a container is for: `main`, `article`, `boilerplate`; `perhaps` the last, by its name; or empty.

    Sites repeat their classes page after page, so short ones are remembered. Of long ones only the beginning is looked at.
    """
    if len(role or "") + len(classes or "") + len(name or "") <= _LONGEST_REMEMBERED:
        return _remembered_role(role, classes, name)
    return _role(role, (classes or "")[:_LOOKED_AT], (name or "")[:_LOOKED_AT])


def _role(role: str | None, classes: str | None, name: str | None) -> str:
    if role and (known := _ROLES.get(role.strip().lower())):
        return known
    return "perhaps" if _HINT.search(f"{classes or ''} {name or ''}") else ""


_remembered_role = lru_cache(8192)(_role)


def shown(style: str) -> bool:
    """Whether a style attribute lets the element be seen."""
    return _NOT_SHOWN.search(style) is None


def layout(text: str, links: list[Span], regions: list[Region]) -> Layout:
    """Tell the page's own text from the rest. Links are where they stand in the text, in order."""
    content = _content(text, regions)
    said = _union(_believed(text, regions))
    starts = [start for start, _ in links]
    flags = _inside(said, starts)
    free = [link for link, flag in zip(links, flags, strict=True) if not flag]
    menus = _menus(text, _outside_listings(free, regions))
    if menus:
        navigation = _union([*said, *menus])
        main = _without(text, content, navigation)
        if _enough(main, text):
            return Layout(main, _inside(navigation, starts), main)
        own = main
    main = _without(text, content, said)
    return Layout(main if _enough(main, text) else text, flags, own if menus else main)


def _enough(main: str, text: str) -> bool:
    return len(main) >= _LITTLE or 5 * len(main) > len(text)


def _content(text: str, regions: list[Region]) -> list[Span]:
    """Where the page says its own text is; everywhere, if it does not say."""
    for role in ("main", "article"):
        spans = _union((r.start, r.end) for r in regions if r.role == role)
        if sum(end - start for start, end in spans) >= _LITTLE:
            return spans
    return [(0, len(text))]


def _outside_listings(links: list[Span], regions: list[Region]) -> Iterable[Span]:
    """The links that may stand in a menu. Those of a main region that is mostly links, as a table of contents is, are its text."""
    declared = _union((start, end) for role, start, end in regions if role == "main")
    if not declared:
        return links
    inside = _inside(declared, [start for start, _ in links])
    linked = sum(end - start for (start, end), flag in zip(links, inside, strict=True) if flag)
    if 2 * linked <= sum(end - start for start, end in declared):
        return links
    return (link for link, flag in zip(links, inside, strict=True) if not flag)


def _believed(text: str, regions: list[Region]) -> Iterator[Span]:
    own = sorted(r.start for r in regions if r.role in {"main", "article"})
    for region in regions:
        role, start, end = region
        if role == "perhaps" and (2 * (end - start) > len(text) or bisect_left(own, start) < bisect_left(own, end)):
            continue
        if role in {"boilerplate", "perhaps"}:
            yield start, end


def _menus(text: str, links: Iterable[Span]) -> list[Span]:
    """Runs of lines that are mostly links."""
    menus: list[Span] = []
    first = last = count = 0
    for start, end, linked, number in _lines(text, links):
        if 2 * linked <= end - start:
            continue
        if not count or start - last > _GAP:
            first, count = start, 0
        last, count = end, count + number
        if count >= _MENU_LINKS:
            if menus and menus[-1][0] == first:
                menus.pop()
            menus.append((first, last + 1))
    return menus


def _lines(text: str, links: Iterable[Span]) -> Iterator[tuple[int, int, int, int]]:
    """The lines that have links: start, end, how many characters are linked, and how many links there are."""
    first, last, linked, number = 0, -1, 0, 0
    looked = 0
    for start, end in links:
        if start >= last:
            if number:
                yield first, last, linked, number
            # Only from where the last search ended: many links without words may stand at the end of one long line.
            first, looked = text.rfind("\n", looked, start) + 1 or first, start
            last, linked, number = text.find("\n", end), 0, 0
            last = len(text) if last < 0 else last
        linked += end - start
        number += end > start
    if number:
        yield first, last, linked, number


def _union(spans: Iterable[Span]) -> list[Span]:
    """The same places as spans that are apart and in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _inside(spans: list[Span], places: list[int]) -> list[bool]:
    """Of each place whether a span holds it; both are in order."""
    flags, at = [], 0
    for place in places:
        while at < len(spans) and spans[at][1] <= place:
            at += 1
        flags.append(at < len(spans) and spans[at][0] <= place)
    return flags


def _without(text: str, content: list[Span], navigation: list[Span]) -> str:
    """What stands in the content and not in the navigation."""
    pieces, at = [], 0
    for begin, close in content:
        place = begin
        while at < len(navigation) and navigation[at][0] < close:
            start, end = navigation[at]
            if start > place:
                pieces.append(text[place:start].strip())
            place = max(place, end)
            if end > close:
                break
            at += 1
        if place < close:
            pieces.append(text[place:close].strip())
    return "\n".join(filter(None, pieces))
