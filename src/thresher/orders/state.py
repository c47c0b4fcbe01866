"""How a crawl stands, as another process sees it: running, paused, or stopped."""

from contextlib import closing
from typing import Literal, NamedTuple

from thresher.disk.crawl_home import Home
from thresher.disk.found_rows import Read, has_table
from thresher.pauses import PAUSED, Paused
from thresher.store.states import recall


class CrawlState(NamedTuple):
    """How a crawl stands."""

    name: Literal["running", "paused", "stopped"]
    why: str
    """In a sentence; empty while it runs."""
    since: float | None
    """When it was paused, in seconds since 1970; None if it is not."""


def crawl_state(folder: Home) -> CrawlState:
    """How a crawl stands now. One that was paused and then killed has stopped; when it is started again it is paused still."""
    if not folder.begun:
        return CrawlState("running" if folder.in_use() else "stopped", "It has not begun", None)
    with folder.blaming_damage(), closing(folder.catalogue()) as connection:
        runs = folder.in_use()
        pause = pause_of(connection.execute)
        if runs:
            return CrawlState("running", "", None) if pause is None else CrawlState("paused", pause.why, pause.since)
        return CrawlState("stopped", _stopped(connection.execute), None)


def pause_of(read: Read) -> Paused | None:
    """The pause that a crawl is in, or was in when it ended; None if there is none."""
    return Paused.from_bytes(recall(read, PAUSED)) if has_table(read, "state") else None


def _stopped(read: Read) -> str:
    said = (recall(read, "stopped") or b"") if has_table(read, "state") else b""
    return said.decode(errors="replace").partition("\n")[2] or "It was killed: run the same command to continue"
