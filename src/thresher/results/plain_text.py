"""Texts for a terminal: a text of the web on safe lines, a day, and the evidence for and against a judgement."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from thresher.model import FIRST, SEED, Evidence
from thresher.urls import masked_login

MOST_REASONS = 6
"""Reasons that are shown, of those for and of those against; --json has all."""
VERDICTS = frozenset({"judge", "class"})
"""Values of `where` in evidence that name no place on a page, but what a whole judge or class made of it."""
LONGEST_TITLE = 300
"""Letters of a title that leave the program."""
LONGEST_LINE, LONGEST_URL = 120, 160
"""Letters that stand on a line beside others."""
_READ = 8
"""Times as many letters are looked at: most of them may be blanks."""


def one_line(text: str) -> str:
    """The text on one line, without invisible characters: escapes, soft hyphens, marks and overrides of direction.

    >>> one_line("An\\n  eye\\x1b[31m")
    'An eye[31m'
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(letter for letter in line if letter.isprintable())


def paragraphs(text: str) -> str:
    """The text with each line as `one_line` has it; empty lines are left out.

    >>> paragraphs("An  eye\\n\\n\\x1b[31mA nose")
    'An eye\\n[31mA nose'
    """
    return "\n".join(filter(None, map(one_line, text.splitlines())))


def shorten(text: str, most: int) -> str:
    """The text, cut to so many letters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def short_line(text: str, most: int = LONGEST_LINE) -> str:
    """A text that somebody else wrote, as it is shown: on one line, cut, without invisible characters.

    >>> short_line("An\\n  eye", 4)
    'An…'
    """
    # Of a text of a megabyte not all is looked at.
    return shorten(one_line(text[: _READ * most]), most)


def short_url(url: str, most: int = LONGEST_URL) -> str:
    """A url as it is shown; without a password, should it have one.

    >>> short_url("http://me:secret@example.org/@eye")
    'http://***@example.org/@eye'
    """
    scheme, divider, rest = url[: _READ * most].partition("://")
    place, slash, path = rest.partition("/")
    return short_line(f"{masked_login(f'{scheme}{divider}{place}')}{slash}{path}", most)


def short_title(title: str) -> str:
    """A title as it leaves the program: shown, in JSON and in exports. A page may have one of a million letters.

    >>> len(short_title("word " * 1000))
    300
    """
    return shorten(title, LONGEST_TITLE)


def told_priority(priority: float) -> str:
    """The priority of a url: a number, or in words what comes before all others.

    >>> told_priority(0.3051), told_priority(SEED), told_priority(FIRST)
    ('0.305', 'of a seed', 'put first by order')
    """
    if priority >= FIRST:
        return "put first by order"
    return "of a seed" if priority >= SEED else f"{priority:.3g}"


def day(at: float) -> str:
    """The day of a moment, in UTC.

    >>> day(1.7e9)
    '2023-11-14'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def moment(at: float) -> str:
    """A moment to the minute, by the clock of this machine: `2026-11-17 12:49`."""
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%Y-%m-%d %H:%M}"


def evidence_line(evidence: Iterable[Evidence], between: str = ", ", most: int = MOST_REASONS) -> str:
    """The strongest reasons in one line, whole judges before the words they found; empty if there are none.

    >>> evidence_line([Evidence("iris", "title", 0.31), Evidence("sense", "judge", 0.655)])
    'judge sense 0.66, iris 0.31 (title)'
    """
    # A judge that found nothing is shown too: its zero decided. So is a reason without an amount, if there is no other.
    every = list(evidence)
    said = [each for each in every if each.amount or each.where in VERDICTS] or every
    strongest = sorted(said, key=lambda each: (each.where not in VERDICTS, -abs(each.amount)))
    named = between.join(map(_reason, strongest[:most]))
    return named + (f" and {len(strongest) - most} more" if len(strongest) > most else "")


def strongest_reason(evidence: Iterable[Evidence]) -> str:
    """The one thing that counted most, in words: something that was found, rather than what a whole judge made of the page.

    >>> strongest_reason([Evidence("sense", "judge", 0.655), Evidence("iris", "title", 0.31)])
    'iris 0.31 (title)'
    """
    return evidence_line(sorted(evidence, key=lambda each: (each.where in VERDICTS, -abs(each.amount)))[:1])


def evidence_lines(evidence: Sequence[Evidence], missing: Sequence[str] = ()) -> list[str]:
    """The reasons in one line; or, if some speak against, what whole judges said, what speaks for, and what against, a line each.

    What was looked for and is missing has a line of its own, the last.

    >>> evidence_lines([Evidence("eye", "text", 3.0), Evidence("garden", "text", -1.5)])
    ['', 'for      eye 3 (text)', 'against  garden 1.5 (text)']
    >>> evidence_lines([Evidence("eye", "text", 3.0)], ["pupil", "iris"])
    ['eye 3 (text)', 'without  pupil, iris']
    """
    without = [f"without  {_listed(missing)}"] if missing else []
    if not any(each.amount < 0 for each in evidence):
        return [evidence_line(evidence), *without]
    verdicts = [each for each in evidence if each.where in VERDICTS]
    found = [each for each in evidence if each.where not in VERDICTS]
    lines = {
        "for": evidence_line(each for each in found if each.amount > 0),
        "against": evidence_line(each._replace(amount=-each.amount) for each in found if each.amount < 0),
    }
    return [evidence_line(verdicts), *(f"{side:<8} {line}" for side, line in lines.items() if line), *without]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_REASONS
    return ", ".join(map(one_line, names[:MOST_REASONS])) + (f" and {more} more" if more > 0 else "")


def _reason(each: Evidence) -> str:
    what, where, amount = one_line(each.what), one_line(each.where), _amount(each.amount)
    if where != "judge":
        return f"{what} {amount} ({where})" if each.amount else f"{what} ({where})"
    # `concepts` is the name of a judge and needs the word before it; `the labels` does not.
    return f"{what} {amount}" if what.startswith("the ") else f"judge {what} {amount}"


def _amount(value: float) -> str:
    if abs(value) < 0.005:
        return f"{value:.1g}"
    return f"{value:.2f}" if abs(value) < 1 else f"{value:.3g}"
