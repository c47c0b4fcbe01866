"""Which part of a page is its own, and which is menu, header and footer.

What the page says itself comes first: `<main>`, `<nav>`, roles; then the names it gives (`class="sidebar"`), unless
such a region holds most of the page; then how it looks: three links or more on lines that are mostly links are a menu.
If next to nothing would be left, the last rule is dropped, then all of them: a page of links is a page too.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thresher.parse.walk import Region

Span = tuple[int, int]

_MENU_LINKS = 3
_GAP = 24
"""Characters between two lines of a menu that may be no links: a title, a bullet."""
_LITTLE = 140
"""A main text shorter than this, and than a fifth of the whole, is next to nothing."""


class Layout(NamedTuple):
    """The main text, and of each link whether it stands in navigation."""

    main: str
    navigation: list[bool]


def layout(text: str, links: list[Span], regions: list[Region]) -> Layout:
    """Tell the page's own text from the rest. Links are where they stand in the text, in order."""
    content = _content(text, regions)
    said = _union(_believed(text, regions))
    starts = [start for start, _ in links]
    flags = _inside(said, starts)
    menus = _menus(text, (link for link, flag in zip(links, flags, strict=True) if not flag))
    if menus:
        navigation = _union([*said, *menus])
        main = _without(text, content, navigation)
        if _enough(main, text):
            return Layout(main, _inside(navigation, starts))
    main = _without(text, content, said)
    return Layout(main if _enough(main, text) else text, flags)


def _enough(main: str, text: str) -> bool:
    return len(main) >= _LITTLE or 5 * len(main) > len(text)


def _content(text: str, regions: list[Region]) -> list[Span]:
    """Where the page says its own text is; everywhere, if it does not say."""
    for role in ("main", "article"):
        spans = _union((r.start, r.end) for r in regions if r.role == role)
        if sum(end - start for start, end in spans) >= _LITTLE:
            return spans
    return [(0, len(text))]


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
    for start, end in links:
        if start >= last:
            if number:
                yield first, last, linked, number
            first, last, linked, number = text.rfind("\n", 0, start) + 1, text.find("\n", end), 0, 0
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
