"""A simulation, not a measurement: pages a second and harvest as workers grow from 1 to 64, and what stops them growing.

    python benchmarks/workers_simulation.py --picture docs/pictures/scale/workers.svg

The web is made up, page by page when one asks: a hundred thousand hosts, two in a hundred of them about the topic. The frontier is the real
one in memory, with its calendar of hosts, a second between two requests to a host, by a turned clock. What takes time is drawn or modelled:

    a fetch              log-normal, median .4 s, three in four below .7 s, at most 10 s
    the server           cores that serve claims and settles in the order of their coming; CPU ms of each from docs/design/007-postgresql.md
    a worker             one core: CPU ms a page of its own, and CPU ms a lesson for each page of the others, every two seconds

A link is scored by the page it stands on, by a hint in its words, and by how often pages of its host were relevant so far. That mean of
hosts is what workers learn and tell: until then each knows its own visits and what all had told before. Each worker has 16 pages in flight.
A row is one crawl of --pages pages; pages a second and how busy the cores are (of the workers: the busiest) are those of its second half,
when the frontier is wide.
"""

import argparse
import asyncio
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path

from xxhash import xxh3_64_intdigest

from thresher.chart import Axes, Ink, Line, line_chart, write_picture
from thresher.frontier import MemoryFrontier
from thresher.model import SEED, Candidate, Claim, Outcome, Url

WORKERS = (1, 2, 4, 8, 16, 32, 64)
IN_FLIGHT = 16
LINKS = 12
ON_TOPIC, GOOD, ELSEWHERE = 0.02, 0.5, 0.01
"""Hosts about the topic, and the share of relevant pages on these and on the others."""
PAGES_OF_A_HOST = 2000
TELL_EVERY = 2.0
SHORTEST_WAIT, LONGEST_WAIT = 0.01, 0.25
WAITS = ("hosts", "server CPU", "worker CPU")
WALL = 0.1
"""What slots wait for such a share of their time is called the wall."""
BLUE, GREEN, ORANGE = "#0072b2", "#009e73", "#d55e00"


def drawn(*what: object) -> float:
    """A number from 0 to 1 that always is the same for the same."""
    return xxh3_64_intdigest(repr(what).encode()) / 2**64


class Web:
    """Pages of hosts by their numbers, none of them kept."""

    def __init__(self, hosts: int) -> None:
        self.hosts = hosts
        self.topical = [host for host in range(hosts) if self.on_topic(host)]

    def on_topic(self, host: int) -> bool:
        """Whether a host is about the topic."""
        return drawn("topic", host) < ON_TOPIC

    def relevant(self, host: int, page: int) -> bool:
        """Whether a page is."""
        return drawn("page", host, page) < (GOOD if self.on_topic(host) else ELSEWHERE)

    def links(self, host: int, page: int) -> Iterator[tuple[int, int]]:
        """Seven in ten stay on their host; of the others of a relevant page four in ten lead to hosts about the topic."""
        likes = 0.4 if self.relevant(host, page) else 0.03
        for place in range(LINKS):
            to = host if drawn("stay", host, page, place) < 0.7 else self._other(likes, host, page, place)
            yield to, int(drawn("to", host, page, place) ** 2 * PAGES_OF_A_HOST)

    def _other(self, likes: float, *where: int) -> int:
        if drawn("likes", *where) < likes:
            return self.topical[int(drawn("other", *where) * len(self.topical))]
        return int(drawn("other", *where) * self.hosts)

    def seeds(self) -> list[Url]:
        """Twenty pages on hosts about the topic."""
        return [url_of(host, 0) for host in self.topical[:20]]


def url_of(host: int, page: int) -> Url:
    return Url(f"http://host-{host}.example/{page}")


def numbers_of(url: Url) -> tuple[int, int]:
    host, _, page = url[12:].partition(".example/")
    return int(host), int(page)


class Cores:
    """Work in the order in which it comes, on so many cores."""

    def __init__(self, many: int) -> None:
        self._free = [0.0] * many
        self.busy = 0.0

    def done(self, now: float, seconds: float) -> float:
        """When work is done that comes now."""
        end = max(now, heappop(self._free)) + seconds
        heappush(self._free, end)
        self.busy += seconds
        return end

    def share(self, seconds: float) -> float:
        """How busy they were in so many seconds."""
        return self.busy / (len(self._free) * seconds)


class Means:
    """How often pages of a host were relevant: what all workers have told, and what each knows beside."""

    def __init__(self, workers: int) -> None:
        self._told = Counter[tuple[int, bool]]()
        self._own = [Counter[tuple[int, bool]]() for _ in range(workers)]

    def note(self, worker: int, host: int, *, relevant: bool) -> None:
        """A worker visited a page."""
        self._own[worker][host, relevant] += 1

    def of(self, worker: int, host: int) -> float:
        """The mean of a host as a worker knows it."""
        told, own = self._told, self._own[worker]
        good = told[host, True] + own[host, True]
        return (good + 0.3) / (good + told[host, False] + own[host, False] + 2)

    def tell(self) -> list[int]:
        """All tell all; how many visits each hears of."""
        own = [each.total() for each in self._own]
        for each in self._own:
            self._told.update(each)
            each.clear()
        return [sum(own) - each for each in own]


@dataclass
class Figures:
    """What one crawl gave."""

    workers: int
    pages: int = 0
    relevant: int = 0
    early: int = 0
    """Relevant pages of the first tenth."""
    half_at: float = 0.0
    waited: Counter[str] = field(default_factory=Counter)
    """Seconds that all slots waited in the second half: for a host, for the server, for the core of their worker."""
    seconds: float = 0.0
    server: float = 0.0
    worker: float = 0.0
    urls: int = 0

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / 2 / (self.seconds - self.half_at)

    def lost(self, what: str) -> float:
        """The share of time that slots waited for something."""
        return self.waited[what] / ((self.seconds - self.half_at) * self.workers * IN_FLIGHT)

    @property
    def wall(self) -> str:
        """What keeps it from being faster."""
        worst = max(WAITS, key=self.lost)
        return worst if self.lost(worst) > WALL else "fetch time"


@dataclass
class Simulation:
    """So many workers, until so many pages are fetched."""

    workers: int
    options: argparse.Namespace
    figures: Figures = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self.web, self.means = Web(options.hosts), Means(self.workers)
        # Beyond the cap the worst urls are forgotten: the memory is bounded.
        spread = options.spread if options.spread is not None else 8 * self.workers
        self.frontier = MemoryFrontier(delay=1.0, spread=spread, cap=options.cap, alike_turns=0)
        self.server, self.cores = Cores(options.cores), [Cores(1) for _ in range(self.workers)]
        self.figures = Figures(self.workers)
        self.dice = random.Random(1)
        self.resting = [0] * self.workers
        """Slots of each worker that wait, beside the one that asks again."""
        self.looks_again = [False] * self.workers
        self.rested_at = [0.0] * self.workers
        self.events: list[tuple[float, int, str, int, Claim | None]] = []
        self.count = 0

    def at(self, time: float, what: str, worker: int, claim: Claim | None = None) -> None:
        """Something will happen."""
        self.count += 1
        heappush(self.events, (time, self.count, what, worker, claim))

    async def run(self) -> Figures:
        """Let it all happen."""
        await self.frontier.add(Candidate(url, SEED) for url in self.web.seeds())
        for worker in range(self.workers):
            for _ in range(IN_FLIGHT):
                self.at(self.dice.random() * 0.1, "ask", worker)
        self.at(TELL_EVERY, "tell", 0)
        now = 0.0
        while self.figures.pages < self.options.pages:
            now, _, what, worker, claim = heappop(self.events)
            await getattr(self, what)(now, worker, claim)
        since = now - self.figures.half_at
        self.figures.seconds, self.figures.server = now, self.server.share(since)
        self.figures.worker = max(each.share(since) for each in self.cores)
        self.figures.urls = self.frontier.census().waiting
        return self.figures

    async def ask(self, now: float, worker: int, _: Claim | None) -> None:
        """A slot wants a page."""
        self.at(self.served(now, self.options.claim_ms / 1000), "claimed", worker)

    def served(self, now: float, seconds: float) -> float:
        """When the server has done what it is asked now."""
        done = self.server.done(now, seconds)
        self.figures.waited["server CPU"] += done - now
        return done

    async def claimed(self, now: float, worker: int, _: Claim | None) -> None:
        """The server has answered. Of slots that get nothing one asks again; whoever gets a page wakes the next, as in the loop."""
        claims = await self.frontier.claim(1, now)
        if claims:
            fetched = min(10.0, 0.4 * math.exp(0.83 * self.dice.gauss(0, 1)))
            self.at(now + fetched, "read", worker, claims[0])
            if self.resting[worker]:
                self.rests(now, worker, -1)
                self.at(now, "ask", worker)
        elif self.looks_again[worker]:
            self.rests(now, worker, 1)
        else:
            self.looks_again[worker] = True
            due = self.frontier.due()
            wait = min(max((due or now) - now, SHORTEST_WAIT), LONGEST_WAIT)
            self.figures.waited["hosts"] += wait
            self.at(now + wait, "again", worker)

    def rests(self, now: float, worker: int, more: int) -> None:
        """So many more slots of a worker wait."""
        self.figures.waited["hosts"] += (now - self.rested_at[worker]) * self.resting[worker]
        self.rested_at[worker] = now
        self.resting[worker] += more

    async def again(self, now: float, worker: int, _: Claim | None) -> None:
        """The one that waited asks again."""
        self.looks_again[worker] = False
        await self.ask(now, worker, None)

    async def read(self, now: float, worker: int, claim: Claim | None) -> None:
        """A page has come, and is read by its worker."""
        done = self.cores[worker].done(now, self.options.turn_ms / 1000)
        self.figures.waited["worker CPU"] += done - now
        self.at(done, "settle", worker, claim)

    async def settle(self, now: float, worker: int, claim: Claim | None) -> None:
        """It was read, and goes to the server."""
        self.at(self.served(now, self.options.settle_ms / 1000), "settled", worker, claim)

    async def settled(self, now: float, worker: int, claim: Claim | None) -> None:
        """The server has kept it."""
        assert claim is not None
        host, page = numbers_of(claim.url)
        relevant = self.web.relevant(host, page)
        self.means.note(worker, host, relevant=relevant)
        found = [self.scored(worker, relevant, *link) for link in self.web.links(host, page)]
        await self.frontier.settle(claim, Outcome("page"), found, now)
        self.counted(now, relevant=relevant)
        self.at(now, "ask", worker)

    def scored(self, worker: int, relevant: bool, host: int, page: int) -> Candidate:  # noqa: FBT001 - of the page it is on
        """A link, with what its worker thinks of it."""
        hint = 0.3 * drawn("hint", host, page) * (1.15 if self.web.relevant(host, page) else 1.0)
        return Candidate(url_of(host, page), 0.3 * relevant + hint + 0.15 * self.means.of(worker, host))

    def counted(self, now: float, *, relevant: bool) -> None:
        """One page more."""
        figures, pages = self.figures, self.options.pages
        figures.pages += 1
        figures.relevant += relevant
        figures.early += relevant and figures.pages <= pages // 10
        if figures.pages == pages // 2:
            figures.half_at = now
            figures.waited.clear()
            for cores in (self.server, *self.cores):
                cores.busy = 0.0

    async def tell(self, now: float, _: int, __: Claim | None) -> None:
        """All workers hear what the others learnt."""
        for core, heard in zip(self.cores, self.means.tell(), strict=True):
            core.done(now, heard * self.options.lesson_ms / 1000)
        self.at(now + TELL_EVERY, "tell", 0)


def row(figures: Figures, pages: int) -> str:
    waits = "  ".join(f"{figures.lost(what):>10.0%}" for what in WAITS)
    return (
        f"{figures.workers:>7}  {figures.rate:>9,.0f}  {figures.relevant / pages:>7.3f}  {figures.early / (pages // 10):>9.3f}  "
        f"{figures.server:>6.0%}  {figures.worker:>6.0%}  {waits}  {figures.urls:>9,}  {figures.wall}"
    )


def picture(found: list[Figures], title: str) -> str:
    """Pages a second against workers, beside what they would be if each added as much as the first."""
    across = range(found[0].workers, found[-1].workers + 1)
    first = found[0].rate / found[0].workers
    reached = Line("simulated", [between(found, at) for at in across], ink=Ink(BLUE, "", 2.4, strong=True))
    even = Line(
        "each as the first", [first * at for at in across], ink=Ink(ORANGE, "6 3", 1.6, strong=True, bound=True)
    )
    return line_chart(Axes(title, "workers", "pages a second, simulated", first=found[0].workers), [reached, even])


def between(found: list[Figures], workers: int) -> float:
    low = max((each for each in found if each.workers <= workers), key=lambda each: each.workers)
    high = min((each for each in found if each.workers >= workers), key=lambda each: each.workers)
    share = (workers - low.workers) / (high.workers - low.workers) if high.workers > low.workers else 0.0
    return low.rate + share * (high.rate - low.rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=20_000, help="pages of each crawl")
    parser.add_argument("--cores", type=int, default=4, help="cores of the server")
    parser.add_argument("--claim-ms", type=float, default=0.36, help="CPU of a claim in the server")
    parser.add_argument("--settle-ms", type=float, default=0.97, help="CPU of a settle in the server")
    parser.add_argument("--turn-ms", type=float, default=1.6, help="CPU of a page in its worker")
    parser.add_argument("--lesson-ms", type=float, default=0.75, help="CPU of a worker for a page of another")
    parser.add_argument("--spread", type=int, help="hosts that a url waits for; 8 for each worker unless given")
    parser.add_argument("--cap", type=int, default=400_000, help="urls that wait at most")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--picture", type=Path, help="an SVG or PNG to draw")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    if options.smoke:
        options.hosts, options.pages, options.workers = 1000, 1000, (1, 4)
    print("A SIMULATION: time is modelled, no server and no network is asked.")
    print(f"{'':45}busy{'':18}a page waits for")
    print("workers  pages / s  harvest  first 10%  server  worker       hosts  server CPU  worker CPU       urls  wall")
    found = []
    for workers in options.workers:
        found.append(asyncio.run(Simulation(workers, options).run()))
        print(row(found[-1], options.pages), flush=True)
    if options.picture:
        options.picture.parent.mkdir(parents=True, exist_ok=True)
        write_picture(
            picture(found, f"Pages a second by workers, a server of {options.cores} cores: a simulation"),
            options.picture,
        )


if __name__ == "__main__":
    main()
