"""What an XML file lists: a sitemap, an index of sitemaps, a feed (RSS or Atom). Files of strangers: no bombs, nothing endless.

It is read as a stream, and what is packed is unpacked as it is read, so that memory grows with what is listed and not with the file.
"""

import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from thresher.disk.guarded_xml import DEEPEST, GuardedXml
from thresher.errors import BadInput
from thresher.list_forms import GZIP, ROOTS, ListKind

MOST_URLS = 50_000
"""Of one file: what the sitemap protocol allows."""
MOST_BYTES = 50 << 20
"""The same, unpacked."""
_MOST_ELEMENTS = 1_000_000
"""Twenty for each url that a file may list. A packed file of 50 KB can hold fifty million."""
_BLOCK = 1 << 16
_LONGEST_URL = 8_192
_LONGEST_TEXT = 4_000
"""Characters of a title or a summary that are read, markup included."""


class Entry(NamedTuple):
    """One thing that a file lists."""

    url: str
    """As it is spelled there."""
    title: str = ""
    summary: str = ""
    """It may hold HTML."""
    changed: str = ""
    """When it changed last, as it is spelled there."""


class Listed(NamedTuple):
    """What a file lists."""

    kind: ListKind
    entries: list[Entry]
    more: bool = False
    """Whether the file has more urls than are read of one."""
    title: str = ""
    about: str = ""

    @property
    def urls(self) -> list[str]:
        """The urls alone."""
        return [entry.url for entry in self.entries]


def listed_in(content: bytes, name: str, most: int = MOST_URLS) -> Listed:
    """What a sitemap (pages), an index (sitemaps) or a feed (articles) lists, in order; `BadInput` if it is hostile or none of these."""
    lister = _Lister(name, most)
    lister.read(content)
    return lister.listed()


def listed_until_fault(content: bytes, most: int = MOST_URLS, encoding: str | None = None) -> Listed | None:
    """The same as far as it can be read: many feeds are not well-formed. None if it is neither a sitemap nor a feed."""
    lister = _Lister("", most, encoding)
    with suppress(BadInput):
        lister.read(content)
    return lister.listed() if lister.known else None


class _Lister:
    """Hears of tags, and keeps what stands where it should."""

    def __init__(self, name: str, most: int, encoding: str | None = None) -> None:
        # A path has no double slashes: without its scheme an address stays as it is.
        self._guard = GuardedXml(Path(name.partition("://")[2] or name), encoding=encoding)
        self._guard.on_elements(self._start, self._end)
        self._guard.parser.CharacterDataHandler = self._hear
        self._most = most
        self._way: list[str] = []
        self._kind: ListKind | None = None
        self._entries: list[Entry] = []
        self._urls: list[str] = []
        self._said: dict[str, str] = {}
        """What was said of the entry that is being read, by the name of the field."""
        self._about: dict[str, str] = {}
        self._field = ""
        self._field_depth = 0
        self._text: list[str] = []
        self._room = 0
        self._more = False
        self._elements = 0

    @property
    def known(self) -> bool:
        """Whether it is a list at all."""
        return self._kind is not None

    def read(self, content: bytes) -> None:
        """Take in a file, to its end or until there is more than may be."""
        for block in _blocks(content):
            self._guard.feed(block)
            if self._more:
                return
        self._guard.feed(b"", last=True)

    def listed(self) -> Listed:
        """What was heard."""
        assert self._kind is not None, "a document has a root"
        title, about = self._about.get("title", ""), self._about.get("about", "")
        return Listed(self._kind, self._entries[: self._most], self._more, title, about)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self._way.append(name)
        self._guard.progress()
        self._elements += 1
        if len(self._way) > DEEPEST:
            self._guard.refuse(f"elements nested more than {DEEPEST:,} deep")
        if self._elements > _MOST_ELEMENTS:
            self._guard.refuse(f"more than {_MOST_ELEMENTS:,} elements")
        if self._kind is None:
            self._kind = self._root(name)
        if self._field_depth:  # markup within a text
            self._hear(" ")
            return
        within = (self._way[-2] if len(self._way) > 1 else "", name)
        if name in _ENTRIES[self._kind]:
            self._urls, self._said = [], {}
        elif within == ("entry", "link"):
            # Atom has its links in an attribute; without `rel` it is the article itself.
            if attributes.get("rel", "alternate") == "alternate":
                self._take_url(attributes.get("href", ""))
        elif (field := _FIELDS.get(within)) and (field != "guid" or attributes.get("isPermaLink", "true") == "true"):
            self._field, self._field_depth, self._text = field, len(self._way), []
            self._room = _LONGEST_URL if field in {"url", "guid"} else _LONGEST_TEXT

    def _hear(self, text: str) -> None:
        if self._field_depth and self._room >= 0:
            self._text.append(text[: self._room + 1])
            self._room -= len(text)

    def _end(self, _tag: str) -> None:
        self._guard.progress()
        if len(self._way) == self._field_depth:
            self._take("".join(self._text).strip())
        elif self._kind and self._way[-1] in _ENTRIES[self._kind] and not self._field_depth:
            self._close_entry()
        self._way.pop()

    def _take(self, text: str) -> None:
        """A field is complete."""
        field, self._field_depth = self._field, 0
        if field == "url":
            self._take_url("" if self._room < 0 else text)
        elif field in _ABOUT:
            self._about.setdefault(_ABOUT[field], text)
        elif text and (field != "guid" or self._room >= 0):
            self._said.setdefault(field, text)

    def _take_url(self, url: str) -> None:
        if (url := url.strip()) and len(url) <= _LONGEST_URL:
            self._urls.append(url)

    def _close_entry(self) -> None:
        said = self._said
        urls = self._urls or ([said["guid"]] if "guid" in said else [])
        told = said.get("title", ""), said.get("summary") or said.get("content", ""), said.get("changed", "")
        for url in urls:
            self._more = self._more or len(self._entries) >= self._most
            self._entries.append(Entry(url, *told))
        self._urls, self._said = [], {}

    def _root(self, name: str) -> ListKind:
        if name not in ROOTS:
            self._guard.refuse(f"<{name[:40]}> is neither a sitemap nor a feed, which begin with {_in_words(ROOTS)}")
        return ROOTS[name]


_ENTRIES: dict[ListKind, tuple[str, ...]] = {"feed": ("item", "entry"), "sitemap": ("url",), "index": ("sitemap",)}
"""What the things that a list lists are called. A feed may have a `url` too, of a picture."""
_FIELDS = {
    ("url", "loc"): "url",
    ("sitemap", "loc"): "url",
    ("item", "link"): "url",
    ("item", "guid"): "guid",
    ("url", "lastmod"): "changed",
    ("sitemap", "lastmod"): "changed",
    ("item", "title"): "title",
    ("entry", "title"): "title",
    ("item", "description"): "summary",
    ("entry", "summary"): "summary",
    ("item", "encoded"): "content",
    ("entry", "content"): "content",
    ("channel", "title"): "list title",
    ("feed", "title"): "list title",
    ("channel", "description"): "list about",
    ("feed", "subtitle"): "list about",
}
_ABOUT = {"list title": "title", "list about": "about"}


def _blocks(content: bytes) -> Iterator[bytes]:
    """A file piece by piece, unpacked if it is packed; of one that is torn, what can be unpacked."""
    unpacker = zlib.decompressobj(wbits=31) if content.startswith(GZIP) else None
    left = MOST_BYTES
    for start in range(0, len(content), _BLOCK):
        piece = content[start : start + _BLOCK]
        if unpacker is None:
            yield piece
            continue
        while piece and left > 0 and not unpacker.eof:
            try:
                made = unpacker.decompress(piece, _BLOCK)
            except zlib.error:
                return
            piece, left = unpacker.unconsumed_tail, left - len(made)
            yield made


def _in_words(names: Sequence[str] | dict[str, ListKind]) -> str:
    return ", ".join(f"<{name}>" for name in names)
