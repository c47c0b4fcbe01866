"""A crawl that gets no page ends with 1 and says why; one that no host answers does not wait for twenty minutes."""

import asyncio
import socket

import pytest
from tests.crawl.in_process import served, thresher

from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.fetch import HttpFetcher
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.model import Url
from thresher.parse.html import HtmlParser
from thresher.polite.addresses import AddressGuard
from thresher.polite.robots import PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.results.no_page import AnswerWatch
from thresher.store.memory_store import MemoryStore
from thresher.strategy.breadth_first import BreadthFirst
from thresher.topic import Topic

PAGE = "<p>The iris of the eye. <a href='/more'>more</a></p>"
FAST = ("--delay", 0, "--set", "frontier.give_up=1")


@pytest.fixture
def closed_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture
def crawl(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return lambda *options: thresher(monkeypatch, capsys, "crawl", *options)


def new(seed, *options):
    return ("--topic", "iris eye", "--seed", seed, "--into", "crawl", *FAST, *options)


@pytest.mark.parametrize(
    ("pages", "options", "says"),
    [
        ({}, (), ("http-404 1", "/ (http-404)", "start at pages that answer")),
        ({"/robots.txt": (200, "User-agent: *\nDisallow: /"), "/": (200, PAGE)}, (), ("robots 1", "--seed URL")),
        ({"/": (200, PAGE)}, ("--domain", "example.org"), ("scope 1", "--domain")),
        ({"/robots.txt": (503, "")}, (), ("left on hosts that gave no answer")),
    ],
)
def test_a_crawl_without_a_page_ends_with_1_and_says_what_to_check(crawl, pages, options, says):
    with served(pages) as address:
        done = crawl(*new(f"{address}/", *options))
    assert done.code == 1
    assert "no page was received: " in done.err.splitlines()[-1]
    assert "fetched" not in done.err
    for words in says:
        assert words in done.err, words


def test_a_seed_where_no_server_listens_ends_with_1_although_it_is_quiet(crawl, closed_port):
    done = crawl(*new(f"http://127.0.0.1:{closed_port}/", "--quiet"))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "connection-refused 1" in done.err
    assert "check host and port of the seeds" in done.err


def test_urls_that_are_settled_need_a_new_start(crawl, closed_port):
    done = crawl(
        *new(f"http://127.0.0.1:{closed_port}/", "--set", "polite.robots=false", "--set", "frontier.backoff=0")
    )
    assert done.code == 1
    assert crawl("crawl", "--quiet", "--set", "frontier.give_up=8").code == 1
    last = crawl("crawl", "--quiet")
    assert last.code == 1
    assert "remove the folder crawl" in last.err


def test_a_crawl_that_goes_on_and_finds_the_network_dead_ends_with_1(crawl):
    with served({"/": (200, PAGE), "/more": (200, PAGE)}) as address:
        assert crawl(*new(f"{address}/", "--pages", 1)).code == 0
    done = crawl("crawl", "--pages", 5, "--quiet")
    assert done.code == 1
    assert "no page was received in this run: connection-refused" in done.err


def test_a_crawl_whose_budget_is_spent_is_no_failure_when_it_is_run_again(crawl):
    with served({"/": (200, PAGE)}) as address:
        assert crawl(*new(f"{address}/", "--pages", 1)).code == 0
        assert crawl("crawl").code == 0


def test_a_list_of_topics_ends_with_1_and_asks_again_for_one_without_a_page(crawl, tmp_path):
    (tmp_path / "list.txt").write_text("iris\n")
    with served({}) as address:
        options = ("--topics", "list.txt")
        done = crawl(*options, "--seed", f"{address}/", *FAST)
    assert done.code == 1
    assert "no page" in done.err.splitlines()[-1]
    with served({"/": (200, PAGE)}) as address:
        assert crawl(*options, "--seed", f"{address}/", *FAST).code == 0


async def test_a_crawl_that_no_host_answers_stops_after_three_tries(closed_port):
    clock, watch = FakeClock(1000.0), AnswerWatch()
    http = [HttpFetcher(user_agent="test", guard=AddressGuard(allow_private=True)) for _ in range(2)]
    fetcher = PoliteFetcher(*http, clock=clock)
    crawl = CrawlLoop(
        frontier=MemoryFrontier(),
        fetcher=fetcher,
        parser=HtmlParser(),
        scope=ScopeRules(),
        judge=TermsJudge(Topic.of("iris")),
        strategy=BreadthFirst(),
        store=MemoryStore(),
        seeds=[Url(f"http://127.0.0.1:{closed_port}/")],
        clock=clock,
        workers=1,
    )
    watch.attach(crawl)
    stop = await asyncio.wait_for(crawl.run(), 10)
    await fetcher.close()
    assert stop.reason == "silent"
    assert 30 <= clock.now() - 1000 < 120
    assert (watch.pages, watch.answers, watch.outcomes["connection-refused"]) == (0, 0, 3)


def test_a_revisit_that_no_host_answers_ends_with_1_and_can_be_logged(crawl, tmp_path, monkeypatch, capsys):
    with served({"/": (200, PAGE)}) as address:
        assert crawl(*new(f"{address}/", "--pages", 1)).code == 0
        again = ("revisit", "crawl", "--now", "--all", "--quiet", "--log", "log.txt")
        assert thresher(monkeypatch, capsys, *again).code == 0
    done = thresher(monkeypatch, capsys, *again)
    assert done.code == 1
    assert "no page was received in this run: connection-refused" in done.err
    names = [line.split()[1] for line in (tmp_path / "log.txt").read_text("utf-8").splitlines()]
    assert names == ["started", "visit", "stopped", "started", "back-off", "stopped"]
