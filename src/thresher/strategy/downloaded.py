"""What is kept of pages that were downloaded, until they are ranked and expanded."""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan, nan

from thresher.model import Url
from thresher.strategy.siblings import TermCounts

_PAGE = struct.Struct("<qdd")
_LONGEST_ANCHOR = 200


@dataclass(slots=True)
class Downloaded:
    """A url that was visited; it has a score once it was ranked, if there was a page."""

    number: int
    score: float = nan
    similarity: float = nan

    @property
    def ranked(self) -> bool:
        """Whether it has a score."""
        return not isnan(self.score)

    def to_bytes(self, url: int) -> bytes:
        """For `from_bytes`, together with the url's hash."""
        return _PAGE.pack(url, self.score, self.similarity)

    @classmethod
    def from_bytes(cls, number: int, value: bytes) -> "tuple[int, Downloaded]":
        """What `to_bytes` wrote."""
        url, score, similarity = _PAGE.unpack(value)
        return url, cls(number, score, similarity)


@dataclass(slots=True)
class Batch:
    """The pages under one parent, as far as they have come. Urls are named by their hashes."""

    parent: int
    anchors: dict[int, str]
    """What the parent says of each url it links to."""
    awaits: dict[int, int]
    """What has not come yet, and as which url the parent links to it."""
    latest: int = 0
    """The latest visit to one of them, at first that after which the parent was expanded; 0 if it was not: one page that came unawaited."""
    arrived: dict[int, tuple[int, int, TermCounts]] = field(default_factory=dict)
    """By visit number: the url, as which url it was linked to, and its terms."""

    def to_bytes(self) -> bytes:
        """All but what arrived."""
        parts = [self.parent, self.latest, list(self.anchors.items()), list(self.awaits.items())]
        return zlib.compress(json.dumps(parts).encode(), 1)

    @classmethod
    def from_bytes(cls, value: bytes) -> "Batch":
        """What `to_bytes` wrote."""
        parent, latest, said, awaits = json.loads(zlib.decompress(value))
        return cls(parent, dict(said), dict(awaits), latest)


def packed(links: Mapping[Url, str]) -> bytes:
    """The links of a page with what it says of them; a url has no blank in it, and an anchor no line break."""
    lines = "\n".join(f"{url} {said[:_LONGEST_ANCHOR]}" for url, said in links.items())
    return zlib.compress(lines.encode("utf-8", "replace"), 1)


def unpacked(links: bytes) -> Iterator[tuple[Url, str]]:
    """What `packed` wrote, in the same order."""
    for line in zlib.decompress(links).decode().split("\n"):
        url, _, said = line.partition(" ")
        yield Url(url), said
