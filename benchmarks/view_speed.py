"""What does it cost a crawl to be watched? The same crawl without a window, and with one that a browser shows on *Now*.

    pip install '.[view,browser]' && python benchmarks/view_speed.py

A generated web on loopback is crawled at full speed, without delays, in turn alone and watched. Told is the CPU time of the crawl's
processes for a page, as the kernel counts it when they end, since a busy machine changes that least; and pages a second by the
server's log. Window and browser have a core of their own, where cores can be given out: a crawl at full speed leaves none idle, so that
otherwise pages a second would tell what a browser costs. The window's own CPU time is told beside it, as a share of the time that the
crawl took. Last lines: by how much the CPU time of a page rises, and pages a second fall; both must stay below 3 %.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from crawl_speed import Track, command, cpu_of, measured, served, take_crawl_arguments

from thresher.browser.options import BrowserOptions
from thresher.errors import ThresherError

ALONE, WATCHED = "alone", "watched"
LIMIT = 3.0
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
APART = len(CORES) > 1
CRAWL, WINDOW = (set(CORES[:-1]), set(CORES[-1:])) if APART else (set[int](), set[int]())
"""Which cores the crawl and its server have, and which the window and the browser."""


class WatchedLap(NamedTuple):
    """One crawl."""

    name: str
    pages: int
    seconds: float
    cpu: float
    """Seconds of CPU of the crawl and its hands."""
    window: float = 0.0
    """Of the window, meanwhile."""


def main() -> None:
    options = arguments()
    if why := missing():
        print(why)
        return
    with (
        tempfile.TemporaryDirectory(prefix="view-speed-") as folder,
        on_cores(CRAWL),
        served(options, Path(folder)) as track,
    ):
        laps = [
            lap(track, name, options, Path(folder) / f"crawls-{turn}-{name}")
            for turn in range(options.rounds)
            for name in (ALONE, WATCHED)
        ]
    costs = told(laps)
    if max(costs) >= LIMIT and not options.smoke:
        sys.exit(f"being watched costs {max(costs):.1f} %, which is not below {LIMIT:g} %")


@contextmanager
def on_cores(cores: set[int]) -> Iterator[None]:
    """Let what is started meanwhile run on these cores alone, if there are some to be given out."""
    before = os.sched_getaffinity(0) if cores else set()
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, before)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What it costs a crawl to be watched.")
    parser.add_argument("--pages", type=int, default=10_000, help="pages a crawl (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=5, help="crawls of each kind, in turn; the median counts (%(default)s)"
    )
    take_crawl_arguments(parser)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pages, options.rounds = 300, 1
    return options


def missing() -> str:
    """What is not here, in a sentence; empty if all is."""
    if find_spec("nicegui") is None or find_spec("playwright") is None:
        return "left out: the window needs pip install '.[view,browser]'"
    try:
        return "" if BrowserOptions(when="auto", sandbox=False).program else "left out: there is no Chromium here"
    except ThresherError as error:
        return f"left out: there is no Chromium here ({error})"


def lap(track: Track, name: str, options: argparse.Namespace, folder: Path) -> WatchedLap:
    """One crawl; when it is watched, the page is open before it begins to fetch."""
    folder.mkdir()
    os.truncate(track.log, 0)
    with window(folder) if name == WATCHED else nullcontext() as opened:
        process = subprocess.Popen(command(track, "two cores", options, folder / "crawl"))
        if opened is not None:
            opened.show(folder / "crawl")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = opened.spent() if opened is not None else 0.0
    if process.returncode:
        sys.exit(f"the crawl ended with exit code {process.returncode}")
    pages, seconds = measured(track.log)
    found = WatchedLap(name, pages, seconds, usage.ru_utime + usage.ru_stime, spent)
    print(
        f"{name:8} {pages:6,} pages in {seconds:6.1f} s: {pages / seconds:6.0f} pages/s, {1000 * found.cpu / pages:.3f} ms CPU a page",
        flush=True,
    )
    return found


class Opened:
    """A window and a page of a browser in it."""

    def __init__(self, process: subprocess.Popen[str], address: str, page: object) -> None:
        self._process, self._address, self._page = process, address, page
        self._before = 0.0

    def show(self, crawl: Path) -> None:
        """Open *Now* as soon as there is a crawl."""
        while not ((crawl / "crawl.sqlite").exists() and (crawl / "crawl.toml").exists()):
            time.sleep(0.02)
        self._page.goto(self._address)  # with the token, for the cookie
        self._page.goto(f"{self._address.split('/?')[0]}/crawl/crawl/now")
        self._before = cpu_of(self._process.pid)

    def spent(self) -> float:
        """CPU seconds of the window since the page is open; the page must show the crawl."""
        spent = cpu_of(self._process.pid) - self._before
        self._page.locator(".tile-value", has_text=re.compile("[1-9]")).first.wait_for()
        return spent


@contextmanager
def window(folder: Path) -> Iterator[Opened]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be missing

    view = [sys.executable, "-m", "thresher", "view", str(folder)]
    with on_cores(WINDOW):
        process = subprocess.Popen(view, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        with ExitStack() as stack:
            with on_cores(WINDOW):
                playwright = stack.enter_context(sync_playwright())
                program = BrowserOptions(when="auto", sandbox=False).program
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
                page = browser.new_page()
            yield Opened(process, address, page)
            browser.close()
    finally:
        process.terminate()
        process.wait()


def told(laps: list[WatchedLap]) -> tuple[float, float]:
    """Print the medians; by how many percent the CPU time of a page rises, and pages a second fall."""
    print(f"\n{'median of ' + str(len(laps) // 2):14}{'pages/s':>12}{'CPU ms/page':>14}{'window CPU':>12}")
    cpu, rates = {}, {}
    for name in (ALONE, WATCHED):
        some = [each for each in laps if each.name == name]
        cpu[name] = median(1000 * each.cpu / each.pages for each in some)
        rates[name] = median(each.pages / each.seconds for each in some)
        print(
            f"{name:14}{rates[name]:12.0f}{cpu[name]:14.3f}{median(100 * each.window / each.seconds for each in some):11.0f}%"
        )
    rise, fall = 100 * (cpu[WATCHED] / cpu[ALONE] - 1), 100 * (1 - rates[WATCHED] / rates[ALONE])
    print(f"CPU time of a page, watched: {rise:+.1f} %")
    print(f"pages a second, watched: {-fall:+.1f} %{'' if APART else ', with the browser on the same cores'}")
    return rise, fall if APART else 0.0


if __name__ == "__main__":
    main()
