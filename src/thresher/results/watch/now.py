"""How far a crawl is, at this moment: figures, curve, budget and what ends first, hosts that rest and why, the latest pages."""

from collections.abc import Mapping
from math import inf, isfinite
from typing import NamedTuple

from thresher.budget import Budget
from thresher.frontier.options import FrontierOptions
from thresher.frontier.outlook import RestingHost, Why, rests
from thresher.frontier.reading import waiting
from thresher.orders.state import CrawlState, crawl_state
from thresher.plugins import construct
from thresher.results.archive import Archive
from thresher.results.plain_text import LONGEST_LINE, short_line, short_url, shorten, strongest_reason
from thresher.results.watch.running_figures import CurvePoint, RunningFigures
from thresher.settings import Manners, Settings
from thresher.store.glances import ShownVisit, latest_pages

_LATEST = 12
_RESTING = 30
_HOSTS = 8
_WHY: Mapping[Why, str] = {
    "closed": "gave no good answer {strains} times in a row; left alone until the crawl is run again",
    "quota": "its quota of urls is used up",
    "back-off": "backs off for {gap} after {strains} bad answer{s}",
    "asked to wait": "was asked to be left alone for a while",
    "crawl-delay": "its robots.txt asks for {gap} between two requests",
    "delay": "the usual pause of {gap} between two requests",
}


class LatestPage(NamedTuple):
    """A page that was just read, in texts that are safe to show."""

    number: int
    url: str
    title: str
    relevance: float
    relevant: bool
    reason: str
    """What counted most; empty if nothing spoke for or against it."""
    at: float


class RestNow(NamedTuple):
    """A host that is left alone."""

    host: str
    why: str
    """In words."""
    until: float
    """In seconds since 1970; infinite if it is not asked again in this run."""
    waiting: int


class BestHost(NamedTuple):
    """A host with many relevant pages."""

    host: str
    relevant: int
    fetched: int


class BudgetLine(NamedTuple):
    """One limit of the budget."""

    key: str
    """`pages`, `relevant`, `bytes` or `minutes`."""
    used: float
    most: float
    seconds: float
    """Until it is spent, at the pace of now; infinite if nobody can say."""


class Now(NamedTuple):
    """All that the first page shows of a crawl."""

    fetched: int
    relevant: int
    pages: int
    hosts: int
    bytes: int
    seconds: float
    """Under way so far."""
    waiting: int
    pace: float
    """Fetches a second: over the latest minute if the crawl runs, else over its whole time."""
    state: CrawlState
    curve: tuple[CurvePoint, ...]
    resting: tuple[RestNow, ...]
    """Those that rest for another reason than the usual pause."""
    resting_counts: Mapping[Why, int]
    waiting_hosts: int
    budget: tuple[BudgetLine, ...]
    ends: str
    """What ends first, in a sentence; empty if the crawl does not run."""
    dry: str
    """How near the harvest is to drying up, in a sentence; empty if that ends no crawl."""
    latest: tuple[LatestPage, ...]
    best_hosts: tuple[BestHost, ...]
    counted: float
    """The share of the visits that is counted so far; 1 except in the first seconds that a large crawl is watched."""
    at_work: tuple[str, ...] | None
    """The workers that are there now, each by machine and process; None of a crawl that has one process."""

    @property
    def harvest(self) -> float:
        """Relevant ÷ fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


def frontier_options(settings: Settings) -> FrontierOptions:
    """The options that the crawl's frontier has, as far as another process needs them."""
    manners: Manners = construct(Manners, settings.polite, "[polite]")
    known = {key: value for key, value in settings.frontier.items() if key in FrontierOptions.__dataclass_fields__}
    return FrontierOptions(**{**known, "delay": manners.delay, "per_host": manners.per_host})


def now_of(archive: Archive, figures: RunningFigures, moment: float) -> Now:
    """How a crawl stands at a moment."""
    settings, read = archive.settings, archive.read
    state, began = crawl_state(archive.folder), archive.folder.began()
    running = state.name == "running"
    pace = figures.pace(moment) if running else figures.mean_pace
    budget = archive.budget
    left, idle = waiting(read), rests(read, frontier_options(settings), moment, _RESTING)
    lines = tuple(_budget_lines(budget, figures, pace, moment - began if began else 0.0))
    return Now(
        figures.fetched,
        figures.relevant,
        figures.pages,
        len(figures.hosts),
        figures.bytes,
        figures.seconds,
        left,
        pace,
        state,
        figures.curve.points(),
        tuple(_resting(each) for each in idle.hosts),
        idle.counts,
        idle.waiting_hosts,
        lines,
        _ends(lines, left, figures) if running else "",
        _dry(budget, figures),
        tuple(map(latest_page, latest_pages(read, _LATEST))),
        tuple(BestHost(short_line(host), tally.relevant, tally.fetched) for host, tally in figures.best_hosts(_HOSTS)),
        figures.counted,
        None if (there := archive.folder.at_work()) is None else tuple(map(short_line, there)),
    )


def latest_page(visit: ShownVisit) -> LatestPage:
    """A page in texts that are safe to show."""
    return LatestPage(
        visit.number,
        short_url(visit.url),
        shown_title(visit),
        visit.relevance or 0.0,
        visit.relevant,
        shorten(strongest_reason(visit.evidence), LONGEST_LINE),
        visit.at,
    )


def shown_title(visit: ShownVisit) -> str:
    """The title as it is shown; the url where there is none."""
    return short_line(visit.title) or short_url(visit.url)


def _resting(host: RestingHost) -> RestNow:
    return RestNow(short_line(host.host), rest_in_words(host), host.until, host.waiting)


def rest_in_words(host: RestingHost) -> str:
    """Why a host is left alone."""
    return _WHY[host.why].format(gap=spoken(host.gap), strains=host.strains, s="s" * (host.strains != 1))


def _budget_lines(budget: Budget, figures: RunningFigures, pace: float, seconds: float) -> list[BudgetLine]:
    """Each limit there is, with what was used of it and the seconds until it is spent."""
    share = sum(figures.recent) / len(figures.recent) if figures.recent else 0.0
    size = figures.bytes / figures.fetched if figures.fetched else 0.0
    used = {
        "pages": (float(figures.fetched), pace),
        "relevant": (float(figures.relevant), pace * share),
        "bytes": (float(figures.bytes), pace * size),
        "minutes": (seconds / 60, 1 / 60),
    }
    limits = ((key, getattr(budget, key), *used[key]) for key in used)
    return [BudgetLine(key, have, most, _until(most - have, gain)) for key, most, have, gain in limits if most]


def _until(left: float, a_second: float) -> float:
    return max(0.0, left) / a_second if a_second > 0 else inf


def _ends(lines: tuple[BudgetLine, ...], left: int, figures: RunningFigures) -> str:
    first = min(lines, key=lambda line: line.seconds, default=None)
    if not left and figures.fetched:
        return "Nothing waits any more: it ends when the pages under way are read, unless they bring new links."
    if first is None:
        return "No budget is set: it ends when nothing is left to fetch, or when the harvest dries up."
    if not isfinite(first.seconds):
        return "How long it will take can be told once pages come in."
    few = left < first.most - first.used if first.key == "pages" else False
    but = f" Only {left:,} url{'s' * (left != 1)} wait, so that it may run out of links before." if few else ""
    return f"The budget of {amount(first.key, first.most)} ends first, in about {spoken(first.seconds)}.{but}"


def _dry(budget: Budget, figures: RunningFigures) -> str:
    if not budget.dry_share:
        return ""
    found, least = sum(figures.recent), budget.dry_share * budget.dry_window
    return (
        f"{found:,} of the latest {len(figures.recent):,} fetches were relevant; "
        f"it would stop with fewer than {least:,.0f} of {budget.dry_window:,}."
    )


def amount(key: str, value: float) -> str:
    """So much of a budget, in words.

    >>> amount("bytes", 2_500_000), amount("minutes", 90), amount("pages", 1)
    ('2.5 MB', '90 minutes', '1 page')
    """
    if key == "bytes":
        return size(value)
    name = {"pages": "page", "relevant": "relevant page", "minutes": "minute"}[key]
    return f"{value:,.5g} {name}{'s' * (value != 1)}" if value < 1e5 else f"{value:,.0f} {name}s"


def size(count: float) -> str:
    """Bytes in the largest unit that fits.

    >>> size(999), size(1_234_567)
    ('999 bytes', '1.2 MB')
    """
    for unit, worth in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= worth:
            return f"{count / worth:.1f} {unit}"
    return f"{count:.0f} bytes"


def spoken(seconds: float) -> str:
    """A length of time, in words that are as exact as anybody wants.

    >>> spoken(0.55), spoken(75.2), spoken(4000), spoken(200_000)
    ('0.6 s', '75 s', '67 minutes', '56 hours')
    """
    if seconds < 100:
        return f"{seconds:.1g} s" if seconds < 1 else f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours" if seconds < 72 * 3600 else f"{seconds / 86_400:.0f} days"
