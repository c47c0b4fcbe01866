"""Processes that read pages: one that hangs or dies on a hostile page is replaced, and the export goes on.

A `ReaderCrew` has several workers, each of which reads one page at a time and not for long; the pages come back in order. A worker runs
`serve` in a process of its own: it is told where the WARC files are, says that it is ready, and then answers each row of the catalogue
with what its page says; None if the record is lost.
"""

import contextlib
import logging
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NamedTuple

from thresher.disk.found_rows import Row
from thresher.errors import ThresherError
from thresher.language.extras import extra
from thresher.model import Response
from thresher.results.export.page_text import Extract, OwnTextReason, extract, own_text
from thresher.store.rows import visit_of
from thresher.warc.reader import Playback, RecordFiles

SECONDS = 10.0
"""How long one page may take; a page of 50 KB takes about 0.05 s."""
_AHEAD = 8
"""How many pages a worker may be ahead of the slowest."""
_SERVE = f"from {__name__} import serve; serve({{}})"
_MEMORY = 2 << 30
"""Bytes of memory that a process may use; more is a MemoryError, which counts as an answer."""


class ReadingOrders(NamedTuple):
    """What a worker is told first."""

    files: RecordFiles
    marked_up: bool


class ReadingJob:
    """A row, and what its page says once that is known."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.done = False
        self.found: Extract | None = None

    def finish(self, found: Extract | None) -> None:
        """Take down what the page says."""
        self.done, self.found = True, found


class ReaderProcess:
    """One process and the line to it."""

    def __init__(self, orders: ReadingOrders) -> None:
        self.line, theirs = Pipe()
        self.job: ReadingJob | None = None
        self.deadline = float("inf")
        self.ready = False
        # In a process group of its own: Ctrl-C reaches only the export, which then ends this process.
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-c", _SERVE.format(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
        theirs.close()
        # If the process is dead already, that is noticed when an answer is awaited.
        with contextlib.suppress(OSError):
            self.line.send(orders)

    def take(self, job: ReadingJob, seconds: float) -> None:
        """Read this page within so many seconds; the time counts from when the process is ready."""
        self.job = job
        if self.ready:
            self.deadline = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            self.line.send(dict(job.row))

    def end(self) -> None:
        """Stop it, whatever it does."""
        self.line.close()
        self.process.kill()
        self.process.wait()


class ReaderCrew:
    """So many workers; one that hangs or dies is replaced, and its page is read by our own parser."""

    def __init__(self, orders: ReadingOrders, playback: Playback, jobs: int, seconds: float = SECONDS) -> None:
        self._orders, self._playback, self._seconds = orders, playback, seconds
        self._workers = [ReaderProcess(orders) for _ in range(jobs)]
        self._most = _AHEAD * jobs

    def read(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Extract | None]]:
        """Each row with what its page says; None if its record is lost."""
        waiting, begun = iter(rows), deque[ReadingJob]()
        more = True
        while more or begun:
            more = more and self._hand_out(waiting, begun)
            while begun and begun[0].done:
                job = begun.popleft()
                yield job.row, job.found
            if begun:
                self._listen()

    def close(self) -> None:
        """Stop all."""
        for worker in self._workers:
            worker.end()

    def _hand_out(self, waiting: Iterator[Row], begun: deque[ReadingJob]) -> bool:
        """Give each idle worker a page; False if there are no more."""
        for worker in self._workers:
            if worker.job is not None or len(begun) >= self._most:
                continue
            row = next(waiting, None)
            if row is None:
                return False
            begun.append(ReadingJob(row))
            worker.take(begun[-1], self._seconds)
        return True

    def _listen(self) -> None:
        busy = {worker.line: worker for worker in self._workers if worker.job is not None}
        soonest = min(worker.deadline for worker in busy.values())
        left = None if soonest == float("inf") else max(0.0, soonest - time.monotonic())
        for line in wait(list(busy), left):
            assert isinstance(line, Connection)
            self._hear(busy[line])
        now = time.monotonic()
        for worker in busy.values():
            if worker.job is not None and worker.deadline <= now:
                self._replace(worker, "slow")

    def _hear(self, worker: ReaderProcess) -> None:
        job = worker.job
        assert job is not None
        try:
            answer: Any = worker.line.recv()
        except (EOFError, OSError):
            self._replace(worker, "crash")
            return
        if worker.ready:
            job.finish(answer)
            worker.job, worker.deadline = None, float("inf")
        else:
            worker.ready, worker.deadline = True, time.monotonic() + self._seconds

    def _replace(self, worker: ReaderProcess, why: OwnTextReason) -> None:
        worker.end()
        if not worker.ready:
            raise ThresherError("the process that reads pages does not start: see what it says above")
        assert worker.job is not None
        fetched = visit_of(worker.job.row, self._playback).fetched
        worker.job.finish(own_text(fetched, why) if isinstance(fetched, Response) else None)
        self._workers[self._workers.index(worker)] = ReaderProcess(self._orders)


def serve(descriptor: int) -> None:
    """What a process does: read pages until the other end of the descriptor closes."""
    # Ctrl-C is handled by the export, which then closes its end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with contextlib.suppress(ValueError, OSError):  # not every system can
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    extra("trafilatura")
    # The other end closes: this is how the process ends.
    with contextlib.suppress(EOFError, OSError), Connection(descriptor) as line:
        orders: ReadingOrders = line.recv()
        line.send("ready")
        with Playback(orders.files) as playback:
            while True:
                line.send(_answer(line.recv(), playback, marked_up=orders.marked_up))


def _answer(row: Any, playback: Playback, *, marked_up: bool) -> Extract | None:
    fetched = visit_of(row, playback).fetched
    return extract(fetched, marked_up=marked_up) if isinstance(fetched, Response) else None
