"""Who may see the window: asked of a real `thresher view`, byte by byte, as browsers and others would."""

import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from tests.crawl.in_process import thresher
from tests.unit.view.window import opened

pytest.importorskip("nicegui", reason="the extra `view` draws the window")

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


class Answer(NamedTuple):
    status: int
    head: str
    body: str

    def header(self, name):
        found = re.search(rf"^{name}: (.*?)\r?$", self.head, re.MULTILINE | re.IGNORECASE)
        return found and found[1]


class Window(NamedTuple):
    port: int
    token: str

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def cookie(self):
        return {"Cookie": f"thresher-{self.port}={self.token}"}

    @property
    def origin(self):
        return {"Origin": f"http://{self.host}"}

    def ask(self, path="/", headers=(), method="GET", version="1.1", host=None):
        """One request, as it is written here, and what comes back."""
        fields = {"Host": host or self.host, **dict(headers)} if host != "" else dict(headers)
        lines = [f"{method} {path} HTTP/{version}", *(f"{name}: {value}" for name, value in fields.items())]
        if "Upgrade" not in fields:
            lines.append("Connection: close")
        return self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def send(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as there:
            there.sendall(request)
            heard = b""
            while b"\r\n\r\n" not in heard or not _is_upgrade(heard):
                try:
                    more = there.recv(65536)
                except TimeoutError:
                    break
                if not more:
                    break
                heard += more
        head, _, body = heard.decode(errors="replace").partition("\r\n\r\n")
        return Answer(int(head.split(maxsplit=2)[1]), head, body)


def _is_upgrade(heard):
    return heard.startswith(b"HTTP/1.1 101")


def window_of(address):
    parts = urlsplit(address)
    return Window(parts.port, parts.query.removeprefix("token="))


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("crawls")) as address:
        yield window_of(address)


def refused(answer, words):
    assert answer.status == 403
    assert words in answer.body
    assert "Traceback" not in answer.body
    assert answer.header("content-type") == "text/plain; charset=utf-8"
    assert answer.header("x-frame-options") == "DENY"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new",
        "/side-by-side?crawl=a",
        "/crawl/a/now",
        "/crawl/a/export/csv",
        "/_nicegui/",
        "/favicon.ico",
        "/nothing",
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_without_the_token_nothing_is_shown_wherever_one_asks(window, path, method):
    answer = window.ask(path, method=method)
    assert answer.status == 403
    assert method == "HEAD" or "The token is missing or wrong" in answer.body


@pytest.mark.parametrize("token", ["", "x", "ä", "%ff%fe", "a" * 60_000])
def test_a_wrong_token_is_none(window, token):
    assert window.ask(f"/?token={token}".encode().decode("latin-1")).status in {400, 403}
    assert window.ask("/", {"Cookie": f"thresher-{window.port}={token[:8000]}"}.items()).status in {400, 403}


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address(window):
    answer = window.ask(f"/crawl/x/now?a=1&token={window.token}&b=%22")
    assert answer.status == 303
    assert answer.header("location") == "/crawl/x/now?a=1&b=%22"
    assert answer.header("set-cookie") == f"thresher-{window.port}={window.token}; Path=/; HttpOnly; SameSite=Lax"
    assert answer.header("cache-control") == "no-store"
    assert window.ask("/", window.cookie).status == 200


@pytest.mark.parametrize("path", ["//other.example/", "/\\other.example/", "///other.example"])
def test_the_way_on_after_the_token_never_leads_to_another_host(window, path):
    answer = window.ask(f"{path}?token={window.token}")
    assert answer.status == 303
    assert re.match(r"/[^/\\]", answer.header("location"))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}"]
)
def test_another_name_for_this_machine_opens_nothing_even_with_the_cookie(window, host):
    refused(window.ask("/", window.cookie, host=host.format(port=window.port)), "by no other name")


def test_this_machine_has_three_names(window):
    for name in ("127.0.0.1", "localhost", "[::1]", "LOCALHOST"):
        assert window.ask("/", window.cookie, host=f"{name}:{window.port}").status == 200


def test_no_host_and_two_hosts_open_nothing(window):
    assert window.ask("/", window.cookie, version="1.0", host="").status in {400, 403}
    twice = f"GET / HTTP/1.1\r\nHost: {window.host}\r\nHost: evil.example\r\nCookie: {window.cookie['Cookie']}\r\n\r\n"
    assert window.send(twice.encode()).status in {400, 403}


def test_an_address_in_the_request_line_is_not_believed(window):
    answer = window.ask("http://evil.example/", window.cookie, host="evil.example")
    assert answer.status in {400, 403}


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://[",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1:{port}.evil.example",
        "file://",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_another_origin_gets_nothing(window, origin, method):
    asked = {**window.cookie, "Origin": origin.format(port=window.port), "Content-Length": "0"}
    refused(window.ask("/", asked, method=method), "Another page asked")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_what_may_change_something_must_say_where_it_comes_from(window, method):
    refused(window.ask("/", {**window.cookie, "Content-Length": "0"}, method=method), "which page it comes from")
    assert window.ask("/", {**window.cookie, **window.origin, "Content-Length": "0"}, method=method).status in {
        404,
        405,
    }


def test_a_socket_opens_for_the_windows_own_pages_alone(window):
    whole = {**UPGRADE, **window.cookie, **window.origin}
    assert window.ask(SOCKET, whole).status == 101
    for missing in ("Cookie", "Origin"):
        less = {name: value for name, value in whole.items() if name != missing}
        assert window.ask(SOCKET, less).status == 403, missing
    assert window.ask(SOCKET, {**whole, "Origin": "http://evil.example"}).status == 403
    assert window.ask(SOCKET, {**whole, "Cookie": "thresher-1=x"}).status == 403
    assert window.ask(f"{SOCKET}&token={window.token}", {**UPGRADE, **window.origin}).status == 403, (
        "no cookie, no socket"
    )
    assert window.ask(SOCKET, whole, host=f"evil.example:{window.port}").status == 403


def test_polling_is_no_second_way_in(window):
    polling = SOCKET.replace("websocket", "polling")
    refused(window.ask(polling), "The token")
    refused(window.ask(polling, {**window.cookie, "Origin": "http://evil.example"}), "Another page")
    refused(window.ask(polling, {**window.cookie, "Content-Length": "0"}, method="POST"), "which page")


def test_cookies_of_other_servers_of_this_machine_do_no_harm(window, tmp_path):
    strange = 'x={"a": 1, "b"}; =; ; y="; z[]=é; '
    with opened(tmp_path) as address:
        other = window_of(address)
        both = {"Cookie": f"{strange}{window.cookie['Cookie']}; {other.cookie['Cookie']}".encode().decode("latin-1")}
        assert window.ask("/", both).status == other.ask("/", both).status == 200
        assert other.ask("/", window.cookie).status == 403
        swapped = {"Cookie": f"thresher-{other.port}={window.token}"}
        assert other.ask("/", swapped).status == 403


def test_every_answer_forbids_frames_foreign_scripts_and_guesses(window):
    for answer in (window.ask("/", window.cookie), window.ask("/nothing", window.cookie), window.ask("/")):
        policy = answer.header("content-security-policy")
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http:" not in policy
        assert answer.header("x-content-type-options") == "nosniff"
        assert answer.header("referrer-policy") == "no-referrer"
        assert answer.header("cross-origin-resource-policy") == "same-origin"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/crawl/none/now",
        "/crawl/%00/now",
        "/crawl/..%2f..%2fetc/export/csv",
        "/side-by-side?crawl=%ff&crawl=",
    ],
)
def test_an_address_that_leads_nowhere_gives_a_page_without_a_traceback(window, path):
    answer = window.ask(path, window.cookie)
    assert answer.status in {200, 404}
    assert "Traceback" not in answer.body


def test_bytes_that_are_no_request_do_not_stop_the_window(window):
    for nonsense in (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
        assert window.send(nonsense).status in {400, 403, 505}
    assert window.ask("/", window.cookie).status == 200


def test_with_a_token_of_ones_own_other_machines_may_look_in_by_an_address_but_by_no_name(tmp_path):
    token = "a-token-of-ones-own"
    with opened(tmp_path, options=("--host", "0.0.0.0", "--token", token)) as address:
        assert address.endswith(f"?token={token}")
        window = window_of(address)
        assert window.ask("/", window.cookie, host=f"192.0.2.7:{window.port}").status == 200
        refused(window.ask("/", window.cookie, host=f"evil.example:{window.port}"), "by no other name")
        refused(window.ask("/", host=f"192.0.2.7:{window.port}"), "The token")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "--host 0.0.0.0 lets other machines look in: choose a token for them with --token"),
        (["--host", "::"], "lets other machines look in"),
        (["--host", "example.org"], "lets other machines look in"),
        (["--host", ""], "--host is empty"),
        (["--host", "0.0.0.0", "--token", "short"], "--token must have at least 16 letters"),
        (["--token", "short"], "--token must have at least 16 letters"),
        (["--token", "sixteen letters; and more"], "no others but - and _"),
        (["--host", "a..b", "--token", "a-token-of-ones-own"], "cannot listen on a..b"),
        (["--host", "192.0.2.1", "--token", "a-token-of-ones-own"], "cannot listen on 192.0.2.1"),
        (["--port", "70000"], "70000"),
    ],
)
def test_a_place_that_cannot_be_listened_on_or_lets_strangers_in_is_refused(
    monkeypatch, capsys, tmp_path, options, words
):
    done = thresher(monkeypatch, capsys, "view", tmp_path, *options)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_port_that_is_taken_is_told_in_a_sentence(monkeypatch, capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = thresher(monkeypatch, capsys, "view", tmp_path, "--port", port)
    assert done.code == 2
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in done.err


def test_a_folder_that_is_not_there_is_told_in_a_sentence(monkeypatch, capsys, tmp_path):
    done = thresher(monkeypatch, capsys, "view", tmp_path / "nowhere")
    assert done.code == 2
    assert "nowhere is not there" in done.err
