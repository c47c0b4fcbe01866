"""Texts for a terminal: a text of the web on one safe line, a day, and the evidence for a judgement."""

from collections.abc import Iterable
from datetime import UTC, datetime

from thresher.model import Evidence

MOST_REASONS = 6
"""Reasons that are shown; --json has all."""
LONGEST_TITLE = 300


def one_line(text: str) -> str:
    """The text on one line, without invisible characters: escapes, soft hyphens, marks and overrides of direction.

    >>> one_line("An\\n  eye\\x1b[31m")
    'An eye[31m'
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(letter for letter in line if letter.isprintable())


def shorten(text: str, most: int) -> str:
    """The text, cut to so many letters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def short_title(title: str) -> str:
    """A title as it leaves the program: shown, in JSON and in exports. A page may have one of a million letters.

    >>> len(short_title("word " * 1000))
    300
    """
    return shorten(title, LONGEST_TITLE)


def day(at: float) -> str:
    """The day of a moment, in UTC.

    >>> day(1.7e9)
    '2023-11-14'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def evidence_line(evidence: Iterable[Evidence], between: str = ", ", most: int = MOST_REASONS) -> str:
    """The strongest reasons in one line, whole judges before the words they found; empty if there are none.

    >>> evidence_line([Evidence("iris", "title", 0.31), Evidence("sense", "judge", 0.655)])
    'judge sense 0.66, iris 0.31 (title)'
    """
    # A judge that found nothing is shown too: its zero decided.
    said = [each for each in evidence if each.amount or each.where == "judge"]
    strongest = sorted(said, key=lambda each: (each.where != "judge", -abs(each.amount)))
    named = between.join(map(_reason, strongest[:most]))
    return named + (f" and {len(strongest) - most} more" if len(strongest) > most else "")


def _reason(each: Evidence) -> str:
    what, where, amount = one_line(each.what), one_line(each.where), _amount(each.amount)
    if where != "judge":
        return f"{what} {amount} ({where})"
    # `concepts` is the name of a judge and needs the word before it; `the labels` does not.
    return f"{what} {amount}" if what.startswith("the ") else f"judge {what} {amount}"


def _amount(value: float) -> str:
    return f"{value:.2f}" if 0.005 <= abs(value) < 1 else f"{value:.3g}"
