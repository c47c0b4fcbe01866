"""IPv6, names in any script, every content encoding that we say we take, and hosts that want https."""

import gzip
import socket
import zlib

import brotli
import pytest
import zstandard
from tests.unit.fetch.test_http_fetcher import answer, fetching, serving

from thresher.model import Response, Url
from thresher.outcomes import redirect_target
from thresher.urls import canonical, host_of

TEXT = b"<html>" + b"hello " * 1000


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body, wbits=-15)),
        ("br", brotli.compress),
        ("zstd", zstandard.compress),
    ],
)
async def test_each_encoding_that_a_request_offers_is_read(name, pack):
    async with serving(answer(pack(TEXT), f"Content-Encoding: {name}")) as server, fetching() as web:
        response = await web.fetch(Url(server.url))
    offered = server.heads[0].split(b"Accept-Encoding: ")[1].split(b"\r\n")[0].decode()
    assert offered == "gzip, deflate, br, zstd", "as browsers have it"
    assert response.body == TEXT
    assert response.raw == pack(TEXT)


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
async def test_an_ipv6_address_in_a_url_is_asked():
    async with serving(answer(b"<p>six"), "::1") as server, fetching() as web:
        url = canonical(f"http://[0:0:0:0:0:0:0:1]:{server.port}/x")
        response = await web.fetch(url)
    assert (response.body, response.address) == (b"<p>six", "::1")
    assert host_of(url) == f"[::1]:{server.port}"
    assert f"Host: [::1]:{server.port}\r\n".encode() in server.heads[0]


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
async def test_where_the_first_address_of_a_name_does_not_answer_the_next_is_tried():
    class Both:
        async def resolve(self, host, port=0, family=0):
            known = [("::1", socket.AF_INET6), ("127.0.0.1", socket.AF_INET)]
            return [
                {"hostname": host, "host": address, "port": port, "family": kind, "proto": 0, "flags": 0}
                for address, kind in known
            ]

        async def close(self):
            pass

    async with serving(answer(b"<p>four")) as server, fetching(resolver=Both()) as web:
        response = await web.fetch(Url(f"http://some.example:{server.port}/"))
    assert (response.body, response.address) == (b"<p>four", "127.0.0.1")


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("http://BÜCHER.Example/", "xn--bcher-kva.example"),
        ("http://bu\u0308cher.example/", "xn--bcher-kva.example"),
        ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"),
        ("http://faß.de/", "xn--fa-hia.de"),
        ("http://ΣΊΣΥΦΟΣ.gr/", "xn--kxa6akbbkh.gr"),
        ("http://例え.テスト/", "xn--r8jz45g.xn--zckzah"),
        ("http://例え。テスト/", "xn--r8jz45g.xn--zckzah"),
        ("http://☃.net/", "xn--n3h.net"),
        ("http://i❤️.ws/", "xn--i-7iq.ws"),
        ("http://ＥＸＡＭＰＬＥ.org/", "example.org"),
        ("http://１２７.0.0.1/", "127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://[2001:DB8:0:0::1]/", "[2001:db8::1]"),
        ("http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"),
        ("http://a_b.example/", "a_b.example"),
        ("http://example.org./", "example.org."),
    ],
)
def test_names_in_any_script_have_the_spelling_that_browsers_give_them(written, host):
    assert host_of(canonical(written)) == host


@pytest.mark.parametrize(
    "written", ["http://a b/", "http://[::1/", "http://[::g]/", "http://\u00ad/", "http://256.1.1.1/"]
)
def test_what_is_no_host_to_browsers_is_none_to_us(written):
    assert canonical(written) is None


async def test_a_host_that_wants_https_is_asked_over_http_no_more(trusted):
    said = answer(b"<p>in", "Strict-Transport-Security: max-age=100")
    async with serving(said, tls=trusted) as server, fetching(resolve={"some.example": "127.0.0.1"}) as web:
        place = f"some.example:{server.port}"
        before = await web.fetch(Url(f"http://{place}/x?y=1"))
        secure = await web.fetch(Url(f"https://{place}/"))
        after = await web.fetch(Url(f"http://{place}/x?y=1"))
    assert not isinstance(before, Response), "a TLS server does not speak HTTP"
    assert secure.status == 200
    assert (after.status, redirect_target(after), after.request) == (307, f"https://{place}/x?y=1", b"")
    assert len(server.heads) == 1


async def test_what_a_host_says_without_encryption_is_not_heeded():
    said = answer(b"<p>in", "Strict-Transport-Security: max-age=100")
    async with serving(said) as server, fetching(resolve={"some.example": "127.0.0.1"}) as web:
        answers = [await web.fetch(Url(f"http://some.example:{server.port}/")) for _ in range(2)]
    assert [each.status for each in answers] == [200, 200]
