"""What a strategy has learnt survives a crash: the crawl that goes on makes the choices that it would have made anyway."""

import asyncio
import random
import shutil
from pathlib import Path

import pytest
import tomli_w
from tests.crawl.local import catalogued, finish, kill, start

from thresher import plugins
from thresher.assembly import OwnParts, assembled
from thresher.budget import Budget
from thresher.crawl import CrawlLoop
from thresher.disk.folder import CrawlFolder
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebPages
from thresher.model import DROP
from thresher.parse.html import HtmlParser
from thresher.polite.robots import PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.ports import Strategy
from thresher.settings import settle_settings
from thresher.store.memory_store import MemoryStore
from thresher.strategy.pagerank import PageRank
from thresher.testing import iris
from thresher.testing.simulated_web import SimulatedWeb
from thresher.topic import Topic

NAMES = plugins.names("strategy")
LEARNS = {name for name in NAMES if plugins.find("strategy", name).save is not Strategy.save}
LAB_ONLY = {name for name in NAMES if "distances" in plugins.parameters(plugins.find("strategy", name))}
PAGES = 150
EVERY = 15
"""One page in so many is a seed, so that strategies which drop much have somewhere to go, too."""
KILLS = 4
SECONDS = 5.0
"""How long a crawl that is to be killed would take: commits fall twice a second."""
QUICK = {"pagerank", "interclass-rules-robust"}
"""Tried each time; the others where slow tests run."""


def tables(names):
    """Each strategy in each of its profiles, as the table of a crawl file."""
    return [
        pytest.param(table, id=title, marks=() if title in QUICK else pytest.mark.slow)
        for name in sorted(names)
        for title, table in profiles(name).items()
    ]


def profiles(name):
    if "profile" not in plugins.parameters(plugins.find("strategy", name)):
        return {name: {"name": name}}
    return {f"{name}-{profile}": {"name": name, "profile": profile} for profile in ("paper", "robust")}


def settings(web, port, strategy, **more):
    """A crawl by one worker, so that its order is the strategy's own."""
    return {
        "topic": "iris, pupil",
        "seeds": list(web.urls(port))[::EVERY],
        "workers": 1,
        "strategy": strategy,
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"pages": PAGES, "dry_share": 0.0},
        "fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")},
        **more,
    }


@pytest.fixture(scope="module")
def web():
    return iris.web(size=200)


# ── kill -9 ──


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory):
    """What the command line can be told of the irises: an ontology, example pages of each class, and rules between classes."""
    folder = tmp_path_factory.mktemp("knowledge")
    (folder / "iris.obo").write_text("\n".join(map(obo_term, iris.ontology())), "utf-8")
    examples = iris.web(size=120, hosts=9, seed=11)
    pages = iris.pages(examples)
    for number, url in enumerate(examples.urls()):
        page = folder / "taxonomy" / (examples.topic_of(url) or "portal") / f"{number}.txt"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(pages[url].main, "utf-8")
    iris.needs(examples)["taxonomy"].make().rules.save(folder / "rules.toml")
    return {
        "ontologies": [str(folder / "iris.obo")],
        "senses": [iris.SENSE, "pupil.n.01"],
        "taxonomy": str(folder / "taxonomy"),
        "targets": [iris.TARGET],
        "rules": str(folder / "rules.toml"),
    }


def obo_term(concept):
    first, *others = [label.text for label in concept.labels]
    lines = [f"id: {concept.id}", f"name: {first}", *(f'synonym: "{each}" EXACT []' for each in others)]
    return "\n".join(["[Term]", *lines, *(f"is_a: {each}" for each in concept.broader), ""])


@pytest.mark.slow
@pytest.mark.parametrize("strategy", tables(LEARNS - LAB_ONLY))
async def test_a_crawl_that_is_killed_and_goes_on_takes_the_way_of_one_that_is_not(strategy, web, knowledge, tmp_path):
    async with serve(web) as server:
        whole, killed = (
            crawl_file(tmp_path, name, web, server.port, strategy, knowledge) for name in ("whole", "killed")
        )
        assert await asyncio.to_thread(finish, start("crawl", whole, "--quiet")) == 0
        requests = len(server.log)
        server.delay = SECONDS / requests
        dice, settled = random.Random(7), []
        for _ in range(KILLS):
            after = dice.uniform(0.5, 1.0) * requests / KILLS
            settled.append(await kill_under_way(killed, server, after, dice.uniform(0.0, 2 * server.delay)))
        server.delay = 0.0
        assert await asyncio.to_thread(finish, start("crawl", killed, "--quiet")) == 0
    print("settled at each kill:", settled)
    assert 0 < settled[0] < settled[-1] < len(catalogued(tmp_path / "whole")), "the kills must fall all over the crawl"
    assert catalogued(tmp_path / "killed") == catalogued(tmp_path / "whole")


def crawl_file(folder, name, web, port, strategy, knowledge):
    path = folder / f"{name}.toml"
    path.write_text(tomli_w.dumps(settings(web, port, strategy, into=name, knowledge=knowledge)), "utf-8")
    return path


async def kill_under_way(crawl, server, requests, seconds):
    """Kill a crawl so long after so many requests; how many pages are settled then."""
    enough = len(server.log) + requests
    process = start("crawl", crawl, "--quiet")
    while len(server.log) < enough and process.poll() is None:
        await asyncio.sleep(0.005)
    await asyncio.sleep(seconds)
    assert process.poll() is None, process.communicate()
    await asyncio.to_thread(kill, process)
    return len(catalogued(crawl.with_suffix("")))


@pytest.mark.parametrize("name", sorted(LAB_ONLY))
def test_a_strategy_that_reads_the_labels_is_refused_outside_the_lab(name, web, knowledge, tmp_path):
    process = start("crawl", crawl_file(tmp_path, "crawl", web, 9, {"name": name}, knowledge))
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert b"only in the lab" in said


# ── the files of a folder as a crash leaves them ──


class CrashError(Exception):
    """The process is gone."""


class Crashing:
    """A fetcher in whose waits commits fall; after so many fetches the folder is copied as it lies there, and all is over."""

    def __init__(self, inner, crawl, dice, left):
        self.inner, self.crawl, self.dice, self.left = inner, crawl, dice, left

    async def fetch(self, url):
        if self.dice.random() < 0.3:
            self.crawl.frontier.ledger.commit()
        self.left -= 1
        if not self.left:
            raise CrashError
        return await self.inner.fetch(url)

    async def close(self):
        await self.inner.close()


async def crawled(folder: Path, web, strategy: Strategy, dice=None) -> list[str]:
    """The order of visits; with dice, of a crawl that crashes every few pages."""
    folders = iter(folder / str(number) for number in range(1000))
    here = next(folders)
    while True:
        home = CrawlFolder(here)
        wanted = settle_settings(home, settings(web, None, type(strategy()).__qualname__), "here")
        async with assembled(home, wanted, OwnParts(strategy())) as crawl:
            inner = PoliteFetcher(Replay(WebPages(web)), Replay(WebPages(web), types=()), pause=0)
            crawl.fetcher = Crashing(inner, crawl, dice or random.Random(0), dice.randint(2, 20) if dice else -1)
            try:
                await crawl.run()
            except CrashError:
                shutil.copytree(here, here := next(folders))
            else:
                return [visit.url for visit in crawl.store.visits() if visit.asked]


@pytest.mark.parametrize("strategy", tables(NAMES))
async def test_a_crawl_that_crashes_every_few_pages_takes_the_way_of_one_that_does_not(strategy, web, tmp_path):
    keys = {key: value for key, value in strategy.items() if key != "name"}

    def make():
        return plugins.build("strategy", strategy["name"], keys, **iris.needs(web))

    whole = await crawled(tmp_path / "whole", web, make)
    assert await crawled(tmp_path / "crashing", web, make, random.Random(5)) == whole
    assert len(list((tmp_path / "crashing").iterdir())) >= 3, "it must crash at least twice"


async def test_a_strategy_that_forgets_takes_another_way(web, tmp_path):
    class Forgetful(PageRank):
        def load(self, parts):
            pass

    whole = await crawled(tmp_path / "whole", web, Forgetful)
    assert await crawled(tmp_path / "crashing", web, Forgetful, random.Random(5)) != whole


async def test_a_seed_that_the_strategy_dropped_is_not_offered_again_to_a_crawl_that_goes_on():
    class Choosy(Strategy):
        def score(self, visit, links):
            return [0.0] * len(links)

        def rerank(self):
            return [("http://b.test/", DROP)]

    pages = SimulatedWeb(
        {"http://a.test/": "<a href=/more>more</a>", "http://b.test/": "b", "http://a.test/more": "more"}
    )
    frontier, store = MemoryFrontier(delay=0), MemoryStore()
    for most in (1, 9):
        crawl = CrawlLoop(
            frontier=frontier,
            fetcher=pages,
            parser=HtmlParser(),
            scope=ScopeRules(),
            judge=TermsJudge(Topic.of("iris")),
            strategy=Choosy(),
            store=store,
            seeds=["http://a.test/", "http://b.test/"],
            budget=Budget(pages=most),
            workers=1,
        )
        await crawl.run()
    assert pages.asked == ["http://a.test/", "http://a.test/more"]
