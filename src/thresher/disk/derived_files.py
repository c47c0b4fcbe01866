"""Where what was worked out of a recording is kept: beside it, or in the user's cache folder where that may not be written."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from xxhash import xxh3_64_hexdigest

from thresher.disk.cache import cache_folder


def places(source: Sequence[Path], suffix: str) -> list[Path]:
    """The files where it may be kept, the best place first; what is made of several sources stands beside none of them."""
    names = b"\0".join(os.fsencode(path.resolve()) for path in source)
    cached = cache_folder() / "recordings" / f"{source[0].name}-{xxh3_64_hexdigest(names)}{suffix}"
    if len(source) > 1:
        return [cached]
    only = source[0]
    return [only / f"recording{suffix}" if only.is_dir() else only.with_name(only.name + suffix), cached]


def written(wanted: Sequence[Path], write: Callable[[Path], None]) -> Path | None:
    """Have a file written, whole or not at all, in the first place that takes it; None if none does."""
    for place in wanted:
        with suppress(OSError):
            if place is wanted[-1]:
                place.parent.mkdir(parents=True, exist_ok=True)
            # Root may write anywhere; that nobody is meant to is what the folder's mode says.
            if place.parent.stat().st_mode & 0o222:
                _write(place, write)
                return place
    return None


def _write(place: Path, write: Callable[[Path], None]) -> None:
    # A folder of its own, so that whatever a library puts beside its file goes with it.
    workshop = Path(mkdtemp(prefix=".thresher-", dir=place.parent))
    made = workshop / place.name
    try:
        write(made)
        _sync(made)
        made.replace(place)
    finally:
        for left in workshop.iterdir():
            left.unlink()
        workshop.rmdir()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
