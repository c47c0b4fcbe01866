"""Crawls in PostgreSQL in the window: a real server, real workers and a real browser."""

import contextlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.crawl.irises import served
from tests.crawl.local import crawl_file
from tests.postgres_server import running_server
from tests.unit.view.window import browsing, opened, tile, told

from thresher.lab.webs.generated import generate

pytestmark = pytest.mark.slow
_SECONDS = 60_000
CHAPTERS = ("now", "pages", "label", "map", "trouble", "topic", "page/3")


@pytest.fixture(scope="module")
def web():
    web = generate(size=600, hosts=8)
    with served(web) as server:
        yield web, server.port


@pytest.fixture(scope="module")
def server():
    """A server of our own: the tests count its connections, and kill it."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def crawl(server, web, tmp_path_factory):
    """The address of a crawl of 60 pages that has ended."""
    return begun(server, web, tmp_path_factory.mktemp("iris"), "iris", pages=60)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """What workers say and keep, and exports, stay here."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def begun(server, web, folder, schema, *, pages, **polite):
    address = f"{server.url()}?schema={schema}"
    command = crawl_command(web, folder, address, pages=pages, **polite)
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return address


def crawl_command(web, folder, address, *, pages, **polite):
    file = crawl_file(folder / "iris.toml", *web, budget={"pages": pages}, polite=polite)
    return [sys.executable, "-m", "thresher", "crawl", str(file), "--ledger", address, "--into", str(folder / "crawl")]


def asked(server, sql):
    import psycopg  # noqa: PLC0415 - an extra

    with contextlib.closing(psycopg.connect(server.url(), autocommit=True, application_name="the test")) as connection:
        return connection.execute(sql).fetchall()


def shown(address):
    command = [sys.executable, "-m", "thresher", "show", address, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, timeout=60).stdout)


def until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def state(page, name):
    page.locator(f"header .state.{name}").wait_for(timeout=_SECONDS)


def row_of(page, name):
    """The row of a crawl in the list."""
    return page.locator("tbody tr", has=page.get_by_role("link", name=name, exact=True))


# ── what it shows ──


def test_every_chapter_opens_and_has_the_figures_of_show(crawl, server, here):
    figures = shown(crawl)
    assert figures["fetched"] == 60
    with opened(crawl, here=here) as address, browsing() as (page, looked):
        base = address.split("/?")[0]
        page.goto(address)
        row = row_of(page, "iris")
        told(row.locator(".state"), "^stopped$")
        told(row.locator("td.number").nth(0), f"^{figures['relevant']}$")
        told(row.locator("td.number").nth(1), "^60$")
        for chapter in CHAPTERS:
            page.goto(f"{base}/crawl/iris/{chapter}")
            page.locator("header .state.stopped").wait_for(timeout=_SECONDS)
            page.wait_for_timeout(1500)
            assert [said for said in page.locator(".trouble").all_inner_texts() if said] == [], chapter
        page.goto(f"{base}/crawl/iris/now")
        told(tile(page, "Fetched"), "^60$")
        told(tile(page, "Relevant pages"), f"^{figures['relevant']}$")
        told(tile(page, "Harvest rate"), f"^{figures['harvest']:.1%}$")
        told(tile(page, "Waiting"), f"^{figures['waiting']}$")
        told(page.locator(".workers"), "^No worker is there")
        page.goto(f"{base}/crawl/iris/pages")
        visits = asked(server, "SELECT visits FROM iris.totals")[0][0]
        told(page.locator("#pages-counted"), f"^{visits} visits$")
        page.goto(f"{base}/crawl/iris/trouble")
        told(tile(page, "Left out on purpose"), f"^{figures['errors'].get('robots', 0)}$")
        assert looked.errors == looked.outside == []


def test_it_is_shown_beside_a_folder_and_exported(crawl, web, here):
    file = crawl_file(here / "flowers.toml", *web, budget={"pages": 20}, into="flowers")
    subprocess.run([sys.executable, "-m", "thresher", "crawl", str(file)], check=True, capture_output=True, timeout=120)
    with opened(crawl, here / "flowers", here=here) as address, browsing() as (page, looked):
        page.goto(address)
        for name in ("iris", "flowers"):
            page.get_by_label(f"Show {name} side by side").click(timeout=_SECONDS)
        page.get_by_role("button", name="Side by side").click()
        page.get_by_text("What both found is told of crawls in folders only.").wait_for(timeout=_SECONDS)
        assert re.search(r"flowers: \d+ of 20", page.locator(".picture").first.get_attribute("aria-label"))
        page.goto(f"{address.split('/?')[0]}/crawl/iris/now")
        page.get_by_role("button", name="Export …").click()
        page.get_by_role("button", name="Export", exact=True).click()
        link = page.get_by_role("link", name="Download")
        link.wait_for(timeout=_SECONDS)
        with page.expect_download() as download:
            link.click()
        lines = Path(download.value.path()).read_text("utf-8").splitlines()
        assert len(lines) == len((here / "iris-jsonl" / "pages.jsonl").read_text("utf-8").splitlines()) > 5
        assert looked.errors == looked.outside == []


def test_a_label_reaches_the_table(crawl, server, here):
    with opened(crawl, here=here) as address, browsing() as (page, looked):
        page.goto(address)
        page.goto(f"{address.split('/?')[0]}/crawl/iris/label")
        url = page.locator(".question .url").inner_text(timeout=_SECONDS)
        page.keyboard.press("y")
        page.locator(".crawl-answer", has_text="the crawl hears of it when it goes on").wait_for(timeout=_SECONDS)
        assert asked(server, "SELECT url, relevant FROM iris.label") == [(url, True)]
        page.keyboard.press("u")
        until(lambda: asked(server, "SELECT count(*) FROM iris.label") == [(0,)])
        assert looked.errors == []


# ── steering ──


@contextlib.contextmanager
def two_workers(server, web, folder, schema):
    """A slow crawl, and a second worker that reads the address from its input."""
    address = f"{server.url()}?schema={schema}"
    command = crawl_command(web, folder, address, pages=500, delay=2.0)
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    second = None
    try:
        until(lambda: asked(server, f"SELECT to_regclass('{schema}.totals') IS NOT NULL")[0][0])
        until(lambda: asked(server, f"SELECT visits FROM {schema}.totals")[0][0] > 2)
        second = subprocess.Popen(
            [sys.executable, "-m", "thresher", "work", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with second.stdin as into:
            into.write(f"{address}\n".encode())
        yield address, (first, second)
    finally:
        for each in (first, second):
            if each is not None:
                each.kill()
                each.wait()


def test_pause_go_on_and_stop_reach_all_workers_and_go_on_starts_one(server, web, here):
    def visits():
        return asked(server, "SELECT visits FROM slow.totals")[0][0]

    with two_workers(server, web, here, "slow") as (crawl, processes), browsing() as (page, looked):
        with opened(crawl, here=here) as address:
            page.goto(address)
            page.goto(f"{address.split('/?')[0]}/crawl/slow/now")
            state(page, "running")
            numbers = "|".join(str(each.pid) for each in processes)
            told(page.locator(".workers"), rf"^2 workers: \S+:({numbers}), \S+:({numbers})\.$")
            page.get_by_role("button", name="Pause").click()
            state(page, "paused")
            page.wait_for_timeout(4000)
            at = visits()
            page.wait_for_timeout(3000)
            assert visits() == at
            page.get_by_role("button", name="Go on").click()
            state(page, "running")
            until(lambda: visits() > at + 3)
            page.get_by_role("button", name="Stop").click()
            assert [each.wait(60) for each in processes] == [0, 0]
            state(page, "stopped")
            told(page.locator(".workers"), "^No worker is there")

            at = visits()
            page.get_by_role("button", name="Go on").click()
            state(page, "running")
            told(page.locator(".workers"), "^1 worker: ")
            until(lambda: visits() > at)
            worker = int(re.search(r":(\d+)\.", page.locator(".workers").inner_text())[1])
            try:
                assert command_line(worker)[-2:] == ["work", "-"]
                assert server.password not in Path(f"/proc/{worker}/environ").read_bytes().decode()
            finally:
                page.get_by_role("button", name="Stop").click()
                until(lambda: not Path(f"/proc/{worker}/cmdline").exists() or not command_line(worker))
        logs = list((here / "state" / "thresher").glob("slow-*.log"))
        assert len(logs) == 1
        assert server.password not in logs[0].read_text("utf-8")
        assert looked.outside == []


def command_line(process):
    return Path(f"/proc/{process}/cmdline").read_text("utf-8").split("\0")[:-1]


# ── the password ──


def test_the_password_is_nowhere_in_the_window(crawl, server, here):
    printed, seen = [], []

    def listen(socket):
        socket.on("framereceived", lambda data: seen.append(str(data)))
        socket.on("framesent", lambda data: seen.append(str(data)))

    with opened(crawl, here=here, said=printed) as address, browsing() as (page, looked):
        page.on("websocket", listen)
        page.on("response", lambda response: seen.append(str(response.headers)))
        page.goto(address)
        page.wait_for_timeout(2500)
        for chapter in ("", *CHAPTERS):
            page.goto(f"{address.split('/?')[0]}/{f'crawl/iris/{chapter}' * bool(chapter)}")
            page.wait_for_timeout(1500)
            seen.append(page.content())
        page.goto(f"{address.split('/?')[0]}/crawl/iris/pages?words=iris")
        page.wait_for_timeout(1500)
        page.get_by_role("button", name="Leave or prefer …").click()
        page.get_by_label("Address of a page").fill("no address")
        page.get_by_role("button", name="Fetch it first").click()
        page.wait_for_timeout(1000)
        seen += [page.content(), str(page.context.cookies()), *looked.requests, *looked.errors]
    whole = "\n".join((*printed, *seen))
    assert "The window is open" in whole
    assert len(whole) > 100_000
    assert "iris, eye, pupil" in whole
    assert server.password not in whole
    assert not any(server.password in file.read_text("utf-8", "replace") for file in here.rglob("*") if file.is_file())


def test_a_crawl_that_is_not_there_is_told_before_the_window_opens(crawl, server, here):
    address = f"{server.url()}?schema=tulip"
    run = subprocess.run(
        [sys.executable, "-m", "thresher", "view", crawl, address],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=here,
    )
    assert run.returncode == 2
    assert "schema=tulip holds no crawl: begin one with thresher crawl TOPIC --ledger" in run.stderr
    assert server.password not in run.stderr


# ── connections ──


def test_a_page_that_is_looked_at_uses_few_connections_again_and_leaves_none(crawl, server, here):
    def connections():
        return asked(server, "SELECT pid, state FROM pg_stat_activity WHERE application_name = 'thresher'")

    def sessions():
        return asked(server, "SELECT sessions FROM pg_stat_database WHERE datname = 'postgres'")[0][0]

    with opened(crawl, here=here) as address:
        with browsing() as (page, _):
            page.goto(address)
            page.goto(f"{address.split('/?')[0]}/crawl/iris/now")
            told(tile(page, "Fetched"), "^60$")
            page.wait_for_timeout(2000)
            before, found = sessions(), []
            for _ in range(20):
                found.append(connections())
                time.sleep(0.5)
            # Those who ask here connect as well: sessions are counted when they end.
            opened_meanwhile = sessions() - before - 22
        assert max(map(len, found)) <= 6
        assert len({pid for each in found for pid, _ in each}) <= 8
        assert {how for each in found for _, how in each} <= {"idle", "active"}
        assert opened_meanwhile <= 4
        until(lambda: connections() == [], 60)  # nobody looks any more


# ── a server that is away ──


def test_a_server_that_is_away_is_told_and_waited_for(web, here):
    with running_server() as server:
        (here / "iris").mkdir()
        crawl = begun(server, web, here / "iris", "iris", pages=20)
        file = crawl_file(here / "flowers.toml", *web, budget={"pages": 20}, into="flowers")
        subprocess.run(
            [sys.executable, "-m", "thresher", "crawl", str(file)], check=True, capture_output=True, timeout=120
        )
        with opened(crawl, here / "flowers", here=here) as address, browsing() as (page, _):
            base = address.split("/?")[0]
            page.goto(address)
            row, other = row_of(page, "iris"), row_of(page, "flowers")
            told(row.locator(".state"), "^stopped$")
            server.kill()
            told(row.locator(".state"), "^cannot be read$")
            told(row.locator(".soft").nth(1), "^PostgreSQL at 127.0.0.1.* database postgres, crawl iris .*$")
            told(other.locator(".state"), "^stopped$")
            page.goto(f"{base}/crawl/iris/pages")
            told(page.locator(".trouble").last, "^PostgreSQL at 127.0.0.1")
            server.start()
            told(page.locator("#pages-counted"), r"^2\d visits$")
            state(page, "stopped")
            page.goto(f"{base}/crawl/iris/now")
            told(tile(page, "Fetched"), "^20$")
            server.kill()
            told(page.locator("header .state"), "^cannot be read$")
            server.start()
            state(page, "stopped")
            until(lambda: not any(page.locator(".trouble").all_inner_texts()))
            page.goto(base)
            told(row.locator(".state"), "^stopped$")
        server.kill()
        printed = []
        with opened(crawl, here=here, said=printed), contextlib.suppress(AssertionError):
            pass
        assert "; the window asks again" in "".join(printed)
        assert server.password not in "".join(printed)
        server.start()
