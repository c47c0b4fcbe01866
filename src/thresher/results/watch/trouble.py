"""What went wrong in a crawl: by kind and by host, retries told apart from errors, traps, promising pages that could not be read."""

from collections.abc import Mapping
from typing import NamedTuple

from thresher.frontier.reading import hosts_that_lost_turns
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line, short_url
from thresher.results.watch.running_figures import NOT_ALLOWED, RunningFigures
from thresher.store.glances import ShownVisit, visits_numbered

_HOSTS, _TRAPS, _PAGES, _NAMED = 20, 10, 25, 3
_MEANS: Mapping[str, str] = {
    "robots": "robots.txt does not allow it; nothing was asked",
    "scope": "outside of the scope of this crawl; nothing was asked",
    "reserved": "the page reserves text and data mining",
    "private-address": "the address is not public",
    "bad-port": "a port at which no web pages are served; nothing was asked",
    "denied": "the experiment leaves it out",
    "timeout": "no answer in time",
    "dns": "the name of the host does not exist, or could not be looked up",
    "connection-refused": "no server listens there",
    "unreachable": "there is no way to the host",
    "reset": "the server hung up",
    "tls": "the certificate or the handshake is not valid",
    "proxy": "the proxy refused, or could not be reached",
    "incomplete": "the answer ended early",
    "bad-http": "the answer is not HTTP",
    "bad-url": "no request can be made of such a url",
    "bad-encoding": "the answer could not be unpacked",
    "bomb": "the answer would unpack to far more bytes than it has",
    "too-large": "larger than a page may be, or takes too much memory to read",
    "too-slow": "reading it took too long, and was given up",
    "crashed": "reading it failed",
    "headers-too-large": "the headers are larger than they may be",
    "content-type": "neither a web page nor a document that is read",
    "soft-404": "the page itself says that it is not there",
    "parked": "the domain is for sale or parked",
    "redirect-loop": "it leads back to itself",
    "redirect-limit": "more than ten redirects in a row",
    "redirect-bad": "it redirects to nowhere",
    "document-broken": "a damaged document",
    "document-encrypted": "a document that needs a password",
    "document-too-large": "a document that takes too much memory to read",
    "document-too-slow": "a document that takes too long to read",
    "document-crashed": "reading the document failed",
}


class TroubleKind(NamedTuple):
    """One way to go wrong."""

    outcome: str
    means: str
    """In words."""
    times: int
    on_purpose: bool
    """Whether the crawl left these out by itself, as robots.txt or its scope say."""
    hosts: tuple[tuple[str, int], ...]
    """Where it happened most, and how often."""
    more_hosts: int
    """How many others there are."""

    @property
    def where(self) -> str:
        """Where it happened most, in words."""
        named = ", ".join(f"{host} {count:,}" for host, count in self.hosts)
        return named + self.and_more

    @property
    def and_more(self) -> str:
        """That there are other hosts, if there are."""
        return f" and {self.more_hosts:,} more" if self.more_hosts else ""


class TroubledHost(NamedTuple):
    """A host on which much went wrong."""

    host: str
    troubles: int
    retries: int
    fetched: int
    most: str
    """The outcome that was most frequent there."""


class Trap(NamedTuple):
    """A host that lost turns because its pages look alike."""

    host: str
    alike: int
    fetched: int
    relevant: int


class LostPage(NamedTuple):
    """A page that could not be read, in texts that are safe to show."""

    number: int
    url: str
    address: Url
    """The whole url, to link to it; and that of the page which links to it."""
    found_on: Url | None
    outcome: str
    means: str
    detail: str
    anchor: str
    priority: float


class Troubles(NamedTuple):
    """All that went wrong."""

    kinds: tuple[TroubleKind, ...]
    """The most frequent first."""
    hosts: tuple[TroubledHost, ...]
    retries: int
    came_later: int
    lost: int
    traps: tuple[Trap, ...]
    promising: tuple[LostPage, ...]
    """Those with the highest priority first."""
    given_up: tuple[LostPage, ...]
    """Pages that took too much time or memory to read, the latest first."""

    @property
    def errors(self) -> int:
        """Urls that gave nothing although they were asked for."""
        return sum(kind.times for kind in self.kinds if not kind.on_purpose)

    @property
    def left_out(self) -> int:
        """Urls that were left out on purpose."""
        return sum(kind.times for kind in self.kinds if kind.on_purpose)

    def times(self, outcome: str) -> int:
        """How many urls ended so."""
        return sum(kind.times for kind in self.kinds if kind.outcome == outcome)

    @property
    def retries_told(self) -> str:
        """What became of what was tried again, in a sentence."""
        if not self.retries:
            return "Nothing had to be tried again."
        times = f"{self.retries:,} time{'s' * (self.retries != 1)}"
        return f"Something was tried again {times}: {self.came_later:,} came at a later try, {self.lost:,} did not."


def troubles(archive: Archive, figures: RunningFigures) -> Troubles:
    """What went wrong so far, of all visits that are counted."""
    tally = figures.trouble
    kinds = sorted(map(_kind, tally.kinds.items()), key=lambda kind: (-kind.times, kind.outcome))
    promising = [number for _, number in sorted(tally.promising, reverse=True)[:_PAGES]]
    given_up = list(reversed(tally.given_up))[:_PAGES]
    return Troubles(
        tuple(kinds),
        tuple(_hosts(figures)),
        tally.retries,
        tally.came_later,
        tally.lost,
        tuple(_traps(archive, figures)),
        tuple(map(_lost_page, visits_numbered(archive.read, promising))),
        tuple(map(_lost_page, visits_numbered(archive.read, given_up))),
    )


def meaning_of(outcome: str) -> str:
    """What an outcome means, in words.

    >>> meaning_of("http-503"), meaning_of("http-404"), meaning_of("dns")[:20]
    ('the server could not answer (503)', 'the page is not there (404)', 'the name of the host')
    """
    status = outcome.removeprefix("http-")
    if status == outcome:
        return _MEANS.get(outcome, outcome)
    if status in {"404", "410"}:
        return f"the page is not there ({status})"
    if status in {"401", "403"}:
        return f"the server does not allow it ({status})"
    if status == "429":
        return "the server asked for fewer requests (429)"
    return f"the server could not answer ({status})" if status.startswith("5") else f"the server answered {status}"


def _kind(of: tuple[str, Mapping[str, int]]) -> TroubleKind:
    outcome, hosts = of
    worst = sorted(hosts.items(), key=lambda each: (-each[1], each[0]))
    named = tuple((short_line(host), count) for host, count in worst[:_NAMED])
    times = sum(hosts.values())
    return TroubleKind(outcome, meaning_of(outcome), times, outcome in NOT_ALLOWED, named, len(worst) - len(named))


def _hosts(figures: RunningFigures) -> list[TroubledHost]:
    kinds = figures.trouble.kinds
    worst = sorted(
        (each for each in figures.hosts.items() if each[1].troubles or each[1].retries),
        key=lambda each: (-each[1].troubles, -each[1].retries, each[0]),
    )[:_HOSTS]
    most = {host: max(kinds, key=lambda kind: kinds[kind].get(host, 0), default="") for host, _ in worst}
    return [
        TroubledHost(
            short_line(host), tally.troubles, tally.retries, tally.fetched, most[host] if tally.troubles else ""
        )
        for host, tally in worst
    ]


def _traps(archive: Archive, figures: RunningFigures) -> list[Trap]:
    lost = hosts_that_lost_turns(archive.read, _TRAPS)
    tallies = ((host, alike, figures.hosts.get(host)) for host, alike in lost.items())
    return [
        Trap(short_line(host), alike, tally.fetched if tally else 0, tally.relevant if tally else 0)
        for host, alike, tally in tallies
    ]


def _lost_page(visit: ShownVisit) -> LostPage:
    return LostPage(
        visit.number,
        short_url(visit.url),
        visit.url,
        visit.parent,
        visit.outcome,
        meaning_of(visit.outcome),
        short_line(visit.detail),
        short_line(visit.anchor),
        visit.priority,
    )
