"""Do sitemaps pay? Harvest of a polite crawl, by how many relevant pages a host must give before its sitemap is asked for.

    python benchmarks/sitemap_harvest.py

Every host of a generated web has a robots.txt that names a sitemap, and the sitemap names all its pages. Webs, workers, delays and the
clock are those of `focus_speed.py`. First all pages can be reached by links, so that a sitemap finds nothing that would not be found
without it: what is measured is what it costs. Then every second page, by chance, is named by its sitemap alone, so that there is something
to find.
"""

import random
from statistics import mean
from typing import NamedTuple

from focus_speed import LATENCY, STRATEGIES, TOPIC, USUAL, WORKERS, Loop, LoopClock, arguments

from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.run.task_web import ParseCache
from thresher.lab.run.trial import Notebook
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.web_pages import WebAnswer, WebPages
from thresher.listed_links import LinkOptions
from thresher.parse.html import HtmlParser
from thresher.polite.robots import PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.urls import canonical, host_of

WAYS = (0, 1, 3, 10, 30)
"""After how many relevant pages of a host its sitemap is asked for; 0 for never."""


class Mapped:
    """A web whose hosts have sitemaps; pages that are hidden are in no other page's links."""

    def __init__(self, web: GeneratedWeb, hidden: frozenset[str]):
        self._web, self._hidden = web, hidden
        self._of: dict[str, list[str]] = {}
        for url in web.urls():
            self._of.setdefault(host_of(canonical(url)), []).append(url)

    def page(self, host: str, path: str) -> WebAnswer | None:
        """The web's own page, its robots.txt or its sitemap."""
        if path == "/robots.txt":
            return WebAnswer(f"Sitemap: http://{host}/sitemap.xml\n".encode(), kind="text/plain")
        if path == "/sitemap.xml":
            urls = "".join(f"<url><loc>{url}</loc></url>" for url in self._of.get(host, ()))
            return WebAnswer(f"<urlset>{urls}</urlset>".encode(), kind="application/xml")
        return self._web.page(host, path)


class Unlinked:
    """A parser that does not see links to hidden pages, unless a sitemap has them."""

    def __init__(self, hidden: frozenset[str]):
        self._parser, self._hidden = HtmlParser(), hidden

    def parse(self, response):
        """Read one response."""
        page = self._parser.parse(response)
        if page.form == "sitemap" or not self._hidden:
            return page
        links = tuple(link for link in page.links if link.target not in self._hidden)
        return type(page)(**{name: getattr(page, name) for name in page.__slots__} | {"links": links})


class Outing(NamedTuple):
    """What one crawl found."""

    relevant: int
    fetched: int
    sitemaps: int


class Ground:
    """A web with sitemaps, its pages on the eye, and where crawls begin."""

    def __init__(self, web: GeneratedWeb, seed: int, share: float):
        dice = random.Random(seed)
        urls = [canonical(text) for text in web.urls()]
        self.relevant = {url for url in urls if web.topic_of(url) == "eye"}
        self.seeds = dice.sample(urls, 10) + dice.sample(sorted(self.relevant), 2)
        hidden = frozenset(url for url in urls if dice.random() < share) - set(self.seeds)
        self.pages, self.parser = WebPages(Mapped(web, hidden)), ParseCache(Unlinked(hidden))

    def crawled(self, name: str, way: int, pages: int) -> Outing:
        """One crawl."""
        loop = Loop()
        try:
            notebook = loop.run_until_complete(self._crawl(name, way, pages))
        finally:
            loop.close()
        asked = [fetch.url for fetch in notebook.fetches]
        mapped = sum(url.endswith("/sitemap.xml") for url in asked)
        return Outing(len(self.relevant.intersection(asked)), len(asked), mapped)

    async def _crawl(self, name: str, way: int, pages: int) -> Notebook:
        strategy, notebook, clock = STRATEGIES[name](), Notebook(), LoopClock()
        replay = Replay(self.pages, latency=LATENCY, clock=clock, types=())
        crawl = CrawlLoop(
            frontier=MemoryFrontier(merge=strategy.merge, spread=USUAL),
            fetcher=PoliteFetcher(replay, replay, clock=clock, pause=1.0, sitemaps=way > 0),
            parser=self.parser,
            scope=ScopeRules(),
            judge=TermsJudge(TOPIC),
            strategy=strategy,
            store=notebook,
            seeds=self.seeds,
            budget=Budget(pages=pages, dry_share=0.0),
            clock=clock,
            workers=WORKERS,
            links=LinkOptions(sitemaps_after=max(way, 1)),
        )
        await crawl.run()
        return notebook


def main():
    options = arguments("What sitemaps cost a polite crawl, and what they give.")
    for share in (0.0, 0.5):
        for size, hosts in options.webs:
            print(f"{size:,} pages on {hosts} hosts, {share:.0%} of them in sitemaps alone: harvest, sitemaps read")
            print(f"{'':<14}" + "".join(f"{way:>14}" for way in WAYS))
            found = {}
            for seed in range(1, options.seeds + 1):
                ground = Ground(generate(size=size, hosts=hosts, seed=seed), seed, share)
                for name in STRATEGIES:
                    for way in WAYS:
                        found.setdefault((name, way), []).append(ground.crawled(name, way, options.pages))
            for name in STRATEGIES:
                tell(name, [found[name, way] for way in WAYS])


def tell(name: str, cells: list):
    told = [f"{mean(o.relevant / o.fetched for o in some):.1%} {mean(o.sitemaps for o in some):.0f}" for some in cells]
    print(f"{name:<14}" + "".join(f"{each:>14}" for each in told), flush=True)


if __name__ == "__main__":
    main()
