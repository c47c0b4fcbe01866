"""The bytes of a page as UTF-8, whatever they were written in and whatever they say they are.

A byte order mark counts first, then the HTTP header, then `<meta charset>`, then a guess; names are read as browsers
read them (`iso-8859-1` means windows-1252). A name that the bytes belie is not believed.
"""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

import cchardet

_LOOK = 4_096
"""Bytes in which `<meta charset>` is looked for; the standard asks for 1,024, many pages need more."""
_GUESS = 65_536
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)
_IN_PAGE = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([^\s;\"'/>]+)", re.IGNORECASE)
_IN_XML = re.compile(rb"^\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)

WESTERN = "windows-1252"
_CODECS = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le utf16 ucs-2 unicode iso-10646-ucs-2",
    "utf-16-be": "utf-16be",
    WESTERN: "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 l1 ascii us-ascii ansi",
    "windows-1250": "windows-1250 cp1250 x-cp1250",
    "windows-1251": "windows-1251 cp1251 x-cp1251 win-1251 cp-1251",
    "windows-1253": "windows-1253 cp1253 x-cp1253",
    "windows-1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5 l5",
    "windows-1255": "windows-1255 cp1255 x-cp1255",
    "windows-1256": "windows-1256 cp1256 x-cp1256",
    "windows-1257": "windows-1257 cp1257 x-cp1257",
    "windows-1258": "windows-1258 cp1258 x-cp1258",
    "cp874": "windows-874 cp874 tis-620 iso-8859-11 iso8859-11",
    "iso-8859-2": "iso-8859-2 iso8859-2 iso_8859-2 latin2 l2",
    "iso-8859-3": "iso-8859-3 iso8859-3 latin3 l3",
    "iso-8859-4": "iso-8859-4 iso8859-4 latin4 l4",
    "iso-8859-5": "iso-8859-5 iso8859-5 cyrillic",
    "iso-8859-6": "iso-8859-6 iso8859-6 arabic asmo-708",
    "iso-8859-7": "iso-8859-7 iso8859-7 greek greek8",
    "iso-8859-8": "iso-8859-8 iso8859-8 iso-8859-8-i iso-8859-8-e hebrew logical visual",
    "iso-8859-10": "iso-8859-10 iso8859-10 latin6 l6",
    "iso-8859-13": "iso-8859-13 iso8859-13",
    "iso-8859-14": "iso-8859-14 iso8859-14",
    "iso-8859-15": "iso-8859-15 iso8859-15 latin9 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "koi8-r koi8 koi koi8_r",
    "koi8-u": "koi8-u koi8-ru",
    "cp866": "ibm866 cp866 866",
    "mac-roman": "macintosh mac x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb18030 gbk gb2312 gb_2312-80 x-gbk chinese csgb2312 euc-cn",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j cp932 ms932",
    "euc_jp": "euc-jp x-euc-jp",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp949": "euc-kr euc_kr ks_c_5601-1987 korean ksc5601 ksc_5601 windows-949 uhc cp949",
    "johab": "johab",
}
_DOUBTFUL = {None, WESTERN, "utf-16-le", "utf-16-be"}
_HIGH = bytes(range(128, 256))
_NAMES = {name: codec for codec, names in _CODECS.items() for name in names.split()}


def utf8(body: bytes, content_type: str | None = None) -> bytes:
    """The body in UTF-8, without byte order mark; a byte that means nothing may remain and becomes U+FFFD."""
    if body.startswith(BOM_UTF8):
        return body[3:]
    if body.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _recoded(body[2:], "utf-16-le" if body[0] == 0xFF else "utf-16-be")
    if wide := _wide(body):
        return _recoded(body, wide)
    codec = declared(body, content_type)
    if _is_utf8(body, codec):
        return body
    return _recoded(body, codec if codec and _fits(body, codec) else _guessed(body))


def declared(body: bytes, content_type: str | None = None) -> str | None:
    """The codec that the header names, or else the page; None if neither, or a name nobody knows."""
    if content_type and (said := _IN_HEADER.search(content_type)) and (codec := _NAMES.get(said[1].lower())):
        return codec
    head = body[:_LOOK]
    said_within = _IN_PAGE.search(head) or _IN_XML.search(head)
    return _NAMES.get(said_within[1].decode("latin-1").lower()) if said_within else None


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
    return 4 * body.decode(codec, "replace").count("\ufffd") < beyond_ascii


def _valid(body: bytes, codec: str) -> bool:
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _guessed(body: bytes) -> str:
    name = cchardet.detect(body[:_GUESS])["encoding"]
    codec = _NAMES.get(name.lower()) if name else None
    return codec if codec and _fits(body, codec) else WESTERN


def _recoded(body: bytes, codec: str) -> bytes:
    return body.decode(codec, "replace").encode("utf-8", "replace")
