"""Crawls as processes of their own: they outlive the window, and what they say is kept in a file of the crawl folder."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thresher.disk.folder import CrawlFolder
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


def go_on(folder: CrawlFolder) -> "CrawlProcess":
    """Start the process of a crawl, the first or the next one."""
    if folder.in_use():
        raise BadInput(f"{folder.path} is being crawled already")
    return CrawlProcess(folder)


class CrawlProcess:
    """`thresher crawl` in the background."""

    def __init__(self, folder: CrawlFolder, *, new: bool = False) -> None:
        """Start it, in a session of its own: Ctrl-C in the window's terminal does not reach it."""
        self._folder, self._new = folder, new
        command = [sys.executable, "-m", "thresher", "crawl", str(folder.settings), "--into", str(folder.path)]
        try:
            with (folder.path / LOG).open("ab") as log:
                self._said_before = log.tell()
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
        except OSError as error:
            raise FolderError(f"cannot start a crawl in {folder.path}: {error.strerror}") from error
        # Somebody must ask how it ended, or the system keeps its number for good.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def begun(self) -> None:
        """Wait until it crawls, or has come to its end; raise what it said if it failed before."""
        until = time.monotonic() + _BEGINS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                return self._raise_failure()
            if self._folder.in_use() and self._folder.database.exists():
                return None
            time.sleep(_LOOK_AGAIN)
        return None

    def _raise_failure(self) -> None:
        if self._process.returncode != 0:
            if self._new and not self._folder.database.exists():
                self._folder.settings.unlink(missing_ok=True)  # so that it can be tried again with others
            said = last_words(self._folder, self._said_before)
            raise BadInput(said or f"the crawl ended with the code {self._process.returncode} and said nothing")


def last_words(folder: CrawlFolder, after: int = 0) -> str:
    """What the crawls that were started here said last; only what is behind so many bytes."""
    return _tail(folder.path / LOG, after).removeprefix("thresher: ")


def _tail(path: Path, after: int) -> str:
    try:
        with path.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(after, end - _TAIL))
            return paragraphs(log.read(_TAIL).decode(errors="replace"))
    except OSError:
        return ""
