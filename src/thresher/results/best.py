"""The best pages of a crawl, as they were when it fetched them, and what became of each since."""

from typing import Any, NamedTuple

from thresher.results.archive import Archive
from thresher.store.reading import Entry, best_pages

_SINCE = "SELECT gone, version, at, relevance, relevant FROM current WHERE number = ?"


class Best(NamedTuple):
    """A page, and what `revisit` saw of it."""

    entry: Entry
    gone: float | None
    """When it was found to be gone, if it is."""
    changed: float | None
    """When it was found to have changed, if it has."""
    relevance: float
    """As it is now."""
    relevant: bool

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        entry = self.entry
        now = {"relevance": self.relevance, "relevant": self.relevant} if self.changed else None
        return {
            "url": entry.url,
            "title": entry.title,
            "relevance": entry.relevance,
            "gone": self.gone,
            "changed": self.changed,
            "now": now,
        }


def best(archive: Archive, limit: int) -> list[Best]:
    """So many pages, the most relevant first."""
    return [_since(archive, entry) for entry in best_pages(archive.read, limit)]


def _since(archive: Archive, entry: Entry) -> Best:
    now = next(archive.rows(_SINCE, entry.number))
    changed = now["at"] if now["version"] is not None else None
    return Best(entry, now["gone"], changed, now["relevance"], bool(now["relevant"]))
