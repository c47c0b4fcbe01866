"""A process of its own that reads pages: what hangs or dies on a hostile page is this one, not the export.

`python -m thresher.harvest.export.worker FD` talks over that descriptor: it is told where the WARC files are, says that it is ready, and
then answers each row of the catalogue with what its page says; None if the record is lost.
"""

import logging
import resource
import signal
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from thresher.language.extras import extra
from thresher.model import Response
from thresher.results.export.text import Extract, extract
from thresher.store.rows import visit_of
from thresher.warc.read import Playback

_MEMORY = 2 << 30
"""Bytes that one page may make us take: more is a MemoryError, which is an answer."""


class Orders(NamedTuple):
    """What a worker is told first."""

    files: Mapping[int, Path]
    marked_up: bool


def main() -> None:
    """Read pages until the other end closes."""
    # Ctrl-C is for the export, which then closes its end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with suppress(ValueError, OSError):  # not every system can
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    extra("trafilatura")
    # The other end goes away: that is how this ends.
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as line:
        orders: Orders = line.recv()
        line.send("ready")
        with Playback(orders.files) as playback:
            while True:
                line.send(_answer(line.recv(), playback, marked_up=orders.marked_up))


def _answer(row: Any, playback: Playback, *, marked_up: bool) -> Extract | None:
    fetched = visit_of(row, playback).fetched
    return extract(fetched, marked_up=marked_up) if isinstance(fetched, Response) else None


if __name__ == "__main__":
    main()
