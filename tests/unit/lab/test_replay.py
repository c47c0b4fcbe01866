import gzip

import pytest
from tests.unit.lab.warcs import HTML, Others, web_of

from thresher.budget import Budget
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier
from thresher.judge.terms import TermsJudge
from thresher.lab.webs.generated import generate
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.web_pages import WebPages
from thresher.model import Failed, Refused, Response
from thresher.parse.html import HtmlParser
from thresher.polite.robots import PoliteFetcher
from thresher.polite.scope import ScopeRules
from thresher.ports import Strategy
from thresher.store.memory_store import MemoryStore
from thresher.topic import Topic
from thresher.urls import canonical

A, B, GONE = map(canonical, ("http://a.example/", "http://a.example/b", "http://a.example/gone"))
MANY = [canonical(f"http://a.example/{number}") for number in range(1000)]


@pytest.fixture
def web(tmp_path):
    with Others(tmp_path / "web.warc.gz") as made:
        made.page(A, b"<a href=/b>b</a> <a href=/gone>gone</a> <a href=/moved>moved</a> <a href=/no/1>no</a>")
        made.page(B, b"<p>b")
        made.page("http://a.example/moved", b"", "301 Moved", (("Location", "/b"),))
        made.page("http://a.example/picture", b"\x89PNG", headers=(("Content-Type", "image/png"),))
        made.page("http://a.example/untold", b"%PDF \x00\x01", headers=())
        made.page("http://a.example/untold.html", b"<html>", headers=())
        made.page("http://a.example/no/1")
    with Recording.open(tmp_path / "web.warc.gz") as recording:
        yield recording


class AsTheyCome(Strategy):
    """Equal priorities: the oldest first."""

    def score(self, visit, links):
        return [0.0] * len(links)


async def crawled(fetcher, seeds):
    crawl = CrawlLoop(
        frontier=MemoryFrontier(delay=0),
        fetcher=fetcher,
        parser=HtmlParser(),
        scope=ScopeRules(),
        judge=TermsJudge(Topic.of("iris")),
        strategy=AsTheyCome(),
        store=MemoryStore(),
        seeds=seeds,
        budget=Budget(dry_share=0.0),
        workers=1,
    )
    await crawl.run()
    return crawl


async def test_an_answer_is_the_recorded_one_redirects_too(web):
    replay = Replay(web)
    assert (await replay.fetch(B)).body == b"<p>b"
    moved = await replay.fetch(canonical("http://a.example/moved"))
    assert (moved.status, moved.header("location")) == (301, "/b")


async def test_what_is_not_recorded_is_a_final_failure(web):
    assert await Replay(web).fetch(GONE) == Failed("not-recorded", retry=False, strain=False)


async def test_what_is_denied_is_refused_without_being_asked(web):
    replay = Replay(web, deny=["http://a.example/no/"])
    assert await replay.fetch(canonical("http://a.example/no/1")) == Refused(
        "denied", "deny_prefixes: http://a.example/no/", asked=False
    )
    assert isinstance(await replay.fetch(A), Response)


async def test_what_the_recording_leaves_out_is_denied_too(web):
    replay = Replay(Recording.open(web.beside, deny=["http://a.example/b"]))
    assert (await replay.fetch(B)).why == "denied"


@pytest.mark.parametrize(("path", "kind"), [("picture", "image/png"), ("untold", "application/octet-stream")])
async def test_what_the_http_fetcher_would_not_read_is_refused_alike(web, path, kind):
    url = canonical(f"http://a.example/{path}")
    refused = await Replay(web).fetch(url)
    assert (refused.why, refused.asked) == ("content-type", True)
    assert kind in refused.detail
    assert isinstance(await Replay(web, types=()).fetch(url), Response)


async def test_a_page_that_does_not_say_what_it_is_is_looked_at(web):
    assert isinstance(await Replay(web).fetch(canonical("http://a.example/untold.html")), Response)


async def test_a_body_over_the_cap_is_too_large(web):
    assert (await Replay(web, max_bytes=3).fetch(B)).why == "too-large"


async def test_the_same_urls_fail_in_any_order_and_about_as_many_as_were_wanted(tmp_path):
    web_of(tmp_path / "many.warc.gz", dict.fromkeys(MANY, "<p>"))
    with Recording.open(tmp_path / "many.warc.gz") as many:

        async def failed(urls, seed):
            replay = Replay(many, failures=0.2, seed=seed)
            return {url for url in urls if await replay.fetch(url) == Failed("staged-failure", retry=False)}

        once = await failed(MANY, seed=1)
        assert once == await failed(reversed(MANY), seed=1)
        assert once != await failed(MANY, seed=2)
        # Four standard deviations around 200.
        assert 150 <= len(once) <= 250


@pytest.mark.parametrize(("share", "failing"), [(0.0, 0), (1.0, 7)])
async def test_none_or_all_urls_can_fail(web, share, failing):
    replay = Replay(web, failures=share, types=())
    answers = [await replay.fetch(url) for url in web.urls()]
    assert sum(isinstance(answer, Failed) for answer in answers) == failing


async def test_latency_passes_on_the_clock(web):
    clock = FakeClock()
    await Replay(web, latency=0.5, clock=clock).fetch(A)
    assert clock.now() == 0.5


@pytest.mark.parametrize("wrong", [{"failures": 1.1}, {"failures": -0.1}, {"latency": -1.0}, {"latency": float("inf")}])
def test_wrong_figures_are_refused(web, wrong):
    with pytest.raises(BadInput, match=next(iter(wrong))):
        Replay(web, **wrong)


async def test_a_crawl_charges_what_is_missing_and_not_what_is_denied(web):
    crawl = await crawled(Replay(web, deny=["http://a.example/no/"]), [A])
    names = [(visit.url.removeprefix(A), visit.outcome.name, visit.asked) for visit in crawl.store.visits()]
    assert names == [
        ("", "page", True),
        ("b", "page", True),
        ("gone", "not-recorded", True),
        ("moved", "redirect", True),
        ("no/1", "denied", False),
    ]
    assert crawl.tally.fetched == 4


async def test_robots_txt_is_obeyed_where_it_was_recorded(tmp_path):
    with Others(tmp_path / "web.warc.gz") as made:
        made.page(
            "http://a.example/robots.txt", b"User-agent: *\nDisallow: /no", headers=(("Content-Type", "text/plain"),)
        )
        made.page("http://a.example/no", b"<p>no")
        made.page("http://a.example/yes", b"<p>yes", headers=(HTML, ("Content-Encoding", "gzip")))
        made.page("http://b.example/", b"<p>no robots.txt")
    seeds = [canonical(url) for url in ("http://a.example/no", "http://a.example/yes", "http://b.example/")]
    with Recording.open(tmp_path / "web.warc.gz") as web:
        crawl = await crawled(PoliteFetcher(Replay(web), Replay(web, types=()), pause=0), seeds)
    assert {visit.url: visit.outcome.name for visit in crawl.store.visits()} == dict(
        zip(seeds, ("robots", "page", "page"), strict=True)
    )


async def test_a_generated_web_is_crawled_without_a_socket():
    web = generate(size=60, hosts=3)
    crawl = await crawled(Replay(WebPages(web)), [canonical(web.url(0, 80))])
    pages = {visit.url for visit in crawl.store.visits() if visit.outcome.name == "page"}
    assert pages == {canonical(url) for url in web.urls(80)}


async def test_an_answer_of_a_generated_web_is_what_its_server_would_send():
    web = generate(size=20, hosts=2)
    url = canonical(web.url(3, 80))
    response = await Replay(WebPages(web)).fetch(url)
    assert response.header("content-type") == "text/html; charset=utf-8"
    assert response.body.startswith(b"<!")
    assert gzip.decompress(gzip.compress(response.raw)) == response.body
