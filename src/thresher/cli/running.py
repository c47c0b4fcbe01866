"""Run a crawl in front of a person: progress while it runs, Ctrl-C, and the last lines."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from pathlib import Path
from stat import S_ISCHR
from typing import Any, NamedTuple

from thresher.assembly import OwnParts, assembled
from thresher.budget import Stop
from thresher.cli import NO_ANSWER, write_no_more
from thresher.cli.event_lines import EventLines
from thresher.cli.plain_output import say
from thresher.cli.progress import Progress, progress_for, say_stopped
from thresher.crawl import CrawlLoop
from thresher.disk.crawl_home import Home
from thresher.errors import DiskFull, FolderError
from thresher.event_loops import fast_loop, rare_garbage_collection
from thresher.fetchers import reach_proxy
from thresher.loading import INTERRUPTED
from thresher.results.archive import settings_of
from thresher.results.no_page import AnswerWatch, why_no_page
from thresher.settings import Settings, settle_settings
from thresher.urls import host_of, is_address

_TICK = 1.0


class CrawlEnd(NamedTuple):
    """How a run ended."""

    stop: Stop
    no_page: str = ""
    """Why no page came, if none did."""

    @property
    def exit_code(self) -> int:
        """What the shell is told."""
        if self.stop.reason == "interrupted":
            return INTERRUPTED
        return NO_ANSWER if self.no_page else 0

    def say(self) -> None:
        """Say why no page came, also where nothing else is said."""
        if self.exit_code == NO_ANSWER:
            say(self.no_page)


def run_to_its_end(
    folder: Home, wanted: dict[str, Any], where: str, *, quiet: bool, writers: Sequence[EventLines] = ()
) -> CrawlEnd:
    """Crawl into a folder in front of a person, with the settings in the folder and those wanted now."""
    settings = settle_settings(folder, wanted, where)
    return in_a_loop(run(folder, settings, writers, quiet=quiet), folder)


def in_a_loop(work: Coroutine[Any, Any, CrawlEnd], folder: Home) -> CrawlEnd:
    """Do it in an event loop; a folder that cannot be written to is named."""
    try:
        with rare_garbage_collection(), asyncio.Runner(loop_factory=fast_loop()) as runner:
            end = runner.run(work)
    except OSError as error:
        # The ledger and the WARC files raise errors of their own; this one comes from elsewhere.
        known = DiskFull if error.errno == errno.ENOSPC else FolderError
        raise known(f"cannot crawl into {folder.path}: {error.strerror or error}") from error
    end.say()
    return end


def join_to_its_end(home: Home, wanted: dict[str, Any], *, quiet: bool, writers: Sequence[EventLines] = ()) -> CrawlEnd:
    """Work on a crawl that others began, with its settings and those that this machine alone has."""
    settings = settings_of(home).with_changes(wanted, "the command line")
    return in_a_loop(run(home, settings, writers, quiet=quiet, joins=True), home)


async def run(
    folder: Home, settings: Settings, writers: Sequence[EventLines] = (), *, quiet: bool = False, joins: bool = False
) -> CrawlEnd:
    """Run a crawl to its end. Ctrl-C ends it cleanly, a second Ctrl-C at once."""
    display = progress_for(quiet=quiet)
    opening = assembled(folder, settings, OwnParts(joins=joins))
    running, end = await run_watched(folder, opening, settings, display, writers, quiet=quiet)
    if not quiet:
        say_stopped(running, end.stop, folder, received=end.exit_code != NO_ANSWER)
    return end


async def run_watched(  # noqa: PLR0913 - the crawl, its place, and who watches it
    folder: Home,
    opening: AbstractAsyncContextManager[CrawlLoop],
    settings: Settings,
    display: AbstractContextManager[Progress],
    writers: Sequence[EventLines] = (),
    *,
    quiet: bool,
) -> tuple[CrawlLoop, CrawlEnd]:
    """Open a crawl and run it to its end, with a display and with whatever writes its events."""
    answers = AnswerWatch()
    for each in writers:
        each.about = {"topic": settings.topic, "folder": _whole(folder)}
    for trouble in await reach_proxy(settings):
        if not quiet:
            say(f"{trouble}; the other proxies are used")
    try:
        async with opening as running:
            obey_signals(running)
            if not quiet:
                _warn_without_contact(settings)
            with display as progress:
                answers.attach(running)
                with shown_by(running, (progress, *writers)):
                    stop = await running.run()
        return running, CrawlEnd(stop, why_no_page(folder, answers, stop))
    except asyncio.CancelledError:
        # All is kept and closed by now. A name look-up may still hang in a thread, and leaving politely would wait for it.
        sys.stderr.write("thresher: stopped at once; run the same command to continue\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)


@contextmanager
def shown_by(running: CrawlLoop, displays: Sequence[Progress]) -> Iterator[None]:
    """Tell displays of each event, and of each second: a crawl that waits for a slow host has no events."""
    for each in displays:
        each.attach(running)
    ticking = asyncio.create_task(_tick(running, displays))
    try:
        yield
    finally:
        ticking.cancel()


async def _tick(running: CrawlLoop, displays: Sequence[Progress]) -> None:
    while True:
        await running.clock.sleep(_TICK)
        for each in displays:
            each.tick()


def obey_signals(running: CrawlLoop) -> None:
    """Ctrl-C, SIGTERM and SIGHUP end the crawl once the pages under way are kept; a second Ctrl-C ends it at once."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    orders: list[Callable[[], object]] = [task.cancel, running.stop]

    def obey() -> None:
        if orders:
            orders.pop()()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, obey)
    # Under nohup it is ignored, and stays so.
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGHUP, _hang_up, running)


def _hang_up(running: CrawlLoop) -> None:
    """The terminal was closed: end the crawl as one Ctrl-C would. It comes twice, from the system and from the shell."""
    for stream in (sys.stdout, sys.stderr):
        if not stream.isatty() and S_ISCHR(os.fstat(stream.fileno()).st_mode):
            write_no_more(stream)
    running.stop()


def _whole(home: Home) -> str:
    return str(home.path.absolute() if isinstance(home.path, Path) else home.path)


def _warn_without_contact(settings: Settings) -> None:
    if not settings.polite.get("contact") and not all(is_address(host_of(url)) for url in settings.seeds):
        say("no --contact given: site owners cannot reach you if the crawl causes problems")
