"""Small things that a crawl remembers by name, read back: by the crawl, and by whoever looks at it."""

from thresher.disk.found_rows import Read, has_table


def recall(read: Read, name: str) -> bytes | None:
    """The state that a crawl remembered under a name."""
    row = read("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return row and bytes(row[0])


def recall_all(read: Read, beginning: str) -> dict[str, bytes]:
    """The states whose names begin so, by the rest of the name."""
    last = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    rows = read("SELECT name, value FROM state WHERE name >= ? AND name < ?", (beginning, last))
    return {name.removeprefix(beginning): bytes(value) for name, value in rows}


def strategy_state(read: Read) -> dict[str, bytes]:
    """What the crawl's strategy has saved; where several workers have one each, the state of the one that has heard most."""
    found = recall_all(read, "strategy/")
    if found or not has_table(read, "learner"):
        return found
    best = read("SELECT number FROM learner ORDER BY heard DESC, number DESC LIMIT 1").fetchone()
    return recall_all(read, f"learner/{best[0]}/strategy/") if best else {}
