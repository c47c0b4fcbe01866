"""A few bytes that hand and watchdog share: which url the hand is parsing, and since when.

Written before each page and after it, so it must cost next to nothing: no system call, no lock. A reader that meets a half-written slot
sees a wrong time once and looks again a quarter of a second later.
"""

import mmap
import os
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

_FORM = struct.Struct("=Qdd")


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
        _FORM.pack_into(self._memory, 0, number, time.monotonic(), time.process_time())

    def end(self) -> None:
        """The page is done with."""
        _FORM.pack_into(self._memory, 0, 0, 0.0, 0.0)

    def busy(self) -> Busy | None:
        """What the hand is doing; None if it parses nothing."""
        found = Busy(*_FORM.unpack_from(self._memory))
        return found if found.number else None

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
        os.close(self.descriptor)
