"""What waits, by host and by score, and what is fetched next, and why."""

from math import isfinite
from typing import NamedTuple

from thresher.frontier.outlook import HostQueue, NextUrl, ScoreSpread, next_up, queues, scores
from thresher.frontier.reading import waiting
from thresher.model import Evidence, Url
from thresher.results.archive import Archive
from thresher.results.plain_text import LONGEST_LINE, one_line, short_line, short_url, shorten
from thresher.results.watch.now import frontier_options, spoken
from thresher.results.watch.signs import in_words
from thresher.results.why.reasons import PriorityParts, Reasons

MOST = 20
_MOST_REASONS = 3


class Upcoming(NamedTuple):
    """A url that will be fetched soon, in texts that are safe to show."""

    url: str
    address: Url
    """The whole url: to ask for more."""
    priority: float
    when: str
    """`now`, or in how many seconds its host may be asked."""
    anchor: str
    found_on: str
    """The page that links to it."""
    tries: int


class Outlook(NamedTuple):
    """What waits."""

    waiting: int
    upcoming: tuple[Upcoming, ...]
    queues: tuple[HostQueue, ...]
    """The hosts on which most urls wait."""


def outlook(archive: Archive, moment: float, most: int = MOST) -> Outlook:
    """What will be fetched next, in order, and what waits where."""
    options = frontier_options(archive.settings)
    found = next_up(archive.read, options, moment, most)
    told = tuple(_upcoming(each, moment) for each in found)
    return Outlook(waiting(archive.read), told, tuple(queues(archive.read, options)))


def why_next(archive: Archive, moment: float, most: int = MOST) -> dict[Url, str]:
    """What the priorities are made of that the next urls have, the strongest part first.

    The strategy is built again with all it has learnt, and looks at the pages that link there. It may take a second: do not ask it often.
    """
    found = next_up(archive.read, frontier_options(archive.settings), moment, most)
    reasons = Reasons(archive) if found else None
    return {each.url: _reason(archive, each, reasons) for each in found if reasons}


def spread_of_scores(archive: Archive) -> ScoreSpread:
    """How the priorities of what waits are spread."""
    return scores(archive.read)


def _upcoming(url: NextUrl, moment: float) -> Upcoming:
    return Upcoming(
        short_url(url.url),
        url.url,
        url.priority,
        soon(url.at - moment),
        short_line(url.anchor),
        short_url(url.parent) if url.parent else "",
        url.tries,
    )


def soon(seconds: float) -> str:
    """When something will be, in words.

    >>> soon(-3.0), soon(75.0), soon(float("inf"))
    ('now', 'in 75 s', 'not in this run')
    """
    return "now" if seconds < 0.5 else f"in {spoken(seconds)}" if isfinite(seconds) else "not in this run"


def _reason(archive: Archive, url: NextUrl, reasons: Reasons) -> str:
    if url.parent is None:
        return "a seed"
    # After a redirect the page links to the url that redirected.
    target = url.chain[0] if url.chain else url.url
    parts = reasons.parts(archive.visit(url.parent), target, url.anchor)
    return _in_words(parts)


def _in_words(parts: PriorityParts) -> str:
    said = [part for part in parts.evidence if part.what != "bias"] or list(parts.evidence)
    strongest = sorted(said, key=lambda part: -abs(part.amount))[:_MOST_REASONS]
    line = ", ".join(map(_signed, strongest)) or parts.unknown
    return shorten(f"{parts.found}: {line}" if parts.found else line, 3 * LONGEST_LINE)


def _signed(part: Evidence) -> str:
    """A part of a priority with its sign: `links in menus −0.30`."""
    sign = "+" if part.amount >= 0 else "−"
    return f"{one_line(in_words(part.what))} {sign}{abs(part.amount):.2f}"
