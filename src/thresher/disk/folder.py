"""A crawl is a folder: its settings, its SQLite file, its WARC files. One process at a time crawls into it."""

import contextlib
import fcntl
import os
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.disk.atomic_file import UNFINISHED, write_whole
from thresher.disk.guarded_sqlite import ReadOnly, blaming_damage, read_only
from thresher.disk.ledger import Ledger
from thresher.errors import BadInput, FolderError, FolderLocked, did_you_mean

_LOCK = "crawl.lock"
_LEFTOVERS = {
    _LOCK,
    "crawl.log",
    "crawl.sqlite",
    "crawl.sqlite-journal",
    "crawl.sqlite-wal",
    "crawl.sqlite-shm",
    "warc",
}
"""What a crawl that could not begin may have left behind."""
_LONGEST_NAME = 1000


def _is_leftover(name: str) -> bool:
    return name in _LEFTOVERS or name.startswith(UNFINISHED)


def is_locked(path: Path) -> bool:
    """Whether a running process holds the lock of a file or folder."""
    try:
        lock = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def read_text(path: Path, what: str) -> str:
    """The text of a file that a person writes; `what` it should be."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not {what}: its byte {error.start:,} is not UTF-8; save it as UTF-8") from error


def unfinished(whence: str) -> str:
    """Why a crawl is none that is being copied, or was until something came in between: the end of a sentence."""
    return f"is an unfinished copy of {whence}: run the same thresher move again, which begins anew"


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


class CrawlFolder:
    """The names inside a crawl folder, and the lock that keeps a second process out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings = path / "crawl.toml"
        self.database = path / "crawl.sqlite"
        self.warc = path / "warc"
        self.moving = path / "unfinished-move"
        """Says where the crawl is being copied from, until it is complete."""
        self._lock: int | None = None

    @property
    def name(self) -> str:
        """What files that are made of it are called after."""
        return self.path.absolute().name

    @property
    def settings_name(self) -> str:
        """How messages call its settings."""
        return str(self.settings)

    @property
    def exists(self) -> bool:
        """Whether a crawl was started here."""
        return self.settings.exists() and not self.moving.exists()

    @property
    def begun(self) -> bool:
        """Whether it has a database to read."""
        return self.database.exists() and not self.moving.exists()

    @property
    def fault(self) -> str:
        """Why the path is not the folder of a crawl: the end of a sentence that begins with it."""
        if self.moving.exists():
            return unfinished(self.moving.read_text("utf-8", "replace")[:_LONGEST_NAME].strip())
        if self.path.is_dir():
            return f"is not the folder of a crawl: it has no {self.settings.name}"
        if self.path.exists():
            return "is a file: name the folder of a crawl"
        beside = [each.parent for each in self.path.parent.glob(f"*/{self.settings.name}")]
        near = did_you_mean(self.path.name, [each.name for each in beside], {each.name: str(each) for each in beside})
        return f"is not there{near}: name the folder of a crawl"

    def settings_text(self) -> str:
        """The settings that it goes on with, as a crawl file."""
        return read_text(self.settings, "a crawl file")

    def check_empty(self) -> None:
        """A new crawl must not write into a folder that has other things in it."""
        if self.moving.exists():
            raise BadInput(f"{self.path} {self.fault}")
        inside = self.path.iterdir() if self.path.is_dir() else iter(())
        if other := next((each.name for each in inside if not _is_leftover(each.name)), ""):
            raise BadInput(
                f"{self.path.absolute()} is not empty ({other} lies in it) and holds no crawl: choose another --into"
            )

    def write_settings(self, text: str) -> None:
        """Keep the settings for the next run; whole or not at all, whatever happens meanwhile."""
        if self.exists and self.settings.read_text("utf-8") == text:
            return
        write_whole(self.settings, text)

    def changed(self) -> object:
        """What differs after anything was kept: a look at the files."""
        log = self.database.with_name(f"{self.database.name}-wal")
        return tuple(map(_stamp, (self.database, log, self.settings)))

    def catalogue(self) -> ReadOnly:
        """Its database, to be read."""
        if self.moving.exists():
            raise BadInput(f"{self.path} {self.fault}")
        return read_only(self.database)

    def tables(self) -> AbstractContextManager[Ledger]:
        """Its database, to be written to by whoever holds its lock."""
        return contextlib.closing(Ledger(self.database))

    def blaming_damage(self) -> AbstractContextManager[None]:
        """If something fails over a value that makes no sense, look whether the database is damaged, and say so."""
        return blaming_damage(self.database)

    def in_use(self) -> bool:
        """Whether a process is crawling into it now."""
        return is_locked(self.path / _LOCK)

    def at_work(self) -> None:
        """A folder has one process at a time."""

    def began(self) -> float | None:
        """When the process that crawls into it began, in seconds since 1970; None if there is none."""
        try:
            return (self.path / _LOCK).stat().st_mtime if self.in_use() else None
        except OSError:
            return None

    def __enter__(self) -> Self:
        try:
            self.warc.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise FolderError(f"cannot write into {self.path}: {error.strerror}") from error
        try:
            # The system drops this lock when the process dies, however it dies: nothing is left to clean up.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(self._lock, 20).decode("ascii", "replace").strip()
            os.close(self._lock)
            raise FolderLocked(f"{self.path} is in use by another thresher (process {owner or 'unknown'})") from None
        os.truncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            os.close(self._lock or -1)
