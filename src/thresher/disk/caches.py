"""Where what was worked out once is kept: in the user's cache folder, or beside the recording that it was made of; and what must stay.

A cache only saves time: one that cannot be written is done without, and one that is removed is made again.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from xxhash import xxh3_64_hexdigest

from thresher.disk.atomic_file import whole_file


def cache_folder() -> Path:
    """Where compiled forms are kept: `$THRESHER_CACHE`, or `thresher` in the user's cache folder."""
    if own := os.environ.get("THRESHER_CACHE"):
        return Path(own)
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "thresher"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "thresher"


def state_folder() -> Path:
    """Where programs of this user keep what must not be lost."""
    named = os.environ.get("XDG_STATE_HOME")
    return (Path(named) if named else Path.home() / ".local" / "state") / "thresher"


def derived_places(source: Sequence[Path], suffix: str) -> list[Path]:
    """The files in which something made of a recording may be kept, the best first: beside it, then in the cache folder.

    What is made of several sources stands beside none of them.
    """
    names = b"\0".join(os.fsencode(path.resolve()) for path in source)
    cached = cache_folder() / "recordings" / f"{source[0].name}-{xxh3_64_hexdigest(names)}{suffix}"
    if len(source) > 1:
        return [cached]
    only = source[0]
    return [only / f"recording{suffix}" if only.is_dir() else only.with_name(only.name + suffix), cached]


def write_derived(places: Sequence[Path], write: Callable[[Path], None]) -> Path | None:
    """Have a file written in the first of these places that can be written to; None if there is none."""
    for place in places:
        with suppress(OSError):
            if place is places[-1]:
                place.parent.mkdir(parents=True, exist_ok=True)
            # Root may write anywhere; the mode of the folder says where nobody is meant to.
            if place.parent.stat().st_mode & 0o222:
                with whole_file(place) as made:
                    write(made)
                return place
    return None
