"""A calendar without end among 300 hosts, and an honest wiki whose pages share a template: the one loses turns, the other does not."""

import asyncio
import random
from datetime import date, timedelta

import pytest
from tests.crawl.local import crawl_file, shown, start

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.disk.ledger import Ledger
from thresher.events import HostLosesTurns
from thresher.frontier import MemoryFrontier, SqliteFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.webs.generated import generate
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer, WebPages
from thresher.model import Url
from thresher.parse.html import HtmlParser
from thresher.polite.scope import ScopeRules
from thresher.store.catalogue import Catalogue
from thresher.store.memory_store import MemoryStore
from thresher.strategy.apprentice import Apprentice
from thresher.strategy.best_first import BestFirst
from thresher.strategy.breadth_first import BreadthFirst
from thresher.strategy.shark_search import SharkSearch
from thresher.topic import Topic
from thresher.urls import canonical, host_of

TOPIC = Topic.of("iris eye pupil cornea retina")
STRATEGIES = {
    "best-first": lambda: BestFirst(TOPIC),
    "breadth-first": BreadthFirst,
    "shark-search": lambda: SharkSearch(TOPIC),
    "apprentice": lambda: Apprentice(TOPIC),
}
EACH = [pytest.param(name, marks=[] if name == "best-first" else [pytest.mark.slow]) for name in STRATEGIES]
CALENDAR, WIKI = "calendar.example", "wiki.example"
PAGES = 800
FRAME = "<html><title>{title}</title><body><div><a href='/'>Home</a> <a href='/about'>About us</a></div><p>{text}</p>{links}</body></html>"
LINK = "<p>More on the iris of the eye: <a href='{0}'>{0}</a></p>"
DAY = (
    "The iris of the eye opens the pupil to light. On {0:%A %d %B %Y} nobody talks about the iris, the cornea or the retina. "
    "See the other days for the iris, the eye, the pupil, the cornea and the retina of the eye."
)
WORDS = [
    a + b + c
    for a in ("ba", "do", "ki", "lu", "me", "ra", "so")
    for b in "lmnrst"
    for c in ("a", "en", "ic", "or", "um")
]


def day_page(path):
    """A day links to the seven after it and to the one a year later."""
    day = date.fromisoformat(path.removeprefix("/day/").replace("/", "-"))
    others = [day + timedelta(days=after) for after in (*range(1, 8), 365)]
    links = "".join(LINK.format(f"/day/{other:%Y/%m/%d}") for other in others)
    return FRAME.format(title=f"Events {day:%d %B}", text=DAY.format(day), links=links)


def article(path):
    """An article has words of its own, and links to eight others by their numbers."""
    number = int(path.rpartition("=")[2])
    dice = random.Random(number)
    words = dice.choices(WORDS, k=80) + ["iris", "eye", "pupil", "cornea", "retina"] * 3
    dice.shuffle(words)
    links = "".join(LINK.format(f"/wiki?id={number * 8 + other}") for other in range(1, 9))
    return FRAME.format(title=f"Article {number}", text=" ".join(words), links=links)


class TrappedWeb:
    """A generated web of 300 hosts, with a calendar and a wiki."""

    def __init__(self):
        self.web = generate(size=6000, hosts=300, seed=11)
        self.atlas = self.web.atlas

    def page(self, host, path):
        name = host.partition(":")[0]
        if name == CALENDAR and path.startswith("/day/"):
            return WebAnswer(day_page(path).encode())
        if name == WIKI and path.startswith("/wiki?id="):
            return WebAnswer(article(path).encode())
        return None if name in {CALENDAR, WIKI} else self.web.page(host, path)


WEB = TrappedWeb()
ELSEWHERE = [canonical(WEB.web.url(number)) for number in range(0, 6000, 300)]
CALENDAR_SEED, WIKI_SEED = Url(f"http://{CALENDAR}/day/2031/01/01"), Url(f"http://{WIKI}/wiki?id=1")


def crawl_with(frontier, store, strategy, pages=PAGES, seeds=(*ELSEWHERE, CALENDAR_SEED)):
    return CrawlLoop(
        frontier=frontier,
        fetcher=Replay(WebPages(WEB)),
        parser=HtmlParser(),
        scope=ScopeRules(depth=None),
        judge=TermsJudge(TOPIC),
        strategy=strategy,
        store=store,
        seeds=seeds,
        budget=Budget(pages=pages, dry_share=0.0),
        clock=FakeClock(1.7e9),
        workers=1,
    )


async def crawled(name, *seeds, pages=PAGES, **options):
    """The urls in the order of their visits, and which hosts were said to lose turns."""
    strategy, store, said = STRATEGIES[name](), MemoryStore(), []
    crawl = crawl_with(MemoryFrontier(merge=strategy.merge, delay=0.0, **options), store, strategy, pages, seeds)
    crawl.watchers.append(lambda event: said.append(event.host) if isinstance(event, HostLosesTurns) else None)
    await crawl.run()
    return [visit.url for visit in store.visits()], said


def pages_of(host, urls):
    return [host_of(url) for url in urls].count(host)


@pytest.mark.parametrize("name", EACH)
async def test_a_calendar_among_300_hosts_takes_little_of_the_budget(name):
    before, nobody = await crawled(name, *ELSEWHERE, CALENDAR_SEED, alike_turns=0)
    after, said = await crawled(name, *ELSEWHERE, CALENDAR_SEED)
    print(f"{name}: {pages_of(CALENDAR, before) / PAGES:.1%} -> {pages_of(CALENDAR, after) / PAGES:.1%}")
    assert 4 < pages_of(CALENDAR, after) < PAGES * 0.05
    assert (nobody, said) == ([], [CALENDAR]), "said once, and of nobody else"


@pytest.mark.parametrize("name", EACH)
async def test_a_wiki_whose_pages_share_a_template_loses_nothing(name):
    before, _ = await crawled(name, *ELSEWHERE, WIKI_SEED, alike_turns=0)
    after, said = await crawled(name, *ELSEWHERE, WIKI_SEED)
    assert (after, said) == (before, [])
    assert pages_of(WIKI, after) > 4


async def test_a_calendar_alone_is_crawled_as_any_other_host():
    urls, _ = await crawled("best-first", CALENDAR_SEED, pages=200)
    assert pages_of(CALENDAR, urls) == 200


async def visited(folder, name, *stops):
    """The urls in the order of their visits by a crawl that was closed and opened again at each of these page counts."""
    for pages in stops:
        strategy, ledger = STRATEGIES[name](), Ledger(folder / "crawl.sqlite")
        store = Catalogue(ledger, folder / "warc")
        await crawl_with(SqliteFrontier(ledger, merge=strategy.merge, delay=0.0), store, strategy, pages).run()
        ledger.commit()
        urls = [visit.url for visit in store.visits()]
        store.close()
        ledger.close()
    return urls


@pytest.mark.parametrize("name", EACH[:2])
async def test_a_crawl_that_goes_on_lets_as_many_turns_pass_as_it_would_have(tmp_path, name):
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole = await visited(tmp_path / "whole", name, 300)
    assert await visited(tmp_path / "parts", name, 40, 77, 150, 300) == whole
    assert 4 < pages_of(CALENDAR, whole) < 30


@pytest.mark.slow
@pytest.mark.parametrize("hands", [0, 1])
async def test_the_crawl_and_show_say_which_host_and_why(tmp_path, hands):
    names = dict.fromkeys((*WEB.atlas.hosts, CALENDAR, WIKI), "127.0.0.1")
    async with serve(WEB) as server:
        seeds = [url.replace(".example/", f".example:{server.port}/") for url in (*ELSEWHERE, CALENDAR_SEED, WIKI_SEED)]
        # The default strategy looks at 300 other hosts first.
        settings = {"strategy": "best-first", "seeds": seeds, "fetch": {"resolve": names}, "budget": {"pages": 400}}
        settings["hands"] = {"count": hands}
        process = start("crawl", crawl_file(tmp_path / "crawl.toml", WEB.web, server.port, **settings))
        said = b"".join(await asyncio.to_thread(process.communicate, timeout=600)).decode()
    assert process.returncode == 0, said
    assert said.count("look alike") == 1
    assert (
        f"other hosts go before {CALENDAR}:{server.port}: its pages look alike, the latest is http://{CALENDAR}" in said
    )
    assert list(shown(tmp_path / "crawl")["alike"]) == [f"{CALENDAR}:{server.port}"]
