"""Two crawls side by side: their figures, what both found, what only one of them found, their curves and their hosts.

Both may be running meanwhile. Memory does not grow with the pages: each page is looked up in the other crawl's own indexes.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

from thresher.disk.crawl_home import Place, folder_of
from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_sqlite import damage_in
from thresher.errors import BadInput, FolderError
from thresher.frontier.reading import is_known, waiting
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line, short_title
from thresher.results.show import is_probability
from thresher.settings import Settings
from thresher.store.overlap import OnlyPage, SameUrls, SharedHarvest, attach_other, only_here, same_urls, shared_harvest
from thresher.store.overview import HostFound, hosts_found, hosts_named
from thresher.store.rejudgements import judge_names
from thresher.store.totals import Counts, counts, harvest_curve, mean_relevance, seconds_under_way
from thresher.urls import canonical

_POINTS = 200
_EXAMPLES, _HOSTS, _BARREN = 15, 15, 5


class ExclusivePage(NamedTuple):
    """A relevant page that the other crawl does not have."""

    page: OnlyPage
    known: bool
    """Whether the other crawl has met its url, and has not kept it."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**self.page._asdict(), "title": short_title(self.page.title), "known_to_the_other": self.known}


class ComparedCrawl(NamedTuple):
    """One of two crawls."""

    name: str
    settings: Settings
    counts: Counts
    waiting: int
    seconds: float
    curve: list[tuple[int, float]]
    """Pages fetched so far, and the relevant ones among them."""
    expected_precision: float | None
    harvest: SharedHarvest
    exclusive: list[ExclusivePage]
    """The best of the pages that the other crawl does not have."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        found, shared = self.counts, self.harvest
        return {
            "name": self.name,
            "topic": self.settings.topic,
            "strategy": self.settings.strategy["name"],
            "judge": self.settings.judge["name"],
            "fetched": found.fetched,
            "relevant": found.relevant,
            "harvest": found.harvest,
            "pages": found.pages,
            "hosts": found.hosts,
            "bytes": found.bytes,
            "waiting": self.waiting,
            "seconds": self.seconds,
            "expected_precision": self.expected_precision,
            "curve": self.curve,
            "shared": {"same_url": shared.url, "same_bytes": shared.bytes, "same_text": shared.text},
            "only_here": shared.only,
            "best_only_here": [each.as_json() for each in self.exclusive],
        }


class HostPair(NamedTuple):
    """What two crawls had of one host."""

    host: str
    first: HostFound | None
    second: HostFound | None

    def row(self) -> tuple[str, str, str]:
        """It in words: `3 of 10` are relevant pages of those fetched."""
        one, two = (f"{each.relevant:,} of {each.fetched:,}" if each else "–" for each in (self.first, self.second))
        return self.host, one, two

    @property
    def relevant(self) -> int:
        """Relevant pages, of both."""
        return sum(each.relevant for each in (self.first, self.second) if each)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "host": self.host,
            "first": self.first and self.first.as_json(),
            "second": self.second and self.second.as_json(),
        }


class CrawlComparison(NamedTuple):
    """Two crawls, and what they have in common."""

    first: ComparedCrawl
    second: ComparedCrawl
    same: SameUrls
    hosts: list[HostPair]
    """The hosts with relevant pages, the best of both first; if there are none, some others."""

    @property
    def overlap(self) -> float | None:
        """Of the relevant pages that at least one of them has, the share that both have; None if there is none.

        A page of one may be two of the other, so what is shared is counted on both sides, and the smaller count taken.
        """
        shared = min(self.first.harvest.shared, self.second.harvest.shared)
        every = shared + self.first.harvest.only + self.second.harvest.only
        return shared / every if every else None

    def rows(self) -> list[tuple[str, str, str]]:
        """The figures of both, in words, a row each."""
        return [(name, tell(self.first), tell(self.second)) for name, tell in _FIGURES.items()]

    def told(self) -> str:
        """What both have, in a sentence or two."""
        same, one, two = self.same, self.first, self.second
        share = f", {self.overlap:.0%} of all that either found" if self.overlap is not None else ""
        moved = one.harvest.bytes + one.harvest.text
        elsewhere = f"; {moved:,} of them under another url" if moved else ""
        shared = (
            f"{two.name} has {one.harvest.shared:,} of the {one.counts.relevant:,} relevant pages of {one.name} too"
        )
        urls = f"{same.pages:,} pages were kept by both under the same url; {same.relevant:,} of these are relevant by both judges"
        apart = f", {same.only_first:,} only by that of {one.name}, {same.only_second:,} only by that of {two.name}"
        return f"{shared}{share}{elsewhere}. {urls}{apart if same.only_first or same.only_second else ''}."

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "same": {**self.same._asdict(), "overlap": self.overlap},
            "hosts": [each.as_json() for each in self.hosts],
        }


_FIGURES: Mapping[str, Callable[[ComparedCrawl], str]] = {
    "topic": lambda crawl: short_line(crawl.settings.topic, 60),
    "strategy": lambda crawl: str(crawl.settings.strategy["name"]),
    "judge": lambda crawl: judge_names(crawl.settings.judge),
    "pages fetched": lambda crawl: f"{crawl.counts.fetched:,}",
    "relevant pages": lambda crawl: f"{crawl.counts.relevant:,}",
    "harvest rate": lambda crawl: f"{crawl.counts.harvest:.1%}",
    "relevant, only here": lambda crawl: f"{crawl.harvest.only:,}",
    "expected precision": lambda crawl: "–" if crawl.expected_precision is None else f"{crawl.expected_precision:.0%}",
    "hosts": lambda crawl: f"{crawl.counts.hosts:,}",
    "urls waiting": lambda crawl: f"{crawl.waiting:,}",
    "received": lambda crawl: f"{crawl.counts.bytes / 1e6:,.1f} MB",
    "minutes under way": lambda crawl: f"{crawl.seconds / 60:,.1f}",
}


def compare_crawls(first: Place, second: Place) -> CrawlComparison:
    """Compare two crawl folders."""
    with ExitStack() as opened:
        one, other = (opened.enter_context(Archive.open(path)) for path in (first, second))
        folders = [folder_of(each.folder, "to compare crawls") for each in (one, other)]
        if folders[0].path.resolve() == folders[1].path.resolve():
            raise BadInput(f"{first} and {second} are the same crawl: name two")
        try:
            return _compared(one, other, *folders)
        except FolderError:
            # The error names the file that was read, and the one beside it may be to blame.
            if (damage := damage_in(folders[1].database)) is not None:
                raise damage from None
            raise


def _compared(one: Archive, other: Archive, first: CrawlFolder, second: CrawlFolder) -> CrawlComparison:
    attach_other(one.read, second.database)
    attach_other(other.read, first.database)
    names = _names(first, second)
    return CrawlComparison(
        _side(one, other, names[0]), _side(other, one, names[1]), same_urls(one.read, other.read), _hosts(one, other)
    )


def _names(one: CrawlFolder, other: CrawlFolder) -> tuple[str, str]:
    """The names of the folders, with those above them where they are the same."""
    paths = [each.path.resolve() for each in (one, other)]
    first, second = (path.name for path in paths)
    if first == second:
        first, second = (f"{path.parent.name}/{path.name}" for path in paths)
    return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")


def _side(archive: Archive, other: Archive, name: str) -> ComparedCrawl:
    read = archive.read
    return ComparedCrawl(
        name,
        archive.settings,
        counts(read),
        waiting(read),
        seconds_under_way(read),
        [(fetched, fetched * rate) for fetched, rate in harvest_curve(read, _POINTS)],
        mean_relevance(read) if is_probability(archive) else None,
        shared_harvest(read),
        [ExclusivePage(page, _knows(other, page.url)) for page in only_here(read, _EXAMPLES)],
    )


def _knows(archive: Archive, url: Url) -> bool:
    # A file that somebody sent may hold anything.
    return canonical(url) == url and is_known(archive.read, url)


def _hosts(one: Archive, other: Archive) -> list[HostPair]:
    names = {each.host for archive in (one, other) for each in hosts_found(archive.read, _HOSTS)}
    first, second = ({each.host: each for each in hosts_named(archive.read, names)} for archive in (one, other))
    pairs = [HostPair(host, first.get(host), second.get(host)) for host in names]
    best = sorted(pairs, key=lambda pair: (-pair.relevant, pair.host))
    return [pair for pair in best if pair.relevant] or best[:_BARREN]
