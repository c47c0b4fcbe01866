"""Which kept pages should be looked at again: those whose interval has passed, the most overdue first."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.revisit.intervals import Look, Pace, Rhythm
from thresher.store.current import by_hand
from thresher.store.labels import labels
from thresher.store.reading import Read

DAY = 86_400.0
SEEN = frozenset({"not-modified", "same", "changed"})
"""Looks that saw the page itself."""
ANSWERED = SEEN | {"gone", "moved"}
"""Looks after which one waits again; a page that was refused or failed is due as before."""
_PAGES = """
    SELECT number, url, coalesce(sent, at), coalesce(relevant, 0), duplicate_of IS NOT NULL OR near IS NOT NULL FROM visit
    WHERE outcome = 'page' ORDER BY number
"""
_LOOKS = "SELECT visit, at, found, relevant FROM revisit ORDER BY visit, number"


class Wanted(NamedTuple):
    """Which pages one wants to look at again."""

    every: bool = False
    """Not only the relevant ones, and copies too."""
    older_than: float | None = None
    """Pages last seen so many days ago, in the place of their own intervals."""
    force: bool = False
    """Whether due or not: also those that are gone, and those that were relevant once."""
    limit: int | None = None


class Due(NamedTuple):
    """A page to look at again."""

    number: int
    """Of the visit that kept it."""
    url: Url
    seen: float
    """When it was last seen, or seen to have moved, in seconds since 1970."""
    pace: Pace
    looks: int
    changes: int
    overdue: float
    """Days since it was seen ÷ days one waits."""


class History(NamedTuple):
    """What the looks at one page found."""

    looks: tuple[Look, ...] = ()
    seen: float = 0.0
    relevant: bool = False
    """By the latest judgement."""
    once: bool = False
    """By any of them."""
    gone: bool = False


def due_pages(archive: Archive, wanted: Wanted, rhythm: Rhythm, now: float) -> list[Due]:
    """The pages to look at, the most overdue first."""
    found = [due for due in _considered(archive.read, wanted, rhythm, now) if due.overdue >= 1 or wanted.force]
    return sorted(found, key=lambda due: (-due.overdue, due.number))[: wanted.limit]


def _considered(read: Read, wanted: Wanted, rhythm: Rhythm, now: float) -> Iterator[Due]:
    looked, hand = _rows_of_looks(read), {each.number: each.relevant for each in by_hand(read)}
    praised = {label.url for label in labels(read) if label.relevant}
    for number, url, sent, judged, copy in read(_PAGES):
        history = _history(sent, bool(judged), looked.get(number, []))
        # A person's word counts for more than that of the judge, and for a copy as for any other page.
        counts = history.once or url in praised if wanted.force else history.relevant
        relevant = hand.get(number, counts and not copy)
        if (history.gone and not wanted.force) or not (relevant or wanted.every):
            continue
        pace = rhythm.pace(history.looks)
        wait = rhythm.days(pace) if wanted.older_than is None else wanted.older_than
        days = (now - history.seen) / DAY
        overdue = days / wait if wait else float("inf")
        yield Due(
            number, url, history.seen, pace, len(history.looks), sum(look.changed for look in history.looks), overdue
        )


def _rows_of_looks(read: Read) -> dict[int, list[tuple[float, str, int | None]]]:
    rows = read(_LOOKS).fetchall()
    return {number: [row[1:] for row in some] for number, some in groupby(rows, key=lambda row: row[0])}


def _history(sent: float, relevant: bool, rows: list[tuple[float, str, int | None]]) -> History:  # noqa: FBT001 - a column
    looks, seen, answered, gone, once = list[Look](), sent, sent, False, relevant
    for at, found, judged in rows:
        if found in SEEN:
            looks.append(Look((at - seen) / DAY, found == "changed"))
            seen = at
        if found in ANSWERED:
            answered, gone = at, found == "gone"
        if judged is not None:
            relevant = bool(judged)
            once = once or relevant
    return History(tuple(looks), answered, relevant, once, gone)
