"""Evidence in a line, as people read it: the strongest first, and what whole judges say before the words they found."""

from collections.abc import Iterable

from thresher.model import Evidence
from thresher.results.plain_text import one_line

MOST = 6
"""Reasons that are shown; --json has all."""


def listed(evidence: Iterable[Evidence], between: str = ", ", most: int = MOST) -> str:
    """The strongest reasons; nothing if there are none.

    >>> listed([Evidence("iris", "title", 0.31), Evidence("sense", "judge", 0.655)])
    'judge sense 0.66, iris 0.31 (title)'
    """
    # What a judge says counts also if it says nothing at all: that decided.
    said = [each for each in evidence if each.amount or each.where == "judge"]
    strongest = sorted(said, key=lambda each: (each.where != "judge", -abs(each.amount)))
    named = between.join(map(_reason, strongest[:most]))
    return named + (f" and {len(strongest) - most} more" if len(strongest) > most else "")


def _reason(each: Evidence) -> str:
    what, where, amount = one_line(each.what), one_line(each.where), _amount(each.amount)
    if where != "judge":
        return f"{what} {amount} ({where})"
    # `concepts` is the name of a judge; of `the labels` nothing more need be said.
    return f"{what} {amount}" if what.startswith("the ") else f"judge {what} {amount}"


def _amount(value: float) -> str:
    return f"{value:.2f}" if 0.005 <= abs(value) < 1 else f"{value:.3g}"
