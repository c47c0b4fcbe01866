"""What a page says about itself: title, description, language, base, and what it asks of robots and readers.

The walk notes it in a `Head`; the functions below then say what it means, together with the headers of the answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from thresher.model import Response
from thresher.parse.flat_tree import Attributes
from thresher.parse.text import plain

ROBOT = "thresher"
"""The name by which a page can speak to us in `<meta name=…>` and `X-Robots-Tag`."""

_REFRESH = re.compile(
    r"\s*+[\d.]++\s*+[;,]?+\s*+(?:url\s*+=)?+\s*+(?P<quote>[\"']?+)(?P<url>.*+)", re.IGNORECASE | re.DOTALL
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")
_UNTIL = "unavailable_after"
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}+,", re.IGNORECASE)
# `unavailable_after: 25 Jun 2030` is an order with a colon, not a robot's name.
_WITH_VALUE = frozenset({_UNTIL, "max-snippet", "max-image-preview", "max-video-preview"})


_ISLAND_ROOM = 2_000_000
_MOST_RELATIONS = 500
_DATA_TYPES = {"application/ld+json": "json-ld", "application/json": "data"}


class HeadLink(NamedTuple):
    """A `<link>` element."""

    rel: str
    """In lower case."""
    href: str
    type: str = ""
    hreflang: str = ""
    title: str = ""


class Island(NamedTuple):
    """The text of a script that is data."""

    kind: str
    """`json-ld`, or `data`."""
    text: str
    name: str = ""
    """Its id."""


@dataclass(slots=True)
class Head:
    """Filled in on the way; of each thing the first one counts."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    named: dict[str, str] = field(default_factory=dict)
    """The meta elements: name, property or http-equiv in lower case, and the content."""
    robots: list[str] = field(default_factory=list)
    """All that is said to robots, and to ours by name."""
    relations: list[HeadLink] = field(default_factory=list)
    """The `<link>` elements that lead somewhere, canonical ones aside."""
    islands: list[Island] = field(default_factory=list)
    """Data that the page carries for programs."""
    scripted: bool = False
    """Whether the page loads a program."""
    linked: list[dict[str, Any]] = field(default_factory=list)
    """The objects of their JSON-LD, once they are read."""
    island_room: int = _ISLAND_ROOM
    """How many characters of islands may still be taken."""


def note_html(head: Head, attributes: Attributes) -> None:
    """`<html lang>`."""
    head.language = attributes.get("lang") or attributes.get("xml:lang") or ""


def note_title(head: Head, text: str) -> None:
    """`<title>`."""
    if not head.title:
        head.title = plain(text)


def note_base(head: Head, attributes: Attributes) -> None:
    """`<base href>`: where relative urls start."""
    head.base = head.base or attributes.get("href") or ""


def note_link(head: Head, attributes: Attributes) -> None:
    """`<link>`: with `rel=canonical` the page's own name for its address, else another place that belongs to it."""
    rel, href = (attributes.get("rel") or "").lower(), attributes.get("href") or ""
    if "canonical" in rel.split():
        head.canonical = head.canonical or href
    elif href and rel and len(head.relations) < _MOST_RELATIONS:
        more = (attributes.get(name) or "" for name in ("type", "hreflang", "title"))
        head.relations.append(HeadLink(rel, href, *more))


def note_script(head: Head, attributes: Attributes, text: str) -> None:
    """`<script>`: whether there is a program, and what it holds if that is data. Nothing is ever run."""
    declared = (attributes.get("type") or "").strip().lower()
    kind = _DATA_TYPES.get(declared)
    head.scripted = head.scripted or "src" in attributes or declared == "module"
    if kind and text and len(text) <= head.island_room:
        head.island_room -= len(text)
        head.islands.append(Island(kind, text, attributes.get("id") or ""))


def note_meta(head: Head, attributes: Attributes) -> None:
    """`<meta>` in its three forms."""
    content = attributes.get("content")
    name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
    if name and content:
        name = name.strip().lower()
        head.named.setdefault(name, content)
        if name in {"robots", ROBOT}:
            head.robots.append(content)


def orders_of(response: Response, robots: Iterable[str]) -> set[str]:
    """All that is said to robots, or to ours by name, by the page and by `X-Robots-Tag`. Who is named gets both: the sum counts."""
    contents = (*map(_without_weekdays, robots), *_header_orders(response))
    return {order.strip().lower() for content in contents for order in content.split(",")}


def may(orders: set[str], at: float) -> tuple[bool, bool]:
    """Whether we may follow the page's links, and whether we may keep it, at the moment of the fetch."""
    if not orders:
        return True, True
    return orders.isdisjoint({"nofollow", "none"}), orders.isdisjoint({"noindex", "none"}) and not _over(orders, at)


def _without_weekdays(orders: str) -> str:
    """Orders in which each comma parts two: that in `unavailable_after: Saturday, 25-Jun-30 15:00:00 GMT` does not."""
    return _WEEKDAY.sub("", orders) if _UNTIL in orders.lower() else orders


def _over(orders: set[str], at: float) -> bool:
    """Whether the page asks not to be listed after a moment that has passed. A moment that cannot be read is none."""
    for order in orders:
        if order.startswith(_UNTIL):
            until = order.partition(":")[2].strip()
            try:
                moment = datetime.fromisoformat(until.upper())
            except ValueError:
                try:
                    moment = parsedate_to_datetime(until)
                except (ValueError, TypeError, OverflowError):
                    continue
            if (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() < at:
                return True
    return False


def _header_orders(response: Response) -> Iterable[str]:
    """The orders of `X-Robots-Tag` that are for all, or for us by name: `nofollow`, `thresher: noindex, nofollow`."""
    for key, value in response.headers:
        if key.lower() == b"x-robots-tag":
            for_us = True
            for order in _without_weekdays(value.decode("latin-1")).split(","):
                name, colon, rest = order.partition(":")
                named = bool(colon) and name.strip().lower() not in _WITH_VALUE
                if named:
                    for_us = name.strip().lower() in {ROBOT, "*"}
                if for_us:
                    yield rest if named else order


def refresh_of(content: str) -> str:
    """Where `0; url=next.html` leads; empty if it only loads the page again."""
    found = _REFRESH.match(content)
    if found is None or not found["url"]:
        return ""
    return found["url"].partition(found["quote"])[0].strip() if found["quote"] else found["url"].strip()


def language_of(*declared: str | None) -> str:
    """The first language that is declared, without its region: `pt` of `pt-BR`."""
    for language in declared:
        if language and (primary := _LANGUAGE.match(language.strip().lower())):
            return primary[0]
    return ""
