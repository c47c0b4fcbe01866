"""Which of the workers that write WARC files into a folder are alive: each holds a lock, which the system drops with its process.

    .thresher-HOST-4711-9f3c.lock     held by that worker; in it stands which crawl the worker belongs to

A lock that nobody holds is that of a worker that was killed, or that left files behind which are still to be moved to a store. Whoever
takes it over holds it until the files are in order, and then removes it.
"""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from thresher.errors import BadInput, FolderError
from thresher.warc.file_places import this_machine
from thresher.warc.growing_file import explained

_WORKER = re.compile(r"[A-Za-z0-9][\w.-]{0,99}", re.ASCII)
_LOCK = re.compile(r"\.thresher-([A-Za-z0-9][\w.-]{0,99})\.lock", re.ASCII)


def new_worker() -> str:
    """A name that no other worker has or had: a worker that starts again is another one."""
    return f"{this_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


class WorkerLock:
    """A lock that this process holds."""

    def __init__(self, path: Path, worker: str, descriptor: int) -> None:
        self.worker = worker
        self._path, self._descriptor = path, descriptor

    @classmethod
    def taken(cls, folder: Path, worker: str, crawl: str) -> "WorkerLock":
        """The lock of a worker that begins."""
        if not _WORKER.fullmatch(worker):
            raise BadInput(f"{worker!r} is no name for a worker: use letters, digits, '-', '_' and '.', 100 at most")
        path = folder / f".thresher-{worker}.lock"
        for _ in range(10):  # between its making and its locking another worker may take it for that of a dead one
            try:
                if (lock := cls._locked(path, worker, crawl)) is not None:
                    return lock
            except OSError as error:
                raise explained(error, folder) from error
        raise FolderError(f"another worker is called {worker} and writes into {folder}: give each its own name")

    @classmethod
    def of_the_dead(cls, folder: Path, crawl: str) -> "Iterator[WorkerLock]":
        """The locks of this crawl's workers that nobody holds, taken over."""
        for path in sorted(folder.glob(".thresher-*.lock")):
            lock, name = None, _LOCK.fullmatch(path.name)
            # Another worker that begins may be faster, and remove it.
            with suppress(OSError):
                if name is not None and path.read_text("utf-8", errors="replace") == crawl:
                    lock = cls._locked(path, name[1])
            if lock is not None:
                yield lock

    @classmethod
    def _locked(cls, path: Path, worker: str, crawl: str = "") -> "WorkerLock | None":
        """The lock, made if a crawl is named; None if somebody holds it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if crawl else 0), 0o644)
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
            os.pwrite(descriptor, crawl.encode(), 0)
            # Somebody may have removed it between.
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return cls(path, worker, descriptor)
        except (BlockingIOError, FileNotFoundError):
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None

    def remove(self) -> None:
        """All of the worker's files are in order: there is nothing left to do for it."""
        self._path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Leave the rest to the next worker that begins."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
