"""How fast is a whole crawl, against Scrapy and the fastest other crawler on the same web in the same run?

    pip install '.[bench]' && python benchmarks/crawl_speed.py

A generated web of 29 KB pages with 63 links each, 36 % of them text as on real pages, is served on loopback. On one core, the server is
pinned to one and the crawler to another; on two, crawler and server share both. Delays are off; robots.txt, scoring, WARC and the durable
frontier are on, and best-first chooses the links (`--strategy` names another). Scrapy runs with its LinkExtractor, robots and a JOBDIR;
Silkworm (`silkworm-rs`), the fastest of the crawlers on PyPI that were measured, with robots, and with nothing kept on disk, since with its
job folder it is a quarter slower. All are measured alike: pages and seconds from the server's log (first page asked to last page answered),
CPU from the kernel when the processes end, memory as the sum of the peaks of all processes. The last lines are ratios to Scrapy, of the
medians of pages per second.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import NamedTuple

import thresher.urls
from thresher.lab.webs.http_server import Answered

PAGES_A_SITE = 165
MOST_SITES = 300
SHAPE = ("--links", "63", "--words", "1500", "--dressed", "--loopback")
CRAWLER_CORE, SERVER_CORE = 0, 1
BOTH = {CRAWLER_CORE, SERVER_CORE}
HERE = Path(__file__).parent
TWO_CORES = "two cores"
CRAWLERS = ("scrapy", "silkworm", "thresher", TWO_CORES)
MODULES = {"scrapy": "scrapy", "silkworm": "silkworm"}


class Lap(NamedTuple):
    """One crawl, measured from outside."""

    name: str
    pages: int
    seconds: float
    cpu: float
    rss: float
    """The most memory that its processes held, each at its worst moment, in MB."""
    server: float
    """CPU seconds of the server meanwhile; nan where the kernel does not tell."""

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds


class Track(NamedTuple):
    """The served web."""

    process: subprocess.Popen
    start: str
    sites: int
    log: Path


def main():
    options = arguments()
    names = [name for name in options.only or CRAWLERS if installed(name)]
    how = "compiled" if not thresher.urls.__file__.endswith(".py") else "pure Python, so slower than an installed wheel"
    print(f"Thresher is {how}")
    with tempfile.TemporaryDirectory(prefix="crawl-speed-") as folder, served(options, Path(folder)) as track:
        laps = [
            run(track, name, options, Path(folder) / f"{name.replace(' ', '-')}-{turn}")
            for turn in range(options.rounds)
            for name in names
        ]
    print_table(laps, names)
    print_ratios(laps, names)


def installed(name: str) -> bool:
    if name not in MODULES or importlib.util.find_spec(MODULES[name]) is not None:
        return True
    print(f"note: {name} is not installed (pip install '.[bench]'), so it is left out")
    return False


def arguments():
    parser = argparse.ArgumentParser(description="Pages per second of a whole crawl, against Scrapy.")
    parser.add_argument("--pages", type=int, default=10_000, help="pages a crawl (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="crawls of each, in turn; the median counts (%(default)s)"
    )
    parser.add_argument("--only", action="append", choices=CRAWLERS, help="leave out the others; may be repeated")
    take_crawl_arguments(parser)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the crawl folders there")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pages, options.rounds = 200, 1
    return options


def take_crawl_arguments(parser: argparse.ArgumentParser):
    """What `command` asks for."""
    parser.add_argument("--hands", type=int, default=1, help="processes that read pages, on two cores (%(default)s)")
    parser.add_argument("--workers", type=int, default=64, help="pages under way at a time (%(default)s)")
    parser.add_argument("--topic", default="iris of the eye pupil cornea retina")
    parser.add_argument("--strategy", default="best-first", help="of Thresher; the others have none (%(default)s)")


def pin(process: int, cores: set[int]):
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(process, cores)


@contextmanager
def served(options, folder: Path) -> Iterator[Track]:
    """A web five times as large as the crawl, with all its pages made beforehand."""
    size = max(500, 5 * options.pages)
    sites, log = min(MOST_SITES, size // PAGES_A_SITE), folder / "log"
    print(f"making {size:,} pages on {sites} hosts …", flush=True)
    command = [sys.executable, "-m", "thresher.lab.webs.serve", "--size", str(size), "--hosts", str(sites), *SHAPE]
    command += ["--warm", str(os.cpu_count() or 1), "--log", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        ready = process.stdout.readline()
        if not ready:
            sys.exit("the server did not start: its error stands above")
        yield Track(process, json.loads(ready)["start"], sites, log)
    finally:
        process.terminate()
        process.wait()


def run(track: Track, name: str, options, folder: Path) -> Lap:
    """One crawl, in processes of its own. Those that it starts inherit its cores."""
    folder = options.keep / folder.name if options.keep else folder
    pin(track.process.pid, BOTH if name == TWO_CORES else {SERVER_CORE})
    pin(0, BOTH if name == TWO_CORES else {CRAWLER_CORE})
    os.truncate(track.log, 0)
    before = cpu_of(track.process.pid)
    process = subprocess.Popen(
        command(track, name, options, folder), env={**os.environ, "SILKWORM_LOG_LEVEL": "WARNING"}
    )
    with watched_memory(process.pid) as peaks:
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} ended with exit code {process.returncode}")
    pages, seconds = measured(track.log)
    cpu = usage.ru_utime + usage.ru_stime
    lap = Lap(name, pages, seconds, cpu, sum(peaks.values()) / 1024, cpu_of(track.process.pid) - before)
    print(f"{name:9} {lap.pages:6,} pages in {lap.seconds:6.1f} s: {lap.rate:6.0f} pages/s", flush=True)
    return lap


def command(track: Track, name: str, options, folder: Path) -> list[str]:
    if name == "scrapy":
        # Scrapy counts every robots.txt as a page.
        limit = options.pages + track.sites
        return [
            sys.executable,
            str(HERE / "scrapy_peer.py"),
            track.start,
            "--pages",
            str(limit),
            "--jobdir",
            str(folder),
        ]
    if name == "silkworm":
        return [sys.executable, str(HERE / "silkworm_peer.py"), track.start, "--pages", str(options.pages)]
    asked = ["--topic", options.topic, "--seed", track.start, "--pages", str(options.pages)]
    asked += ["--strategy", options.strategy]
    # One core against one core: hands would share it.
    hands = options.hands if name == TWO_CORES else 0
    manners = ["--delay", "0", "--workers", str(options.workers), "--hands", str(hands), "--allow-private"]
    manners += ["--contact", "http://127.0.0.1/"]
    return [sys.executable, "-m", "thresher", "crawl", *asked, *manners, "--into", str(folder), "--quiet"]


@contextmanager
def watched_memory(process: int) -> Iterator[dict[int, int]]:
    """The most memory that a process and its children held so far, in kB by process; looked up ten times a second."""
    peaks: dict[int, int] = {}
    over = Event()

    def look():
        while not over.wait(0.1):
            for each in (process, *children_of(process)):
                with suppress(OSError, StopIteration, ValueError):
                    lines = Path(f"/proc/{each}/status").read_text().splitlines()
                    peaks[each] = int(next(line for line in lines if line.startswith("VmHWM")).split()[1])

    watcher = Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peaks
    finally:
        over.set()
        watcher.join()


def children_of(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def measured(log: Path) -> tuple[int, float]:
    """Pages answered, robots.txt apart, and the seconds from the first question to the last answer."""
    pages, first, last = 0, None, 0.0
    # Line by line: what this process holds would be counted as the memory of the next one it starts.
    with log.open() as lines:
        for line in lines:
            answered = Answered.parse(line)
            if answered.status == 200 and answered.path != "/robots.txt":
                pages, first, last = pages + 1, first or answered.asked, answered.at
    if first is None:
        sys.exit("the crawler asked for no page")
    return pages, last - first


def cpu_of(pid: int) -> float:
    """CPU seconds of a running process."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def median_of(laps: list[Lap], name: str, what: str) -> float:
    return median(getattr(lap, what) for lap in laps if lap.name == name)


def print_table(laps: list[Lap], names: list[str]):
    heads = ("pages", "pages/s", "from", "to", "CPU ms/page", "RSS MB", "server CPU")
    print(f"\n{'median of ' + str(len(laps) // len(names)):14}" + "".join(f"{head:>13}" for head in heads))
    for name in names:
        pages, rate, rss = (median_of(laps, name, what) for what in ("pages", "rate", "rss"))
        rates = [lap.rate for lap in laps if lap.name == name]
        cpu = median(1000 * lap.cpu / lap.pages for lap in laps if lap.name == name)
        server = median(100 * lap.server / lap.seconds for lap in laps if lap.name == name)
        figures = f"{pages:13,.0f}{rate:13.0f}{min(rates):13.0f}{max(rates):13.0f}{cpu:13.2f}{rss:13.0f}"
        print(f"{name:14}{figures}{server:12.0f}%")


def print_ratios(laps: list[Lap], names: list[str]):
    rates = {name: median_of(laps, name, "rate") for name in names}
    if {"thresher", "silkworm"} <= rates.keys():
        print(f"ratio to silkworm: {rates['thresher'] / rates['silkworm']:.1f}")
    if {TWO_CORES, "scrapy"} <= rates.keys():
        share = median_of(laps, TWO_CORES, "rss") / median_of(laps, "scrapy", "rss")
        print(f"memory of all processes on two cores, to scrapy's: {share:.1f}")
    if {"thresher", "scrapy"} <= rates.keys():
        print(f"ratio: {rates['thresher'] / rates['scrapy']:.1f}")
    if {TWO_CORES, "scrapy"} <= rates.keys():
        print(f"ratio, two cores: {rates[TWO_CORES] / rates['scrapy']:.1f}")


if __name__ == "__main__":
    main()
