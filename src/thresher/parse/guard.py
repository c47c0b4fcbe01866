"""Pages made to hurt: what would cost Lexbor seconds or gigabytes is made harmless before it is parsed.

Lexbor keeps to the standard, and so do its costs: each block looks through all elements that are open above it, each
paragraph opens again all `<font …>` that those before it left open, each attribute is compared with all before it, and
those of every `<body …>` with all of the first. Names that it has not seen before cost more and more.
Measured: 100,000 nested `<div>` 20 s; 4,000 unclosed `<b x1>` and as many `<p>`, a page of 51 KB, 24 s and 5.3 GB; one
tag with 40,000 attributes 3 s; 400 `<body>` with 100 attributes each 3.5 s; 125,000 names of attributes 7 s.
A normal page of 35 KB pays 40 µs to be told apart.

The guard cannot be made to hurt either. Where a script or a comment begins and ends it does not know, so it takes every
`<` for the beginning of a tag. Its expressions never go back: every repetition is possessive. None is sought to the end
of the page again and again: what is sought ends at a `>` that is there, or after so many attributes.
"""

import re
from itertools import islice, pairwise, product

import numpy as np
from numpy.typing import NDArray

from thresher.native import inner_loops

_SMALL = 1_024
"""Bytes that cannot hurt, whatever they are."""
_DEEP = 10_000
"""So many tags can nest deep enough to take a quarter of a second."""
_OPENED_MOST = 100_000
"""Formatting tags with attributes times tags: so many elements can be opened again, which take 35 MB and .05 s."""
_ROOTS_MOST = 10
_ATTRIBUTES_MOST = 100
"""More than any tag has that somebody wrote."""
_CROWDED_MOST = 100
"""A page with so many tags that have more is made to hurt, and loses its attributes."""
_NAMES_MOST = 40_000
"""So many names of attributes take a quarter of a second."""
_LONG = 4_096
"""Bytes of a tag that hold 1,365 attributes at most, which take 3 ms."""
_LARGE = 1 << 17
"""Bytes of a page in which tags can be too many that are not long, and the names of their attributes."""
_RUN_ON_MOST = 8
"""Tags that run on into each other with a slash between, and no blank. A page that has them is made to hurt, and loses its attributes."""

# The elements that are opened again. They say nothing of text, links or structure.
_FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# What a page that is read flat keeps: elements that do not nest, if headings and links are closed before the next.
_FLAT = "a|p|br|h[1-6]|img|area|iframe|title|meta|link|base|script|style|wbr"
_INLINE = "abbr|bdi|bdo|cite|del|dfn|ins|kbd|label|mark|math|q|samp|span|sub|sup|time|var"


def _tags(names: str, rest: str) -> re.Pattern[bytes]:
    return re.compile(f"</?(?:{names}){rest}".encode(), re.IGNORECASE)


_STYLED = _tags(_FORMATTING, r"[\s/]")
_FORMAT_TAG = _tags(_FORMATTING, r"(?:[\s/][^>]*+)?+>")
_INLINE_TAG = _tags(f"{_FORMATTING}|{_INLINE}", r"(?:[\s/][^>]*+)?+>")
_NESTING_TAG = _tags(rf"(?!(?:{_FLAT})[\s/>])[a-z]", r"[^>]*+>")
_ANY_TAG = re.compile(rb"(<[a-zA-Z][^\s/>]*+)[^>]*+>")
_ROOT = re.compile(rb"<(?:html|body)(?=[\s/])", re.IGNORECASE)
_DOCTYPE = re.compile(rb"<!(?=doctype)", re.IGNORECASE)
_LINK = re.compile(rb"<(?=a[\s/>])", re.IGNORECASE)
_HEADING = re.compile(rb"<(?=h[1-6][\s/>])", re.IGNORECASE)
# White space is the standard's here: `\\s` has one more, behind which a quote would be taken for one that opens.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+)?+)?+"
)
_NAME = re.compile(_ATTRIBUTE)
# These two look ahead, so that the next may begin within the last: that may not have been a tag at all. Of beginnings that run on into
# each other, as `<x<y<z a=b`, only the last is taken: all have the same attributes, which would be looked at for each of them.
_REST_OF_NAME = rb"(?:[^\t\n\f\r /><]++|<(?![a-zA-Z]))*+"
_TAG_START = rb"<(?=[a-zA-Z]%b[\t\n\f\r /]" % _REST_OF_NAME
_TAG = re.compile(_TAG_START + rb"((?:%b){0,%d}+))" % (_ATTRIBUTE, _ATTRIBUTES_MOST))
_CROWDED_TAG = re.compile(_TAG_START + rb"((?:%b){%d}))" % (_ATTRIBUTE, _ATTRIBUTES_MOST))
# Those that end in a slash may have attributes of their own, as each `<x/` of `<x/a=<x/a=` has; and a value would be looked at from each.
_RUN_ON = re.compile(
    rb"(?:<[a-zA-Z]%b/(?:[^\t\n\f\r ><]++|<(?![a-zA-Z]%b/))*+){%d}" % (_REST_OF_NAME, _REST_OF_NAME, _RUN_ON_MOST)
)


_A_ROOT, _A_STYLED = 1, 2


def _starts() -> NDArray[np.uint8]:
    """By the first two bytes of a tag, whether it may be a root, or a formatting tag with attributes; some others are among them."""
    table = np.zeros(65_536, np.uint8)
    for names, after, kind in (("html|body", "", _A_ROOT), (_FORMATTING, " \t\n\r\f\v/", _A_STYLED)):
        for name in names.split("|"):
            for second in name[1:2] or after:
                for first, then in product({name[0], name[0].upper()}, {second, second.upper()}):
                    table[ord(first) | ord(then) << 8] = kind
    return table


_KINDS = _starts()


def tamed(body: bytes, most_tags: int) -> bytes:
    """The page, or as much of it as can be parsed in a fraction of a second."""
    if len(body) < _SMALL:
        return body
    tags, roots, styled = _tag_kinds(body) if inner_loops is None else inner_loops.tag_kinds(body, _KINDS)
    if tags > _DEEP:
        body = _flat(body[: _tag_places(body)[most_tags]] if tags > most_tags else body)
    elif tags * styled > _OPENED_MOST and _opens_many(body, tags):
        body = _replaced(_FORMAT_TAG, b"<wbr>", body)
    if roots > _ROOTS_MOST:
        body = _with_few_roots(body)
    return _uncrowded(body) if len(body) > _LARGE or _may_have_long_tag(body) else body


def _tag_kinds(body: bytes) -> tuple[int, int, int]:
    """How many tags begin in a page, and how many of them may be roots, and formatting tags with attributes."""
    places = _tag_places(body)
    # By the two bytes behind each.
    kinds = _KINDS.take(np.ndarray(len(body) - 2, "<u2", body, 1, (1,))[places])
    return len(places), int(np.count_nonzero(kinds == _A_ROOT)), int(np.count_nonzero(kinds == _A_STYLED))


def _tag_places(body: bytes) -> NDArray[np.intp]:
    places: NDArray[np.intp] = (np.frombuffer(body, dtype=np.uint8)[:-2] == ord("<")).nonzero()[0]
    return places


def _opens_many(body: bytes, tags: int) -> bool:
    return tags * len(_STYLED.findall(body)) > _OPENED_MOST


def _replaced(tag: re.Pattern[bytes], by: bytes, body: bytes) -> bytes:
    """Behind the last `>` no tag is complete, and so none is sought there: each would be sought to the end."""
    end = body.rfind(b">") + 1
    return tag.sub(by, body[:end]) + body[end:]


def _flat(body: bytes) -> bytes:
    """The page without anything that can nest. What replaces a tag starts with `<`, so no new tag comes together."""
    flat = _replaced(_NESTING_TAG, b"<br>", _replaced(_INLINE_TAG, b"<wbr>", body))
    return _HEADING.sub(b"</a></h1><", _LINK.sub(b"</a><", _DOCTYPE.sub(b"<?", flat)))


def _with_few_roots(body: bytes) -> bytes:
    found = list(_ROOT.finditer(body))[_ROOTS_MOST:]
    if not found:
        return body
    at = found[0].start()
    return body[:at] + _ROOT.sub(b"<wbr", body[at:])


def _may_have_long_tag(body: bytes) -> bool:
    """Whether a tag may be longer than `_LONG`; nearly always seen in a few leaps, from one `>` to the last one near it.

    A longer tag has one of these within it, and there it stands in quotes; or it has none, and then no `>` for long.
    """
    at = 0
    while at + _LONG < len(body):
        end = body.rfind(b">", at + 1, at + _LONG)
        if end < 0:
            end = body.find(b">", at + _LONG)
            if end < 0:
                return False
            if body.find(b"<", at, end - _LONG) >= 0:
                return True
        if _quoted(body, b'"', end) or _quoted(body, b"'", end):
            return True
        at = end
    return False


def _quoted(body: bytes, quote: bytes, at: int) -> bool:
    """Whether the last such quote before a place may be one that opens the value of an attribute."""
    last = body.rfind(quote, 0, at)
    if last < 1 or body[last - 1] not in b"= \t\n\f\r":
        return False
    before = body[max(last - 16, 0) : last].rstrip()
    return not before or before.endswith(b"=")


def _uncrowded(body: bytes) -> bytes:
    """The page with an end behind the last attribute that a tag may have; what was no tag only gets a `>` more."""
    if _RUN_ON.search(body):
        return _without_attributes(body)
    crowded = list(islice(_CROWDED_TAG.finditer(body), _CROWDED_MOST))
    if len(crowded) == _CROWDED_MOST:
        return _without_attributes(body)
    if crowded:
        ends = sorted({tag.end(1) for tag in crowded})
        body = b">".join(body[start:end] for start, end in pairwise([0, *ends, len(body)]))
    return _without_attributes(body) if _has_many_names(body) else body


def _has_many_names(body: bytes) -> bool:
    """Whether there are too many different attributes. Where there are not that many words of any kind, there are not."""
    codes = np.frombuffer(body, dtype=np.uint8)
    blanks = codes <= ord(" ")
    words = np.count_nonzero(blanks[:-1] & ~blanks[1:]) + np.count_nonzero((codes == ord("/")) | (codes == ord("=")))
    names: set[bytes] = set()
    if words > _NAMES_MOST:
        for tag in _TAG.finditer(body):
            names.update(_NAME.findall(tag[1]))
            if len(names) > _NAMES_MOST:
                return True
    return False


def _without_attributes(body: bytes) -> bytes:
    """The last resort: where no `=` is, no quotes can hide a `>`, so the first one ends a tag, wherever it began."""
    return _replaced(_ANY_TAG, rb"\1>", body.replace(b"=", b" "))
