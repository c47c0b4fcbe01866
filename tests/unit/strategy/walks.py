"""Visits by hand, and whole crawls over a web in a dictionary, for tests of strategies that read words and order."""

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.model import Candidate, Claim, Host, Link, Outcome, Page, Response, Url, Visit
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.store.memory_store import MemoryStore
from thresher.testing.simulated_web import SimulatedWeb
from thresher.topic import Topic

HOST = "http://a.example"
URL = Url(f"{HOST}/")
IRIS = Topic.of("iris")


def visit(main="", *, url=URL, number=1, depth=0, priority=1.0, parent=None):
    claim = Claim(Candidate(url, priority, depth, parent), Host("a.example"), number, 10.0)
    return Visit(claim, number, 0.0, Response(url, 200, (), b"", b""), Outcome("page"), Page(url, main=main))


def links(count, rel=""):
    return [Link(URL, Url(f"{HOST}/{number}"), "", 0, 0, position=number, rel=rel) for number in range(count)]


def page(text, *targets, anchor="·"):
    # By default an anchor without a word: what a page says is its text alone.
    return f"<p>{text}</p>{''.join(f'<p><a href={target}>{anchor}</a></p>' for target in targets)}"


def crawl_of(web, strategy, frontier=None, store=None, seed=URL, **budget):
    return CrawlLoop(
        frontier=frontier or MemoryFrontier(merge=strategy.merge, delay=0),
        fetcher=web,
        parser=HtmlParser(),
        scope=ScopeRules(),
        judge=TermsJudge(IRIS, threshold=0.3),
        strategy=strategy,
        store=store or MemoryStore(),
        seeds=[seed],
        budget=Budget(**budget),
        clock=FakeClock(1000.0),
        workers=1,
    )


async def order(pages, strategy, seed="/", **budget):
    """The paths in the order of their visits."""
    web = SimulatedWeb({f"{HOST}{path}": html for path, html in pages.items()})
    await crawl_of(web, strategy, seed=Url(HOST + seed), **budget).run()
    return [url.removeprefix(HOST) for url in web.asked]


async def order_with_stops(pages, make, stops):
    """The same, with the strategy thrown away and made anew from its saved state after so many pages."""
    web = SimulatedWeb({f"{HOST}{path}": html for path, html in pages.items()})
    frontier, store = MemoryFrontier(merge=make().merge, delay=0), MemoryStore()
    for limit in stops:
        await crawl_of(web, make(), frontier, store, pages=limit).run()
    return [url.removeprefix(HOST) for url in web.asked]
