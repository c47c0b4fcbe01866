"""Looks after hands: which of them spends too long on a page, holds too much memory, or answers no more.

A hand tells through a `Slot`, a few bytes of shared memory, for which order it works and since when. It is written before each step of
the work, from one `await` to the next, and after it (`Stepped`), whether that fetches, reads or judges. So it must cost next to nothing: a
look at the clocks, no message, no lock. The times are written before the number of the order that they belong to, and stay when the step
is done. So a reader in between sees times that are too late, and never too early: no page is blamed for the time of others.

Time is CPU time where the system tells it, so that neither a busy machine nor a stopped process makes a page slow.
"""

import mmap
import os
import sys
import tempfile
import time
from collections.abc import Coroutine, Generator
from pathlib import Path
from typing import Any, Literal, NamedTuple

Verdict = Literal["too-slow", "too-large", "full", "stuck", "crashed", "lost"]
"""Of the first two its page is to blame. `stuck` and `crashed` come from inside, over some page; `lost` may come from outside."""
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PATIENCE = 6.0
"""On a busy machine a page may take this many times its limit in wall-clock time."""
_STOPPED = 1.0
"""Seconds between two looks, of which there are four a second, after which what could not be heard meanwhile does not count."""


class Busy(NamedTuple):
    """What a hand is doing."""

    number: int
    """Of the order that it works for."""
    since: float
    """`time.monotonic()` when it began."""
    cpu: float
    """CPU seconds that the hand had used by then."""


def bytes_to_share(name: str, count: int) -> int:
    """Zeros that processes can share, as a file descriptor: memory on Linux, elsewhere a file without a name."""
    if sys.platform == "linux":
        descriptor = os.memfd_create(name)
    else:
        descriptor, path = tempfile.mkstemp(prefix=f"{name}-")
        Path(path).unlink()
    os.ftruncate(descriptor, count)
    return descriptor


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
        return cls(bytes_to_share("thresher-hand", mmap.PAGESIZE))

    def begin(self, number: int) -> int:
        """A step for an order is about to begin. What is said is whose step it interrupts: a task may do its first one within another."""
        interrupted: int = self._number[0]
        self._times[0], self._times[1] = time.monotonic(), time.process_time()
        self._number[0] = number
        return interrupted

    def end(self, interrupted: int = 0) -> None:
        """The step is done."""
        self._number[0] = interrupted

    def busy(self) -> Busy | None:
        """What the hand is doing; None if it waits, or does what belongs to no order."""
        number = self._number[0]
        return Busy(number, *self._times) if number else None

    def close(self) -> None:
        """Let go of the memory."""
        for view in (self._number, self._times):
            view.release()
        self._memory.close()
        os.close(self.descriptor)


class Stepped(Coroutine[Any, Any, Any]):
    """A coroutine that tells the slot when it works."""

    __slots__ = ("_inner", "_number", "_slot")

    def __init__(self, inner: Coroutine[Any, Any, Any], slot: Slot, number: int) -> None:
        self._inner, self._slot, self._number = inner, slot, number

    def send(self, value: Any) -> Any:
        """Go on until it waits again, or is done."""
        interrupted = self._slot.begin(self._number)
        try:
            return self._inner.send(value)
        finally:
            self._slot.end(interrupted)

    def throw(self, *error: Any) -> Any:
        """Go on with an error."""
        interrupted = self._slot.begin(self._number)
        try:
            return self._inner.throw(*error)
        finally:
            self._slot.end(interrupted)

    def close(self) -> None:
        """Do not go on."""
        self._inner.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        """Somebody waits for it; tasks send instead."""
        return self._inner.__await__()


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


class Watch:
    """One hand, as it was seen so far."""

    def __init__(self, seconds: float, memory: int, first: Vitals) -> None:
        """Say how long it may take for a page, how many bytes it may hold (0 for any), and how it was before its first page."""
        self._seconds, self._memory = seconds, memory
        self._looked = self._listening = time.monotonic()
        """When it was last looked at, and since when it could be heard."""
        self._then = self._before = first
        """At the last look, and at the last one before the step began in which it was then."""
        self._cpu = first.cpu
        """CPU seconds that it had used when it last said something."""

    def look(self, now: Vitals, busy: Busy | None, heard: float) -> Verdict | None:
        """What is wrong with it, if anything; `heard` is when it last said something."""
        moment = time.monotonic()
        if moment - self._looked > _STOPPED:  # whoever looks was stopped itself, maybe with the hand, and heard nobody
            self._listening = moment
        if busy is None or busy.since > self._looked:
            self._before = self._then
        if heard > self._looked:
            self._cpu = now.cpu
        self._looked, self._then = moment, now
        before, silent = Vitals(self._cpu, self._before.memory), moment - max(heard, self._listening)
        busy = busy and busy._replace(since=max(busy.since, self._listening))
        return verdict(now, before, busy, silent, seconds=self._seconds, memory=self._memory)


def verdict(  # noqa: PLR0913 - all that is known of a hand
    now: Vitals, before: Vitals, busy: Busy | None, silent: float, *, seconds: float, memory: int
) -> Verdict | None:
    """What is wrong with a hand, if anything.

    Args:
        now: its vitals.
        before: CPU seconds when it last said something, and the bytes it held before what it is doing.
        busy: what it is doing.
        silent: seconds since it last said something.
        seconds: how long it may take for a page.
        memory: how many bytes it may hold; 0 for any.
    """
    if memory and now.memory > memory:
        # Less than half of it is not the fault of the page at hand: what pages left behind fills a hand too.
        return "too-large" if busy is not None and now.memory - before.memory > memory // 2 else "full"
    if busy is None:
        return None if silent <= 3 * seconds else "stuck" if now.cpu - before.cpu > seconds else "lost"
    waited = time.monotonic() - busy.since
    spent = now.cpu - busy.cpu if now.cpu >= 0 else waited
    if spent > seconds:
        return "too-slow"
    if waited > _PATIENCE * seconds:
        return "lost" if spent < seconds / _PATIENCE else "too-slow"
    return None
