import asyncio
import gzip
import socket
from contextlib import asynccontextmanager

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from thresher.errors import BadInput
from thresher.fetch import HttpFetcher
from thresher.model import Failed, Refused, Response, Url


class Server:
    """Sends the same bytes to whoever asks, and keeps what it was asked."""

    def __init__(self, answer, *, greet=b"", hang_up=False):
        self.answer, self.greet, self.hang_up = answer, greet, hang_up
        self.heads = []
        self.connections = 0

    async def talk(self, reader, writer):
        self.connections += 1
        writer.write(self.greet)
        try:
            while not self.hang_up:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(self.answer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(answer, address="127.0.0.1", tls=None, **how):
    server = Server(answer, **how)
    listener = await asyncio.start_server(server.talk, address, 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    server.url = f"http://{address}:{server.port}/"
    yield server
    listener.close()
    await listener.wait_closed()


@asynccontextmanager
async def fetching(**how):
    fetcher = HttpFetcher(**{"connect": 10.0, "read": 30.0, "total": 60.0, **how})
    yield fetcher
    await fetcher.close()


def answer(body=b"<html>", *headers, status="200 OK", kind="text/html"):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", f"Content-Type: {kind}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


async def test_a_response_holds_what_was_sent_and_what_came():
    packed = gzip.compress(b"<html>hello</html>")
    async with (
        serving(answer(packed, "Content-Encoding: gzip", "X-Twice: a", "X-Twice: b")) as server,
        fetching() as web,
    ):
        response = await web.fetch(Url(server.url))
    assert isinstance(response, Response)
    assert (response.status, response.body, response.raw) == (200, b"<html>hello</html>", packed)
    assert response.headers[-2:] == ((b"X-Twice", b"a"), (b"X-Twice", b"b"))
    assert response.request == server.heads[0]
    assert response.address == "127.0.0.1"
    assert response.at > 1e9
    assert 0 < response.elapsed < 2


@pytest.mark.parametrize(
    "path", ["%2520", "a%2Fb", "%7Euser/", "x?q=a+b%20c&&d=", "//double//", "x?u=http://a/b;c", "a[0]|b^`", "a'(b)*"]
)
async def test_the_url_goes_out_exactly_as_it_is_spelled(path):
    async with serving(answer()) as server, fetching() as web:
        response = await web.fetch(Url(server.url + path))
    assert server.heads[0].startswith(b"GET /" + path.encode() + b" HTTP/1.1\r\n")
    assert response.request == server.heads[0]


async def test_more_headers_can_be_sent():
    async with serving(answer()) as server, fetching(user_agent="me", headers={"Accept-Language": "de"}) as web:
        response = await web.fetch(Url(server.url))
    assert b"User-Agent: me\r\n" in server.heads[0]
    assert b"Accept-Language: de\r\n" in server.heads[0]
    assert response.request == server.heads[0]


async def test_a_connection_is_used_again():
    async with serving(answer()) as server, fetching() as web:
        for _ in range(3):
            await web.fetch(Url(server.url))
    assert (server.connections, len(server.heads)) == (1, 3)


async def test_a_redirect_is_an_answer_and_is_not_followed():
    async with serving(answer(b"", "Location: /there", status="301 Moved")) as server, fetching() as web:
        response = await web.fetch(Url(server.url))
    assert (response.status, response.header("location")) == (301, "/there")
    assert len(server.heads) == 1


async def test_only_a_page_is_held_to_its_content_type():
    async with serving(answer(b"{}", kind="application/json", status="404 Not Found")) as server, fetching() as web:
        assert (await web.fetch(Url(server.url))).status == 404


async def test_a_kind_nobody_wants_is_refused_after_the_head():
    async with serving(answer(b"%PDF", kind="application/pdf")) as server, fetching() as web:
        assert await web.fetch(Url(server.url)) == Refused("content-type", "application/pdf", asked=True)


async def test_all_kinds_are_read_where_none_is_named():
    async with serving(answer(b"%PDF", kind="application/pdf")) as server, fetching(types=()) as web:
        assert (await web.fetch(Url(server.url))).body == b"%PDF"


READS_PDF = {"types": ("text/html", "application/pdf"), "larger": {"application/pdf": 5_000}, "max_bytes": 1_000}


async def test_a_type_that_may_be_larger_is_read_and_not_asked_for():
    async with serving(answer(b"%PDF-" + b"x" * 2_000, kind="application/pdf")) as server, fetching(**READS_PDF) as web:
        assert len((await web.fetch(Url(server.url))).body) == 2_005
    assert b"Accept: text/html, */*;q=0.1\r\n" in server.heads[0]


async def test_other_types_are_held_to_their_size():
    async with serving(answer(b"x" * 2_000)) as server, fetching(**READS_PDF) as web:
        assert (await web.fetch(Url(server.url))).why == "too-large"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"%PDF-1.7", None),
        (b"<html>", "application/octet-stream, looks like text/html"),
        (b"\0\1", "application/octet-stream, looks like application/octet-stream"),
    ],
)
async def test_a_download_may_be_a_document_and_is_no_page(body, found):
    async with serving(answer(body, kind="application/octet-stream")) as server, fetching(**READS_PDF) as web:
        fetched = await web.fetch(Url(server.url))
    assert fetched.body == body if found is None else fetched == Refused("content-type", found, asked=True)


async def test_a_download_is_read_where_all_types_are():
    async with (
        serving(answer(b"\0\1", kind="application/octet-stream")) as server,
        fetching(**{**READS_PDF, "types": ()}) as web,
    ):
        assert (await web.fetch(Url(server.url))).body == b"\0\1"


async def test_a_body_can_be_cut_rather_than_given_up():
    async with serving(answer(b"x" * 100_000)) as server, fetching(cut=True, max_bytes=1000) as web:
        assert (await web.fetch(Url(server.url))).body == b"x" * 1000


async def test_a_bomb_can_be_cut_too():
    bomb = gzip.compress(bytes(50_000_000))
    async with serving(answer(bomb, "Content-Encoding: gzip")) as server, fetching(cut=True, max_bytes=2 << 20) as web:
        assert (await web.fetch(Url(server.url))).body == bytes(2 << 20)


async def test_many_small_headers_are_too_large_together():
    lines = [f"X-{number}: {'a' * 900}" for number in range(20)]
    async with serving(answer(b"<html>", *lines)) as server, fetching(max_header_bytes=10_000) as web:
        failed = await web.fetch(Url(server.url))
    assert (failed.why, failed.retry) == ("headers-too-large", False)


async def test_a_port_where_nobody_listens_refuses_the_connection():
    with socket.socket() as idle:
        idle.bind(("127.0.0.1", 0))
        async with fetching() as web:
            failed = await web.fetch(Url(f"http://127.0.0.1:{idle.getsockname()[1]}/"))
    assert (failed.why, failed.retry) == ("connection-refused", True)


async def test_a_server_that_speaks_no_tls_is_a_tls_failure():
    async with serving(b"", greet=b"220 this is no handshake\r\n") as server, fetching() as web:
        failed = await web.fetch(Url(server.url.replace("http:", "https:")))
    assert (failed.why, failed.retry) == ("tls", False)


async def test_a_kept_connection_that_was_closed_is_no_strain_and_not_asked_twice():
    async with serving(answer()) as server, fetching() as web:
        await web.fetch(Url(server.url))
        server.answer, server.hang_up = b"", True
        failed = await web.fetch(Url(server.url))
    assert (failed.why, failed.retry, failed.strain) == ("reset", True, False)
    assert len(server.heads) == 2


async def test_a_fresh_connection_that_is_closed_is_strain():
    async with serving(b"", hang_up=True) as server, fetching() as web:
        failed = await web.fetch(Url(server.url))
    assert (failed.why, failed.strain) == ("reset", True)


async def test_being_cancelled_is_no_failure_of_the_web():
    async with serving(b"") as server, fetching() as web:
        asking = asyncio.ensure_future(web.fetch(Url(server.url)))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_a_client_error_nobody_thought_of_is_a_value(monkeypatch):
    async with serving(answer()) as server, fetching() as web:
        monkeypatch.setattr("thresher.fetch.http.Body", lambda *_, **__: 1 / 0)
        failed = await web.fetch(Url(server.url))
    assert failed == Failed("bad-http", "ZeroDivisionError('division by zero')", retry=False)


# ── names and addresses ──


class Fickle(AbstractResolver):
    """A name server that answers differently each time."""

    def __init__(self, *answers):
        self.answers = list(answers)

    async def resolve(self, host, port=0, family=socket.AF_UNSPEC):
        addresses = self.answers.pop(0)
        if isinstance(addresses, Exception):
            raise addresses
        return [
            ResolveResult(hostname=host, host=ip, port=port, family=socket.AF_INET, proto=0, flags=0)
            for ip in addresses
        ]

    async def close(self):
        pass


class Generous(AbstractResolver):
    """A name server that knows many addresses of each name, of IPv6 and of IPv4."""

    def __init__(self, many):
        self.many = many

    async def resolve(self, host, port=0, family=socket.AF_UNSPEC):
        return [
            ResolveResult(hostname=host, host=address_of(kind, number), port=port, family=kind, proto=0, flags=0)
            for kind in (socket.AF_INET6, socket.AF_INET)
            for number in range(self.many)
        ]

    async def close(self):
        pass


def address_of(kind, number):
    start = "2001:db8:1111:2222:3333:4444:5555:" if kind == socket.AF_INET6 else "127.1."
    return f"{start}{number:x}" if kind == socket.AF_INET6 else f"{start}{number // 256}.{number % 256}"


def only(*allowed):
    return lambda host, address: address in allowed


async def test_a_name_that_does_not_exist_is_not_tried_again():
    missing = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    busy = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    async with fetching(resolver=Fickle(missing, busy)) as web:
        first = await web.fetch(Url("http://nowhere.test/"))
        second = await web.fetch(Url("http://nowhere.test/"))
    assert (first.why, first.retry) == ("dns", False)
    assert (second.why, second.retry) == ("dns", True)


async def test_a_name_in_the_table_is_not_looked_up():
    async with serving(answer()) as server, fetching(resolve={"garden.test": "127.0.0.1"}) as web:
        response = await web.fetch(Url(f"http://garden.test:{server.port}/"))
    assert response.address == "127.0.0.1"
    assert f"Host: garden.test:{server.port}\r\n".encode() in server.heads[0]


async def test_an_address_that_the_guard_refuses_is_never_connected_to():
    async with serving(answer()) as server, fetching(guard=only("127.0.0.2"), resolve={"a.test": "127.0.0.1"}) as web:
        written = await web.fetch(Url(server.url))
        named = await web.fetch(Url(f"http://a.test:{server.port}/"))
    assert written == Refused("private-address", f"127.0.0.1:{server.port} leads to 127.0.0.1")
    assert named == Refused("private-address", f"a.test:{server.port} leads to 127.0.0.1")
    assert server.connections == 0


async def test_of_several_addresses_only_the_allowed_ones_are_tried():
    names = Fickle(["127.0.0.1", "127.0.0.2"])
    async with serving(answer(), "127.0.0.2") as server, fetching(guard=only("127.0.0.2"), resolver=names) as web:
        response = await web.fetch(Url(f"http://two.test:{server.port}/"))
    assert response.address == "127.0.0.2"


async def test_of_thousands_of_addresses_the_first_of_each_kind_are_tried():
    asked = []
    async with fetching(guard=lambda _, address: asked.append(address), resolver=Generous(2_000)) as web:
        refused = await web.fetch(Url("http://many.test/"))
    assert refused.why == "private-address"
    few = {address_of(kind, number) for kind in (socket.AF_INET6, socket.AF_INET) for number in range(8)}
    assert set(asked) == few


async def test_a_name_that_resolves_differently_the_second_time_gets_nowhere():
    names = Fickle(["127.0.0.2"], ["127.0.0.1"])
    hang_up = answer(b"<html>", "Connection: close")
    async with serving(hang_up, "127.0.0.2") as good, fetching(guard=only("127.0.0.2"), resolver=names) as web:
        secret = Server(answer())
        listener = await asyncio.start_server(secret.talk, "127.0.0.1", good.port)
        url = Url(f"http://rebind.test:{good.port}/")
        assert (await web.fetch(url)).address == "127.0.0.2"
        assert (await web.fetch(url)).address == "127.0.0.2", "what was checked is remembered"
        web.connections.open().clear_dns_cache()
        assert await web.fetch(url) == Refused("private-address", f"rebind.test:{good.port} leads to 127.0.0.1")
        listener.close()
        await listener.wait_closed()
    assert secret.connections == 0


async def test_a_guard_sees_the_host_with_its_port():
    asked = []
    async with serving(answer()) as server, fetching(guard=lambda *who: not asked.append(who)) as web:
        await web.fetch(Url(server.url))
    assert asked == [(f"127.0.0.1:{server.port}", "127.0.0.1")]


async def test_a_proxy_is_asked_with_the_whole_url_and_may_be_private():
    async with serving(answer()) as proxy, fetching(proxy=proxy.url, guard=only()) as web:
        response = await web.fetch(Url("http://example.test/page"))
    assert proxy.heads[0].startswith(b"GET http://example.test/page HTTP/1.1\r\nHost: example.test\r\n")
    assert response.request == proxy.heads[0]


async def test_the_password_of_a_proxy_is_sent_and_not_kept():
    async with serving(answer()) as proxy:
        address = proxy.url.replace("http://", "http://me:word@")
        async with fetching(proxy=address, guard=only()) as web:
            responses = [await web.fetch(Url("http://example.test/page")) for _ in range(2)]
    password = b"Proxy-Authorization: Basic bWU6d29yZA==\r\n"
    assert [head.replace(password, b"") for head in proxy.heads] == [response.request for response in responses]
    assert all(head.count(password) == 1 for head in proxy.heads)


@pytest.mark.parametrize(
    ("status", "failed"),
    [
        ("501 Not Implemented", ("tls", False, False)),
        ("405 Method Not Allowed", ("tls", False, False)),
        ("502 Bad Gateway", ("proxy", True, True)),
        ("407 Proxy Authentication Required", ("proxy", True, True)),
    ],
)
async def test_a_proxy_that_knows_no_tunnels_is_not_asked_again_but_one_that_fails_is(status, failed):
    async with serving(answer(status=status)) as proxy, fetching(proxy=proxy.url) as web:
        got = await web.fetch(Url("https://example.test/page"))
    assert proxy.heads[0].startswith(b"CONNECT example.test:443 ")
    assert (got.why, got.retry, got.strain) == failed


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.0.0.1:8080", "localhost:8080", "x.localhost", "localhost."])
async def test_an_address_in_the_url_is_checked_even_with_a_proxy(host):
    async with serving(answer()) as proxy, fetching(proxy=proxy.url, guard=only()) as web:
        refused = await web.fetch(Url(f"http://{host}/"))
    assert refused.why == "private-address"
    assert proxy.connections == 0


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"read": -1}, "read is -1, but must be more than 0"),
        ({"connect": 0}, "connect is 0, but must be more than 0"),
        ({"total": float("inf")}, "total is inf, but must be more than 0 and finite"),
        ({"max_ratio": 0.0}, "max_ratio is 0.0, but must be more than 0"),
        ({"max_bytes": 0}, "max_bytes is 0, but must be at least 1"),
        ({"max_header_bytes": -1}, "max_header_bytes is -1, but must be at least 1"),
        ({"connections": 0}, "connections is 0, but must be at least 1"),
        ({"proxy": "nonsense"}, "proxy is 'nonsense', but must be the url of a proxy"),
        ({"proxy": "gopher://127.0.0.1:1080"}, "proxy is 'gopher://127.0.0.1:1080', but must be"),
        ({"proxy": "http:nonsense"}, "proxy is 'http:nonsense', but must be"),
        ({"proxy": "http://"}, "proxy is 'http://', but must be"),
        ({"proxy": "http://h:99999"}, "proxy is 'http://h:99999', but must be"),
        ({"headers": {"X-A": "a\r\nX-B: b"}}, r"the header X-A is 'a\r\nX-B: b', but must not have line breaks"),
        ({"headers": {"X A": "a"}}, "headers has 'X A', but the name of a header must be"),
        ({"headers": {"": "a"}}, "headers has '', but the name"),
        ({"user_agent": "me\n"}, r"the header User-Agent is 'me\n', but must not"),
        ({"types": ["text/\nhtml"]}, "the header Accept is"),
    ],
)
def test_what_no_request_could_keep_to_is_refused(how, words):
    with pytest.raises(BadInput) as error:
        HttpFetcher(**how)
    assert str(error.value).startswith(f"[fetch]: {words}")


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:3128", "https://me:word@proxy.example", "HTTP://proxy/", "", None])
def test_a_proxy_is_a_url_or_none(proxy):
    assert bool(HttpFetcher(proxy=proxy)._proxies) == bool(proxy)


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        (b"application/pdf", "application/pdf"),
        (b"text/\x1b[31m", r"text/\x1b[31m"),
        (b"text/\xff", r"text/\udcff"),
        (b"text/" + b"x" * 9000, "text/" + "x" * 95),
    ],
)
async def test_a_content_type_that_is_refused_can_be_shown_and_kept(kind, detail):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Type: " + kind + b"\r\n\r\nx"
    async with serving(head) as server, fetching() as web:
        refused = await web.fetch(Url(server.url))
    assert refused == Refused("content-type", detail, asked=True)


FEED = b"<?xml version='1.0'?><rss version='2.0'><channel></channel></rss>"
LISTS = {
    "application/xml": FEED,
    "application/json": b'{"version": "https://jsonfeed.org/version/1"}',
    "application/octet-stream": gzip.compress(FEED),
}


@pytest.mark.parametrize("kind", LISTS)
async def test_lists_are_read_where_they_are_wanted_and_nowhere_else(kind):
    for wanted in (True, False):
        async with serving(answer(LISTS[kind], kind=kind)) as server, fetching(lists=wanted) as web:
            fetched = await web.fetch(Url(server.url))
        assert fetched.body == LISTS[kind] if wanted else fetched == Refused("content-type", kind, asked=True)


@pytest.mark.parametrize("kind", LISTS)
async def test_what_is_no_list_is_refused_by_its_first_bytes(kind):
    async with serving(answer(b"<catalogue/>" + b" " * 100_000, kind=kind)) as server, fetching(lists=True) as web:
        assert await web.fetch(Url(server.url)) == Refused("content-type", kind, asked=True)


async def test_of_a_list_that_is_too_large_the_beginning_is_read():
    body = FEED + b" " * 50_000
    async with serving(answer(body, kind="text/xml")) as server, fetching(lists=True, max_bytes=10_000) as web:
        assert (await web.fetch(Url(server.url))).body == body[:10_000]


async def test_what_is_no_list_is_refused_even_if_it_is_too_large_at_once():
    body = gzip.compress(bytes(range(256)) * 100)
    packed = answer(body, "Content-Encoding: gzip", kind="text/xml")
    async with serving(packed) as server, fetching(lists=True, max_bytes=2_000) as web:
        assert await web.fetch(Url(server.url)) == Refused("content-type", "text/xml", asked=True)
