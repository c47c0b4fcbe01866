"""What a page says about itself: title, description, language, base, and what it asks of robots and readers.

The walk notes it in a `Head`; the functions below then say what it means, together with the headers of the answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from thresher.model import Response
from thresher.parse.text import plain

ROBOT = "thresher"
"""The name by which a page can speak to us in `<meta name=…>` and `X-Robots-Tag`."""

_REFRESH = re.compile(
    r"\s*+[\d.]++\s*+[;,]?+\s*+(?:url\s*+=)?+\s*+(?P<quote>[\"']?+)(?P<url>.*+)", re.IGNORECASE | re.DOTALL
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")
# `unavailable_after: 25 Jun 2030` is an order with a colon, not a robot's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


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


def note_html(head: Head, node: LexborNode) -> None:
    """`<html lang>`."""
    attributes = node.attributes
    head.language = attributes.get("lang") or attributes.get("xml:lang") or ""


def note_title(head: Head, node: LexborNode) -> None:
    """`<title>`."""
    if not head.title and (child := node.first_child) is not None:
        head.title = plain(child.text_content or "")


def note_base(head: Head, node: LexborNode) -> None:
    """`<base href>`: where relative urls start."""
    head.base = head.base or node.attributes.get("href") or ""


def note_link(head: Head, node: LexborNode) -> None:
    """`<link rel=canonical>`: the page's own name for its address."""
    attributes = node.attributes
    if not head.canonical and "canonical" in (attributes.get("rel") or "").lower().split():
        head.canonical = attributes.get("href") or ""


def note_meta(head: Head, node: LexborNode) -> None:
    """`<meta>` in its three forms."""
    attributes = node.attributes
    content = attributes.get("content")
    name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
    if name and content:
        name = name.strip().lower()
        head.named.setdefault(name, content)
        if name in {"robots", ROBOT}:
            head.robots.append(content)


def may(response: Response, robots: Iterable[str]) -> tuple[bool, bool]:
    """Whether we may follow the page's links, and whether we may keep it."""
    said = {order.strip().lower() for content in [*robots, *_header_orders(response)] for order in content.split(",")}
    return not said & {"nofollow", "none"}, not said & {"noindex", "none"}


def _header_orders(response: Response) -> Iterable[str]:
    """The orders of `X-Robots-Tag` that are for all, or for us by name: `nofollow`, `thresher: noindex, nofollow`."""
    for key, value in response.headers:
        if key.lower() == b"x-robots-tag":
            for_us = True
            for order in value.decode("latin-1").split(","):
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
