"""What happened, as values. Watchers (the progress display, the log, a dashboard) are functions of one event."""

from collections.abc import Callable
from dataclasses import dataclass

from thresher.model import Census, Host, Kept, Url, Visit


@dataclass(frozen=True, slots=True)
class CrawlStarted:
    """The loop begins, or goes on after a stop."""

    visits: int
    """Visits made in earlier runs."""
    census: Census


@dataclass(frozen=True, slots=True)
class PageVisited:
    """A claim was settled for good."""

    visit: Visit
    kept: Kept
    found: int
    """Links handed to the frontier."""


@dataclass(frozen=True, slots=True)
class HostBackedOff:
    """A host showed strain or asked for time."""

    host: Host
    why: str
    detail: str = ""
    """The same more closely: what stands in the way of its robots.txt, what the system said."""


@dataclass(frozen=True, slots=True)
class HostLosesTurns:
    """The pages of a host look alike, or repeat others, so other hosts go first from now on. Told once in a run."""

    host: Host
    url: Url
    """The latest page that looks like others."""


@dataclass(frozen=True, slots=True)
class CrawlWaits:
    """Nothing can be fetched right now, and this is what we wait for."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class CrawlPaused:
    """No new page is taken from now on; those under way end. Told again when a paused crawl is started."""

    why: str
    """In a sentence."""
    spent: str
    """What of the budget is spent, as in `CrawlStopped.reason`; empty if a person paused it."""


@dataclass(frozen=True, slots=True)
class CrawlWentOn:
    """The pause is over."""

    seconds: float
    """How long it took."""


@dataclass(frozen=True, slots=True)
class OrderCarriedOut:
    """What a person ordered was done, or refused."""

    order: str
    """Its kind: `pause`, `go-on`, `stop`, `more`, `leave`, `first`, `label`, `take-back`; empty if it was no order at all."""
    sentence: str
    """What came of it."""
    moved: int
    """How many waiting urls changed place."""
    done: bool
    """False if it was refused."""


@dataclass(frozen=True, slots=True)
class OrdersUnreadable:
    """The inbox of orders cannot be read. The crawl goes on; told once until it can be read again."""

    why: str


@dataclass(frozen=True, slots=True)
class HandReplaced:
    """A process that fetches and reads pages was lost, and another one took its place."""

    url: Url | None
    """The page that it was lost over; None if no page is to blame."""
    why: str


@dataclass(frozen=True, slots=True)
class WatcherFailed:
    """A watcher raised an error. The crawl goes on, and so does the watcher. Told once for each watcher."""

    watcher: str
    """Its name."""
    why: str


@dataclass(frozen=True, slots=True)
class CrawlStopped:
    """The loop ended."""

    reason: str
    """A name a program can test: `pages`, `relevant`, `bytes`, `time`, `dry`, `empty`, `silent`, `interrupted`, `ordered`."""
    message: str
    """The same for a person."""


Event = (
    CrawlStarted
    | PageVisited
    | HostBackedOff
    | HostLosesTurns
    | CrawlWaits
    | CrawlPaused
    | CrawlWentOn
    | OrderCarriedOut
    | OrdersUnreadable
    | HandReplaced
    | WatcherFailed
    | CrawlStopped
)
Watcher = Callable[[Event], None]
