"""What the ending of an address promises: a picture, a film, an archive, a style sheet, or another thing that is no page to read.

    ending_of("http://a.example/cat.JPG?size=2")        # "jpg"
    unread(["text/html"])                               # all endings below, as none of them promises HTML
    unread([])                                          # none: every content type is read

A server may send a page under such an address all the same; that is rare, and what it costs to ask is not: real crawls spent 4 to 7 %
of their requests on such links.
"""

from collections.abc import Collection

_PROMISES = """
    application/epub+zip: epub
    application/json: json jsonl map
    application/msword: doc dot
    application/pdf: pdf
    application/postscript: ai eps ps
    application/rss+xml: rss
    application/atom+xml: atom
    application/feed+json: feed.json
    application/rtf: rtf
    application/vnd.ms-excel: xls
    application/vnd.ms-powerpoint: pot pps ppt
    application/vnd.oasis.opendocument.graphics: odg
    application/vnd.oasis.opendocument.presentation: odp
    application/vnd.oasis.opendocument.spreadsheet: ods
    application/vnd.oasis.opendocument.text: odt
    application/vnd.openxmlformats-officedocument.presentationml.presentation: pptx
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: xlsx
    application/vnd.openxmlformats-officedocument.wordprocessingml.document: docx
    application/xml: xml xml.gz
    application/xslt+xml: xsd xsl
    application/zip: zip
    application/gzip: gz tgz
    application/octet-stream: 7z apk bin bz2 deb dmg dvi exe img iso jar msi pkg rar rpm tar tex torrent war whl xz zst
    audio/*: aac aif aiff au flac m4a mid midi mp3 mpga oga ogg opus ra ram wav wma
    font/*: eot otf ttf woff woff2
    image/*: avif bmp cdr drw dxf gif heic ico jfif jpe jpeg jpg mng pct png psd psp pst svg tif tiff webp xcf
    text/calendar: ics
    text/css: css
    text/csv: csv tsv
    text/javascript: js mjs
    video/*: 3gp asf asx avi flv m4v mkv mov mp4 mpeg mpg ogv qt rm swf ts webm wmv
"""
PROMISES = {
    ending: kind
    for kind, _, endings in (line.strip().partition(": ") for line in _PROMISES.split("\n"))
    for ending in endings.split()
}
"""The content type that an ending promises; `image/*` for any of that family."""
_TEXTS = {
    "application/atom+xml",
    "application/epub+zip",
    "application/feed+json",
    "application/pdf",
    "application/rss+xml",
    "application/rtf",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/xml",
}
MEDIA = frozenset(ending for ending, kind in PROMISES.items() if kind not in _TEXTS)
"""The endings of what no crawl reads. Of the others, documents and lists, its scope drops those that this crawl does not read."""

_LONG = (".xml.gz", "/feed.json")
"""A packed sitemap and a feed, where `gz` and `json` promise an archive and data."""


def ending_of(url: str) -> str:
    """The ending of the last part of a url's path, in lower case; empty if it has none.

    >>> ending_of("http://a.example/cat.JPG?size=2"), ending_of("http://a.example/v1.2/cats")
    ('jpg', '')
    """
    path = url.partition("?")[0]
    if path.endswith(_LONG):
        return "feed.json" if path.endswith("n") else "xml.gz"
    ending = path[path.rfind(".") + 1 :]
    return "" if "/" in ending else ending.lower()


def unread(types: Collection[str]) -> frozenset[str]:
    """The endings that promise none of the content types that are read; if no types are named, all are read."""
    if not types:
        return frozenset()
    wanted = {kind.lower() for kind in types} | {f"{kind.partition('/')[0].lower()}/*" for kind in types}
    return frozenset(ending for ending, kind in PROMISES.items() if kind not in wanted)
