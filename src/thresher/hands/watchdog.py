"""Looks after hands: which of them spends too long on a page, holds too much memory, or answers no more.

Time on a page is CPU time where the system tells it, so that neither a busy machine nor a stopped process makes a page slow.
"""

import os
import sys
import time
from pathlib import Path
from typing import Literal, NamedTuple

from thresher.hands.slot import Busy

Verdict = Literal["too-slow", "too-large", "lost"]
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PATIENCE = 6.0
"""So many times its limit a page may take by the clock, where it hardly gets a core."""


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
