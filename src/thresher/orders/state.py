"""How a crawl stands, as another process sees it: running, paused, or stopped."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Literal, NamedTuple

from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import read_only
from thresher.store.catalogue import recall

PAUSED = "orders/paused"
"""The name under which a crawl remembers that it is paused."""


class CrawlState(NamedTuple):
    """How a crawl stands."""

    name: Literal["running", "paused", "stopped"]
    why: str
    """In a sentence; empty while it runs."""
    since: float | None
    """When it was paused, in seconds since 1970."""


def crawl_state(folder: CrawlFolder) -> CrawlState:
    """How a crawl stands now. A crawl that is paused and killed has stopped; when it is started again it is paused still."""
    if not folder.database.exists():
        return CrawlState("stopped", "It has not begun", None)
    with closing(read_only(folder.database)) as connection:
        read = connection.execute
        if not folder.in_use():
            return CrawlState("stopped", _stopped(read), None)
        pause = pause_of(recall(read, PAUSED))
    return CrawlState("running", "", None) if pause is None else CrawlState("paused", *pause)


class Paused(NamedTuple):
    """Why a crawl is paused, and since when."""

    why: str
    since: float


def pause_of(said: bytes | None) -> Paused | None:
    """The pause that a crawl remembered; None if there is none."""
    if not said:
        return None
    values = json.loads(said)
    return Paused(str(values["why"]), float(values["since"]))


def _stopped(read: Callable[..., sqlite3.Cursor]) -> str:
    said = (recall(read, "stopped") or b"").decode(errors="replace").partition("\n")[2]
    return said or "It was killed: run the same command to continue"
