"""Every installed strategy keeps the promises of the port, and takes the same way live and replayed."""

import pytest

from thresher import plugins
from thresher.config import assembled, settle_settings
from thresher.crawl import Crawl
from thresher.folder import CrawlFolder
from thresher.lab.replay import Replay, WebPages
from thresher.lab.serve import serve
from thresher.polite.robots import PoliteFetcher
from thresher.testing import iris
from thresher.testing.strategy import check_strategy

NAMES = plugins.names("strategy")
PAGES = 50


@pytest.fixture(scope="module")
def web():
    return iris.web()


def make(name, web):
    return plugins.build("strategy", name, {}, **iris.needs(web))


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_the_promises_of_a_strategy(name, web):
    check_strategy(lambda: make(name, web))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("profile", ["paper", "robust"])
def test_both_profiles_keep_them(name, profile, web):
    if "profile" not in plugins.parameters(plugins.find("strategy", name)):
        pytest.skip("has one profile")
    check_strategy(lambda: plugins.build("strategy", name, {"profile": profile}, **iris.needs(web)))


@pytest.mark.parametrize("name", NAMES)
async def test_live_and_replayed_crawls_take_the_same_way(name, web, tmp_path):
    async with serve(web) as server:
        live = await visited(name, web, tmp_path / "live", server.port, None)
        replayed = await visited(name, web, tmp_path / "replayed", server.port, WebPages(web))
    assert len(live) == PAGES
    assert replayed == live


async def visited(name, web, path, port, pages):
    """The urls in the order of their visits; from real HTTP, or from pages without a socket."""
    folder = CrawlFolder(path)
    wanted = {
        "topic": iris.TOPIC,
        "seeds": [next(web.urls(port))],
        "workers": 1,
        "polite": {"delay": 0, "allow_private": True},
        "budget": {"pages": PAGES, "dry_share": 0.0},
        "fetch": {"resolve": dict.fromkeys(web.atlas.hosts, "127.0.0.1")},
    }
    settings = settle_settings(folder, wanted, "here")
    async with assembled(folder, settings, make_for(name, web, port)) as crawl:
        if pages is not None:
            crawl.fetcher = PoliteFetcher(Replay(pages), Replay(pages, types=()), pause=0)
        await crawl.run()
        assert isinstance(crawl, Crawl)
        return [visit.url for visit in crawl.store.visits() if visit.asked]


def make_for(name, web, port):
    """The strategy, knowing the web under the port it is served on."""
    given = iris.needs(web)
    there = {url.replace(".example/", f".example:{port}/", 1): far for url, far in given["distances"].make().items()}
    return plugins.build("strategy", name, {}, **{**given, "distances": there})
