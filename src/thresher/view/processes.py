"""Crawls as processes of their own: they outlive the window, and what they say is kept in a file.

The file is in the crawl folder; of a worker on a crawl in a database it is in `$XDG_STATE_HOME/thresher`.

The address of a database may have a password in it. A worker reads it from its input, so that it stands on no command line, and no process
that the worker starts gets it.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from xxhash import xxh3_64_hexdigest

from thresher.disk.caches import state_folder
from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.disk.ledger_address import LedgerAddress
from thresher.errors import BadInput, FolderError
from thresher.results.plain_text import paragraphs
from thresher.settings import settle_settings
from thresher.start import check_wanted
from thresher.view.preparation import WHERE

LOG = "crawl.log"
_TAIL = 4000
"""Bytes of the log that are read: its last words."""
_BEGINS = 60.0
_LOOK_AGAIN = 0.1


def begin(folder: CrawlFolder, wanted: Mapping[str, Any]) -> "CrawlProcess":
    """Begin a crawl in a folder of its own; `wanted` is in the form of a crawl file."""
    if folder.exists:
        raise BadInput(f"{folder.path} holds a crawl already: open it in the list, or choose another name")
    check_wanted(wanted, WHERE)
    settings = settle_settings(folder, wanted, WHERE)
    folder.check_empty()
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.write_settings(settings.as_toml(whole=True))
    except OSError as error:
        raise FolderError(f"cannot write into {folder.path}: {error.strerror}") from error
    return CrawlProcess(folder, new=True)


def go_on(home: Home) -> "CrawlProcess":
    """Start the process of a crawl, the first or the next one; of one in a database, a worker."""
    if home.in_use():
        raise BadInput(f"{home.path} is being crawled already")
    return CrawlProcess(home)


class CrawlProcess:
    """`thresher crawl`, or `thresher work`, in the background."""

    def __init__(self, home: Home, *, new: bool = False) -> None:
        """Start it, in a session of its own: Ctrl-C in the window's terminal does not reach it."""
        self._home, self._new = home, new
        arguments, told = _said_to(home)
        try:
            with _log_of(home, make=True).open("ab") as log:
                self._said_before = log.tell()
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    [sys.executable, "-m", "thresher", *arguments],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self._tell(told)
        except OSError as error:
            raise FolderError(f"cannot start a crawl in {home.path}: {error.strerror}") from error
        # Somebody must ask how it ended, or the system keeps its number for good.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def _tell(self, told: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError), self._process.stdin as into:  # what it said before it ended is read later
            into.write(told)

    def begun(self) -> None:
        """Wait until it crawls, or has come to its end; raise what it said if it failed before."""
        until = time.monotonic() + _BEGINS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                return self._raise_failure()
            if self._home.in_use() and self._home.begun:
                return None
            time.sleep(_LOOK_AGAIN)
        return None

    def _raise_failure(self) -> None:
        if self._process.returncode != 0:
            if self._new and isinstance(self._home, CrawlFolder) and not self._home.begun:
                self._home.settings.unlink(missing_ok=True)  # so that it can be tried again with others
            said = last_words(self._home, self._said_before)
            raise BadInput(said or f"the crawl ended with the code {self._process.returncode} and said nothing")


def last_words(home: Home, after: int = 0) -> str:
    """What the crawls that were started here said last; only what is behind so many bytes."""
    return _tail(_log_of(home), after).removeprefix("thresher: ")


def _said_to(home: Home) -> tuple[list[str], bytes]:
    """What stands on the command line of a crawl, and what it reads from its input."""
    if isinstance(home.path, LedgerAddress):
        return ["work", "-"], home.path.whole.encode()
    folder = CrawlFolder(home.path)
    return ["crawl", str(folder.settings), "--into", str(folder.path)], b""


def _log_of(home: Home, *, make: bool = False) -> Path:
    """Where a crawl says what it does."""
    if isinstance(home.path, Path):
        return home.path / LOG
    # Databases may have crawls of one name.
    log = state_folder() / f"{home.name}-{xxh3_64_hexdigest(str(home.path).encode())[:8]}.log"
    if make:
        log.parent.mkdir(parents=True, exist_ok=True)
    return log


def _tail(path: Path, after: int) -> str:
    try:
        with path.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(after, end - _TAIL))
            return paragraphs(log.read(_TAIL).decode(errors="replace"))
    except OSError:
        return ""
