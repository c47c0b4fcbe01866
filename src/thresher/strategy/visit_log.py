"""A visit as the apprentice heard of it: numbers of words, not words. What a crawl that goes on is told again."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.lessons import Share, check, is_url
from thresher.lessons import packed as packed_lesson
from thresher.lessons import unpacked as unpacked_lesson
from thresher.model import Url
from thresher.strategy.word_numbers import WIDTH, Numbers

_TAUGHT_LINKS, _TAUGHT_WORDS = 500, 2000
"""Of a page with more links or more different words, other workers are told of so many: of the first links, of the most frequent words."""
_Words = Annotated[bytes, msgspec.Meta(max_length=2 * _TAUGHT_WORDS)]


class _Lesson(msgspec.Struct, array_like=True):
    """A visit as other workers are told of it: a row of links is 40 numbers of words."""

    url: str
    fate: Literal["page", "nothing", "passed"]
    moved_to: str
    relevance: Share
    length: Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]
    distinct: _Words
    counts: _Words
    targets: Annotated[list[str], msgspec.Meta(max_length=_TAUGHT_LINKS)]
    words: bytes
    menus: bytes


_MOST_OF_A_WORD = (1 << 16) - 1


@dataclass(slots=True)
class VisitRecord:
    """One visit, then the links of its page that lead to what was not visited."""

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

    def only(self, some: NDArray[np.int64]) -> "VisitRecord":
        """The visit with some of its links, by their places."""
        targets = [self.targets[place] for place in some.tolist()]
        return replace(self, targets=targets, words=self.words[some], menus=self.menus[some])

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

    def to_lesson(self) -> bytes:
        """For the workers of a crawl; nothing of what a person said, which all of them are told."""
        links = [str(each) for each in self.targets[:_TAUGHT_LINKS]]
        rows = self.words[:_TAUGHT_LINKS].tobytes(), self.menus[:_TAUGHT_LINKS].tobytes()
        return packed_lesson(
            (self.url, self.fate, self.moved_to, self.relevance, self.length, *self._frequent(), links, *rows)
        )

    def _frequent(self) -> tuple[bytes, bytes]:
        """The most frequent words, and how often they occur."""
        most = np.sort(np.argsort(-self.counts, kind="stable")[:_TAUGHT_WORDS])
        counts = np.minimum(self.counts[most], _MOST_OF_A_WORD)
        return self.distinct[most].tobytes(), counts.astype(np.uint16).tobytes()

    @classmethod
    def from_lesson(cls, value: bytes) -> "VisitRecord":
        """What `to_lesson` wrote; DamagedState if it was something else."""
        told = unpacked_lesson(value, _Lesson)
        urls = [told.url, *filter(None, [told.moved_to]), *told.targets]
        check(all(map(is_url, urls)), "one of its addresses is none")
        check(
            len(told.distinct) == len(told.counts) and not len(told.distinct) % 2, "its words are no numbers of words"
        )
        rows = len(told.words), len(told.menus)
        check(rows == (2 * WIDTH * len(told.targets), len(told.targets)), "it has other rows than links")
        return cls(
            told.url, told.fate, told.moved_to, told.relevance, told.length,
            np.frombuffer(told.distinct, np.uint16), np.frombuffer(told.counts, np.uint16).astype(np.int64),
            [Url(each) for each in told.targets], np.frombuffer(told.words, np.uint16).reshape(-1, WIDTH),
            np.frombuffer(told.menus, np.uint8) > 0,
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
