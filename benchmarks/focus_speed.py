"""What does politeness leave of best-first? Harvest and time of a polite crawl, by its `[frontier] spread`.

    python benchmarks/focus_speed.py

A host is asked once a second. A crawler that gives every idle host its turn meanwhile is fast, and fetches what it would never have
chosen; one that waits for the best host is slow. The spread is for how many better hosts a url waits: 0 for none, 1 for any.
`apprentice`, `best-first`, `shark-search` and `breadth-first` crawl generated webs of 60 and 300 hosts with 16 workers, every answer
taking .3 s, on a clock that jumps from event to event, so that an hour takes seconds. The last line is the ratio of what
best-first finds with the usual spread to what it finds without one.
"""

import argparse
import asyncio
import random
from statistics import mean
from typing import NamedTuple

from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.run.task_web import NofollowIgnoringParser, ParseCache
from thresher.lab.run.trial import Notebook
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.web_pages import WebPages
from thresher.polite.scope import ScopeRules
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.best_first import BestFirst
from thresher.strategy.breadth_first import BreadthFirst
from thresher.strategy.shark_search import SharkSearch
from thresher.topic import Topic
from thresher.urls import canonical

TOPIC = Topic.of("iris eye pupil cornea retina")
STRATEGIES = {
    "apprentice": lambda: Apprentice(TOPIC),
    "best-first": lambda: BestFirst(TOPIC),
    "shark-search": lambda: SharkSearch(TOPIC),
    "breadth-first": BreadthFirst,
}
SPREADS = (1, 2, 4, 8, 16, 32, 0)
USUAL = MemoryFrontier().spread
LATENCY = 0.3
WORKERS = 16


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose time passes at once."""

    def __init__(self):
        super().__init__()
        self.passed, really = 0.0, self._selector.select

        def select(timeout=None):
            self.passed += timeout or 0.0
            return really(0)

        self._selector.select = select

    def time(self):
        """Seconds since it was made."""
        return self.passed


class LoopClock:
    """The loop's time as the crawl's clock."""

    def now(self):
        """Seconds since 1970, or so."""
        return 1.7e9 + asyncio.get_running_loop().time()

    async def sleep(self, seconds):
        """Let time pass."""
        await asyncio.sleep(seconds)


class Outing(NamedTuple):
    """What one crawl found, and how long it took."""

    relevant: int
    fetched: int
    seconds: float


def main():
    options = arguments()
    found = {}
    for size, hosts in options.webs:
        for seed in range(1, options.seeds + 1):
            ground = Ground(generate(size=size, hosts=hosts, seed=seed), seed)
            for name in STRATEGIES:
                for spread in SPREADS:
                    outing = ground.crawled(name, spread, options.pages)
                    found.setdefault((size, hosts, name, spread), []).append(outing)
        tell(size, hosts, found)
    usual, without = (
        sum(outing.relevant for key, some in found.items() if key[2:] == ("best-first", spread) for outing in some)
        for spread in (USUAL, 0)
    )
    print(f"ratio: {usual / without:.2f}")


def arguments(about="Harvest and time of a polite crawl, by its spread."):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--pages", type=int, default=500, help="pages a crawl (%(default)s)")
    parser.add_argument("--seeds", type=int, default=5, help="webs of each size (%(default)s)")
    parser.add_argument("--smoke", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    options.webs = ((3000, 60), (8000, 300))
    if options.smoke:
        options.pages, options.seeds, options.webs = 60, 1, ((360, 12),)
    return options


class Ground:
    """A web, its pages on the eye, and where crawls begin: ten pages of any kind and two on the eye."""

    def __init__(self, web: GeneratedWeb, seed: int):
        self.pages, self.parser, dice = WebPages(web), ParseCache(NofollowIgnoringParser()), random.Random(seed)
        urls = [canonical(text) for text in web.urls()]
        self.relevant = {url for url in urls if web.topic_of(url) == "eye"}
        self.seeds = dice.sample(urls, 10) + dice.sample(sorted(self.relevant), 2)

    def crawled(self, name: str, spread: int, pages: int) -> Outing:
        """One crawl."""
        loop = Loop()
        try:
            notebook = loop.run_until_complete(self._crawl(name, spread, pages))
        finally:
            loop.close()
        asked = [fetch.url for fetch in notebook.fetches]
        return Outing(len(self.relevant.intersection(asked)), len(asked), loop.passed)

    async def _crawl(self, name: str, spread: int, pages: int) -> Notebook:
        strategy, notebook, clock = STRATEGIES[name](), Notebook(), LoopClock()
        crawl = CrawlLoop(
            frontier=MemoryFrontier(merge=strategy.merge, spread=spread),
            fetcher=Replay(self.pages, latency=LATENCY, clock=clock),
            parser=self.parser,
            scope=ScopeRules(),
            judge=TermsJudge(TOPIC),
            strategy=strategy,
            store=notebook,
            seeds=self.seeds,
            budget=Budget(pages=pages, dry_share=0.0),
            clock=clock,
            workers=WORKERS,
        )
        await crawl.run()
        return notebook


def tell(size: int, hosts: int, found: dict):
    print(f"{size:,} pages on {hosts} hosts, harvest and seconds by spread")
    print(f"{'':<14}" + "".join(f"{spread:>12}" for spread in SPREADS))
    for name in STRATEGIES:
        cells = [found[size, hosts, name, spread] for spread in SPREADS]
        told = [
            f"{mean(each.relevant / each.fetched for each in some):.0%} {mean(each.seconds for each in some):.0f} s"
            for some in cells
        ]
        print(f"{name:<14}" + "".join(f"{each:>12}" for each in told), flush=True)


if __name__ == "__main__":
    main()
