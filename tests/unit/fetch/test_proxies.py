"""Proxies of every kind; several of them; and passwords that are never shown."""

import socket

import pytest
from tests.unit.fetch.test_http_fetcher import answer, fetching, serving
from tests.web.socks import socks_proxy

from thresher.errors import BadInput
from thresher.fetch import HttpFetcher
from thresher.fetch.proxies import PASSED_OVER, Proxies, read_proxies
from thresher.model import Failed, Host, Later, Refused, Response, Url
from thresher.urls import masked_login


def needs_socks():
    pytest.importorskip("python_socks", reason="needs python-socks: pip install 'thresher[socks]'")


@pytest.fixture
def closed_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.parametrize("scheme", ["socks5h", "socks4a"])
async def test_a_socks_proxy_is_sent_the_name(scheme):
    needs_socks()
    async with serving(answer(b"<p>hello")) as server, socks_proxy() as proxy:  # noqa: SIM117 - the port comes first
        async with fetching(proxy=f"{scheme}://127.0.0.1:{proxy.port}") as web:
            first, second = [await web.fetch(Url(f"http://some.example:{server.port}/x?y")) for _ in range(2)]
    assert (first.status, first.body, second.status) == (200, b"<p>hello", 200)
    assert proxy.asked == [("some.example", server.port)], "one connection serves both"
    assert server.heads[0].startswith(b"GET /x?y HTTP/1.1\r\nHost: some.example:"), "as without a proxy"


@pytest.mark.parametrize("scheme", ["socks5", "socks4"])
async def test_a_socks_proxy_is_sent_the_address_which_the_guard_has_seen(scheme):
    needs_socks()
    seen = []
    table = {"some.example": "127.0.0.1", "other.example": "127.0.0.2"}
    guard = lambda host, address: not seen.append((host, address)) and address == "127.0.0.1"  # noqa: E731
    async with serving(answer()) as server, socks_proxy() as proxy:  # noqa: SIM117 - the port comes first
        async with fetching(proxy=f"{scheme}://127.0.0.1:{proxy.port}", resolve=table, guard=guard) as web:
            led = await web.fetch(Url(f"http://some.example:{server.port}/"))
            refused = await web.fetch(Url(f"http://other.example:{server.port}/"))
    assert led.status == 200
    assert refused == Refused("private-address", f"other.example:{server.port} leads to 127.0.0.2")
    assert proxy.asked == [("127.0.0.1", server.port)]
    assert [address for _, address in seen] == ["127.0.0.1", "127.0.0.2"], "of the proxy itself nobody asks"


async def test_a_socks_proxy_may_want_a_password_which_no_answer_tells():
    needs_socks()
    async with serving(answer()) as server, socks_proxy(login="me:hush") as proxy:
        url = Url(f"http://some.example:{server.port}/")
        async with fetching(proxy=f"socks5h://me:hush@127.0.0.1:{proxy.port}") as web:
            assert (await web.fetch(url)).status == 200
        async with fetching(proxy=f"socks5h://me:wrong@127.0.0.1:{proxy.port}") as web:
            failed = await web.fetch(url)
    assert (failed.why, failed.strain) == ("proxy", True)
    assert f"socks5h://***@127.0.0.1:{proxy.port}" in failed.detail
    assert "wrong" not in repr(failed)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (1, "unreachable"),
        (2, "unreachable"),
        (8, "unreachable"),
        (4, "unreachable"),
        (5, "connection-refused"),
        (6, "timeout"),
    ],
)
async def test_what_the_proxy_says_of_a_host_has_the_name_it_has_without_one(reply, why):
    needs_socks()
    async with socks_proxy(refuse=reply) as proxy, fetching(proxy=f"socks5h://127.0.0.1:{proxy.port}") as web:
        assert (await web.fetch(Url("http://some.example/"))).why == why


def test_a_host_always_goes_by_the_same_proxy_and_all_proxies_are_used():
    proxies = Proxies(read_proxies(None, [f"http://127.0.0.1:{port}" for port in (1001, 1002, 1003)]))
    chosen = [proxies.of(Host(f"h{number}.org")) for number in range(60)]
    assert [proxies.of(Host(f"h{number}.org")) for number in range(60)] == chosen
    assert len(set(chosen)) == 3
    assert proxies.lost(chosen[0])
    after = [proxies.of(Host(f"h{number}.org")) for number in range(60)]
    assert chosen[0] not in after
    assert all(now == before for now, before in zip(after, chosen, strict=True) if before != chosen[0])


async def test_a_dead_proxy_is_named_and_passed_over_and_costs_no_url(closed_port):
    async with serving(answer()) as alive:
        both = [alive.url, f"http://me:hush@127.0.0.1:{closed_port}"]
        async with fetching(proxies=both) as web:
            answers = [await web.fetch(Url(f"http://h{number}.example/")) for number in range(12)]
            named = [each for each in answers if not isinstance(each, Response)]
            again = await web.fetch(Url("http://h0.example/"))
    assert len(named) == 1
    assert isinstance(named[0], Later)
    assert (named[0].why, named[0].strain) == ("proxy", True)
    assert named[0].detail.startswith(f"http://***@127.0.0.1:{closed_port}: ")
    assert named[0].detail.endswith(f"it is passed over for {PASSED_OVER:.0f} s")
    assert "hush" not in repr(named)
    assert again.status == 200


async def test_where_all_proxies_are_dead_urls_fail(closed_port):
    async with fetching(proxies=[f"http://127.0.0.1:{closed_port}", f"http://localhost:{closed_port}"]) as web:
        answers = [await web.fetch(Url(f"http://h{number}.example/")) for number in range(4)]
    assert {type(each) for each in answers[1:]} == {Failed}
    assert {each.why for each in answers} == {"proxy"}


async def test_an_http_proxy_gets_its_password_and_the_archive_does_not(monkeypatch):
    monkeypatch.setenv("WAY_OUT", "unset")
    async with serving(answer()) as proxy:
        monkeypatch.setenv("WAY_OUT", f"http://me:hush@127.0.0.1:{proxy.port}")
        async with fetching(proxy="env:WAY_OUT") as web:
            response = await web.fetch(Url("http://some.example/x"))
    assert b"Proxy-Authorization: Basic bWU6aHVzaA==" in proxy.heads[0]
    assert b"bWU6aHVzaA" not in response.request
    assert b"Authorization" not in response.request


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://me:hush@proxy:3128", "http://***@proxy:3128"),
        ("http://me:hu/sh@x@proxy:3128/", "http://***@proxy:3128/"),
        ("me:hush@proxy:3128", "***@proxy:3128"),
        ("me:hush://x@proxy", "***@proxy"),
        ("http://proxy:3128", "http://proxy:3128"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_password_is_masked_wherever_it_stands(text, shown):
    assert masked_login(text) == shown
    assert masked_login(shown) == shown


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (
            {"proxy": "ftp://me:hush@proxy"},
            "proxy is 'ftp://***@proxy', but must be the url of a proxy (http, https, socks5",
        ),
        ({"proxies": ["http://ok:1", "me:hush@proxy:1"]}, "proxies is '***@proxy:1', but must be"),
        ({"proxy": "http://me:hush@a\\b:1"}, "but must be the url of a proxy"),
        ({"proxy": "http://***@proxy"}, "the password is not kept in the folder"),
        (
            {"proxy": "env:NO_SUCH_PROXY"},
            "proxy is env:NO_SUCH_PROXY, but the environment has no variable NO_SUCH_PROXY",
        ),
    ],
)
def test_a_proxy_that_is_none_is_refused_without_its_password(how, says):
    with pytest.raises(BadInput) as error:
        HttpFetcher(**how)
    assert str(error.value).startswith("[fetch]: ")
    assert says in str(error.value)
    assert "hush" not in str(error.value)


def test_a_socks_proxy_without_the_package_is_told_how_to_get_it(monkeypatch):
    monkeypatch.setattr("thresher.fetch.proxies.find_spec", lambda _: None)
    with pytest.raises(BadInput, match=r"proxy is a SOCKS proxy, which needs another package: pip install .*socks"):
        HttpFetcher(proxy="socks5://127.0.0.1:1080")


async def test_tls_goes_through_a_socks_proxy(trusted):
    needs_socks()
    async with serving(answer(b"<p>safe"), tls=trusted) as server, socks_proxy() as proxy:  # noqa: SIM117 - the port comes first
        async with fetching(proxy=f"socks5h://127.0.0.1:{proxy.port}") as web:
            response = await web.fetch(Url(f"https://some.example:{server.port}/"))
    assert response.body == b"<p>safe"
    assert proxy.asked == [("some.example", server.port)]
