"""Files that are written whole or not at all: whoever reads at the same time, or after a kill, sees the old file or the new one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

UNFINISHED = ".thresher-"
"""How the folders are called in which files are written; a kill leaves one behind."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to. What is written there takes the place of `path` in one step, unless something is raised meanwhile."""
    # A folder of its own, so that whatever a library puts beside its file is removed with it.
    folder = Path(mkdtemp(prefix=UNFINISHED, dir=path.parent))
    try:
        made = folder / path.name
        yield made
        sync(made)
        made.replace(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write bytes, or a text as UTF-8."""
    with whole_file(path) as made:
        made.write_bytes(content.encode() if isinstance(content, str) else content)


def sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder. Without it a power cut may leave a new name with an empty file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
