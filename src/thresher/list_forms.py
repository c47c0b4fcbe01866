"""Lists of links for programs, feeds and sitemaps: how they begin, and under which content types they are sent.

    form_of(b"<?xml version='1.0'?><rss version='2.0'>")      # "feed"
    form_of(b"\\x1f\\x8b…")                                     # "sitemap", if it unpacks to one
    form_of(b"<!doctype html><html>")                         # "": no list

Servers send them as almost anything. So what a body is, is seen in its first bytes; the content type only says whether to look.
"""

import re
import zlib
from typing import Literal

ListKind = Literal["sitemap", "index", "feed"]
ROOTS: dict[str, ListKind] = {
    "urlset": "sitemap",
    "sitemapindex": "index",
    "rss": "feed",
    "RDF": "feed",
    "feed": "feed",
}
"""What an XML file is, by the name of its outermost element."""
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
"""What a page calls its feeds."""
LIST_TYPES = FEED_TYPES | {
    "application/xml",
    "text/xml",
    "application/json",
    "application/gzip",
    "application/x-gzip",
    "application/octet-stream",
}
"""Content types under which a list may come, and much else."""
GZIP = b"\x1f\x8b"
LOOK = 2048
"""So many bytes show what a body is."""
_JSON_FEED = b"jsonfeed.org/version"
_RSS_1 = b"purl.org/rss"
_BLANKS = b"\xef\xbb\xbf\xff\xfe \t\r\n"
_ELEMENT = re.compile(rb"<(?:[\w.-]++:)?+([A-Za-z][\w.-]*+)")


def form_of(start: bytes) -> str:
    """`feed` or `sitemap`, by the first bytes of a body; empty if it is neither."""
    text = plain_start(_unpacked(start[:LOOK]))
    if text.startswith(b"{"):
        return "feed" if _JSON_FEED in text.replace(b"\\/", b"/") else ""
    root = root_of(text)
    if root == "RDF" and _RSS_1 not in text:  # an ontology, perhaps
        return ""
    return {"sitemap": "sitemap", "index": "sitemap", "feed": "feed"}.get(ROOTS.get(root, ""), "")


def plain_start(start: bytes) -> bytes:
    """The first bytes without what may stand before the text. In UTF-16 each letter of a name has a zero beside it."""
    return start.replace(b"\0", b"").lstrip(_BLANKS)


def root_of(text: bytes) -> str:
    """The name of the first element, without its namespace; empty if the text does not begin with a `<`."""
    if not text.startswith(b"<"):
        return ""
    found = _ELEMENT.search(_without_comments(text))
    return found[1].decode("latin-1") if found else ""


def _without_comments(text: bytes) -> bytes:
    """An open end hides the rest, so that it is sought once."""
    kept, *pieces = text.split(b"<!--")
    return kept + b"".join(piece.partition(b"-->")[2] for piece in pieces)


def _unpacked(start: bytes) -> bytes:
    if not start.startswith(GZIP):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, LOOK)
    except zlib.error:
        return b""
