"""Hostile pages: what would cost Lexbor seconds or gigabytes is made harmless before it is parsed.

Lexbor keeps to the standard, and so do its costs: each block looks through all elements that are open above it, each
paragraph opens again all `<font …>` that those before it left open, each attribute is compared with all before it.
Measured: 100,000 nested `<div>` 20 s; 4,000 unclosed `<b x1>` and as many `<p>`, a page of 51 KB, 24 s and 5.3 GB; one
tag with 40,000 attributes 3 s. For a normal page the check takes 5 µs (30 KB) to 60 µs (130 KB).
"""

import re
from itertools import product

import numpy as np
from numpy.typing import NDArray

_SMALL = 4_096
"""A page with fewer bytes is harmless, whatever they are."""
_MANY = 600
"""With this many tags a page can have 90,000 elements: 30 MB, .2 s."""
_DEEP = 10_000
"""With this many tags a page can nest deep enough to take a quarter of a second."""
_STYLED_MOST = 100
_LONG = 32_768
_ATTRIBUTES_MOST = 2_000

# The elements that are opened again. They say nothing of text, links or structure.
_FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# What a page that is read flat keeps: elements that do not nest, if headings and links are closed before the next.
_FLAT = "a|p|br|h[1-6]|img|area|iframe|title|meta|link|base|script|style|wbr"
_INLINE = "abbr|bdi|bdo|cite|del|dfn|ins|kbd|label|mark|math|q|samp|span|sub|sup|time|var"


def _tags(names: str, rest: str) -> re.Pattern[bytes]:
    return re.compile(f"</?(?:{names}){rest}".encode(), re.IGNORECASE)


_STYLED = _tags(_FORMATTING, r"[\s/]")
_FORMAT_TAG = _tags(_FORMATTING, r"(?:[\s/][^>]*)?>")
_INLINE_TAG = _tags(f"{_FORMATTING}|{_INLINE}", r"(?:[\s/][^>]*)?>")
_NESTING_TAG = _tags(rf"(?!(?:{_FLAT})[\s/>])[a-z]", r"[^>]*>")
_LINK = re.compile(rb"<(?=a[\s/>])", re.IGNORECASE)
_HEADING = re.compile(rb"<(?=h[1-6][\s/>])", re.IGNORECASE)
_LONG_TAG = re.compile(rb"<[a-z][^<>]{%d,}" % _LONG, re.IGNORECASE)

_STYLED_START = np.zeros(65_536, dtype=bool)
"""The first two bytes of every tag that `_STYLED` matches, and of a few others."""
for _name in _FORMATTING.split("|"):
    for _second in _name[1:2] or " \t\n\r\f\v/":
        for _first, _next in product({_name[0], _name[0].upper()}, {_second, _second.upper()}):
            _STYLED_START[ord(_first) | ord(_next) << 8] = True


def tamed(body: bytes, most_tags: int) -> bytes:
    """The page, or as much of it as can be parsed in a fraction of a second."""
    if len(body) < _SMALL:
        return body
    if len(body) > _LONG and _has_long_stretch(body):
        body = _LONG_TAG.sub(_without_attributes, body)
    codes = np.frombuffer(body, dtype=np.uint8)
    starts = codes == ord("<")
    tags = int(np.count_nonzero(starts))
    if tags <= _MANY:
        return body
    places = np.flatnonzero(starts[:-2])
    if tags > _DEEP:
        return _flat(body[: places[most_tags]] if len(places) > most_tags else body)
    if _styled(codes, places) > _STYLED_MOST and len(_STYLED.findall(body)) > _STYLED_MOST:
        return _FORMAT_TAG.sub(b"<wbr>", body)
    return body


def _has_long_stretch(body: bytes) -> bool:
    """Whether there is a long stretch in which no tag starts; found in a few steps, since the search goes backwards."""
    at = 0
    while at + _LONG < len(body):
        nearest = body.rfind(b"<", at + 1, at + _LONG)
        if nearest < 0:
            return True
        at = nearest
    return False


def _without_attributes(tag: re.Match[bytes]) -> bytes:
    return b"<wbr" if len(tag[0].split(None, _ATTRIBUTES_MOST)) > _ATTRIBUTES_MOST else tag[0]


def _styled(codes: NDArray[np.uint8], places: NDArray[np.intp]) -> int:
    """How many tags may be formatting elements with attributes; never too few."""
    return int(np.count_nonzero(_STYLED_START[codes[places + 1] | codes[places + 2].astype(np.uint16) << 8]))


def _flat(body: bytes) -> bytes:
    """The page without anything that can nest. What replaces a tag starts with `<`, so no new tag comes together."""
    flat = _NESTING_TAG.sub(b"<br>", _INLINE_TAG.sub(b"<wbr>", body))
    return _HEADING.sub(b"</a></h1><", _LINK.sub(b"</a><", flat))
