"""Pages behind a login are crawled by those who are entitled, and their secrets are in no byte of what a crawl leaves behind."""

import base64
import http.server
import json
import os
import subprocess
import sys
import threading
import zlib
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import pytest
import tomli_w
from tests.crawl.in_process import thresher as in_process
from tests.crawl.local import archived
from tests.web.nginx import nginx

PASSWORD, TOKEN, SESSION, PROXY = "swordfish-4711", "tok3n-of-docs", "s3ssion-of-mine", "pr0xy-word"
FORMS = {"warc": "--into", "wacz": "--out"}
if find_spec("trafilatura"):
    FORMS |= {"jsonl": "--out", "csv": "--out", "markdown": "--into"}
FRESH = "fr3sh-session"
SECRETS = [PASSWORD, TOKEN, SESSION, FRESH, PROXY]
SECRETS += [base64.b64encode(f"{user}:{word}".encode()).decode() for user, word in (("me", PASSWORD), ("me", PROXY))]
PAGE = "<title>iris</title><p>The iris of the eye, its pupil and its colour. {}</p>{}"


class Site(http.server.BaseHTTPRequestHandler):
    """Three ways in: Basic auth, a header with a token, a session in a cookie, which changes at the first visit."""

    asked: ClassVar[list[tuple[str, str, str]]] = []
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.asked.append((self.headers["Host"], self.path, str(self.headers)))
        cookie = self.headers.get("Cookie", "")
        ways = {
            "/basic": self.headers.get("Authorization")
            == "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode(),
            "/token": self.headers.get("X-Api-Key") == TOKEN,
            "/member": f"sid={SESSION}" in cookie or f"sid={FRESH}" in cookie,
            "/fresh": f"sid={FRESH}" in cookie,
        }
        path = "/" + self.path.split("/")[1]
        if self.path == "/robots.txt":
            self.answer(404, "none")
        elif self.path == "/out":
            self.answer(302, "", ("Location", f"http://localhost:{self.server.server_port}/elsewhere"))
        elif ways.get(path, True):
            links = "".join(f'<a href="{each}">iris {each}</a>' for each in (*ways, "/out"))
            renewed = [("Set-Cookie", f"sid={FRESH}; Path=/; HttpOnly")] if path == "/member" else []
            self.answer(200, PAGE.format(f"Page {self.path} is open.", links), *renewed)
        else:
            self.answer(401, "no", ("WWW-Authenticate", 'Basic realm="in"'))

    def answer(self, status, text, *headers):
        self.send_response(status)
        body = text.encode()
        for name, value in (("Content-Type", "text/html"), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def site():
    Site.asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def thresher(folder, *arguments):
    environment = {**os.environ, "SITE_LOGIN": f"me:{PASSWORD}", "SITE_TOKEN": TOKEN}
    command = [sys.executable, "-m", "thresher", *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


def leaks(*places, said=b""):
    """Where a secret stands: in the bytes of a file, unpacked where they are gzip, or in what was said."""
    found = [("said", secret) for secret in SECRETS if secret.encode() in said]
    for path in (each for place in places for each in place.rglob("*") if each.is_file()):
        data = path.read_bytes()
        whole = data + (_unpacked(data) if path.suffix == ".gz" else b"")
        found += [(path.name, secret) for secret in SECRETS if secret.encode() in whole]
    return found


def _unpacked(data):
    made = b""
    while data:
        stream = zlib.decompressobj(wbits=31)
        made += stream.decompress(data)
        data = stream.unused_data
    return made


def crawl_file(folder, port, **tables):
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [f"http://127.0.0.1:{port}/"],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "polite": {"delay": 0, "allow_private": True},
        **tables,
    }
    (folder / "crawl.toml").write_text(tomli_w.dumps(settings))


@pytest.mark.parametrize("hands", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_crawl_gets_the_pages_behind_each_login_and_leaves_no_secret_behind(tmp_path, hands, monkeypatch, capsys):
    mine, out = tmp_path / "mine", tmp_path / "out"
    mine.mkdir(), out.mkdir()
    (mine / "cookies.txt").write_text(f"#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{SESSION}\n")
    with site() as port:
        login = {"auth": "env:SITE_LOGIN", "headers": {"X-Api-Key": "env:SITE_TOKEN", "X-Team": "irises"}}
        fetch = {"cookies": "cookies.txt", "hosts": {f"127.0.0.1:{port}": login}}
        crawl_file(mine, port, fetch=fetch, hands={"count": hands})
        code, said = thresher(mine, "crawl", "crawl.toml", "--log", out / "log", "--json")
        asked = list(Site.asked)
        monkeypatch.chdir(mine)
        monkeypatch.setenv("SITE_LOGIN", f"me:{PASSWORD}")
        monkeypatch.setenv("SITE_TOKEN", TOKEN)
        answers = [in_process(monkeypatch, capsys, "revisit", "crawl", "--now")]
    assert code == 0, said
    paths = {url.partition(f":{port}")[2] for url in archived(mine / "crawl") if "127.0.0.1" in url}
    assert {"/", "/basic", "/token", "/member", "/fresh"} <= paths
    events = [json.loads(line) for line in said.splitlines() if line.startswith(b"{")]
    outcomes = {each["url"]: each["outcome"] for each in events if "outcome" in each}
    assert {outcomes[f"http://127.0.0.1:{port}{path}"] for path in ("/basic", "/token", "/member")} == {"page"}
    assert outcomes[f"http://localhost:{port}/basic"] == "http-401", "the same site by another name is another host"

    elsewhere = [heads for host, _, heads in asked if host.startswith("localhost")]
    assert elsewhere, "the redirect was followed"
    assert not [heads for heads in elsewhere for secret in SECRETS if secret in heads], "and took nothing along"

    exports = [("export", "crawl", "--to", form, FORMS[form], out / f"export.{form}") for form in FORMS]
    why = ("why", "crawl", f"http://127.0.0.1:{port}/basic")
    commands = (*exports, ("show", "crawl", "--json"), ("show", "crawl"), why)
    answers += [in_process(monkeypatch, capsys, *command) for command in commands]
    assert [each for each in answers if each.code] == []
    assert {path.name for path in out.iterdir()} >= {"log", *(f"export.{form}" for form in FORMS)}
    told = "".join(each.out + each.err for each in answers).encode()
    assert leaks(mine / "crawl", out, said=said + told) == []
    assert "env:SITE_TOKEN" in (mine / "crawl" / "crawl.toml").read_text(), "the name is kept"
    assert b"cookies.txt" not in b"".join(path.read_bytes() for path in out.rglob("export*") if path.is_file())


@pytest.mark.slow
def test_a_crawl_goes_on_with_its_login_from_another_folder(tmp_path):
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir(), other.mkdir()
    (mine / "cookies.txt").write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{SESSION}\n")
    with site() as port:
        seed = f"http://127.0.0.1:{port}/"
        first = thresher(
            mine, "crawl", "--topic", "iris eye", "--seed", seed, "--into", "crawl", "--delay", 0, "--pages", 1, "--cookies", "cookies.txt"
        )  # fmt: skip
        second = thresher(other, "crawl", mine / "crawl", "--pages", 20)
    assert (first[0], second[0]) == (0, 0), first[1] + second[1]
    assert f"{seed}member" in archived(mine / "crawl")


def test_without_a_jar_no_cookie_is_sent(tmp_path):
    with site() as port:
        crawl_file(tmp_path, port)
        assert thresher(tmp_path, "crawl", "crawl.toml", "--quiet")[0] == 0
        assert not [heads for _, _, heads in Site.asked if "Cookie" in heads or "Authorization" in heads]


@pytest.mark.parametrize(
    ("fetch", "says"),
    [
        ({"cookies": "no.txt"}, "cannot read the cookies in"),
        ({"hosts": {"docs.example.org": {"auth": f"me:{PASSWORD}"}}}, "auth names a user and a password, which belong in no file"),
        ({"hosts": {"docs.example.org": {"auth": "env:NOT_SET"}}}, "the environment has no variable NOT_SET"),
        ({"headers": {"Authorization": f"Bearer {TOKEN}"}}, "the header Authorization holds a secret"),
        ({"proxy": f"nonsense://me:{PROXY}@proxy"}, "proxy is 'nonsense://***@proxy', but must be the url of a proxy"),
        ({"proxy": f"http://me:{PROXY}@127.0.0.1:9"}, "the proxy http://***@127.0.0.1:9 cannot be reached"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hands", [0, 1])
def test_what_is_wrong_with_a_login_is_one_sentence_without_the_secret(
    tmp_path, fetch, says, hands, monkeypatch, capsys
):
    crawl_file(tmp_path, 9, fetch=fetch, hands={"count": hands})
    done = in_process(monkeypatch, capsys, "crawl", tmp_path / "crawl.toml")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert leaks(said=done.err.encode()) == []
    assert not (tmp_path / "crawl").exists()


@pytest.mark.parametrize("hands", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_the_password_of_a_proxy_is_sent_to_the_proxy_and_kept_nowhere(tmp_path, hands):
    out = tmp_path / "out"
    out.mkdir()
    with site() as port:
        # Asked as a proxy, the site sees the whole url as path.
        proxies = [f"http://me:{PROXY}@127.0.0.1:{port}"]
        crawl_file(tmp_path, port, seeds=["http://some.example/"], fetch={"proxies": proxies}, hands={"count": hands})
        code, said = thresher(tmp_path, "crawl", "crawl.toml", "--log", out / "log", "--pages", 1)
        again = thresher(tmp_path, "crawl", "crawl", "--pages", 5)
    assert code == 0, said
    assert "Proxy-Authorization: Basic" in Site.asked[0][2]
    assert leaks(tmp_path / "crawl", out, said=said + again[1]) == []
    assert again[0] == 2
    assert b"the password is not kept in the folder; name the proxy again, or write it as env:NAME" in again[1]


def test_of_several_proxies_one_that_is_dead_is_named_without_its_password(tmp_path, monkeypatch, capsys):
    with site() as port:
        proxies = [f"http://127.0.0.1:{port}", f"http://me:{PROXY}@127.0.0.1:9"]
        seeds = [f"http://h{number}.example/" for number in range(6)]
        crawl_file(tmp_path, port, seeds=seeds, fetch={"proxies": proxies}, hands={"count": 0}, budget={"pages": 6})
        done = in_process(monkeypatch, capsys, "crawl", tmp_path / "crawl.toml", "--log", tmp_path / "log")
    assert done.code == 0
    assert "the proxy http://***@127.0.0.1:9 cannot be reached" in done.err
    assert "; the other proxies are used" in done.err
    assert len(archived(tmp_path / "crawl")) >= 6, "no url is lost"
    assert (tmp_path / "log").read_text().count("it is passed over for 60 s") >= 1
    assert leaks(tmp_path / "crawl", said=done.err.encode() + (tmp_path / "log").read_bytes()) == []


def test_a_crawl_goes_behind_the_basic_auth_of_nginx(tmp_path):
    users = "me:{PLAIN}" + PASSWORD + "\n"
    pages = {
        name: PAGE.format(name, "<a href='/a.html'>a</a> <a href='/b.html'>iris b</a>")
        for name in ("index.html", "a.html", "b.html")
    }
    with nginx(tmp_path, "location / { auth_basic in; auth_basic_user_file users; }", pages) as server:
        (server.folder / "users").write_text(users)
        crawl_file(tmp_path, server.port, fetch={"hosts": {f"127.0.0.1:{server.port}": {"auth": "env:SITE_LOGIN"}}})
        code, said = thresher(tmp_path, "crawl", "crawl.toml")
        crawl_file(tmp_path, server.port, into="shut")
        shut = thresher(tmp_path, "crawl", "crawl.toml")
        log = server.log()
    assert code == 0, said
    assert {f"{server.url}/", f"{server.url}/a.html", f"{server.url}/b.html"} == set(archived(tmp_path / "crawl"))
    assert [line for line in log if '"GET /a.html HTTP/1.1" 200' in line]
    assert shut[0] == 1, "without the login there is no page"
    assert leaks(tmp_path / "crawl", Path(tmp_path / "shut"), said=said + shut[1]) == []
