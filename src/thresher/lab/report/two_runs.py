"""Two runs of an experiment side by side: what each fetched, place by place, and when the other came to the same page."""

from collections.abc import Sequence
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.lab.run.crawl_measures import Fetch, counted_once, url_overlap
from thresher.lab.run.results_file import Results, Run

AT_ONCE = 50


class RunVisit(NamedTuple):
    """A fetch of one run."""

    url: str
    relevant: bool
    """Whether it gave a relevant page that had not come before."""
    page: bool
    """Whether a page came at all."""
    elsewhere: int | None
    """The place at which the other run fetched it; None if it did not."""
    found: int
    """Relevant pages by then."""


class VisitPair(NamedTuple):
    """What both fetched at one place; None where one had ended."""

    place: int
    left: RunVisit | None
    right: RunVisit | None


class TwoRuns(NamedTuple):
    """A stretch of two runs."""

    rows: tuple[VisitPair, ...]
    length: int
    """Places there are: fetches of the longer run."""
    overlap: float
    """The share of the budget that both spent on the same urls."""


def runs_by_name(results: Results) -> dict[str, Run]:
    """The runs by names that tell a person what they are, in order."""
    return {_name(run): run for _, run in sorted(results.runs.items())}


def _name(run: Run) -> str:
    again = f", repeat {run.repeat}" if run.repeat else ""
    return f"{run.topic} · {run.label} · {run.seeds}, {run.pages:,} pages{again}"


def two_runs(results: Results, left: Run, right: Run, skip: int = 0, most: int = AT_ONCE) -> TwoRuns:
    """So many places of two runs, after those that are skipped."""
    sides = [_fetches(results, run) for run in (left, right)]
    length = max(map(len, sides))
    both = [_visits(own, other) for own, other in (sides, sides[::-1])]
    places = range(skip, min(length, skip + most))
    rows = (VisitPair(place + 1, *(_at(side, place) for side in both)) for place in places)
    return TwoRuns(tuple(rows), length, url_overlap(sides[0], sides[1], max(left.pages, right.pages)))


def _fetches(results: Results, run: Run) -> list[Fetch]:
    try:
        return results.fetches(run)
    except (OSError, ValueError, EOFError, TypeError) as error:
        raise BadInput(f"{results.folder}: what {_name(run)} fetched cannot be read: {error}") from error


def _visits(own: Sequence[Fetch], other: Sequence[Fetch]) -> list[RunVisit]:
    places = {each.url: place for place, each in reversed([*enumerate(other, 1)])}
    visits, found = list[RunVisit](), 0
    for each in counted_once(own):
        found += each.relevant
        visits.append(RunVisit(each.url, each.relevant, each.page, places.get(each.url), found))
    return visits


def _at(side: Sequence[RunVisit], place: int) -> RunVisit | None:
    return side[place] if place < len(side) else None
