"""Several processes that read pages, each one page at a time and not for long; the pages come back in order."""

import contextlib
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from thresher.errors import ThresherError
from thresher.model import Response
from thresher.results.export.text import Extract, Why, own_text
from thresher.results.export.worker import Orders
from thresher.store.rows import visit_of
from thresher.warc.read import Playback

SECONDS = 10.0
"""So long a page may take; one of 50 KB takes about a twentieth of one."""
_AHEAD = 8
"""Pages a worker may be ahead of the slowest."""
_MODULE = "thresher.results.export.worker"


class Job:
    """A row, and what its page says once that is known."""

    def __init__(self, row: sqlite3.Row) -> None:
        self.row = row
        self.done = False
        self.found: Extract | None = None

    def finish(self, found: Extract | None) -> None:
        """It is known now."""
        self.done, self.found = True, found


class Worker:
    """One process and the line to it."""

    def __init__(self, orders: Orders) -> None:
        self.line, theirs = Pipe()
        self.job: Job | None = None
        self.deadline = float("inf")
        self.ready = False
        # In a group of its own: Ctrl-C is for us, and we end it.
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", _MODULE, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
        theirs.close()
        # If it is dead already, that shows when an answer is waited for.
        with contextlib.suppress(OSError):
            self.line.send(orders)

    def take(self, job: Job, seconds: float) -> None:
        """Read this page within so many seconds, which begin when it has started itself."""
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


class Crew:
    """So many workers; one that hangs or dies is replaced, and its page is read by our own parser."""

    def __init__(self, orders: Orders, playback: Playback, jobs: int, seconds: float = SECONDS) -> None:
        self._orders, self._playback, self._seconds = orders, playback, seconds
        self._workers = [Worker(orders) for _ in range(jobs)]
        self._most = _AHEAD * jobs

    def read(self, rows: Iterable[sqlite3.Row]) -> Iterator[tuple[sqlite3.Row, Extract | None]]:
        """Each row with what its page says; None if its record is lost."""
        waiting, begun = iter(rows), deque[Job]()
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

    def _hand_out(self, waiting: Iterator[sqlite3.Row], begun: deque[Job]) -> bool:
        """Give each idle worker a page; False if there are no more."""
        for worker in self._workers:
            if worker.job is not None or len(begun) >= self._most:
                continue
            row = next(waiting, None)
            if row is None:
                return False
            begun.append(Job(row))
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

    def _hear(self, worker: Worker) -> None:
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

    def _replace(self, worker: Worker, why: Why) -> None:
        worker.end()
        if not worker.ready:
            raise ThresherError("the process that reads pages does not start: see what it says above")
        assert worker.job is not None
        fetched = visit_of(worker.job.row, self._playback).fetched
        worker.job.finish(own_text(fetched, why) if isinstance(fetched, Response) else None)
        self._workers[self._workers.index(worker)] = Worker(self._orders)
