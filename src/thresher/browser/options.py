"""The `[browser]` table, and where a browser is installed."""

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from thresher.errors import BadInput
from thresher.install_hint import install_hint

NAMED_BY = "THRESHER_BROWSER"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES = (
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """The `[browser]` table: pages that are empty without scripts."""

    when: Literal["never", "auto", "always"] = "never"
    """`auto` renders pages that are empty without scripts, `always` every page."""
    path: str = ""
    """The browser's program; else what THRESHER_BROWSER names, else what is found."""
    sandbox: bool = True
    """Whether Chromium locks up what runs a page's scripts. It cannot where one is root."""
    pages: int = 2
    """How many pages are rendered at a time."""
    seconds: float = 15.0
    """How long a page may take, without the time that its requests wait for hosts."""
    wait: float = 120.0
    """How long it may wait: for its turn, and again for the pauses of hosts."""
    requests: int = 50
    """How many requests a page may make."""
    max_bytes: int = 20 << 20
    """How much all answers to them may have."""
    max_dom: int = 5 << 20
    """How long the page may be, in characters, when it is done."""
    memory: int = 1024
    """Megabytes that the browser's processes may hold together."""
    restart: int = 200
    """After so many pages another browser takes over."""
    keep: int = 64
    """Megabytes of scripts and data that are kept for the next pages."""

    def __post_init__(self) -> None:
        for key in ("pages", "requests", "max_bytes", "max_dom", "restart"):
            if getattr(self, key) < 1:
                raise BadInput(f"[browser]: {key} is {getattr(self, key)}, but must be at least 1")
        for key in ("seconds", "wait"):
            if not 0 < getattr(self, key) <= 3600:
                raise BadInput(f"[browser]: {key} is {getattr(self, key)}, but must be more than 0 and at most 3600")
        if self.memory < 256:
            raise BadInput(f"[browser]: memory is {self.memory}, but must be at least 256 megabytes")
        if self.keep < 0:
            raise BadInput(f"[browser]: keep is {self.keep}, but must be 0 or more megabytes")

    @property
    def program(self) -> str:
        """The browser to start. It raises what is missing, in a sentence, before a crawl begins."""
        if find_spec("playwright") is None:
            raise BadInput(f"--browser {self.when} needs Playwright: {install_hint('browser')}")
        found = find_browser(self.path)
        if not found:
            raise BadInput(
                f"--browser {self.when} needs Chromium or Chrome, and none is installed here: apt install chromium, "
                f"or name one with {NAMED_BY}=PATH"
            )
        if self.sandbox and os.geteuid() == 0:
            raise BadInput(
                "Chromium has no sandbox where one is root: crawl as another user, or, in a container that holds nothing else, "
                "with --set browser.sandbox=false"
            )
        return found


def find_browser(path: str = "") -> str:
    """The program of a Chromium or Chrome that is installed; empty if there is none."""
    if named := path or os.environ.get(NAMED_BY, ""):
        found = shutil.which(named)
        if found is None:
            raise BadInput(f"the browser {named!r} is no program that can be started")
        return found
    there = (each for each in _PLACES if Path(each).is_file() and os.access(each, os.X_OK))
    return next((found for name in _NAMES if (found := shutil.which(name))), None) or next(there, "")
