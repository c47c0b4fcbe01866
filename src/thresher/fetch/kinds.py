"""Which answers are worth reading on: the content type, declared or seen in the first bytes."""

import re

# The marks by which the WHATWG sniffing standard knows HTML.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?[\t\n\x0c\r ]*"
    rb"(?:<!--|<\?xml|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])",
    re.IGNORECASE,
)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_LOOK = 1024


def declared(content_type: str) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`; empty if it says nothing usable."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind if "/" in kind and kind != "*/*" else ""


def seen(start: bytes) -> str:
    """The content type that the first bytes look like."""
    if _HTML.match(start):
        return "text/html"
    return "application/octet-stream" if _BINARY.search(start, 0, _LOOK) else "text/plain"
