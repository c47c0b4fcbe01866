"""How the SQLite frontier bears millions of urls: adds and turns a second, bytes a url on disk, RSS, the longest stall.

    python benchmarks/frontier_scale.py --urls 1000000 10000000

A turn is one claim, and one settle with 63 links of which 85 in 100 are known: half of these from the host's forty menu
pages, half from anywhere on the host; one in five brings another priority than before. Nearly every turn meets another
host. Times are told twice: by the clock, with commits and waits for the disk, and as CPU time of all threads of the
process, which a busy machine changes less.

The peer is Scrapy's scheduler with a JOBDIR (requests in disk queues, their fingerprints in memory), which does the same
turns at no more than 100,000 urls. Last line: our turns a second at the last size, divided by Scrapy's.
"""

import argparse
import asyncio
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from thresher.disk.ledger import Ledger
from thresher.frontier import SqliteFrontier
from thresher.model import Candidate, Outcome, Url

LINKS, NEW, MENU = 63, 0.15, 40
PEER_URLS = 100_000


class Web:
    """Pages that link mostly to their own host; a host's known pages are numbered from 0."""

    def __init__(self, hosts: int) -> None:
        self.random = random.Random(1)
        self.known = [0] * hosts

    def fresh(self, count: int) -> list[Candidate]:
        """Links to pages that nobody knows yet."""
        return [self._new(self.random.randrange(len(self.known))) for _ in range(count)]

    def links(self, host: int, parent: Url) -> list[Candidate]:
        """The links of one page."""
        draw = self.random.random
        found = []
        for _ in range(LINKS):
            target = host if draw() < 0.9 else self.random.randrange(len(self.known))
            link = self._new(target) if draw() < NEW else self._old(target)
            found.append(link._replace(depth=3, parent=parent, anchor="a few words of anchor"))
        return found

    def _new(self, host: int) -> Candidate:
        self.known[host] += 1
        return self._link(host, self.known[host] - 1)

    def _old(self, host: int) -> Candidate:
        known = max(self.known[host], 1)
        return self._link(host, self.random.randrange(min(MENU, known) if self.random.random() < 0.5 else known))

    def _link(self, host: int, page: int) -> Candidate:
        priority = page * 7919 % 97 / 97
        if self.random.random() < 0.2:
            priority += self.random.uniform(-0.1, 0.1)
        return Candidate(Url(f"https://www.host-{host}.example.org/section/{page % 31}/page-{page}.html"), priority)


def host_of(url: str) -> int:
    return int(url.partition("host-")[2].partition(".")[0])


class Stopwatch:
    """Adds up the time between `with` and its end: by the clock, and on the CPU."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter() - self._wall
        self.cpu += time.process_time() - self._cpu


async def measure(urls: int, hosts: int, pages: int, folder: Path) -> None:
    ledger = Ledger(folder / "crawl.sqlite")
    frontier = SqliteFrontier(ledger, delay=0)
    web = Web(hosts)
    adding, turning, opening = await adds(frontier, web, urls), Stopwatch(), Stopwatch()
    worst = await turns(frontier, web, pages, turning)
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    ledger.close()
    size = (folder / "crawl.sqlite").stat().st_size / sum(web.known)
    with opening:
        SqliteFrontier(Ledger(folder / "crawl.sqlite"), delay=0).ledger.close()
    print(
        f"{urls:>11,} urls  {urls / adding.wall:,.0f} adds/s ({urls / adding.cpu:,.0f} by CPU)  {pages / turning.wall:,.0f} turns/s "
        f"({turning.wall / pages * 1e3:.2f} ms, {turning.cpu / pages * 1e3:.2f} ms of CPU, longest {worst * 1e3:.0f} ms)  "
        f"{size:.0f} bytes/url  {rss} MB RSS  opened in {opening.wall:.1f} s"
    )
    print(f"turns: {pages / turning.wall:.1f}")


async def adds(frontier: SqliteFrontier, web: Web, urls: int) -> Stopwatch:
    """The time that it takes to add so many urls, a thousand at a time."""
    watch = Stopwatch()
    for batch in batches(urls, 1000):
        fresh = web.fresh(batch)
        with watch:
            await frontier.add(fresh)
    with watch:
        frontier.ledger.commit()
    return watch


async def turns(frontier: SqliteFrontier, web: Web, pages: int, watch: Stopwatch) -> float:
    """Make so many turns; returns the seconds of the longest one."""
    worst = 0.0
    for page in range(pages):
        before = watch.wall
        with watch:
            [claim] = await frontier.claim(1, float(page))
        found = web.links(host_of(claim.url), claim.url)
        with watch:
            await frontier.settle(claim, Outcome("page"), found, float(page))
        worst = max(worst, watch.wall - before)
    return worst


def batches(total: int, most: int) -> Iterator[int]:
    for start in range(0, total, most):
        yield min(most, total - start)


def peer(urls: int, hosts: int, pages: int, folder: Path) -> None:
    from scrapy import Request, Spider  # noqa: PLC0415 - only this process of the benchmark may pay for it
    from scrapy.core.scheduler import Scheduler  # noqa: PLC0415
    from scrapy.utils.test import get_crawler  # noqa: PLC0415

    settings = {"JOBDIR": str(folder), "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue"}
    crawler = get_crawler(Spider, settings)
    crawler.spider = Spider.from_crawler(crawler, "peer")
    scheduler = Scheduler.from_crawler(crawler)
    scheduler.open(crawler.spider)
    web = Web(hosts)
    for link in web.fresh(urls):
        scheduler.enqueue_request(Request(link.url, priority=int(link.priority * 100)))
    took = 0.0
    for _ in range(pages):
        start = time.perf_counter()
        request = scheduler.next_request()
        took += time.perf_counter() - start
        found = web.links(host_of(request.url), Url(request.url))
        start = time.perf_counter()
        for link in found:
            scheduler.enqueue_request(Request(link.url, priority=int(link.priority * 100), meta={"depth": link.depth}))
        took += time.perf_counter() - start
    scheduler.close("done")
    print(f"{urls:>11,} urls in Scrapy's scheduler: {pages / took:,.0f} turns/s ({took / pages * 1e3:.2f} ms each)")
    print(f"turns: {pages / took:.1f}")


def apart(part: str, urls: int, options: argparse.Namespace) -> float:
    """Run one part in a process of its own, so that its RSS is its own; returns turns a second."""
    command = [
        sys.executable,
        __file__,
        "--urls",
        str(urls),
        "--hosts",
        str(options.hosts),
        "--pages",
        str(options.pages),
    ]
    run = subprocess.run([*command, "--part", part], stdout=subprocess.PIPE, text=True, check=True)
    *said, last = run.stdout.splitlines()
    print(*said, sep="\n", flush=True)
    return float(last.removeprefix("turns: "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, nargs="+", default=[1_000_000], help="waiting urls to begin with")
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=3_000, help="turns to measure")
    parser.add_argument("--part", choices=["ours", "peer"], help=argparse.SUPPRESS)
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.urls, options.hosts, options.pages = [20_000], 200, 500
    if options.part is None:
        speeds = [apart("ours", urls, options) for urls in options.urls]
        theirs = apart("peer", min(PEER_URLS, options.urls[-1]), options)
        print(f"ratio: {speeds[-1] / theirs:.1f}")
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.part == "ours":
            asyncio.run(measure(options.urls[0], options.hosts, options.pages, Path(folder)))
        else:
            peer(options.urls[0], options.hosts, options.pages, Path(folder))


if __name__ == "__main__":
    main()
