"""The bytes of a page as UTF-8, whatever they were written in and whatever they say they are.

What is declared: a byte order mark counts first, then the HTTP header, then the page itself, as in browsers.
What is believed: bytes that look like UTF-16 are UTF-16 without any label; text that is valid UTF-8 is UTF-8 under a
Western label too. A declared encoding that does not fit the bytes is ignored, and the encoding is guessed.
"""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, charmap_decode
from functools import cache

import cchardet

from thresher.parse.charset_names import WESTERN, codec_of
from thresher.parse.declared_charset import in_header, in_page

_GUESS = 65_536
_DOUBTFUL = {None, WESTERN, "utf-16-le", "utf-16-be"}
_SEVERAL_BYTES = frozenset(
    {"utf-8", "utf-16-le", "utf-16-be", "gb18030", "big5hkscs", "cp932", "euc_jp", "iso2022_jp", "cp949", "johab"}
)
_HIGH = bytes(range(128, 256))
_MARKS = ((BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be"))


def utf8(body: bytes, content_type: str | None = None) -> bytes:
    """The body in UTF-8, without byte order mark; a byte that means nothing may remain and becomes U+FFFD."""
    for mark, marked in _MARKS:
        if body.startswith(mark):
            return body[3:] if marked == "utf-8" else _recoded(body[2:], marked)
    if wide := _wide(body):
        return _recoded(body, wide)
    codec = declared(body, content_type)
    if _is_utf8(body, codec):
        return body
    return _recoded(body, codec if codec and _fits(body, codec) else _guessed(body))


def declared(body: bytes, content_type: str | None = None) -> str | None:
    """The codec that the response claims to be in: by its mark, its header, or the page; None if by nothing known."""
    for mark, marked in _MARKS:
        if body.startswith(mark):
            return marked
    return (in_header(content_type) if content_type else None) or in_page(body)


def _wide(body: bytes) -> str | None:
    """UTF-16 without byte order mark shows in the zeros between its first letters; a label alone is no proof."""
    zeros = body[:64:2].count(0), body[1:64:2].count(0)
    half = min(len(body), 64) // 4
    if half and zeros[1] > half >= 4 * zeros[0]:
        return "utf-16-le"
    return "utf-16-be" if half and zeros[0] > half >= 4 * zeros[1] else None


def _is_utf8(body: bytes, codec: str | None) -> bool:
    """Text that is valid UTF-8 by accident is rare, so Western labels do not outweigh it; those of other scripts do."""
    if body.isascii():
        return codec != "iso2022_jp"
    if codec == "utf-8":
        return _fits(body, codec)
    return codec in _DOUBTFUL and _valid(body, "utf-8")


def _fits(body: bytes, codec: str) -> bool:
    """Whether the bytes can be what their label says; a few may be accidents, or cut off at the end."""
    if codec.startswith("utf-16"):
        return False  # it would have shown
    if _valid(body, codec):
        return True
    beyond_ascii = len(body) - len(body.translate(None, _HIGH))
    return 4 * _decoded(body, codec).count("\ufffd") < beyond_ascii


def _valid(body: bytes, codec: str) -> bool:
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _guessed(body: bytes) -> str:
    name = cchardet.detect(body[:_GUESS])["encoding"]
    codec = codec_of(name) if name else None
    return codec if codec and _fits(body, codec) else WESTERN


def _recoded(body: bytes, codec: str) -> bytes:
    return _decoded(body, codec).encode("utf-8", "replace")


def _decoded(body: bytes, codec: str) -> str:
    """The text, with U+FFFD for what means nothing."""
    letters = _letters(codec)
    return charmap_decode(body, "strict", letters)[0] if letters else body.decode(codec, "replace")


@cache
def _letters(codec: str) -> str | None:
    """The letters of a codec that has one for each byte, and U+FFFD in its gaps.

    Gaps that are filled here need not be filled one by one in a page: 5 MB of them take 8 ms instead of 800.
    """
    return None if codec in _SEVERAL_BYTES else bytes(range(256)).decode(codec, "replace")
