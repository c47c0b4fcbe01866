"""A word to whoever waits: what takes the time, shown on a terminal when it has taken a moment."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

_MOMENT = 0.5
"""Seconds: what is over sooner needs no word."""


@contextmanager
def patience(words: str, console: Console | None = None, moment: float = _MOMENT) -> Iterator[None]:
    """Say so while the block runs, on standard error; nothing stays of it, and nothing is said where nobody watches.

    >>> with patience("reading the crawl"):
    ...     findings = read()
    """
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    status = console.status(words)
    timer = threading.Timer(moment, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # else it could begin after the end
        status.stop()
