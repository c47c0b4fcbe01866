"""Run a crawl in front of a person: progress while it runs, Ctrl-C, and the last words."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import click

from thresher.assembly import assembled
from thresher.budget import Stop
from thresher.cli import INTERRUPTED
from thresher.cli.progress import progress_for, say_stopped
from thresher.crawl import Crawl
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, DiskFull, FolderError
from thresher.settings import Settings, settle_settings
from thresher.urls import host_of, is_address

_PATIENCE = 10.0


def run_to_its_end(folder: CrawlFolder, wanted: dict[str, Any], where: str, *, quiet: bool) -> Stop:
    """Crawl into a folder in front of a person, by the settings wanted and those that are there."""
    settings = settle_settings(folder, wanted, where)
    if not quiet:
        _warn_without_contact(settings)
    try:
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            return runner.run(run(folder, settings, quiet=quiet))
    except OSError as error:
        # From anywhere else than the ledger and the WARC files, which speak for themselves.
        known = DiskFull if error.errno == errno.ENOSPC else FolderError
        raise known(f"cannot crawl into {folder.path}: {error.strerror or error}") from error


async def run(folder: CrawlFolder, settings: Settings, *, quiet: bool = False) -> Stop:
    """Run a crawl to its end. Ctrl-C ends it cleanly, a second Ctrl-C at once."""
    await _reach(settings.fetch.get("proxy"))
    try:
        async with assembled(folder, settings) as running:
            obey_signals(running)
            with progress_for(quiet=quiet) as progress:
                progress.attach(running)
                stop = await running.run()
    except asyncio.CancelledError:
        # All is kept and closed by now. A name look-up may still hang in a thread, and leaving politely would wait for it.
        sys.stderr.write("thresher: stopped at once; run the same command to go on\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    if not quiet:
        say_stopped(running, stop, folder)
    return stop


async def _reach(proxy: str | None) -> None:
    """A proxy that is not there would look like a web on which no host answers."""
    if not proxy:
        return
    place = urlsplit(proxy)
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(place.hostname, port), _PATIENCE)
    except (OSError, TimeoutError) as error:
        raise BadInput(
            f"the proxy {proxy} cannot be reached: {getattr(error, 'strerror', None) or 'it does not answer'}"
        ) from error
    writer.close()


def obey_signals(running: Crawl) -> None:
    """Ctrl-C ends the crawl once the pages under way are kept, a second one at once: what is kept is kept."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    orders: list[Callable[[], object]] = [task.cancel, running.stop]

    def obey() -> None:
        if orders:
            orders.pop()()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, obey)


def fast_loop() -> Any:
    """What makes the event loop: uvloop where it is, asyncio's own elsewhere."""
    try:
        import uvloop  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return None
    return uvloop.new_event_loop


def _warn_without_contact(settings: Settings) -> None:
    if not settings.polite.get("contact") and not all(is_address(host_of(url)) for url in settings.seeds):
        click.echo("thresher: no --contact given: hosts cannot reach you if the crawl troubles them", err=True)
