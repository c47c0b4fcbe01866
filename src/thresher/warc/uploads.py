"""Files that are complete are moved from a worker's own folder into the store, in a thread, however long the store is away.

The thread copies, and nothing else. What a copied file means for the crawl is done by the thread that the ledger belongs to, which asks
for `copied` now and then: first the row says that the file lies in the store, then the file here is removed. A kill between leaves a
file too many, never one too few.
"""

import logging
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from thresher.errors import ThresherError
from thresher.warc.file_places import S3Store

_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_log = logging.getLogger("thresher.store")


class Upload(NamedTuple):
    """A file that is complete."""

    number: int
    path: Path
    worker: str
    """Who wrote it."""


class Uploads:
    """Copies one file after the other, and tries again until the store has it."""

    def __init__(self, store: S3Store) -> None:
        self.store = store
        self._waiting: SimpleQueue[Upload | None] = SimpleQueue()
        self._copied: SimpleQueue[Upload] = SimpleQueue()
        self._stop = Event()
        self._thread = Thread(target=self._run, name="warc-uploads", daemon=True)
        self._thread.start()

    def add(self, upload: Upload) -> None:
        """Have a file copied, after those that wait already."""
        self._waiting.put(upload)

    def copied(self) -> list[Upload]:
        """Those that are in the store since this was last asked."""
        found = []
        while True:
            try:
                found.append(self._copied.get_nowait())
            except Empty:
                return found

    def close(self, patience: float) -> None:
        """Wait so long for what is still to be copied, and then leave it."""
        self._waiting.put(None)
        end = monotonic() + patience
        self._thread.join(patience)
        self._stop.set()
        # Not for ever: a store that hangs in the middle of an answer must not keep the worker from ending.
        self._thread.join(max(1.0, end - monotonic()))

    def _run(self) -> None:
        while (upload := self._waiting.get()) is not None and not self._stop.is_set():
            try:
                if self._copy(upload):
                    self._copied.put(upload)
            except Exception:  # noqa: BLE001 - whatever it was, the file is still here, and the next worker tries again
                _log.exception("%s stays in %s", upload.path.name, upload.path.parent)

    def _copy(self, upload: Upload) -> bool:
        """Try until it is copied; False if we are to stop, or if there is no such file any more."""
        wait = _FIRST_WAIT
        while not self._stop.is_set():
            try:
                self.store.take(upload.path)
            except (ThresherError, OSError) as error:
                if not upload.path.exists():
                    _log.warning("%s was removed before it was in %s", upload.path, self.store.name)
                    return False
                if wait == _FIRST_WAIT:
                    _log.warning("%s stays in %s for now: %s", upload.path.name, upload.path.parent, error)
                self._stop.wait(wait)
                wait = min(2 * wait, _LONGEST_WAIT)
            else:
                return True
        return False
