"""Ctrl-C in a command that can be continued: nothing is lost, and the last line says so."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thresher.cli.plain_output import say
from thresher.loading import INTERRUPTED


class Interrupts:
    """Notes Ctrl-C before it is raised: Python drops what is raised while an object is being cleared away."""

    def __init__(self) -> None:
        self._noted = False

    def note(self, *_: object) -> None:
        """What the system calls."""
        self._noted = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise what was dropped; to be called now and then."""
        if self._noted:
            raise KeyboardInterrupt


@contextmanager
def goes_on(kept: Callable[[], str]) -> Iterator[Interrupts]:
    """End on Ctrl-C; say what is kept, and that the same command continues."""
    interrupts = Interrupts()
    usual = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, interrupts.note)
    try:
        yield interrupts
    except KeyboardInterrupt:
        say(f"stopped; {kept()}; run the same command to continue")
        sys.exit(INTERRUPTED)
    finally:
        if ours:
            signal.signal(signal.SIGINT, usual)
