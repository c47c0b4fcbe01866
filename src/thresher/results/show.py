"""What `thresher show` says of a crawl: its figures, the best pages with what became of them, and the harvest curve as a picture."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from thresher.chart import Axes, Ink, Line, line_chart
from thresher.disk.crawl_home import Home, Place
from thresher.documents.kinds import installed
from thresher.documents.unread import NOTED, counted, in_words
from thresher.errors import ThresherError
from thresher.frontier.reading import hosts_that_lost_turns, waiting
from thresher.install_hint import install_hint
from thresher.judge.calibration import is_calibrated
from thresher.results.archive import Archive
from thresher.results.crawl_seeds import SeedFate, seed_fates
from thresher.results.label.scores import HandFigures, figures_of
from thresher.results.plain_text import short_title
from thresher.results.sightings import Sightings, sightings
from thresher.results.target_recall import TargetRecall
from thresher.settings import Settings
from thresher.store.current import current_row
from thresher.store.overview import HostFound, hosts_found
from thresher.store.rejudgements import JudgingRound, judge_names
from thresher.store.states import recall_all
from thresher.store.totals import (
    Counts,
    ShellFigures,
    counts,
    errors,
    harvest_beyond,
    harvest_curve,
    harvest_of_fetches,
    mean_relevance,
    refused_types,
    seconds_under_way,
    shells,
)
from thresher.store.visits import BestPage, best_pages

_BEST_PAGES, _BEST_HOSTS = 10, 8
_WINDOW = 100
"""Fetches that the thin line of the picture looks back."""


class BestNow(NamedTuple):
    """One of the best pages, and what later looks saw of it."""

    page: BestPage
    """As the crawl fetched it."""
    gone: float | None
    """When it was found to be gone, if it is."""
    changed: float | None
    """When it was found to have changed, if it has."""
    relevance: float
    """As it is now."""
    relevant: bool

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        now = {"relevance": self.relevance, "relevant": self.relevant} if self.changed else None
        return {
            "url": self.page.url,
            "title": short_title(self.page.title),
            "relevance": self.page.relevance,
            "gone": self.gone,
            "changed": self.changed,
            "now": now,
        }


class CrawlFigures(NamedTuple):
    """All that `show` says of a crawl."""

    folder: Place
    settings: Settings
    counts: Counts
    errors: dict[str, int]
    waiting: int
    reason: str | None
    message: str
    curve: list[tuple[int, float]]
    """Pages fetched so far, and the harvest rate by then."""
    best: list[BestNow]
    hosts: list[HostFound]
    alike: dict[str, int]
    """Hosts that lost turns, and how many of their pages looked alike."""
    sightings: Sightings
    by_hand: HandFigures | None
    """None if no page was labelled."""
    expected_precision: float | None
    """The share of the relevant pages that is so, if the judge's relevance is a probability; None if it is none, or nothing was found."""
    judged: JudgingRound | None = None
    """The round that judged the pages anew, if one is in force: then relevance, harvest and best pages are by its judge."""
    beyond_seeds: float | None = None
    """The harvest without the seeds; None if nothing else was fetched."""
    beyond_links: float | None = None
    """The harvest without the seeds and what they link to (Kayışoğlu 2005: without D = 1)."""
    seconds: float = 0.0
    """How long the crawl took, breaks between its runs left out."""
    recall: TargetRecall | None = None
    """If targets were named."""
    seeds: tuple[SeedFate, ...] = ()
    """All of them, those first that led to most."""
    shells: ShellFigures = ShellFigures()
    unread: Mapping[str, int] = MappingProxyType({})
    """Documents that relevant pages link to, or that were refused, by their kind, where nothing here can read them."""

    @property
    def unread_told(self) -> str:
        """What was not read, in a sentence; empty if there is nothing to tell."""
        if not self.unread:
            return ""
        how = "run the crawl again, and they are fetched" if installed() else install_hint("documents")
        return f"On-topic links not read: {in_words(self.unread)}: {how}"

    @property
    def judges(self) -> str:
        """Who judged the pages while they came."""
        return judge_names(self.settings.judge)

    @property
    def seconds_per_100(self) -> float | None:
        """Seconds for a hundred fetches (Kayışoğlu 2005 §5.1); None if nothing was fetched."""
        return 100 * self.seconds / self.counts.fetched if self.counts.fetched else None

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        found = self.counts
        return {
            "topic": self.settings.topic,
            "strategy": self.settings.strategy["name"],
            "judge": self.settings.judge["name"],
            "fetched": found.fetched,
            "relevant": found.relevant,
            "harvest": found.harvest,
            "harvest_beyond_seeds": self.beyond_seeds,
            "harvest_beyond_links": self.beyond_links,
            "seconds_per_100": self.seconds_per_100,
            "target_recall": self.recall and self.recall.as_json(),
            "errors": self.errors,
            "waiting": self.waiting,
            "stopped": self.reason,
            "message": self.message,
            "pages": found.pages,
            "duplicates": found.duplicates,
            "near_duplicates": found.near,
            "bytes": found.bytes,
            "hosts": found.hosts,
            "curve": self.curve,
            "best": [page.as_json() for page in self.best],
            "best_hosts": [{"host": each.host, **each.as_json()} for each in self.hosts],
            "seeds": [seed.as_json() for seed in self.seeds],
            "unread_documents": dict(self.unread),
            "alike": self.alike,
            "shells": self.shells._asdict(),
            "found": self.sightings.pages,
            "found_elsewhere": self.sightings.elsewhere,
            "found_against": dict(self.sightings.against),
            "never_found": self.sightings.never,
            "by_hand": self.by_hand and self.by_hand.as_json(),
            "expected_precision": self.expected_precision,
            "judged_anew": self.judged and {"judge": str(self.judged), "at": self.judged.done},
        }


def findings_of(folder: Home) -> CrawlFigures:
    """The figures of a crawl folder; the crawl may be running meanwhile."""
    with Archive.open(folder.path) as archive:
        return crawl_figures(archive)


def crawl_figures(archive: Archive) -> CrawlFigures:
    """The figures of an archive. It may take seconds: an ontology and labelled pages may have to be read."""
    read = archive.read
    reason, message = archive.stopped()
    return CrawlFigures(
        archive.folder.path,
        archive.settings,
        counts(read),
        errors(read),
        waiting(read),
        reason,
        message,
        harvest_curve(read),
        best(archive, _BEST_PAGES),
        hosts_found(read, _BEST_HOSTS),
        hosts_that_lost_turns(read, _BEST_HOSTS),
        sightings(archive),
        hand_figures(archive),
        mean_relevance(read) if is_probability(archive) else None,
        archive.judged,
        harvest_beyond(read, 1),
        harvest_beyond(read, 2),
        seconds_under_way(read),
        seeds=tuple(seed_fates(archive)),
        shells=shells(read),
        unread=_unread(archive),
    )


def _unread(archive: Archive) -> dict[str, int]:
    """Where documents can be read by now, those that were refused are done with; those that were noted will be fetched."""
    if archive.settings.documents.get("read") is False:
        return {}
    return counted(recall_all(archive.read, NOTED), {} if installed() else refused_types(archive.read))


def is_probability(archive: Archive) -> bool:
    """Whether the relevance in force is a probability; in an order that was learnt it is that of another page.

    The curves were fitted on topics in words, not on example pages.
    """
    if archive.settings.knowledge.get("examples"):
        return False
    if archive.judged is None:
        return is_calibrated(archive.settings.judge)
    return is_calibrated(archive.judged.judge) and not archive.judged.learn


def best(archive: Archive, limit: int) -> list[BestNow]:
    """So many pages, the most relevant first."""
    return [_best_now(archive, page) for page in best_pages(archive.read, limit)]


def _best_now(archive: Archive, page: BestPage) -> BestNow:
    now = current_row(archive.read, page.number)
    changed = now["at"] if now["version"] is not None else None
    return BestNow(page, now["gone"], changed, now["relevance"], bool(now["relevant"]))


def hand_figures(archive: Archive) -> HandFigures | None:
    """The judge against the labels of a person; None if no page was labelled, or the judge cannot be made here."""
    try:
        return figures_of(archive)
    except ThresherError:
        return None  # the judge could be made when it crawled, and cannot be here


def harvest_picture(archive: Archive) -> str:
    """The harvest rate over the pages fetched, as SVG: so far, and over the latest hundred."""
    fresh = harvest_of_fetches(archive.read)
    so_far, latest, relevant = list[float](), list[float](), 0
    for place, each in enumerate(fresh, 1):
        relevant += each
        so_far.append(relevant / place)
        latest.append(sum(fresh[max(0, place - _WINDOW) : place]) / min(place, _WINDOW))
    # The first few shares jump between nothing and all, and would press the rest flat.
    skipped = len(fresh) // 50
    axes = Axes(f"Harvest of {archive.settings.topic}", "pages fetched", "harvest rate", first=skipped + 1)
    lines = [
        Line("so far", so_far[skipped:], ink=Ink("#2f7fb8", width=2.0, strong=True)),
        Line(f"of the latest {_WINDOW}", latest[skipped:], ink=Ink("#c06a1f", dash="5 3", strong=True)),
    ]
    return line_chart(axes, lines)
