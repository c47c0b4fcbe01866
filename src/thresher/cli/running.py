"""Run a crawl in front of a person: progress while it runs, Ctrl-C, and the last lines."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable
from stat import S_ISCHR
from typing import Any

from thresher.assembly import assembled, reach_proxy
from thresher.budget import Stop
from thresher.cli import write_no_more
from thresher.cli.plain_output import say
from thresher.cli.progress import progress_for, say_stopped
from thresher.crawl import Crawl
from thresher.disk.folder import CrawlFolder
from thresher.errors import DiskFull, FolderError
from thresher.loading import INTERRUPTED
from thresher.settings import Settings, settle_settings
from thresher.urls import host_of, is_address


def run_to_its_end(folder: CrawlFolder, wanted: dict[str, Any], where: str, *, quiet: bool) -> Stop:
    """Crawl into a folder in front of a person, with the settings in the folder and those wanted now."""
    settings = settle_settings(folder, wanted, where)
    if not quiet:
        _warn_without_contact(settings)
    try:
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(run(folder, settings, quiet=quiet))
    except OSError as error:
        # The ledger and the WARC files raise errors of their own; this one comes from elsewhere.
        known = DiskFull if error.errno == errno.ENOSPC else FolderError
        raise known(f"cannot crawl into {folder.path}: {error.strerror or error}") from error


async def run(folder: CrawlFolder, settings: Settings, *, quiet: bool = False) -> Stop:
    """Run a crawl to its end. Ctrl-C ends it cleanly, a second Ctrl-C at once."""
    await reach_proxy(settings)
    try:
        async with assembled(folder, settings) as running:
            obey_signals(running)
            with progress_for(quiet=quiet) as progress:
                progress.attach(running)
                stop = await running.run()
    except asyncio.CancelledError:
        # All is kept and closed by now. A name look-up may still hang in a thread, and leaving politely would wait for it.
        sys.stderr.write("thresher: stopped at once; run the same command to continue\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    if not quiet:
        say_stopped(running, stop, folder)
    return stop


def obey_signals(running: Crawl) -> None:
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


def _hang_up(running: Crawl) -> None:
    """The terminal was closed: end the crawl as one Ctrl-C would. It comes twice, from the system and from the shell."""
    for stream in (sys.stdout, sys.stderr):
        if not stream.isatty() and S_ISCHR(os.fstat(stream.fileno()).st_mode):
            write_no_more(stream)
    running.stop()


def fast_loop() -> Any:
    """What makes the event loop: uvloop if it is installed, else asyncio's own."""
    try:
        import uvloop  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


def _warn_without_contact(settings: Settings) -> None:
    if not settings.polite.get("contact") and not all(is_address(host_of(url)) for url in settings.seeds):
        say("no --contact given: site owners cannot reach you if the crawl causes problems")
