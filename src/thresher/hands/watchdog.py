"""Looks after hands: which of them spends too long on a page, holds too much memory, or answers no more.

A hand tells through a `Slot`, a few bytes of shared memory, which url it is parsing and since when. It is written before each page and
after it, so it must cost next to nothing: a look at the clocks, no message, no lock. The times are written before the number of the page
that they belong to, and stay when the page is done with. So a reader in between sees times that are too late, and never too early: no page
is blamed for the time of others.

Time on a page is CPU time where the system tells it, so that neither a busy machine nor a stopped process makes a page slow.
"""

import mmap
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.model import Page, Response
from thresher.ports import Parser

Verdict = Literal["too-slow", "too-large", "lost"]
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PATIENCE = 6.0
"""On a busy machine a page may take this many times its limit in wall-clock time."""


reading: ContextVar[Callable[[], AbstractContextManager[None]]] = ContextVar("reading", default=nullcontext)
"""Around whatever parses a page before its order is answered. A hand sets it, so that a page that takes too long there is blamed too."""


class WatchedParser:
    """A parser for whoever parses a page before its order is answered."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def parse(self, response: Response) -> Page:
        """Read a page, with the watchdog looking on."""
        with reading.get()():
            return self._parser.parse(response)


class Busy(NamedTuple):
    """What a hand is doing."""

    number: int
    """Of the order whose page is parsed."""
    since: float
    """`time.monotonic()` when it began."""
    cpu: float
    """CPU seconds that the hand had used by then."""


class Slot:
    """The shared bytes, by their file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, mmap.PAGESIZE)
        # Written and read eight bytes at once; `struct` would do it byte by byte.
        self._number = memoryview(self._memory)[:8].cast("Q")
        self._times = memoryview(self._memory)[8:24].cast("d")

    @classmethod
    def new(cls) -> "Slot":
        """A slot that a child process can be handed."""
        if sys.platform == "linux":
            descriptor = os.memfd_create("thresher-hand")
        else:
            descriptor, path = tempfile.mkstemp(prefix="thresher-hand-")
            Path(path).unlink()
        os.ftruncate(descriptor, mmap.PAGESIZE)
        return cls(descriptor)

    def begin(self, number: int) -> None:
        """A page is about to be parsed."""
        self._times[0], self._times[1] = time.monotonic(), time.process_time()
        self._number[0] = number

    def end(self) -> None:
        """The page is done with."""
        self._number[0] = 0

    @contextmanager
    def during(self, number: int) -> Iterator[None]:
        """While the page of an order is parsed."""
        self.begin(number)
        try:
            yield
        finally:
            self.end()

    def busy(self) -> Busy | None:
        """What the hand is doing; None if it parses nothing."""
        number = self._number[0]
        return Busy(number, *self._times) if number else None

    def close(self) -> None:
        """Let go of the memory."""
        for view in (self._number, self._times):
            view.release()
        self._memory.close()
        os.close(self.descriptor)


class Vitals(NamedTuple):
    """What the system says of a process; -1 where it does not."""

    cpu: float = -1.0
    memory: int = -1


def vitals(process: int) -> Vitals:
    """CPU seconds and resident bytes of a process."""
    if sys.platform != "linux":
        return Vitals()
    try:
        # Behind the name of the program, which may hold blanks and brackets.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return Vitals((int(fields[11]) + int(fields[12])) / _TICK, int(fields[21]) * _PAGE)
    except (OSError, ValueError, IndexError):
        return Vitals()


def verdict(now: Vitals, busy: Busy | None, silent: float, seconds: float, memory: int) -> Verdict | None:
    """What is wrong with a hand, if anything.

    Args:
        now: its vitals.
        busy: what it is parsing.
        silent: seconds since it last said something.
        seconds: how long it may take for a page.
        memory: how many bytes it may hold; 0 for any.
    """
    if memory and now.memory > memory:
        return "too-large"
    if busy is None:
        return "lost" if silent > 3 * seconds else None
    waited = time.monotonic() - busy.since
    spent = now.cpu - busy.cpu if now.cpu >= 0 else waited
    if spent > seconds:
        return "too-slow"
    if waited > _PATIENCE * seconds:
        return "lost" if spent < seconds / _PATIENCE else "too-slow"
    return None
