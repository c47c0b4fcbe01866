"""The encoding that a response says it is in, read as browsers read it. Whether to believe it is another question.

In the page this is the HTML standard's *prescan a byte stream to determine its encoding*, with its *get an attribute*,
*extract a character encoding from a meta element* and *get an XML encoding*. The names in `code` below are the standard's.

The pass never goes back. Its expressions cannot either: every repetition is possessive (`*+`), and where an attribute
does not end within the bytes looked at, the whole pass ends, as the standard says.
"""

import re

from thresher.parse.charset_names import codec_of

LOOK = 16_384
"""Bytes of a page in which a declaration is looked for. Browsers look at 1,024 before they parse and then honour a
`<meta>` that they come across while they parse; we look once, and so further."""

_IN_HEADER = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s;\"',]++)", re.IGNORECASE | re.ASCII)
_IN_CONTENT = re.compile(rb"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_LABEL = re.compile(rb"\"([^\"]*+)\"|'([^']*+)'|([^\"'\t\n\f\r ;][^\t\n\f\r ;]*+)")
# One attribute: its name, then its value in one of three forms, or no value. What follows must be there, since an
# attribute that the end of the bytes cuts off is none.
_PARTS = (
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:"
    rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)(?=[\t\n\f\r >])|(?=>))"
    rb"|[\t\n\f\r ]*+(?=[^=]))"
)
_ATTRIBUTE = re.compile(_PARTS)
_TAG_END = re.compile(rb"[\t\n\f\r /]*+>")
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*+(?:" + _PARTS + rb")*+[\t\n\f\r /]*+>")
_WIDE_XML = {b"<\0?\0x\0": "utf-16-le", b"\0<\0?\0x": "utf-16-be"}
_CONTROLS_AND_BLANK = bytes(range(33))


def in_header(content_type: str) -> str | None:
    """The codec that a Content-Type names in its charset parameter, with or without quotes."""
    said = _IN_HEADER.search(content_type)
    return codec_of(said[1]) if said else None


def in_page(body: bytes) -> str | None:
    """The codec that the first bytes of a page declare, in a `<meta>` or else in an XML declaration."""
    head = body[:LOOK]
    return _WIDE_XML.get(head[:6]) or _in_meta(head) or _in_xml(head)


def _in_meta(head: bytes) -> str | None:
    """`Loop` of the standard: from one `<` to the next that is not inside a comment or an attribute."""
    lower = head.lower()
    last = lower.rfind(b"<meta", 0, max(lower.rfind(b"charset"), 0))
    at = lower.find(b"<")
    while 0 <= at <= last:
        if lower.startswith(_META, at):
            codec, at = _meta(lower, at + 5)
            if codec is not None:
                return codec
        else:
            at = _skipped(lower, at)
        at = lower.find(b"<", at) if at >= 0 else -1
    return None


_META = (b"<meta ", b"<meta\n", b"<meta\t", b"<meta\r", b"<meta\f", b"<meta/")


def _meta(lower: bytes, at: int) -> tuple[str | None, int]:
    """What a `<meta>` declares, if anything, and where it ends; -1 if the bytes end before it."""
    attributes: dict[bytes, bytes] = {}
    while found := _ATTRIBUTE.match(lower, at):
        at = found.end()
        name, quoted, apostrophed, bare = found.groups(b"")
        attributes.setdefault(name, quoted or apostrophed or bare)
    end = _TAG_END.match(lower, at)
    return (_declared(attributes), end.end()) if end else (None, -1)


def _declared(attributes: dict[bytes, bytes]) -> str | None:
    """`Processing` of the standard. UTF-16 cannot be true, since the declaration itself could be read."""
    said = attributes.get(b"charset")
    if said is not None:
        codec = codec_of(said.decode("latin-1"))
    elif attributes.get(b"http-equiv") == b"content-type":
        codec = _in_content(attributes.get(b"content", b""))
    else:
        codec = None
    return _not_wide(codec)


def _in_content(content: bytes) -> str | None:
    """`text/html; charset=utf-8`: what follows the first `charset` that has an equals sign."""
    charset = _IN_CONTENT.search(content)
    label = _LABEL.match(content, charset.end()) if charset else None
    return codec_of(b"".join(label.groups(b"")).decode("latin-1")) if label else None


def _skipped(lower: bytes, at: int) -> int:
    """Where what begins at a `<` ends; -1 if the bytes end before it."""
    if lower.startswith(b"<!--", at):
        return lower.find(b"-->", at + 2)
    following = lower[at + 1 : at + 2]
    if following.isalpha() or (following == b"/" and lower[at + 2 : at + 3].isalpha()):
        tag = _TAG.match(lower, at)
        return tag.end() if tag else -1
    return lower.find(b">", at) if following in _OTHER_MARKUP else at + 1


_OTHER_MARKUP = frozenset({b"!", b"/", b"?"})


def _in_xml(head: bytes) -> str | None:
    """`<?xml version="1.0" encoding="utf-8"?>` at the very start."""
    if not head.startswith(b"<?xml"):
        return None
    _, named, rest = head[: max(head.find(b">"), 0)].partition(b"encoding")
    rest = rest.lstrip(_CONTROLS_AND_BLANK)
    value = rest[1:].lstrip(_CONTROLS_AND_BLANK) if rest.startswith(b"=") else b""
    label, quote, _ = value[1:].partition(value[:1]) if value[:1] in {b'"', b"'"} else (b"", b"", b"")
    return _not_wide(codec_of(label.decode("latin-1"))) if named and quote else None


def _not_wide(codec: str | None) -> str | None:
    return "utf-8" if codec in {"utf-16-le", "utf-16-be"} else codec
