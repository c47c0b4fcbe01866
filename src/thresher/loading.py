"""While modules load: Ctrl-C is one line and exit code 130, not a traceback out of the middle of an import.

It imports next to nothing itself, so that it is there before everything else.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

INTERRUPTED = 130
"""The exit code that shells use for a process that SIGINT ended."""


@contextmanager
def quiet_interrupts() -> Iterator[None]:
    """End at once on Ctrl-C. For the time in which nothing is open and nothing begun."""
    try:
        usual = signal.signal(signal.SIGINT, _end)
    except ValueError:  # only the main thread hears signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _end(*_: object) -> NoReturn:
    # An exception could be dropped, or turned into another, by whatever is being imported.
    os.write(2, b"thresher: stopped\n")
    os._exit(INTERRUPTED)
