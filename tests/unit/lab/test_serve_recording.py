import asyncio
import gzip

import pytest
from tests.unit.lab.test_replay import crawled
from tests.unit.lab.test_serve import talk
from tests.unit.lab.warcs import HTML, Others

from thresher.fetch import HttpFetcher
from thresher.lab.webs.recorded import Recording
from thresher.lab.webs.replay import Replay
from thresher.lab.webs.serve import serve_recording
from thresher.polite.robots import PoliteFetcher
from thresher.urls import canonical

A = "http://a.example/"


@pytest.fixture
def web(tmp_path):
    packed = gzip.compress(b"<a href=/chunks>packed</a>")
    with Others(tmp_path / "web.warc.gz") as made:
        made.page(A, b"<a href=/b>b</a> <a href=/gone>g</a> <a href=/moved>m</a> <a href=http://other.example/>o</a>")
        made.page("http://a.example/b", packed, headers=(HTML, ("Content-Encoding", "gzip"), ("Connection", "close")))
        made.page("http://a.example/chunks", b"3\r\n<p>\r\n0\r\n\r\n", headers=(HTML, ("Transfer-Encoding", "chunked")))
        made.page("http://a.example/moved", b"", "301 Moved", (("Location", "http://other.example/%2528x%2529"),))
        made.page("http://other.example/", b"<p>o <a href=/%2528x%2529>x</a> <a href=/odd>y</a> <a href=/pdf>z</a>")
        made.page("http://other.example/%2528x%2529", b"<p>escaped twice")
        made.page("http://other.example/odd", b"<p>busy", "599 Odd")
        made.page("http://other.example/pdf", b"%PDF", headers=(("Content-Type", "application/pdf"),))
        made.page("http://a.example/untold", b"<html>", headers=(("X-Old", "caf\xe9"),))
        made.page("http://a.example/empty", b"", "204 No Content", ())
        made.page("https://safe.example/s", b"<p>safe")
        made.page("http://port.example:8080/p", b"<p>port")
    with Recording.open(tmp_path / "web.warc.gz") as recording:
        yield recording


async def asked(web, *lines):
    async with serve_recording(web) as server:
        request = "\r\n".join((*lines, "Connection: close", "", "")).replace("PORT", str(server.port))
        return await talk(server.port, request.encode())


@pytest.mark.parametrize(
    "lines",
    [
        (f"GET {A} HTTP/1.1", "Host: proxy"),
        ("GET / HTTP/1.1", "Host: a.example"),
        ("GET / HTTP/1.1", "Host: a.example:PORT"),
    ],
)
async def test_a_host_is_told_by_an_absolute_request_or_by_its_header(web, lines):
    answer = await asked(web, *lines)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"<a href=/b>" in answer


async def test_a_recorded_port_is_part_of_the_host(web):
    assert (await asked(web, "GET http://port.example:8080/p HTTP/1.1", "Host: x")).endswith(b"<p>port")


async def test_what_was_recorded_under_https_is_found_under_http(web):
    assert (await asked(web, "GET http://safe.example/s HTTP/1.1", "Host: x")).endswith(b"<p>safe")


async def test_content_comes_whole_without_the_encodings_of_then(web):
    for path, body in (("b", b"<a href=/chunks>packed</a>"), ("chunks", b"<p>")):
        head, _, rest = (await asked(web, f"GET {A}{path} HTTP/1.1", "Host: x")).partition(b"\r\n\r\n")
        assert rest == body
        assert b"Content-Length: %d" % len(body) in head
        assert head.lower().count(b"content-length") == 1
        assert b"-encoding:" not in head.lower()
        assert b"Connection:" not in head


async def test_headers_are_those_of_the_record_and_no_type_is_made_up(web):
    answer = await asked(web, f"GET {A}untold HTTP/1.1", "Host: x")
    assert b"X-Old: " in answer
    assert b"Content-Type" not in answer


async def test_odd_statuses_and_answers_without_a_body_are_served(web):
    assert (await asked(web, "GET http://other.example/odd HTTP/1.1", "Host: x")).startswith(b"HTTP/1.1 599 ")
    empty = await asked(web, f"GET {A}empty HTTP/1.1", "Host: x")
    assert empty.startswith(b"HTTP/1.1 204 ")
    assert b"Content-Length" not in empty


async def test_what_is_not_recorded_is_a_404(web):
    assert (await asked(web, f"GET {A}gone HTTP/1.1", "Host: x")).startswith(b"HTTP/1.1 404 ")


async def test_a_tunnel_is_declined_with_the_reason(web):
    answer = await asked(web, "CONNECT safe.example:443 HTTP/1.1", "Host: safe.example:443")
    assert answer.startswith(b"HTTP/1.1 501 ")
    assert b"no TLS" in answer


async def test_many_clients_are_served_at_a_time(web):
    async with serve_recording(web) as server:
        request = f"GET {A} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
        answers = await asyncio.gather(*(talk(server.port, request) for _ in range(50)))
    assert len(set(answers)) == 1
    assert len(server.log) == 50


async def test_a_live_crawl_through_the_proxy_makes_the_visits_of_a_replay(web):
    replayed = await crawled(Replay(web), [canonical(A)])
    async with serve_recording(web) as server:
        proxy = f"http://127.0.0.1:{server.port}"
        live = PoliteFetcher(HttpFetcher(proxy=proxy), HttpFetcher(proxy=proxy, types=()), pause=0)
        try:
            crawl = await crawled(live, [canonical(A)])
        finally:
            await live.close()
    told = [[_told(visit) for visit in each.store.visits()] for each in (replayed, crawl)]
    assert told[0] == told[1]
    # Where a redirect leads comes next: its url had waited already.
    assert [url.removeprefix("http://") for url, _, _ in told[0]] == [
        "a.example/",
        "a.example/b",
        "a.example/gone",
        "a.example/moved",
        "other.example/%2528x%2529",
        "other.example/",
        "a.example/chunks",
        "other.example/odd",
        "other.example/pdf",
    ]


def _told(visit):
    name = {"not-recorded": "http-404"}.get(visit.outcome.name, visit.outcome.name)
    return visit.url, name, getattr(visit.fetched, "body", None) if visit.page else None
