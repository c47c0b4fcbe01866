"""Inputs that grow: a few constructs of a format, repeated, nested and padded to any size; and what reading them costs as they do."""

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

NUMBER = "№"
"""Stands in a construct where each repetition has a number of its own."""
LINE_END = "↵"
"""Stands for a line end in a list of constructs."""
STEP = 4
"""Two doublings: what is linear costs four times as much, what is quadratic sixteen times."""
TOO_MUCH = 8
"""The middle between the two. Caches, garbage and other work on the machine may make four a little more, but not twice as much."""


@dataclass(frozen=True)
class Recipe:
    """What an input is made of: pieces that stand there once, and pieces that share its size between them."""

    pieces: tuple[tuple[str, bool], ...]
    """Each with whether it is repeated."""
    frame: tuple[str, str] = ("", "")
    """What stands before and behind all of it, so that it is a document."""

    def grown(self, size: int) -> bytes:
        """The input of about so many bytes."""
        share = size // max(1, sum(repeated for _, repeated in self.pieces))
        made = (_repeated(piece, share) if repeated else piece for piece, repeated in self.pieces)
        return "".join((self.frame[0], *made, self.frame[1])).encode("utf-8", "surrogatepass")

    def __str__(self) -> str:
        said = " + ".join(f"{piece!r} × n" if repeated else repr(piece) for piece, repeated in self.pieces)
        return f"{said} in {self.frame}" if any(self.frame) else said


def pieces(*listed: str) -> tuple[str, ...]:
    """The constructs of a list, which `¦` parts; its own line ends do not count."""
    return tuple("".join(listed).replace("\n", "").replace(LINE_END, "\n").split("¦"))


def _repeated(piece: str, share: int) -> str:
    times = max(1, share // len(piece.encode("utf-8", "surrogatepass")))
    if NUMBER not in piece:
        return piece * times
    return "".join([piece.replace(NUMBER, str(number)) for number in range(times)])


@dataclass(frozen=True)
class Constructs:
    """What a format is made of."""

    atoms: tuple[str, ...]
    frames: tuple[tuple[str, str], ...] = (("", ""),)

    def single(self) -> Iterator[Recipe]:
        """Each construct repeated, in each frame."""
        for frame in self.frames:
            for atom in self.atoms:
                yield Recipe(((atom, True),), frame)

    def nested(self) -> Iterator[Recipe]:
        """Each construct repeated before each of a few others repeated."""
        for first, second in zip(self.atoms, self.atoms[7:] + self.atoms[:7], strict=True):
            yield Recipe(((first, True), (second, True)), self.frames[0])

    def random(self, chance: random.Random) -> Recipe:
        """Up to three pieces of up to four constructs; at least one of them is repeated."""
        pieces = [
            ("".join(chance.choices(self.atoms, k=chance.randint(1, 4))), chance.random() < 0.7)
            for _ in range(chance.randint(1, 3))
        ]
        at = chance.randrange(len(pieces))
        pieces[at] = (pieces[at][0], True)
        return Recipe(tuple(pieces), chance.choice(self.frames))


@dataclass(frozen=True)
class Reader:
    """Something that reads what strangers write."""

    read: Callable[[bytes, Path], object]
    """Reads the bytes; the path is an empty folder, for readers of files."""
    constructs: Constructs
    floor: float = 0.05
    """Seconds below which nothing counts."""
    readings: int = 1
    """How often it reads them, each time in another way."""
    most: int = 1 << 20
    """Bytes beyond which it reads no further, or refuses."""


def cost(reader: Reader, content: bytes, folder: Path, rounds: int = 1) -> float:
    """Seconds of CPU time, the least of several rounds: whatever else the machine does can only add to it."""
    least = float("inf")
    for _ in range(rounds):
        gc.disable()
        try:
            began = time.process_time()
            reader.read(content, folder)
            least = min(least, time.process_time() - began)
        finally:
            gc.enable()
    return least


def overgrown(reader: Reader, recipe: Recipe, folder: Path, sizes: Sequence[int]) -> str:
    """How the cost grew where it grew clearly faster than the input, as a sentence; empty if it never did.

    Each size is `STEP` times the one before. Costs below the floor count as the floor. What looks too much is measured again, the best of
    five for both sizes, before it is believed.
    """
    before = cost(reader, recipe.grown(sizes[0]), folder)
    for smaller, larger in pairwise(sizes):
        now = cost(reader, recipe.grown(larger), folder)
        if _too_much(reader, before, now):
            before = cost(reader, recipe.grown(smaller), folder, 5)
            now = min(now, cost(reader, recipe.grown(larger), folder, 5))
            if _too_much(reader, before, now):
                return f"{smaller:,} bytes took {before:.3f} s, {larger:,} bytes {now:.3f} s: {recipe}"
        before = now
    return ""


def _too_much(reader: Reader, before: float, now: float) -> bool:
    return now > TOO_MUCH * max(before, reader.floor / STEP)
