"""Pages under one parent: how like the topic they are, compared with each other, and what is kept of them until they are ranked.

Equations 1 to 3 of Choudhary and Roy 2013: the weight of a term is `tf · log(D / df)`, where D is the number of pages under one parent and
df those of them with the term; the similarity is the cosine of the topic's weights and the text's. A word counts by how few of the pages
beside it have it.
"""

import json
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

from thresher.language import words
from thresher.model import Url
from thresher.topic.matching import Matcher

Norm = Literal["words", "terms"]
"""How long a text is: by all its words, or by the topic's terms in it alone."""

Numbers = NDArray[np.float64]

_PAGE = struct.Struct("<qdd")
_LONGEST_ANCHOR = 200


class TermCounts(NamedTuple):
    """How often a text uses each term; terms are 32-bit hashes, each once."""

    ids: NDArray[np.uint32]
    counts: NDArray[np.uint32]

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "TermCounts":
        """The counts of words and phrases."""
        merged = Counter[int]()
        for term, count in counts.items():
            merged[xxh32_intdigest(term.encode())] += count
        return cls(np.fromiter(merged, np.uint32, len(merged)), np.fromiter(merged.values(), np.uint32, len(merged)))

    def to_bytes(self) -> bytes:
        """For `from_bytes`, which gives the same back."""
        return np.concatenate(self).astype("<u4").tobytes()

    @classmethod
    def from_bytes(cls, value: bytes) -> "TermCounts":
        """What `to_bytes` wrote."""
        ids, counts = np.frombuffer(value, "<u4").astype(np.uint32).reshape(2, -1)
        return cls(ids, counts)


class Rarity(NamedTuple):
    """Equation 2: how rare each term is among the pages under one parent."""

    ids: NDArray[np.uint32]
    """In order."""
    values: Numbers

    @classmethod
    def among(cls, pages: Sequence[TermCounts]) -> "Rarity":
        """log(D / df) of every term on any of the pages."""
        if not pages:
            return cls(np.empty(0, np.uint32), np.empty(0))
        ids, df = np.unique(np.concatenate([page.ids for page in pages]), return_counts=True)
        return cls(ids, np.log(len(pages) / df))

    def of(self, ids: NDArray[np.uint32]) -> Numbers:
        """The rarity of these terms; 0 for what no page has, where equation 2 would divide by nothing."""
        return _looked_up(ids, self.ids, self.values)

    def weights(self, text: TermCounts) -> Numbers:
        """Equation 1."""
        return text.counts * self.of(text.ids)


class TopicSimilarity:
    """The topic's terms with their weights, to compare texts with."""

    def __init__(
        self, terms: Mapping[str, float], *, norm: Norm = "words", idf: bool = True, idf_fallback: bool = True
    ) -> None:
        weights: dict[str, float] = {}
        for label, weight in terms.items():
            if term := " ".join(words(label)):
                weights[term] = max(weight, weights.get(term, 0.0))
        self._terms, self._idf, self._fallback = weights, idf, idf_fallback
        self._only = weights.keys() if norm == "terms" else None
        # Single words are counted with all the others.
        self._phrases = Matcher(term for term in weights if " " in term)
        by_id = {xxh32_intdigest(term.encode()): weight for term, weight in sorted(weights.items())}
        self._ids = np.array(sorted(by_id), np.uint32)
        self._weights = np.array([by_id[each] for each in sorted(by_id)], np.float64)

    def count(self, text: str) -> TermCounts:
        """The terms of a text, ready to be compared."""
        return TermCounts.of(self._counted(text))

    def compare(self, texts: Sequence[TermCounts], rarity: Rarity) -> list[float]:
        """Equation 3 for each text; where every weight of one is 0, the cosine of the counts alone, or 0 without the fallback."""
        if not texts:
            return []
        similar = plain = _cosines(texts, self._ids, self._weights, None)
        if self._idf:
            weighed = _cosines(texts, self._ids, self._weights, rarity)
            similar = np.where(np.isnan(weighed), plain if self._fallback else 0.0, weighed)
        return list(map(float, similar))

    def found(self, text: str) -> dict[str, int]:
        """The topic's terms in a text, for people."""
        return {term: count for term, count in self._counted(text).items() if term in self._terms}

    def _counted(self, text: str) -> Mapping[str, int]:
        counts = Counter(words(text))
        counts.update(self._phrases.count(text))
        return counts if self._only is None else {term: counts[term] for term in self._only if counts[term]}


def _cosines(
    texts: Sequence[TermCounts], topic: NDArray[np.uint32], weights: Numbers, rarity: Rarity | None
) -> Numbers:
    """All cosines at once; where every weight of a text is 0, NaN with a rarity and 0 without."""
    ids = np.concatenate([text.ids for text in texts])
    found = np.concatenate([text.counts for text in texts]).astype(np.float64)
    if rarity is not None:
        found, weights = found * rarity.of(ids), weights * rarity.of(topic)
    row = np.repeat(np.arange(len(texts)), [len(text.ids) for text in texts])
    shared = np.bincount(row, found * _looked_up(ids, topic, weights), len(texts))
    lengths = np.sqrt(np.bincount(row, found * found, len(texts)) * np.sum(weights * weights))
    nothing = 0.0 if rarity is None else np.nan
    cosines: Numbers = np.divide(shared, lengths, out=np.full(len(texts), nothing), where=lengths > 0)
    return np.minimum(cosines, 1.0)


def _looked_up(ids: NDArray[np.uint32], table: NDArray[np.uint32], values: Numbers) -> Numbers:
    if not len(table):
        return np.zeros(len(ids))
    places = np.minimum(np.searchsorted(table, ids), len(table) - 1)
    return np.where(table[places] == ids, values[places], 0.0)


# ── what is kept of downloaded pages ──


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
    """The anchor of each url that the parent links to."""
    awaits: dict[int, int]
    """Urls that have not been visited yet, each with the url that the parent links to (another one after a redirect)."""
    latest: int = 0
    """The latest visit to one of them; at first the visit after which the parent was expanded, or 0 for a page that nobody awaited."""
    arrived: dict[int, tuple[int, int, TermCounts]] = field(default_factory=dict)
    """By visit number: the url, the url that the parent links to, and the terms of the page."""

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
