"""Every installed strategy keeps the promises of the port, and takes the same way live and replayed."""

import pytest

from thresher import plugins
from thresher.assembly import OwnParts, assembled
from thresher.crawl import CrawlLoop
from thresher.disk.folder import CrawlFolder
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebPages
from thresher.polite.robots import PoliteFetcher
from thresher.settings import settle_settings
from thresher.testing import iris
from thresher.testing.strategy import check_strategy

NAMES = plugins.names("strategy")
PAGES = 50
# The others are slow tests: each of them crawls twice.
QUICK = {"apprentice", "best-first", "lin", "lokman"}
TWICE = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]


def robust(name):
    """The keys of a profile in which a crawl goes on where the paper's would end; none where there is one profile."""
    return {"profile": "robust"} if "profile" in plugins.parameters(plugins.find("strategy", name)) else {}


@pytest.fixture(scope="module")
def web():
    return iris.web()


def make(name, web):
    return plugins.build("strategy", name, {}, **iris.needs(web))


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_promises_of_a_strategy(name, web):
    check_strategy(lambda: make(name, web))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if robust(name)])
def test_the_robust_profile_keeps_them_too(name, web):
    check_strategy(lambda: plugins.build("strategy", name, robust(name), **iris.needs(web)))


@pytest.mark.parametrize("name", TWICE)
async def test_live_and_replayed_crawls_take_the_same_way(name, web, tmp_path):
    async with serve(web) as server:
        live = await visited(name, web, tmp_path / "live", server.port, None)
        replayed = await visited(name, web, tmp_path / "replayed", server.port, WebPages(web))
    # One that drops links may have none left; none may end at its seed.
    assert len(live) > PAGES / 5
    assert replayed == live


async def visited(name, web, path, port, pages):
    """The urls in the order of their visits; from real HTTP, or from pages without a socket."""
    folder = CrawlFolder(path)
    wanted = {
        "topic": iris.TOPIC,
        "seeds": iris.seeds(web, port),
        "workers": 1,
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"pages": PAGES, "dry_share": 0.0},
        "fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")},
    }
    settings = settle_settings(folder, wanted, "here")
    async with assembled(folder, settings, OwnParts(make_for(name, web, port))) as crawl:
        if pages is not None:
            crawl.fetcher = PoliteFetcher(Replay(pages), Replay(pages, types=()), pause=0)
        await crawl.run()
        assert isinstance(crawl, CrawlLoop)
        return [visit.url for visit in crawl.store.visits() if visit.asked]


def make_for(name, web, port):
    """The strategy, knowing the web under the port it is served on."""
    given = iris.needs(web)
    there = {url.replace(".example/", f".example:{port}/", 1): far for url, far in given["distances"].make().items()}
    return plugins.build("strategy", name, robust(name), **{**given, "distances": there})
