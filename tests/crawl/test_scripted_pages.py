"""Whole crawls of a web that is empty without scripts, by a real process with a real Chromium."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tomli_w
from tests.crawl.local import catalogued, finish, hands_of, kill, shown, start
from tests.crawl.processes import browsers, gone, kill_one, until
from tests.unit.browser.rendering import SANDBOX
from tests.unit.browser.site import needs_browser, script, scripted, served
from warcio.archiveiterator import ArchiveIterator

PAGES = int(os.environ.get("THRESHER_RENDERED", "120"))
"""How many pages are rendered while Chromium is killed."""
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc, which this system lacks")


def crawl_file(folder, site, browser=None, **tables):
    path = folder / "crawl.toml"
    browser = {"browser": {"sandbox": SANDBOX, **browser}} if browser else {}
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [site.url()],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "workers": 4,
        "hands": {"count": 1},
        "polite": {"delay": 0},
        **browser,
        **tables,
    }
    path.write_text(tomli_w.dumps(settings), "utf-8")
    return path


def thresher(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "thresher", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def records(folder):
    """The type and address of each record, and what it holds."""
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                yield record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


@needs_browser
def test_an_application_is_crawled_as_its_scripts_show_it(tmp_path):
    sandbox = f"browser.sandbox={str(SANDBOX).lower()}"
    with served() as site:
        process = start("crawl", crawl_file(tmp_path, site), "--browser", "auto", "--set", sandbox, "--quiet")
        assert finish(process) == 0
    folder = tmp_path / "crawl"
    assert set(catalogued(folder)) == {site.url(path) for path in ("/", "/index", "/muscles", "/colour")}
    figures = shown(folder)
    assert figures["shells"] == {"pages": 0, "promising": 0, "rendered": 4, "failed": {}}
    assert figures["relevant"] == 4
    kept = [(kind, body) for kind, url, body in records(folder) if url == site.url("/muscles")]
    assert [kind for kind, _ in kept] == ["conversion", "request", "response"]
    assert b"Two muscles of the iris" in dict(kept)["conversion"]
    assert b"Two muscles" not in dict(kept)["response"]
    found = thresher("search", folder, "melanin")
    assert site.url("/colour") in found.stdout
    assert "4 pages rendered in a browser" in thresher("show", folder).stdout


@needs_browser
def test_what_an_application_shows_now_is_seen_though_its_bytes_are_the_same(tmp_path):
    with served() as site:
        site.tag = '"1"'
        shows = "root.innerHTML = '<p>The iris of the eye has a pupil. <a href=/colour>melanin</a>'"
        site.pages["/"] = "text/html", script("").replace(b"empty.js", b"shows.js")
        site.pages["/shows.js"] = "text/javascript", f"addEventListener('load', () => {{ {shows} }})".encode()
        path = crawl_file(tmp_path, site, {"when": "auto"}, budget={"pages": 1})
        assert finish(start("crawl", path, "--quiet")) == 0
        first = json.loads(thresher("revisit", tmp_path / "crawl", "--now", "--json").stdout)
        site.pages["/shows.js"] = "text/javascript", site.pages["/shows.js"][1].replace(b"a pupil", b"a round pupil")
        second = json.loads(thresher("revisit", tmp_path / "crawl", "--now", "--json").stdout)
    assert (first["changed"], second["changed"]) == ([], [site.url("/")])
    assert site.url("/") in thresher("search", tmp_path / "crawl", "round").stdout


@needs_browser
def test_a_page_that_was_kept_empty_is_rendered_when_it_is_looked_at_again(tmp_path):
    with served() as site:
        site.tag = '"1"'
        path = crawl_file(tmp_path, site, budget={"pages": 1})
        assert finish(start("crawl", path, "--quiet")) == 0
        browser = ("--browser", "auto", "--set", f"browser.sandbox={str(SANDBOX).lower()}")
        assert finish(start("crawl", path, *browser, "--pages", 2, "--quiet")) == 0
        looked = json.loads(thresher("revisit", tmp_path / "crawl", "--now", "--all", "--json").stdout)
    assert looked["changed"] == [site.url("/")]
    assert "The iris" in thresher("search", tmp_path / "crawl", "muscle").stdout


def test_without_a_browser_show_counts_the_pages_that_looked_promising(tmp_path):
    prose = b"<p>" + b"The iris of the eye has a pupil. " * 20
    with served(shell=script(""), other=script("")) as site:
        site.pages["/"] = "text/html", prose + b"<a href=/shell>iris</a> <a href=/off>bread</a>"
        site.pages["/off"] = "text/html", b"<p>" + b"Bread is made of flour and water. " * 20 + b"<a href=/other>x</a>"
        assert finish(start("crawl", crawl_file(tmp_path, site), "--quiet")) == 0
    folder = tmp_path / "crawl"
    assert shown(folder)["shells"] == {"pages": 2, "promising": 1, "rendered": 0, "failed": {}}
    said = thresher("show", folder).stdout
    assert "2 pages empty without scripts, 1 of them is a seed or linked from a relevant page" in said
    assert "--browser auto" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has no sandbox")
@needs_browser
def test_a_root_that_wants_a_sandbox_is_told_that_there_is_none(tmp_path):
    with served() as site:
        done = thresher("crawl", crawl_file(tmp_path, site), "--browser", "auto")
    assert done.returncode == 2
    assert "no sandbox where one is root" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_browser_that_is_not_there_is_named(tmp_path):
    with served() as site:
        done = thresher("crawl", crawl_file(tmp_path, site, {"when": "auto", "path": "/no/such/browser"}))
    assert done.returncode == 2
    assert "/no/such/browser" in done.stderr or "Playwright" in done.stderr
    assert "Traceback" not in done.stderr


# ── processes ──


@needs_browser
@needs_proc
@pytest.mark.parametrize("who", ["hand", "brain"])
def test_no_browser_outlives_its_crawl(tmp_path, who):
    with served() as site:
        site.pages["/"] = "text/html", script("while (true);")
        process = start("crawl", crawl_file(tmp_path, site, {"when": "auto"}), "--quiet")
        assert until(lambda: "/empty.js" in site.paths)
        first = browsers(process.pid)
        assert len(first) > 3
        if who == "hand":
            # Another hand takes its place, and may start a browser of its own.
            os.kill(hands_of(process.pid)[0], signal.SIGKILL)
            assert gone(first)
        later = browsers(process.pid)
        kill(process)
    assert gone(first | later)


@needs_browser
@needs_proc
@pytest.mark.slow
def test_a_chromium_that_is_killed_at_random_loses_nothing(tmp_path):
    dice, seen = random.Random(7), {}
    with served() as site:
        scripted(site, PAGES)
        process = start("crawl", crawl_file(tmp_path, site, {"when": "auto", "restart": 30}), "--quiet")
        kills = 0
        while process.poll() is None:
            time.sleep(dice.uniform(5.0, 12.0))
            seen |= browsers(process.pid)
            kills += kill_one(browsers(process.pid), dice)
        _, said = process.communicate()
    assert (process.returncode, said.decode()) == (0, "")
    folder = tmp_path / "crawl"
    figures = shown(folder)
    print(kills, json.dumps(figures["shells"]))
    assert kills > 3
    assert len(catalogued(folder)) == PAGES + 1
    assert figures["shells"]["rendered"] + sum(figures["shells"]["failed"].values()) == PAGES
    assert figures["shells"]["rendered"] > 0.8 * PAGES
    assert all(site.paths.count(f"/p{number}") == 1 for number in range(PAGES))
    assert gone(seen)
