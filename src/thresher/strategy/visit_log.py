"""A visit as the apprentice heard of it: numbers of words, not words. What a crawl that goes on is told again."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.model import Url
from thresher.strategy.word_numbers import WIDTH, Numbers


@dataclass(slots=True)
class VisitRecord:
    """One visit, then the links of its page."""

    url: str
    fate: Literal["page", "nothing", "passed", "label", "labels end"]
    """There was a page, there was none, or nobody asked; or a person said how relevant a page is, and what waits was scored again."""
    moved_to: str = ""
    """Where it redirects."""
    relevance: float = 0.0
    length: int = 0
    distinct: Numbers = field(default_factory=lambda: np.zeros(0, np.uint16))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    targets: Sequence[Url] = ()
    words: Numbers = field(default_factory=lambda: np.zeros((0, WIDTH), np.uint16))
    menus: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def to_bytes(self) -> bytes:
        """For `from_bytes`."""
        arrays = (
            self.distinct.tobytes(),
            self.counts.astype(np.uint32).tobytes(),
            self.words.tobytes(),
            self.menus.tobytes(),
        )
        return msgspec.msgpack.encode(
            (self.url, self.fate, self.moved_to, self.relevance, self.length, list(self.targets), *arrays)
        )

    @classmethod
    def from_bytes(cls, value: bytes) -> "VisitRecord":
        """What `to_bytes` wrote."""
        url, fate, moved_to, relevance, length, targets, distinct, counts, words, menus = _decoded(value)
        return cls(
            url, fate, moved_to, relevance, length,
            np.frombuffer(distinct, np.uint16), np.frombuffer(counts, np.uint32).astype(np.int64),
            targets, np.frombuffer(words, np.uint16).reshape(-1, WIDTH), np.frombuffer(menus, bool),
        )  # fmt: skip


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays by name, for `unpacked`."""
    return zlib.compress(
        msgspec.msgpack.encode([(name, each.dtype.str, each.shape, each.tobytes()) for name, each in arrays.items()]), 1
    )


def unpacked(value: bytes) -> dict[str, NDArray[Any]]:
    """What `packed` wrote; they can be written to."""
    try:
        rows = _decoded(zlib.decompress(value))
    except zlib.error as error:
        raise ValueError(f"not what was written: {error}") from error
    return {name: np.frombuffer(each, kind).reshape(shape).copy() for name, kind, shape, each in rows}


def _decoded(value: bytes) -> Any:
    """What was encoded; bytes that nobody encoded are a ValueError, as with the other strategies."""
    try:
        return msgspec.msgpack.decode(value)
    except msgspec.MsgspecError as error:
        raise ValueError(f"not what was written: {error}") from error
