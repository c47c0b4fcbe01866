"""What waits in a crawl's frontier, read from its SQLite file by another process."""

import sqlite3
from collections.abc import Callable

Read = Callable[..., sqlite3.Cursor]


def waiting(read: Read) -> int:
    """Urls still to be visited; those that were lent when a crawl was killed will be again, so they count."""
    (shelved,) = read("SELECT coalesce(sum(waiting), 0) FROM host").fetchone()
    (lent,) = read("SELECT count(*) FROM url WHERE state = 1").fetchone()
    return int(shelved) + int(lent)
