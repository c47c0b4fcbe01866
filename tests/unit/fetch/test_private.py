"""What is sent to one host goes to no other, and is kept nowhere."""

import pytest
from tests.unit.fetch.test_http_fetcher import answer, fetching, serving

from thresher.errors import BadInput
from thresher.fetch import HttpFetcher
from thresher.fetch.private import private
from thresher.model import Host, Url
from thresher.urls import host_of

BASIC = "Basic bWU6aHVzaA=="


@pytest.fixture(autouse=True)
def _secrets(monkeypatch):
    monkeypatch.setenv("DOCS_TOKEN", "Bearer hush")
    monkeypatch.setenv("DOCS_LOGIN", "me:hush")


def lines(hosts, url):
    return private(hosts, None).lines(Url(url), host_of(Url(url)))


def test_a_header_goes_to_its_host_alone():
    hosts = {"docs.example.org": {"headers": {"Authorization": "env:DOCS_TOKEN", "X-Team": "irises"}}}
    assert lines(hosts, "https://docs.example.org/x") == (
        "Authorization: Bearer hush\r\nX-Team: irises\r\n",
        "Authorization: ***\r\nX-Team: irises\r\n",
    )
    for other in (
        "http://docs.example.org/",
        "https://docs.example.org:8443/",
        "https://example.org/",
        "https://a.docs.example.org/",
        "https://docs.example.org.evil/",
    ):
        assert lines(hosts, other) == ("", "")


def test_without_encryption_only_where_the_user_says_so_or_nothing_leaves_the_machine():
    login = {"auth": "env:DOCS_LOGIN"}
    sent = f"Authorization: {BASIC}\r\n"
    assert lines({"docs.example.org": {**login, "http": True}}, "http://docs.example.org/")[0] == sent
    for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000", "a.localhost"):
        assert lines({host: login}, f"http://{host}/")[0] == sent
        assert private({host: login}, None, proxied=True).lines(Url(f"http://{host}/"), Host(host)) == ("", "")
    for host in ("127.0.0.1.evil.org", "localhost.evil.org", "notlocalhost", "10.0.0.1"):
        assert lines({host: login}, f"http://{host}/")[0] == ""


def test_a_host_is_known_in_any_spelling():
    hosts = {"BÜCHER.example:443": {"auth": "env:DOCS_LOGIN"}}
    assert lines(hosts, "https://xn--bcher-kva.example/")[0] == f"Authorization: {BASIC}\r\n"


def test_a_secret_may_be_in_the_keyring(monkeypatch):
    class Ring:
        @staticmethod
        def get_password(service, name):
            return {("docs", "token"): "hush", ("thresher", "DOCS"): "hush2"}.get((service, name))

    monkeypatch.setitem(__import__("sys").modules, "keyring", Ring)
    hosts = {"a.org": {"headers": {"X-Key": "keyring:docs/token", "X-Other": "keyring:DOCS"}}}
    assert lines(hosts, "https://a.org/") == ("X-Key: hush\r\nX-Other: hush2\r\n", "X-Key: ***\r\nX-Other: ***\r\n")
    with pytest.raises(
        BadInput, match="X-Key is keyring:docs/no, but the keyring has no such entry: keyring set docs no"
    ):
        private({"a.org": {"headers": {"X-Key": "keyring:docs/no"}}}, None)


@pytest.mark.parametrize(
    ("hosts", "says"),
    [
        ({"a.org": {"headers": {"Authorization": "Bearer hush"}}}, "the header Authorization holds a secret, which belongs in no file"),
        ({"a.org": {"headers": {"cookie": "sid=hush"}}}, "the header cookie holds a secret"),
        ({"a.org": {"auth": "me:hush"}}, "auth names a user and a password, which belong in no file: write env:NAME"),
        ({"a.org": {"auth": 1}}, "auth names a user and a password"),
        ({"a.org": {"auth": "env:DOCS_TOKEN"}}, "auth is env:DOCS_TOKEN, but that does not hold USER:PASSWORD"),
        ({"a.org": {"auth": "env:NO_SUCH"}}, "auth is env:NO_SUCH, but the environment has no variable NO_SUCH"),
        ({"a.org": {"headers": {"X": "env:BROKEN"}}}, "X must not have line breaks"),
        ({"a.org": {"headers": {"X Y": "z"}}}, "headers has 'X Y'"),
        ({"a.org": {"headers": {"X": 1}}}, "headers must be a table of texts"),
        ({"a.org": {"headers": "hush"}}, "headers must be a table of texts"),
        ({"a.org": {"header": {}}}, "has no key 'header' (did you mean 'headers'?)"),
        ({"a.org": {"http": "yes"}}, "http must be true or false"),
        ({"https://a.org": {}}, "is not a host, such as docs.example.org"),
        ({"a.org/x": {}}, "is not a host"),
        ({"*.a.org": {}}, "is not a host"),
        ({"": {}}, "is not a host"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_without_the_secret(hosts, says, monkeypatch):
    monkeypatch.setenv("BROKEN", "hush\nX-Evil: hush")
    with pytest.raises(BadInput) as error:
        HttpFetcher(hosts=hosts)
    assert str(error.value).startswith("[fetch.hosts.")
    assert says in str(error.value)
    assert "hush" not in str(error.value)


@pytest.mark.parametrize("headers", [{"Authorization": "Bearer hush"}, {"X-Key": "env:HUSH"}])
def test_a_secret_header_for_all_hosts_is_refused(headers):
    with pytest.raises(BadInput) as error:
        HttpFetcher(headers=headers)
    assert "must not go to all hosts: put it under [fetch.hosts]" in str(error.value)
    assert "hush" not in str(error.value)


async def test_the_server_gets_the_secret_and_the_answer_does_not_tell_it():
    async with serving(answer(b"<p>in", "Set-Cookie: sid=hush2; Path=/; HttpOnly", "Set-Cookie: hush2")) as server:
        host = f"127.0.0.1:{server.port}"
        async with fetching(hosts={host: {"auth": "env:DOCS_LOGIN"}}) as web:
            response = await web.fetch(Url(server.url))
            await web.fetch(Url(server.url.replace("127.0.0.1", "localhost")))
    assert f"Authorization: {BASIC}\r\n\r\n".encode() in server.heads[0]
    assert b"uthorization" not in server.heads[1], "the same server by another name is another host"
    assert b"Authorization: ***\r\n\r\n" in response.request
    assert (b"Set-Cookie", b"sid=***; Path=/; HttpOnly") in response.headers
    assert (b"Set-Cookie", b"***") in response.headers
    assert b"Cookie" not in server.heads[1]
    assert "hush" not in repr(response)
    assert "bWU6aHVzaA" not in repr(response)


async def test_cookies_that_a_server_sets_are_kept_only_where_a_jar_was_asked_for():
    async with serving(answer(b"<p>in", "Set-Cookie: sid=hush; Path=/")) as server:
        async with fetching() as web:
            plain = [await web.fetch(Url(server.url)) for _ in range(2)]
        async with fetching(cookies="session") as web:
            kept = [await web.fetch(Url(server.url)) for _ in range(2)]
            robots = HttpFetcher(types=(), cookies="session", beside=web)
            await robots.fetch(Url(server.url))
    assert [b"Cookie: sid=hush\r\n" in head for head in server.heads] == [False, False, False, True, True]
    assert (b"Set-Cookie", b"sid=hush; Path=/") in plain[1].headers, (
        "an answer of a crawl without a login is kept as it came"
    )
    assert b"Cookie: ***\r\n" in kept[1].request
    assert "hush" not in repr(kept)


async def test_the_cookies_of_a_file_are_sent_where_they_belong(tmp_path):
    file = tmp_path / "cookies.txt"
    file.write_text("127.0.0.1\tFALSE\t/in\tFALSE\t0\tsid\thush\n")
    async with serving(answer(b"<p>in")) as server, fetching(cookies=str(file)) as web:
        for path in ("", "in", "in/x", "inn"):
            await web.fetch(Url(server.url + path))
        await web.fetch(Url(server.url.replace("127.0.0.1", "localhost") + "in"))
    assert [b"Cookie: sid=hush" in head for head in server.heads] == [False, True, True, False, False]


def test_nothing_is_private_by_default():
    assert HttpFetcher()._private is None
    assert Host("a.org") not in private({"b.org": {}}, None)._logins
