"""Open files: how many connections this process may hold, and when an error says that there is no room for another.

Each connection is an open file, and the system limits these, often to 1,024 a process. That limit is our own state, not the web's: the
number of connections is made to fit below it, and whoever meets it all the same waits and loses no url.
"""

import errno
import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_OURS = {errno.EMFILE, errno.ENFILE}
_KEPT_EACH = 64
"""Idle connections for each one under way. One that is used again within its four seconds saves a handshake; a worker that needs
60 ms for a page leaves so many behind in that time."""
_SPARE = 64
"""For the files of the crawl and for name look-ups, which open sockets of their own."""
_MOST_ANYWHERE = 10_240
"""macOS names no limit, and refuses more than this."""


class Share(NamedTuple):
    """How many connections there may be."""

    under_way: int
    kept: int
    """Of connections that wait for another question."""


def share(wanted: int) -> Share:
    """How many connections this process may hold if so many requests are wanted at a time; raises the system's limit if it can."""
    used = _used()
    # Two sockets a request: while one address is slow to answer, the next is tried.
    limit = _raise_limit(used + _SPARE + wanted * (2 + _KEPT_EACH))
    room = limit - used - min(_SPARE, limit // 4)
    under_way = max(1, min(wanted, room // 2))
    return Share(under_way, max(0, min(wanted * _KEPT_EACH, room - 2 * under_way)))


def none_left(error: BaseException) -> bool:
    """Whether the error says that no more files can be opened."""
    return isinstance(error, OSError) and error.errno in _OURS


def any_left() -> bool:
    """Whether one more file can be opened."""
    try:
        os.close(os.dup(0))
    except OSError as error:
        return not none_left(error)
    return True


def _raise_limit(wanted: int) -> int:
    """Raise the limit of open files to what is wanted, as far as that is allowed; returns what it is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _MOST_ANYWHERE
    for most in (wanted, _MOST_ANYWHERE):
        goal = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            if goal > soft:
                resource.setrlimit(resource.RLIMIT_NOFILE, (goal, hard))
                return goal
    return soft


def _used() -> int:
    """How many files are open now."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return len(list(Path(folder).iterdir()))
    return _SPARE
