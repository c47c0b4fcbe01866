"""How a running crawl looks: a live panel in a terminal, a line a minute everywhere else."""

import contextlib
import shlex
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from thresher.budget import Stop
from thresher.cli import write_no_more
from thresher.cli.minute import Minute
from thresher.cli.plot import spark
from thresher.cli.terminal import Terminal
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Home
from thresher.events import (
    CrawlPaused,
    CrawlStarted,
    CrawlWaits,
    CrawlWentOn,
    Event,
    HandReplaced,
    HostBackedOff,
    HostLosesTurns,
    OrderCarriedOut,
    OrdersUnreadable,
    PageVisited,
)
from thresher.model import READ, SEED
from thresher.pauses import Paused

_DRAW_EVERY = 0.25
_TICK = 1.0
_LONG_WAIT = 10.0
_RATE_WINDOW = 10.0
_TOLD_AT_ONCE = (CrawlStarted, HostLosesTurns, HandReplaced, OrderCarriedOut, OrdersUnreadable)
"""That a crawl goes on, that a host falls behind, that a page was given up: each is seldom, and the next page would hide it."""


class Progress(Protocol):
    """A watcher that learns first which crawl it watches."""

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""

    def tick(self) -> None:
        """A second has passed, whether or not anything happened."""


class Gauge:
    """The rate, the errors and the latest page: what a crawl's tally does not say."""

    def __init__(self) -> None:
        self.errors = Counter[str]()
        self.latest = self.waits = self.paused = ""
        self.course: list[float] = []
        """Harvest rate, sampled while the crawl runs."""
        self._times = deque[float]()

    def take(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case PageVisited(visit=visit):
                self.waits = ""
                self._times.append(time.monotonic())
                if visit.outcome.name not in READ:
                    self.errors[visit.outcome.name] += 1
                if visit.judgement is not None:
                    self.latest = f"{visit.judgement.relevance:.2f}  {visit.url}"
            case CrawlStarted(visits=visits, census=census) if visits:
                self.waits = f"continuing: {visits:,} urls visited before, {census.waiting:,} waiting"
            case CrawlWaits(seconds=seconds, reason=reason):
                self.waits = f"waiting {seconds:.0f} s: {reason}"
            case HostBackedOff(host=host, why=why):
                self.waits = f"leaving {host} alone for a while ({why})"
            case HostLosesTurns(host=host, url=url):
                self.waits = f"other hosts go before {host}: its pages look alike, the latest is {url}"
            case HandReplaced(url=url, why=why):
                self.waits = f"{url} was given up: {why}" if url else f"a process that reads pages was replaced: {why}"
            case _:
                self._steered(event)

    def _steered(self, event: Event) -> None:
        """Take note of what a person ordered."""
        match event:
            case CrawlPaused(why=why, spent=spent):
                self.paused = f"paused: {why}; {Paused(why, 0.0, spent).way_out()}"
            case CrawlWentOn():
                self.paused = ""
            case OrderCarriedOut(sentence=sentence):
                self.waits = f"ordered: {sentence}"
            case OrdersUnreadable(why=why):
                self.waits = f"{why}; the crawl goes on without them"
            case _:
                pass

    def rate(self) -> float:
        """Pages a second over the last seconds."""
        now = time.monotonic()
        while self._times and now - self._times[0] > _RATE_WINDOW:
            self._times.popleft()
        return len(self._times) / max(now - self._times[0], 0.1) if self._times else 0.0


class LivePanel:
    """A few lines that redraw themselves."""

    def __init__(self, live: Live) -> None:
        self._live, self._gauge, self._drawn = live, Gauge(), 0.0

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl = crawl
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Redraw, but not too often."""
        self._gauge.take(event)
        self._draw(0.0 if not isinstance(event, PageVisited) else _DRAW_EVERY)

    def tick(self) -> None:
        """Redraw if nothing has happened for a second: the rate falls, and hosts end their rest."""
        self._draw(_TICK)

    def _draw(self, least: float) -> None:
        now = time.monotonic()
        if now - self._drawn >= least:
            self._drawn = now
            self._gauge.course.append(self._crawl.tally.harvest)
            with while_there_is_a_terminal():
                self._live.update(self._panel(), refresh=True)

    def _panel(self) -> Group:
        tally, census, gauge = self._crawl.tally, self._crawl.frontier.census(), self._gauge
        lines = Table.grid(padding=(0, 2))
        lines.add_row("fetched", f"[bold]{tally.fetched:,}[/]", f"{gauge.rate():.1f} a second")
        lines.add_row(
            "relevant", f"[bold green]{tally.relevant:,}[/]", f"harvest {tally.harvest:.1%}  {spark(gauge.course)}"
        )
        best = "" if census.best is None else f", best {census.best:.3g}" if census.best < SEED else ", seeds first"
        busy = f"on {census.hosts:,} hosts, {census.resting:,} of them resting{best}"
        lines.add_row("waiting", f"[bold]{census.waiting:,}[/]", busy)
        errors = ", ".join(f"{name} {count}" for name, count in gauge.errors.most_common(5))
        below = [
            Text(text, style="dim", no_wrap=True, overflow="ellipsis")
            for text in (errors, gauge.paused or gauge.waits or gauge.latest)
            if text
        ]
        pages = self._crawl.budget.pages
        bar = [ProgressBar(total=pages, completed=tally.fetched, width=60)] if pages else []
        return Group(lines, *below, *bar)


class MinuteLines:
    """A line a minute, for logs: what was fetched, how fast, and what the crawl waits for. `--log` has every event."""

    def __init__(self, console: Console) -> None:
        self._console, self._gauge = console, Gauge()

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch this crawl."""
        self._crawl, self._minute = crawl, Minute(crawl)
        crawl.watchers.append(self)

    def __call__(self, event: Event) -> None:
        """Take note of an event; a few are told at once. A pause that is mere politeness is not worth a word."""
        if not isinstance(event, CrawlWaits) or event.seconds >= _LONG_WAIT:
            self._gauge.take(event)
        if isinstance(event, CrawlStarted):
            self._minute.begin()
        if isinstance(event, _TOLD_AT_ONCE) and self._gauge.waits:
            say_at(self._crawl.clock.now(), self._gauge.waits, self._console)
        if isinstance(event, CrawlPaused):
            say_at(self._crawl.clock.now(), self._gauge.paused, self._console)
        self.tick()

    def tick(self) -> None:
        """Say how the crawl is, once a minute."""
        if self._minute.over():
            say_at(self._crawl.clock.now(), self._line(**self._minute.figures()), self._console)

    def _line(self, fetched: int, relevant: int, harvest: float, rate: float, **frontier: int) -> str:
        waits = "{waiting:,} urls wait on {hosts:,} hosts, {resting:,} of them resting".format(**frontier)
        errors = ", ".join(f"{name} {count:,}" for name, count in self._gauge.errors.most_common(3))
        parts = [
            f"{fetched:,} fetched, {relevant:,} relevant (harvest {harvest:.1%}), {rate:.1f} pages/s",
            waits,
            errors and f"errors: {errors}",
            self._gauge.paused or self._gauge.waits,
        ]
        return "; ".join(filter(None, parts))


def say_at(now: float, line: str, console: Console) -> None:
    """A line with its time. If nobody reads it any more, the crawl goes on."""
    with while_there_is_a_terminal():
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        console.print(f"{when} {line}", highlight=False, markup=False, soft_wrap=True)


class NoDisplay:
    """Shows nothing."""

    def attach(self, crawl: CrawlLoop) -> None:
        """Watch nothing."""

    def tick(self) -> None:
        """Show nothing."""


@contextlib.contextmanager
def progress_for(*, quiet: bool) -> Iterator[Progress]:
    """The display that fits where the output goes."""
    console = Terminal(stderr=True)
    if quiet:
        yield NoDisplay()
    elif console.is_terminal:
        live = Live(console=console, auto_refresh=False)
        live.start()
        try:
            yield LivePanel(live)
        finally:
            with while_there_is_a_terminal():
                live.stop()
    else:
        yield MinuteLines(console)


@contextlib.contextmanager
def while_there_is_a_terminal() -> Iterator[None]:
    """Draw. A window that was closed must not end the crawl: then nothing more is drawn, and SIGHUP may follow."""
    try:
        yield
    except OSError:
        write_no_more(sys.stderr)


def say_stopped(crawl: CrawlLoop, stop: Stop, folder: Home, *, received: bool) -> None:
    """The last lines of a crawl: why it ended, what it has, and where. A crawl that has nothing does not say that it fetched something."""
    tally = crawl.tally
    console = Terminal(stderr=True, highlight=False)
    console.print(f"Stopped: {stop.message}.", soft_wrap=True)
    if not (received or tally.relevant):
        return
    where, typed = escape(str(folder.path)), escape(shlex.quote(str(folder.path)))
    console.print(
        f"{_pages(tally.fetched)} fetched, [bold green]{tally.relevant:,} relevant[/] (harvest {tally.harvest:.1%}), "
        f"kept in {where}. Next: thresher show {typed}",
        soft_wrap=True,
    )


def _pages(count: int) -> str:
    return f"{count:,} page{'s' * (count != 1)}"
