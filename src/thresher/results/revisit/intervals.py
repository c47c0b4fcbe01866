"""How often a page changes, as far as its visits tell: very often, often or seldom; and how long one may wait to look again.

A page of a class changes as a Poisson process does, once an interval on average, λ = 1 / interval. A look after d days finds a change
with probability 1 − exp(−λ d), however many there were meanwhile. Before anything is known a page is in the middle class with ½ and in
either other with ¼;

    P(class | looks) ∝ P(class) · Π (1 − exp(−λ d)) over looks that found a change · Π exp(−λ d) over those that found none

and the page belongs to the most probable one, of equals to the slower. With the usual intervals one week without a change makes a page
seldom, two weeks in a row with one make it very often.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from thresher.errors import BadInput

Pace = Literal["very often", "often", "seldom"]
PACES: tuple[Pace, ...] = ("very often", "often", "seldom")
_PRIOR = (0.25, 0.5, 0.25)
_MOMENT = 1 / 86_400
"""Two looks within a second are two looks at one moment."""


class Look(NamedTuple):
    """A page was looked at again."""

    days: float
    """Since it was last looked at."""
    changed: bool


@dataclass(frozen=True, slots=True)
class Rhythm:
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

    def days(self, pace: Pace) -> float:
        """How long one waits."""
        return self.intervals[PACES.index(pace)]

    def pace(self, looks: Iterable[Look]) -> Pace:
        """How often the page seems to change."""
        logs = [math.log(share) for share in _PRIOR]
        for look in looks:
            days = look.days if look.days >= _MOMENT else 0.0
            for place, interval in enumerate(self.intervals):
                logs[place] += _log_chance(days / interval, changed=look.changed)
        return PACES[max(range(len(PACES)), key=lambda place: (logs[place], place))]


def _log_chance(changes: float, *, changed: bool) -> float:
    """The logarithm of how probable it is to find a change, or none, where so many are expected."""
    if not changed:
        return -changes
    # Two looks at the same moment that differ tell nothing of the rate: the clock was set back, or the page is never the same.
    return math.log(-math.expm1(-changes)) if changes > 0 else 0.0
