"""Where an export goes: whole or not at all, and never over something of yours."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher.errors import BadInput

CARD = "README.md"
MARK = "<!-- a Thresher data card -->"
"""Stands in every card, so that an earlier export is told from any other folder."""


class Destination:
    """A folder with the pages and a card; or a file, if its name ends as such a file does, with the card beside it."""

    def __init__(self, out: Path, ending: str, *, force: bool) -> None:
        self.given = out
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - resolve would follow a link and replace what it points to
        self._ending = ending
        self.is_file = bool(ending) and out.name.endswith(ending)
        self.card = self.out.with_name(f"{out.name}.{CARD}") if self.is_file else self.out / CARD
        self.data = self.out if self.is_file or not ending else self.out / f"pages{ending}"
        self._check(force=force)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """A folder of its own beside the place; what is in it moves there at the end, or is gone if it ends badly."""
        self.out.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f"{self.out.name}.", suffix=".part", dir=self.out.parent))
        try:
            yield part
            self._move(part)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def data_in(self, part: Path) -> Path:
        """Where the pages are written meanwhile."""
        return part / self.data.name if self._ending else part

    def _move(self, part: Path) -> None:
        if self.is_file:
            (part / CARD).replace(self.card)
            (part / self.data.name).replace(self.out)
            return
        part.chmod(0o777 & ~_umask())
        if self.out.exists():
            # Not in one step, because a folder cannot be replaced in one; what was there goes last.
            old = Path(tempfile.mkdtemp(prefix=f"{self.out.name}.", suffix=".old", dir=self.out.parent))
            self.out.rename(old / "export")
            part.rename(self.out)
            shutil.rmtree(old)
        else:
            part.rename(self.out)

    def _check(self, *, force: bool) -> None:
        for path in (self.out, self.card):
            if os.path.lexists(path) and not force:
                raise BadInput(f"{path} is there already: choose another place with --out, or replace it with --force")
        if os.path.lexists(self.out) and self.out.is_dir() == self.is_file:
            raise _not_ours(self.out)
        if os.path.lexists(self.card if self.is_file else self.out) and not self._is_export():
            raise _not_ours(self.card if self.is_file else self.out)

    def _is_export(self) -> bool:
        return self.card.is_file() and MARK in self.card.read_text("utf-8", "replace")


def _not_ours(path: Path) -> BadInput:
    return BadInput(f"{path} is no earlier export, so it is not replaced: choose another place with --out")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
