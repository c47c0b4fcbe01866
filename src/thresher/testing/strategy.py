"""For those who write a strategy: what every strategy promises, checked by whole crawls over a small web.

>>> def test_mine_keeps_its_promises():
...     check_strategy(lambda: Mine(topic))
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import get_args

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import Crawl
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.webs.generated import GeneratedWeb
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.web_pages import WebPages
from thresher.model import (
    DROP,
    Candidate,
    Claim,
    Evidence,
    Failed,
    Fetched,
    Host,
    Judgement,
    Link,
    Merge,
    Outcome,
    Page,
    Response,
    Url,
    Visit,
)
from thresher.parse.html import HtmlParser
from thresher.polite.scope import Rules
from thresher.ports import Strategy
from thresher.store.memory_store import MemoryStore
from thresher.testing import iris
from thresher.topic import Topic
from thresher.urls import host_of

Make = Callable[[], Strategy]
_PAGES = 60
_STOPS = (1, 10)


def check_strategy(make: Make) -> None:
    """Raise AssertionError with a sentence, if a strategy breaks a promise. `make` gives a new one at each call."""
    assert make().merge in get_args(Merge), f"there is no merge {make().merge!r}; choose from {get_args(Merge)}"
    _takes_what_the_web_gives(make)
    web = iris.web()
    order = visited(make, web, (_PAGES,))
    assert visited(make, web, (_PAGES,)) == order, "the same crawl over the same web took another way"
    for stop in _STOPS:
        stops = (*range(stop, _PAGES, stop), _PAGES)
        assert visited(make, web, stops) == order, f"a crawl that stopped every {stop} pages took another way"


def visited(make: Make, web: GeneratedWeb, stops: Sequence[int]) -> list[Url]:
    """The urls in the order of their visits, by one worker; at each stop the strategy is thrown away, and its state kept."""
    frontier, store = MemoryFrontier(merge=make().merge, delay=0), MemoryStore()
    fetcher, clock = Replay(WebPages(web)), FakeClock(1.7e9)
    for pages in stops:
        crawl = Crawl(
            frontier=frontier,
            fetcher=fetcher,
            parser=HtmlParser(),
            scope=Rules(),
            judge=TermsJudge(Topic.of(iris.TOPIC)),
            strategy=make(),
            store=store,
            seeds=iris.seeds(web),
            budget=Budget(pages=pages, dry_share=0.0),
            clock=clock,
            workers=1,
        )
        asyncio.run(crawl.run())
    return [visit.url for visit in store.visits()]


def _takes_what_the_web_gives(make: Make) -> None:
    strategy, twin = make(), make()
    for visit in odd_visits():
        links = visit.page.links if visit.page else ()
        priorities = _passed_through(strategy, visit, links)
        assert len(priorities) == len(links), f"{len(priorities)} priorities for {len(links)} links"
        for link, priority in zip(links, priorities, strict=True):
            assert priority == DROP or isfinite(priority), f"the priority of {link.target!r} is {priority}"
        assert priorities == _passed_through(twin, visit, links), "a twin with the same past scores otherwise"


def _passed_through(strategy: Strategy, visit: Visit, links: Sequence[Link]) -> list[float]:
    strategy.learn(visit)
    priorities = list(strategy.score(visit, links)) if visit.page else []
    for url, priority in strategy.rerank():
        assert priority == DROP or isfinite(priority), f"{url!r} was moved to {priority}"
    for name, part in strategy.save().items():
        assert isinstance(part, bytes), f"the part {name!r} of the state is {type(part).__name__}, not bytes"
    for link in links[:3]:
        reasons = strategy.explain(visit, link)
        assert all(isinstance(each, Evidence) for each in reasons), f"{reasons!r} are no Evidence"
    return priorities


# ── what the web gives ──

_HERE = Url("http://odd.example/")
_HTML = ((b"content-type", b"text/html"),)


def odd_visits() -> Iterator[Visit]:
    """Visits such as the web makes: failures, redirects, pages with nothing on them, with nothing but links, in no known language."""
    yield visit(1, Failed("timeout"))
    yield visit(2, Response(_HERE, 301, ((b"location", b"/there"),), b"", b""))
    for number, html in enumerate(_ODD_PAGES, 3):
        yield visit(number, Response(_HERE, 200, _HTML, html.encode(), html.encode()))


def visit(number: int, fetched: Fetched, *, depth: int = 2, priority: float = 1.0, parent: Url | None = _HERE) -> Visit:
    """A visit of a url that a link led to; a page is parsed if there is one."""
    url = fetched.url if isinstance(fetched, Response) else Url(f"http://odd.example/{number}")
    candidate = Candidate(url, priority, depth, parent, "an anchor")
    claim = Claim(candidate, Host(host_of(url)), number, 1e12)
    if not isinstance(fetched, Response):
        return Visit(claim, number, 1.7e9, fetched, Outcome("timeout"))
    if fetched.status != 200:
        return Visit(claim, number, 1.7e9, fetched, Outcome("redirect"))
    page: Page = HtmlParser().parse(fetched)
    return Visit(claim, number, 1.7e9, fetched, Outcome("page"), page, Judgement(0.5, relevant=True))


_LINK = '<a href="/{0}">iris {0}</a> '
_ODD_PAGES = (
    "",
    "<title>iris</title>",
    "<a href=/empty></a><a href=/picture><img src=x></a>",
    "<a href=/twice>iris</a> of the eye <a href=/twice>twice</a>",
    "<p>" + "".join(_LINK.format(number) for number in range(3000)),
    "<p>" + "iris " * 20_000 + "<a href=/long>pupil</a>",
    "<h1>आँख</h1><p>आँख की पुतली <a href=/hindi>परितारिका</a> 虹彩 <a href=/japanese>瞳孔</a> \u202e\u0000\ufffd",
    "<a href='http://other.example/%E2%82%AC?q=iris#x'>€</a><a rel=nofollow href=mailto:a@b.example>mail</a>",
    "<nav>" + "".join(_LINK.format(f"menu{number}") for number in range(20)) + "</nav>",
)
