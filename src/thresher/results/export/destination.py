"""Where an export goes. It appears there complete or not at all, and never replaces a file that is not an export."""

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
_CARD_BESIDE_PARQUET = f"_{CARD}"
"""Readers of a folder of Parquet files, pandas and Spark among them, take every file for a table whose name begins with a letter."""
MARK = "<!-- a Thresher data card -->"
"""A line in every card, by which an earlier export is recognised."""

_OWN, _EXPORT = "thresher-", "export"
"""Part of the names of our temporary folders, and the name of an earlier export inside one while it is being replaced."""
_OURS = re.compile(r"_?README\.md|pages\.(jsonl|csv|parquet|warc\.gz|wacz)|[^/]+/\d{6,}-[a-z0-9-]+\.md")
_CRAWLS = re.compile(r"warc$|crawl\.|search\.sqlite")
"""Names of files in a crawl folder, including those that SQLite makes beside its own."""


class Destination:
    """A folder with the pages and a card; or, if the name ends like a file of the form, a file with the card beside it."""

    def __init__(self, out: Path, ending: str, *, force: bool) -> None:
        self.given = out
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - resolve would follow a link and replace what it points to
        self._ending, self._force = ending, force
        self.is_file = bool(ending) and out.name.endswith(ending)
        self.card_name = _CARD_BESIDE_PARQUET if ending == ".parquet" and not self.is_file else CARD
        self.card = self.out.with_name(f"{out.name}.{CARD}") if self.is_file else self.out / self.card_name
        self.data = self.out if self.is_file or not ending else self.out / f"pages{ending}"
        self._clear()
        self._check()

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """A temporary folder beside the place. Its content moves to the place at the end, or is removed after an error."""
        self.out.parent.mkdir(parents=True, exist_ok=True)
        with self._beside(".part") as part:
            yield part
            # An export takes a while: something may have been put there meanwhile.
            self._check()
            self._move(part)

    def data_in(self, part: Path) -> Path:
        """Where the pages are written meanwhile."""
        return part / self.data.name if self._ending else part

    def _move(self, part: Path) -> None:
        if self.is_file:
            (part / self.card_name).replace(self.card)
            (part / self.data.name).replace(self.out)
            return
        part.chmod(0o777 & ~_umask())
        if not self.out.exists():
            part.rename(self.out)
            return
        # A folder cannot be replaced in one step, so the earlier export is removed last.
        with self._beside(".old") as old:
            self.out.rename(old / _EXPORT)
            try:
                part.rename(self.out)
            except BaseException:
                (old / _EXPORT).rename(self.out)
                raise

    @contextmanager
    def _beside(self, ending: str) -> Iterator[Path]:
        """A new folder, locked until this process ends, in whatever way."""
        with _locked(self.out.parent):
            # Under the lock of the parent nobody can clear it away before it is locked itself.
            made = Path(tempfile.mkdtemp(prefix=f"{self.out.name}.{_OWN}", suffix=ending, dir=self.out.parent))
            lock = _lock(made)
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
            os.close(lock)

    def _clear(self) -> None:
        """Remove what killed exports to this place have left; an earlier export that was being replaced is put back."""
        ours = re.compile(rf"{re.escape(self.out.name)}\.{_OWN}\w{{8}}\.(part|old)")
        # What cannot be removed stays; if nothing can be written here, the export itself says so.
        with suppress(OSError), _locked(self.out.parent):
            for left in [
                path for path in self.out.parent.iterdir() if ours.fullmatch(path.name) and not is_locked(path)
            ]:
                if (left / _EXPORT).exists() and left.suffix == ".old" and not os.path.lexists(self.out):
                    (left / _EXPORT).rename(self.out)
                shutil.rmtree(left, ignore_errors=True)

    def _check(self) -> None:
        """Refuse a place that holds anything but an earlier export; refuse that too unless it may be replaced."""
        if (crawl := crawl_of(self.out)) is not None:
            raise BadInput(
                f"{self.out} belongs to the crawl {crawl.name}, which needs it: choose another place with --into or --out"
            )
        there = [path for path in (self.out, self.card) if os.path.lexists(path)]
        if there and (self.out.is_dir() == self.is_file or not self._has_card()):
            raise BadInput(
                f"{there[0]} is there already and is no earlier export: choose another place with --into or --out"
            )
        if there and not self.is_file and (other := next(_not_ours(self.out), None)):
            raise BadInput(
                f"{self.out} is there already and has {other}, which no export wrote: choose another place with --into or --out"
            )
        if there and not self._force:
            raise BadInput(
                f"{there[0]} is there already: choose another place with --into or --out, or replace it with --force"
            )

    def _has_card(self) -> bool:
        cards = [self.card] if self.is_file else [self.out / name for name in (CARD, _CARD_BESIDE_PARQUET)]
        return any(card.is_file() and MARK in card.read_text("utf-8", "replace") for card in cards)


def crawl_of(place: Path) -> Path | None:
    """The crawl folder to whose own files a place belongs; None if it belongs to none."""
    whole = place.parent.resolve() / place.name
    found = (up for up in whole.parents if _CRAWLS.match(whole.relative_to(up).parts[0]) and CrawlFolder(up).exists)
    return next(found, None)


def _not_ours(folder: Path) -> Iterator[Path]:
    """Files in the folder of an export that no export has written."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return (path for path in files if not _OURS.fullmatch(path.as_posix()))


def _lock(folder: Path) -> int:
    """Lock a folder until the descriptor is closed or the process ends."""
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
