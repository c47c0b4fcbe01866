"""Which kept pages are due for another look: those whose interval has passed, the most overdue first.

How often a page changes is estimated from its looks: very often, often or seldom. Each class has an interval.

A page of a class changes as a Poisson process does, once an interval on average, λ = 1 / interval. A look after d days finds a change
with probability 1 − exp(−λ d), however many changes there were. Before anything is known a page is in the middle class with probability
½ and in each of the others with ¼;

    P(class | looks) ∝ P(class) · Π (1 − exp(−λ d)) over looks that found a change · Π exp(−λ d) over those that found none

and the page belongs to the most probable class, or to the slower of two that are equal. With the usual intervals, one week without a
change makes a page seldom; two weeks in a row with a change make it very often.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from thresher.disk.found_rows import Read
from thresher.errors import BadInput
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.store.current import by_hand
from thresher.store.labels import labels
from thresher.store.looks import ANSWERED, SEEN, PastLook, looks_by_visit
from thresher.store.visits import kept_pages

ChangePace = Literal["very often", "often", "seldom"]
PACES: tuple[ChangePace, ...] = ("very often", "often", "seldom")
_PRIOR = (0.25, 0.5, 0.25)
_MOMENT = 1 / 86_400
"""Days: looks less than a second apart count as one moment."""
DAY = 86_400.0


class TimedLook(NamedTuple):
    """A page was looked at again."""

    days: float
    """Since it was last looked at."""
    changed: bool


@dataclass(frozen=True, slots=True)
class Intervals:
    """The days between two looks at a page, by how often it changes."""

    very_often: float = 1.0
    often: float = 7.0
    seldom: float = 30.0

    def __post_init__(self) -> None:
        if not 0 < self.very_often < self.often < self.seldom < math.inf:
            raise BadInput(
                f"the intervals are {self.very_often:g}, {self.often:g} and {self.seldom:g} days, but must be above 0 and each longer than "
                "the one before: very often, often, seldom"
            )

    @property
    def intervals(self) -> tuple[float, float, float]:
        """In the order of `PACES`."""
        return self.very_often, self.often, self.seldom

    def days(self, pace: ChangePace) -> float:
        """Days between two looks at a page of that pace."""
        return self.intervals[PACES.index(pace)]

    def pace(self, looks: Iterable[TimedLook]) -> ChangePace:
        """How often a page with these looks seems to change."""
        logs = [math.log(share) for share in _PRIOR]
        for look in looks:
            days = look.days if look.days >= _MOMENT else 0.0
            for place, interval in enumerate(self.intervals):
                logs[place] += _log_chance(days / interval, changed=look.changed)
        return PACES[max(range(len(PACES)), key=lambda place: (logs[place], place))]


class DueChoice(NamedTuple):
    """Which pages to look at again."""

    every: bool = False
    """Not only the relevant ones, and copies too."""
    older_than: float | None = None
    """Pages last seen so many days ago, instead of those whose own interval has passed."""
    force: bool = False
    """All pages whether due or not, with those that are gone and those that were relevant once."""
    limit: int | None = None


class DuePage(NamedTuple):
    """A page to look at again."""

    number: int
    """Of the visit that kept it."""
    url: Url
    seen: float
    """When it was last seen, or seen to have moved, in seconds since 1970."""
    pace: ChangePace
    looks: int
    changes: int
    overdue: float
    """Days since it was seen ÷ days of its interval."""


class LookHistory(NamedTuple):
    """What the looks at one page found."""

    looks: tuple[TimedLook, ...] = ()
    seen: float = 0.0
    relevant: bool = False
    """By the latest judgement."""
    once: bool = False
    """By any of them."""
    gone: bool = False


def due_pages(archive: Archive, wanted: DueChoice, intervals: Intervals, now: float) -> list[DuePage]:
    """The pages to look at, the most overdue first."""
    found = [due for due in _considered(archive.read, wanted, intervals, now) if due.overdue >= 1 or wanted.force]
    return sorted(found, key=lambda due: (-due.overdue, due.number))[: wanted.limit]


def _considered(read: Read, wanted: DueChoice, intervals: Intervals, now: float) -> Iterator[DuePage]:
    looked, hand = looks_by_visit(read), {each.number: each.relevant for each in by_hand(read)}
    liked = {label.url for label in labels(read) if label.relevant}
    for page in kept_pages(read):
        history = _history(page.at, page.relevant, looked.get(page.number, []))
        # A label counts for more than the judge, and also for copies.
        counts = history.once or page.url in liked if wanted.force else history.relevant
        relevant = hand.get(page.number, counts and not page.copy)
        if (history.gone and not wanted.force) or not (relevant or wanted.every):
            continue
        pace = intervals.pace(history.looks)
        wait = intervals.days(pace) if wanted.older_than is None else wanted.older_than
        days = (now - history.seen) / DAY
        overdue = days / wait if wait else float("inf")
        changes = sum(look.changed for look in history.looks)
        yield DuePage(page.number, page.url, history.seen, pace, len(history.looks), changes, overdue)


def _history(sent: float, relevant: bool, past: list[PastLook]) -> LookHistory:  # noqa: FBT001 - a column
    looks, seen, answered, gone, once = list[TimedLook](), sent, sent, False, relevant
    for look in past:
        if look.found in SEEN:
            looks.append(TimedLook((look.at - seen) / DAY, look.found == "changed"))
            seen = look.at
        if look.found in ANSWERED:
            answered, gone = look.at, look.found == "gone"
        if look.relevant is not None:
            relevant = look.relevant
            once = once or relevant
    return LookHistory(tuple(looks), answered, relevant, once, gone)


def _log_chance(changes: float, *, changed: bool) -> float:
    """The logarithm of the probability of a change, or of none, where so many changes are expected."""
    if not changed:
        return -changes
    # Two looks at the same moment that differ tell nothing of the rate: the clock was set back, or the page is never the same.
    return math.log(-math.expm1(-changes)) if changes > 0 else 0.0
