"""What a page asks of robots, where it sends its readers, and which language it says it speaks."""

import re
from collections.abc import Iterable

from thresher.model import Response
from thresher.parse.hints import ROBOT

_REFRESH = re.compile(r"\s*[\d.]+\s*[;,]?\s*(?:url\s*=)?\s*(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")
# `unavailable_after: 25 Jun 2030` is an order with a colon, not a robot's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


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
