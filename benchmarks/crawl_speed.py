"""How fast is a whole crawl, against Scrapy on the same web in the same run?

    pip install -e '.[bench]' && python benchmarks/crawl_speed.py

A generated web of 29 KB pages with 63 links each, 36 % of them text as on real pages, is served on loopback, the server
pinned to one core and the crawler to another. Delays are off; robots.txt, scoring, WARC and the durable frontier are
on; Scrapy runs with its LinkExtractor, robots and a JOBDIR. Both are measured alike: pages and seconds from the
server's log (first page asked to last page answered), CPU and peak memory from the kernel when the process ends. The
last line printed is the ratio of the medians of pages per second.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from thresher.lab.webs.http_server import Answered

PAGES_A_SITE = 165
MOST_SITES = 300
SHAPE = ("--links", "63", "--words", "1500", "--dressed", "--loopback")
CRAWLER_CORE, SERVER_CORE = 0, 1
MB = 1 << 20
PEER = Path(__file__).with_name("scrapy_peer.py")


class Lap(NamedTuple):
    """One crawl, measured from outside."""

    name: str
    pages: int
    seconds: float
    cpu: float
    rss: float
    """The most memory it held at a time, in MB."""
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
    names = [options.only] if options.only else ["scrapy", "thresher"]
    if "scrapy" in names and importlib.util.find_spec("scrapy") is None:
        print("Scrapy is not installed: pip install -e '.[bench]', or run with --only thresher", file=sys.stderr)
        sys.exit(2)
    with tempfile.TemporaryDirectory(prefix="crawl-speed-") as folder, served(options, Path(folder)) as track:
        laps = [
            run(track, name, options, Path(folder) / f"{name}-{turn}")
            for turn in range(options.rounds)
            for name in names
        ]
    print_table(laps, names)
    if len(names) == 2:
        print(f"ratio: {median_of(laps, 'thresher', 'rate') / median_of(laps, 'scrapy', 'rate'):.1f}")


def arguments():
    parser = argparse.ArgumentParser(description="Pages per second of a whole crawl, against Scrapy.")
    parser.add_argument("--pages", type=int, default=10_000, help="pages a crawl (%(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="crawls of each, in turn; the median counts (%(default)s)"
    )
    parser.add_argument("--only", choices=["thresher", "scrapy"])
    parser.add_argument("--workers", type=int, default=64, help="pages under way at a time (%(default)s)")
    parser.add_argument("--topic", default="iris of the eye pupil cornea retina")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the crawl folders there")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.pages, options.rounds = 200, 1
    return options


def pin(server: int):
    """The server on its core, this process and so the crawlers it starts on the other."""
    if not hasattr(os, "sched_setaffinity") or not {CRAWLER_CORE, SERVER_CORE} <= os.sched_getaffinity(0):
        print("note: processes cannot be pinned to two cores here, so server and crawler may share one")
        return
    os.sched_setaffinity(server, {SERVER_CORE})
    os.sched_setaffinity(0, {CRAWLER_CORE})


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
        pin(process.pid)
        yield Track(process, json.loads(ready)["start"], sites, log)
    finally:
        process.terminate()
        process.wait()


def run(track: Track, name: str, options, folder: Path) -> Lap:
    """One crawl as a process of its own."""
    folder = options.keep / folder.name if options.keep else folder
    os.truncate(track.log, 0)
    before = cpu_of(track.process.pid)
    process = subprocess.Popen(command(track, name, options, folder))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} ended with exit code {process.returncode}")
    pages, seconds = measured(track.log)
    rss = usage.ru_maxrss / MB if sys.platform == "darwin" else usage.ru_maxrss / 1024
    lap = Lap(name, pages, seconds, usage.ru_utime + usage.ru_stime, rss, cpu_of(track.process.pid) - before)
    print(f"{name:9} {lap.pages:6,} pages in {lap.seconds:6.1f} s: {lap.rate:6.0f} pages/s", flush=True)
    return lap


def command(track: Track, name: str, options, folder: Path) -> list[str]:
    if name == "scrapy":
        # Scrapy counts every robots.txt as a page.
        limit = options.pages + track.sites
        return [sys.executable, str(PEER), track.start, "--pages", str(limit), "--jobdir", str(folder)]
    asked = ["--topic", options.topic, "--seed", track.start, "--strategy", "best-first", "--pages", str(options.pages)]
    # One core against one core: hands would share it.
    manners = ["--delay", "0", "--workers", str(options.workers), "--hands", "0", "--allow-private"]
    manners += ["--contact", "http://127.0.0.1/"]
    return [sys.executable, "-m", "thresher", "crawl", *asked, *manners, "--into", str(folder), "--quiet"]


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
    heads = ("pages", "pages/s", "CPU ms/page", "RSS MB", "server CPU")
    print(f"\n{'median of ' + str(len(laps) // len(names)):14}" + "".join(f"{head:>13}" for head in heads))
    for name in names:
        pages, rate, rss = (median_of(laps, name, what) for what in ("pages", "rate", "rss"))
        cpu = median(1000 * lap.cpu / lap.pages for lap in laps if lap.name == name)
        server = median(100 * lap.server / lap.seconds for lap in laps if lap.name == name)
        print(f"{name:14}{pages:13,.0f}{rate:13.0f}{cpu:13.2f}{rss:13.0f}{server:12.0f}%")


if __name__ == "__main__":
    main()
