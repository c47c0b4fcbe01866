"""A crawl from beginning to end in the window, in a real browser: from a word, watched, paused, killed, gone on with, given more."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.crawl.irises import SearchedWeb, served, write_ontology
from tests.crawl.local import catalogued
from tests.unit.view.window import browsing, opened

from thresher.results.archive import Archive
from thresher.results.watch.waiting import outlook

pytestmark = pytest.mark.slow
_SECONDS = 60_000
"""Thousandths of them: how long a browser waits for what should come at once, on a machine that is busy."""


@pytest.fixture(scope="module")
def server():
    with served(SearchedWeb()) as server:
        yield server


@pytest.fixture
def folder(tmp_path):
    """Where crawls are started. Those that still run at the end are ended."""
    (tmp_path / "crawls").mkdir()
    yield tmp_path / "crawls"
    for lock in (tmp_path / "crawls").glob("*/crawl.lock"):
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(lock.read_text()), signal.SIGKILL)


def process_of(crawl):
    return int((crawl / "crawl.lock").read_text())


def until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def settings(server, folder):
    here = f"http://127.0.0.1:{server.port}"
    ontology = write_ontology(folder.parent)
    return f'[knowledge]\nontologies = ["{ontology}"]\n[search]\nengines = ["searxng"]\nsearxng = "{here}"\n[fetch]\nproxy = "{here}"\n'


def typed(page, address, server, folder, word="iris"):
    """Look up a word on the page of new crawls."""
    page.goto(address)
    page.get_by_role("link", name="New crawl").click()
    page.get_by_label("What to look for").fill(word)
    page.get_by_text("Other settings").click()
    page.get_by_label("For example").fill(settings(server, folder))
    page.get_by_role("button", name="Look it up").click()


def begun(page, *, pages, delay, name="iris"):
    """Choose the budget, and go."""
    page.get_by_label("Pages to fetch").fill(str(pages))
    page.get_by_label("Seconds between").fill(str(delay))
    page.get_by_label("Your mail").fill("me@example.org")
    page.get_by_role("button", name="Start the crawl").click()
    page.wait_for_url(f"**/crawl/{name}/now", timeout=_SECONDS)


def state(page, name):
    """Wait until the header says how the crawl stands."""
    page.locator(f"header .state.{name}").wait_for(timeout=_SECONDS)


def fetched(page):
    """The figure on the page."""
    tile = page.locator(".tile", has=page.locator(".tile-name", has_text="Fetched"))
    return int(tile.locator(".tile-value").inner_text().replace("–", "0"))


def drawn_curve(page):
    """The curve on the page, as it is drawn."""
    return page.locator(".nicegui-echart svg").first.inner_html(timeout=_SECONDS)


def picture(page, name):
    """A picture for the guide; THRESHER_WINDOW_PICTURES=docs/pictures/window makes them anew."""
    if into := os.environ.get("THRESHER_WINDOW_PICTURES"):
        page.wait_for_timeout(1000)
        page.screenshot(path=Path(into) / f"{name}.png")


def test_two_crawls_are_listed_and_shown_side_by_side(tmp_path):
    demo = [sys.executable, "-m", "thresher", "demo", "--into", str(tmp_path / "irises")]
    subprocess.run(demo, check=True, capture_output=True, timeout=200)
    with opened(tmp_path / "irises") as address, browsing() as (page, looked):
        page.goto(address)
        for name in ("apprentice", "breadth-first"):
            page.get_by_label(f"Show {name} side by side").click(timeout=_SECONDS)
        page.get_by_text("26.7%").wait_for(timeout=_SECONDS)
        picture(page, "crawls")
        page.get_by_role("button", name="Side by side").click()
        page.get_by_text("breadth-first has 16 of the 40 relevant pages of apprentice too").wait_for(timeout=_SECONDS)
        assert "apprentice: 40 of 150; breadth-first: 16 of 150" in page.locator(".picture").first.get_attribute(
            "aria-label"
        )
        picture(page, "side-by-side")
        assert looked.errors == looked.outside == []


def test_a_crawl_from_a_word_is_watched_paused_killed_gone_on_with_and_given_more(server, folder):
    crawl = folder / "iris"
    with browsing() as (page, looked):
        with opened(folder) as address:
            typed(page, address, server, folder)
            page.get_by_text("iris has 2 senses").wait_for(timeout=_SECONDS)
            page.get_by_label("The coloured ring of the eye.").is_checked()
            page.get_by_role("button", name="Take what is ticked").click()
            page.get_by_text("seeds found").wait_for(timeout=_SECONDS)
            page.get_by_label("Look for motion sickness").click()
            page.get_by_label("Add a name").fill("cornea")
            page.get_by_role("button", name="Add", exact=True).click()
            page.get_by_role("heading", name="Concepts").scroll_into_view_if_needed()
            picture(page, "new")
            begun(page, pages=30, delay=1.5)
            state(page, "running")
            until(lambda: fetched(page) > 4)
            curve, before = drawn_curve(page), fetched(page)
            until(lambda: fetched(page) > before + 3)
            assert drawn_curve(page) != curve
            assert "motion sickness" not in (crawl / "crawl.toml").read_text()
            assert "cornea" in (crawl / "crawl.toml").read_text()

            page.get_by_role("button", name="Pause").click()
            state(page, "paused")
            page.wait_for_timeout(2000)
            paused_at = len(catalogued(crawl))
            page.wait_for_timeout(2500)
            assert len(catalogued(crawl)) == paused_at < 30

            os.kill(process_of(crawl), signal.SIGKILL)
            state(page, "stopped")
            page.locator("header .why", has_text="It was killed").wait_for(timeout=_SECONDS)
            page.get_by_role("button", name="Go on").click()
            state(page, "running")
            until(lambda: len(catalogued(crawl)) > paused_at)

            state(page, "paused")
            page.locator("header .why", has_text="all 30 pages of the budget are fetched").wait_for(timeout=_SECONDS)
            assert len(catalogued(crawl)) == 30
            page.get_by_role("button", name="More …").click()
            page.get_by_label("How many more").fill("8")
            picture(page, "more")
            page.get_by_role("button", name="Give more").click()
            until(lambda: len(catalogued(crawl)) == 38)
            state(page, "paused")
        process = process_of(crawl)
        os.kill(process, 0)  # the window is closed, and the crawl lives on
        assert looked.outside == []
        assert looked.errors == [] or all("ERR_CONNECTION" in error for error in looked.errors)


def test_five_labels_change_the_order_of_what_is_fetched_next(server, folder):
    with opened(folder) as address, browsing() as (page, looked):
        typed(page, address, server, folder, "pupil")
        page.get_by_text("seeds found").wait_for(timeout=_SECONDS)
        begun(page, pages=25, delay=0.1, name="pupil")
        state(page, "paused")
        before = upcoming(folder / "pupil")
        page.get_by_role("link", name="Label", exact=True).click()
        page.get_by_role("heading", name="Label pages").wait_for(timeout=_SECONDS)
        for number, key in enumerate("nynyn", 1):
            page.locator(".question .url").wait_for(timeout=_SECONDS)
            page.keyboard.press(key)
            page.get_by_text(f"{number} labelled here").wait_for(timeout=_SECONDS)
            page.locator(".crawl-answer", has_text="waiting url").wait_for(timeout=_SECONDS)
        page.locator("header .answer", has_text="moved").wait_for(timeout=_SECONDS)
        after = upcoming(folder / "pupil")
        assert len(before) > 5
        assert after != before
        assert looked.errors == []


def upcoming(crawl):
    """What is fetched next, in order."""
    with Archive.open(crawl) as archive:
        return [each.url for each in outlook(archive, time.time()).upcoming]


def test_the_list_of_crawls_grows_with_the_crawl(server, folder):
    with opened(folder) as address, browsing() as (page, _):
        typed(page, address, server, folder)
        page.get_by_role("button", name="Take what is ticked").click(timeout=_SECONDS)
        begun(page, pages=60, delay=1.0)
        page.goto(address.split("?")[0])
        row = page.locator("tbody tr").first
        row.get_by_text("running").wait_for(timeout=_SECONDS)
        until(lambda: int(row.locator("td.number").nth(1).inner_text() or 0) > 3)
        curve, fetched = (
            row.locator("svg.spark path").get_attribute("d"),
            int(row.locator("td.number").nth(1).inner_text()),
        )
        until(lambda: int(row.locator("td.number").nth(1).inner_text()) > fetched + 3)
        assert len(row.locator("svg.spark path").get_attribute("d")) > len(curve)


def test_what_is_wrong_is_told_and_nothing_that_was_typed_is_lost(server, folder):
    (folder / "iris").mkdir()
    (folder / "iris" / "letter.txt").write_text("mine")
    with opened(folder) as address, browsing() as (page, _):
        typed(page, address, server, folder, "quagga zebra")
        page.get_by_text("'quagga zebra' is not in irises: looking for the plain word").wait_for(timeout=_SECONDS)
        page.get_by_text("no search engine gave a seed for 'quagga zebra'").wait_for(timeout=_SECONDS)
        page.get_by_role("heading", name="No seeds found").wait_for(timeout=_SECONDS)
        page.get_by_label("Your mail").fill("nobody")
        page.get_by_role("button", name="Start the crawl").click()
        page.get_by_text("no seed: tick one that was found, or paste the address").wait_for(timeout=_SECONDS)
        page.get_by_label("Addresses to start from").fill("weekendalmanac.example")
        page.get_by_role("button", name="Start the crawl").click()
        page.get_by_text("did you mean https://weekendalmanac.example/").wait_for(timeout=_SECONDS)
        page.get_by_label("Addresses to start from").fill("http://weekendalmanac.example/")
        page.get_by_role("button", name="Start the crawl").click()
        page.get_by_text("contact 'nobody' is neither a mail address nor a web address").wait_for(timeout=_SECONDS)
        page.get_by_label("Your mail").fill("me@example.org")
        page.get_by_label("Name of its folder").fill("iris")
        page.get_by_role("button", name="Start the crawl").click()
        page.get_by_text("is not empty (letter.txt lies in it)").wait_for(timeout=_SECONDS)
        assert page.get_by_label("What to look for").input_value() == "quagga zebra"
        assert page.get_by_label("Your mail").input_value() == "me@example.org"
        page.get_by_label("Name of its folder").fill("quagga")
        page.get_by_label("Pages to fetch").fill("3")
        page.get_by_role("button", name="Start the crawl").click()
        page.wait_for_url("**/crawl/quagga/now", timeout=_SECONDS)
    assert (folder / "iris" / "letter.txt").read_text() == "mine"
