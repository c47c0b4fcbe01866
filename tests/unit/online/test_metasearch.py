"""ddgs has no address to set, so a backend of our own is registered in it: its HTTP client asks a local server, its parser reads."""

import asyncio
import re
import sys
from importlib import import_module
from typing import ClassVar

import pytest
from aiohttp import web
from tests.unit.online.engine_servers import URLS, EngineServers

from thresher.errors import BadInput, Missing, NoAnswer
from thresher.install_hint import install_hint
from thresher.online.engines import BACKENDS, Ddgs


@pytest.fixture
async def server():
    async with EngineServers().running() as server:
        yield server


@pytest.fixture
def backends():
    return pytest.importorskip("ddgs.engines", reason="needs ddgs: pip install 'thresher[search]'").ENGINES["text"]


@pytest.fixture
def local(server, backends, monkeypatch):
    class Local(import_module("ddgs.base").BaseSearchEngine):
        name, category, provider = "local", "text", "local"
        search_url, search_method = server.at("/people"), "GET"
        items_xpath = "//li"
        elements_xpath: ClassVar = {"title": ".//a/text()", "href": ".//a/@href", "body": ".//a/text()"}

        def build_payload(self, query, region, safesearch, timelimit, page, **more):
            return {"q": query, "page": str(page)}

    monkeypatch.setitem(backends, "local", Local)
    return Ddgs("local", timeout=2)


async def problem(engine):
    with pytest.raises(NoAnswer) as caught:
        await engine.search("iris", 5)
    assert str(caught.value).startswith("ddgs:local: ")
    return str(caught.value)


@pytest.mark.parametrize("limit", [1, 10, 15, 30])
async def test_it_gives_so_many_urls_in_order(local, limit):
    assert await local.search("iris eye", limit) == URLS[:limit]


async def test_it_sends_the_words(local, server):
    await local.search("iris & ü", 5)
    assert server.asked[0].query["q"] == "iris & ü"


@pytest.mark.parametrize("status", [401, 403, 429, 500])
async def test_being_turned_away_cannot_be_told_from_nothing_found(local, server, status):
    server.before = [web.Response(status=status, text="no")] * 2
    assert "nothing found, or we were turned away" in await problem(local)


async def test_nothing_found_is_told(local, server):
    server.urls = []
    assert "nothing found, or we were turned away" in await problem(local)


async def test_a_silent_server_is_not_waited_for(server, local):
    async def silent(_request):
        await asyncio.sleep(1.3)

    server.before = [silent]
    assert "no answer within 1 s" in await problem(Ddgs("local", timeout=0.5))


async def test_a_machine_that_is_not_there_is_told(local, server):
    await server._server.close()
    assert "cannot be reached or understood" in await problem(local)


async def test_a_second_page_that_fails_takes_nothing_from_the_first(local, server):
    async def good(request):
        return await server._people(request)

    server.before = [good, web.Response(status=429)]
    assert await local.search("iris", 15) == URLS[:10]


def test_the_backends_that_are_asked_are_there_and_have_results_of_different_origins(backends):
    assert [Ddgs(name).name for name in BACKENDS] == [f"ddgs:{name}" for name in BACKENDS]
    assert len({backends[name].provider for name in BACKENDS}) == len(BACKENDS)


def test_a_backend_that_is_not_there_is_told_with_the_choices(backends):
    with pytest.raises(BadInput, match=r"ddgs has no backend 'altavista'; it has: .*mojeek"):
        Ddgs("altavista")


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(Missing, match=re.escape(install_hint("search"))):
        Ddgs("mojeek")
