"""For those who write a strategy or a judge: what each promises, checked by whole crawls over a small web and over odd pages.

>>> def test_my_strategy_keeps_its_promises():
...     check_strategy(lambda: MyStrategy(topic))
>>> def test_my_judge_keeps_its_promises():
...     check_judge(lambda: MyJudge(topic))
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import get_args

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.events import Event, PageVisited
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
from thresher.one_learner import TeamStrategy, in_a_team
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.ports import Judge, Strategy
from thresher.store.memory_store import MemoryStore
from thresher.testing import iris
from thresher.testing.sharing import check_sharing
from thresher.topic import Topic
from thresher.urls import host_of

MakeJudge = Callable[[], Judge]
MakeStrategy = Callable[[], Strategy]
_PAGES = 60
_STOPS = (1, 10)


def check_strategy(make: MakeStrategy) -> None:
    """Raise AssertionError with a sentence, if a strategy breaks a promise. `make` gives a new one at each call."""
    assert make().merge in get_args(Merge), f"there is no merge {make().merge!r}; choose from {get_args(Merge)}"
    _takes_what_the_web_gives(make)
    web = iris.web()
    order = visited(make, web, (_PAGES,))
    assert visited(make, web, (_PAGES,)) == order, "the same crawl over the same web took another way"
    for stop in _STOPS:
        stops = (*range(stop, _PAGES, stop), _PAGES)
        assert visited(make, web, stops) == order, f"a crawl that stopped every {stop} pages took another way"
    assert visited(lambda: _alone(make()), web, (_PAGES,)) == order, "with one worker a shared crawl took another way"
    check_sharing(make, crawled(make, web, (_PAGES,)))


def _alone(strategy: Strategy) -> Strategy:
    """The strategy in a crawl that could be shared, and is not."""
    team = in_a_team(strategy)
    if isinstance(team, TeamStrategy):
        team.elect(strategy, 0)
    return team


def visited(make: MakeStrategy, web: GeneratedWeb, stops: Sequence[int]) -> list[Url]:
    """The urls in the order of their visits, by one worker; at each stop the strategy is thrown away, and its state kept."""
    return [visit.url for visit in crawled(make, web, stops)]


def crawled(make: MakeStrategy, web: GeneratedWeb, stops: Sequence[int]) -> list[Visit]:
    """The visits of such a crawl, with their pages."""
    found: list[Visit] = []

    def note(event: Event) -> None:
        if isinstance(event, PageVisited):
            found.append(event.visit)

    frontier, store = MemoryFrontier(merge=make().merge, delay=0), MemoryStore()
    fetcher, clock = Replay(WebPages(web)), FakeClock(1.7e9)
    for pages in stops:
        crawl = CrawlLoop(
            frontier=frontier,
            fetcher=fetcher,
            parser=HtmlParser(),
            scope=ScopeRules(),
            judge=TermsJudge(Topic.of(iris.TOPIC)),
            strategy=make(),
            store=store,
            seeds=iris.seeds(web),
            budget=Budget(pages=pages, dry_share=0.0),
            clock=clock,
            workers=1,
            watchers=[note],
        )
        asyncio.run(crawl.run())
    return found


def _takes_what_the_web_gives(make: MakeStrategy) -> None:
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


# ── a judge ──


def check_judge(make: MakeJudge) -> None:
    """Raise AssertionError with a sentence, if a judge breaks a promise. `make` gives a new one at each call."""
    judge, seen = make(), list(_judged_pages())
    first = [_checked_judgement(judge.judge(page), page) for page in seen]
    assert [judge.judge(page) for page in reversed(seen)] == first[::-1], "a page is judged otherwise after other pages"
    assert [make().judge(page) for page in seen] == first, "another judge of the same making judges otherwise"
    empty = judge.judge(Page(Url("http://empty.example/")))
    assert not empty.relevant, "an empty page is called relevant"
    assert len({each.relevance for each in first}) > 1, "all pages are judged alike"


def _checked_judgement(judgement: Judgement, page: Page) -> Judgement:
    assert 0.0 <= judgement.relevance <= 1.0, f"the relevance of {page.url} is {judgement.relevance}, not from 0 to 1"
    assert all(isinstance(each, Evidence) for each in judgement.evidence), f"{judgement.evidence!r} is no evidence"
    if judgement.relevant:
        assert judgement.evidence, f"{page.url} is called relevant, and nothing is said for it"
    return judgement


def _judged_pages() -> Iterator[Page]:
    yield from list(iris.pages(iris.web()).values())[:60]
    for visit in odd_visits():
        if visit.page is not None:
            yield visit.page


# ── what the web gives ──

_HERE = Url("http://odd.example/")
_HTML = ((b"content-type", b"text/html"),)


def odd_visits() -> Iterator[Visit]:
    """Visits such as the web makes: failures, redirects, lists, pages with nothing on them, nothing but links, in no known language."""
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
    "<link rel=next href=/next><link rel=alternate hreflang=de href=/de><meta property=og:url content=/og>",
    "<link rel=alternate type=application/rss+xml href=/feed><p>iris <a href=/seen>of the eye</a>",
    "<rss><channel><item><title>The iris</title><link>/item</link></item><item><link>/no-title</link></item></channel></rss>",
    "<urlset><url><loc>/iris-of-the-eye.html</loc></url><url><loc>/?1</loc></url></urlset>",
    "<urlset/>",
)
