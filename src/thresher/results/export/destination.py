"""Where an export goes: whole or not at all, and never over something of yours."""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from thresher.disk.folder import CrawlFolder, is_locked
from thresher.errors import BadInput

CARD = "README.md"
MARK = "<!-- a Thresher data card -->"
"""Stands in every card, so that an earlier export is told from any other folder."""

_OWN, _EXPORT = "thresher-", "export"
"""How the names of folders go on that an export is written to, and what an export is called in one while another takes its place."""
_OURS = re.compile(r"README\.md|pages\.(jsonl|csv|parquet|warc\.gz)|[^/]+/\d{6,}-[a-z0-9-]+\.md")
_CRAWLS = re.compile(r"warc$|crawl\.|search\.sqlite")
"""What a crawl folder holds, or will: also the files that SQLite puts beside its own."""


class Destination:
    """A folder with the pages and a card; or a file, if its name ends as such a file does, with the card beside it."""

    def __init__(self, out: Path, ending: str, *, force: bool) -> None:
        self.given = out
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - resolve would follow a link and replace what it points to
        self._ending, self._force = ending, force
        self.is_file = bool(ending) and out.name.endswith(ending)
        self.card = self.out.with_name(f"{out.name}.{CARD}") if self.is_file else self.out / CARD
        self.data = self.out if self.is_file or not ending else self.out / f"pages{ending}"
        self._clear()
        self._check()

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """A folder of its own beside the place; what is in it moves there at the end, or is gone if it ends badly."""
        self.out.parent.mkdir(parents=True, exist_ok=True)
        with self._beside(".part") as part:
            yield part
            # An export takes a while: somebody may have put something there.
            self._check()
            self._move(part)

    def data_in(self, part: Path) -> Path:
        """Where the pages are written meanwhile."""
        return part / self.data.name if self._ending else part

    def _move(self, part: Path) -> None:
        if self.is_file:
            (part / CARD).replace(self.card)
            (part / self.data.name).replace(self.out)
            return
        part.chmod(0o777 & ~_umask())
        if not self.out.exists():
            part.rename(self.out)
            return
        # Not in one step, because a folder cannot be replaced in one; what was there goes last.
        with self._beside(".old") as old:
            self.out.rename(old / _EXPORT)
            try:
                part.rename(self.out)
            except BaseException:
                (old / _EXPORT).rename(self.out)
                raise

    @contextmanager
    def _beside(self, ending: str) -> Iterator[Path]:
        """A new folder, locked as long as this process lives, however it dies."""
        with _locked(self.out.parent):
            # Nobody clears it away before it is locked.
            made = Path(tempfile.mkdtemp(prefix=f"{self.out.name}.{_OWN}", suffix=ending, dir=self.out.parent))
            lock = _lock(made)
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
            os.close(lock)

    def _clear(self) -> None:
        """Remove what exports to this place have left that were killed; one that was being replaced comes back."""
        ours = re.compile(rf"{re.escape(self.out.name)}\.{_OWN}\w{{8}}\.(part|old)")
        # What cannot be cleared away stays; whether one can write here is said by the export.
        with suppress(OSError), _locked(self.out.parent):
            for left in [
                path for path in self.out.parent.iterdir() if ours.fullmatch(path.name) and not is_locked(path)
            ]:
                if (left / _EXPORT).exists() and left.suffix == ".old" and not os.path.lexists(self.out):
                    (left / _EXPORT).rename(self.out)
                shutil.rmtree(left, ignore_errors=True)

    def _check(self) -> None:
        """Refuse a place that holds anything but an earlier export, and that too unless it may be replaced."""
        if (crawl := _crawl_of(self.out)) is not None:
            raise BadInput(
                f"{self.out} belongs to the crawl {crawl.name}, which needs it: choose another place with --out"
            )
        there = [path for path in (self.out, self.card) if os.path.lexists(path)]
        if there and (self.out.is_dir() == self.is_file or not self._has_card()):
            raise BadInput(f"{there[0]} is there already and is no earlier export: choose another place with --out")
        if there and not self.is_file and (other := next(_not_ours(self.out), None)):
            raise BadInput(
                f"{self.out} is there already and has {other}, which no export wrote: choose another place with --out"
            )
        if there and not self._force:
            raise BadInput(f"{there[0]} is there already: choose another place with --out, or replace it with --force")

    def _has_card(self) -> bool:
        return self.card.is_file() and MARK in self.card.read_text("utf-8", "replace")


def _crawl_of(place: Path) -> Path | None:
    """The crawl folder among whose own files a place is; None if there is none."""
    whole = place.parent.resolve() / place.name
    found = (up for up in whole.parents if _CRAWLS.match(whole.relative_to(up).parts[0]) and CrawlFolder(up).exists)
    return next(found, None)


def _not_ours(folder: Path) -> Iterator[Path]:
    """What lies in the folder of an export and is not of it."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return (path for path in files if not _OURS.fullmatch(path.as_posix()))


def _lock(folder: Path) -> int:
    """Lock a folder until the descriptor is closed, or the process is dead."""
    opened = os.open(folder, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX)
    return opened


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder for a moment."""
    lock = _lock(folder)
    try:
        yield
    finally:
        os.close(lock)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
