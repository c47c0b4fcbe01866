"""The processes of a crawl that renders pages: which there are, what memory they hold, and how one of them is killed."""

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.crawl.local import hands_of

Processes = dict[int, str | None]
"""Process numbers, and when each began."""


def below(process: int) -> list[int]:
    """All processes below one that this test started: nobody else's are ever looked at, or killed."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(number) for number in task.read_text().split()]
        except OSError:
            continue
        found += [each for child in children for each in (child, *below(child))]
    return found


def began(process: int) -> str | None:
    """When a process began, by which it is known from another that got its number later; nothing if it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def browsers(brain: int) -> Processes:
    """The processes of a crawl's drivers and browsers, with when they began: all below its hands."""
    return {each: began(each) for hand in hands_of(brain) for each in below(hand)}


def gone(processes: Processes, seconds: float = 20.0) -> bool:
    """Whether all of these end."""
    return until(lambda: not any(start and began(each) == start for each, start in processes.items()), seconds)


def until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    for _ in range(int(seconds * 20)):
        if condition():
            return True
        time.sleep(0.05)
    return False


def kill_one(processes: Processes, dice: random.Random) -> bool:
    """Kill one of these; whether it was still there."""
    victim = dice.choice(sorted(processes)) if processes else None
    if victim is None or began(victim) != processes[victim]:
        return False
    os.kill(victim, signal.SIGKILL)
    return True


def memory(brain: int) -> int:
    """Bytes that a process and all below it hold for themselves."""
    return sum(map(_held, (brain, *below(brain))))


def _held(process: int) -> int:
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{process}/statm").read_bytes().split())
    except (OSError, ValueError):
        return 0
    return max(0, resident - shared) * os.sysconf("SC_PAGE_SIZE")
