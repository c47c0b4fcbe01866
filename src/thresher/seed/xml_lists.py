"""Urls that an XML file lists: a sitemap, an index of sitemaps, a feed (RSS or Atom). Files of strangers: no bombs, nothing endless."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.disk.guarded_xml import DEEPEST, GuardedXml

MOST_URLS = 50_000
"""Of one file: what the sitemap protocol allows."""
Kind = Literal["sitemap", "index", "feed"]
ROOTS: dict[str, Kind] = {"urlset": "sitemap", "sitemapindex": "index", "rss": "feed", "RDF": "feed", "feed": "feed"}
"""What a file is, by the name of its outermost element."""
_BLOCK = 1 << 16


class Listed(NamedTuple):
    """What a file lists, as it is spelled there."""

    kind: Kind
    urls: list[str]
    more: bool = False
    """Whether the file has more urls than are read of one."""


def listed_in(content: bytes, name: str, most: int = MOST_URLS) -> Listed:
    """The urls of a sitemap (pages), an index (sitemaps) or a feed (articles), in order; `BadInput` if it is hostile or none of these."""
    # A path has no double slashes: without its scheme an address stays as it is.
    guard = GuardedXml(Path(name.partition("://")[2] or name))
    lister = _Lister(guard, most)
    guard.on_elements(lister.start, lister.end)
    guard.parser.CharacterDataHandler = lister.text
    for start in range(0, len(content), _BLOCK):
        guard.feed(content[start : start + _BLOCK])
        if lister.more:
            return lister.listed()
    guard.feed(b"", last=True)
    return lister.listed()


class _Lister:
    """Hears of tags, and keeps the urls that stand where they should."""

    def __init__(self, guard: GuardedXml, most: int) -> None:
        self._guard, self._most = guard, most
        self._way: list[str] = []
        self._text: list[str] = []
        self._permanent = False
        self._kind: Kind | None = None
        self._urls: list[str] = []
        self._in_item = 0
        self.more = False

    def listed(self) -> Listed:
        """What was heard."""
        assert self._kind is not None, "a document has a root"
        return Listed(self._kind, self._urls[: self._most], more=self.more)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self._way.append(name)
        self._guard.progress()
        if len(self._way) > DEEPEST:
            self._guard.refuse(f"elements nested more than {DEEPEST:,} deep")
        if self._kind is None:
            self._kind = self._root(name)
        self._text = []
        if name in {"item", "entry"}:
            self._in_item = len(self._urls)
        # Atom has its links in an attribute; without `rel` it is the article itself.
        if self._way[-2:] == ["entry", "link"] and attributes.get("rel", "alternate") == "alternate":
            self._take(attributes.get("href", ""))
        self._permanent = attributes.get("isPermaLink", "true") == "true"

    def text(self, text: str) -> None:
        self._text.append(text)

    def end(self, _tag: str) -> None:
        self._guard.progress()
        if self._way[-2:] in _PLACES or (
            self._way[-2:] == ["item", "guid"] and self._permanent and len(self._urls) == self._in_item
        ):
            self._take("".join(self._text))
        self._way.pop()
        self._text = []

    def _root(self, name: str) -> Kind:
        if name not in ROOTS:
            self._guard.refuse(f"<{name[:40]}> is neither a sitemap nor a feed, which begin with {_in_words(ROOTS)}")
        return ROOTS[name]

    def _take(self, url: str) -> None:
        if url := url.strip():
            self.more = len(self._urls) >= self._most
            self._urls.append(url)


_PLACES = (["url", "loc"], ["sitemap", "loc"], ["item", "link"])


def _in_words(names: Sequence[str] | dict[str, Kind]) -> str:
    return ", ".join(f"<{name}>" for name in names)
