"""The user's cache folder: where what was worked out once is kept."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Where compiled forms are kept: `$THRESHER_CACHE`, or `thresher` in the user's cache folder."""
    if own := os.environ.get("THRESHER_CACHE"):
        return Path(own)
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "thresher"
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "thresher"
