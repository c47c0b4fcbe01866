"""Now, the map, trouble and the topic of a crawl, in a real browser."""

import re

import pytest
from tests.unit.results.watch.busy_web import TOPIC, crawl
from tests.unit.view.window import SOON, browsing, opened, tile, told

from thresher.results.archive import Archive
from thresher.results.watch.running_figures import RunningFigures
from thresher.store.totals import counts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("crawls") / "iris").parent


@pytest.fixture(scope="module")
def window(folder):
    with opened(folder) as address, browsing() as (page, looked):
        page.goto(address)
        page.set_default_timeout(SOON)
        yield page, looked, address.split("/?")[0]
        assert looked.errors == []
        assert looked.outside == []


@pytest.fixture
def chapter(window):
    page, _, base = window

    def at(path):
        page.goto(f"{base}/crawl/iris/{path}")
        return page

    return at


def figures(folder):
    with Archive.open(folder / "iris") as archive:
        return counts(archive.read)


def test_now_has_the_figures_of_the_crawl(chapter, folder):
    page, counted = chapter("now"), figures(folder)
    told(tile(page, "Relevant pages"), f"^{counted.relevant}$")
    told(tile(page, "Fetched"), "^150$")
    assert tile(page, "Harvest rate").inner_text() == f"{counted.harvest:.1%}"
    assert page.get_by_text("150 of 150 pages").is_visible()
    assert page.get_by_role("progressbar").first.get_attribute("aria-valuenow") == "100"


def test_the_curve_is_drawn_and_said_and_its_numbers_can_be_read(chapter, folder):
    page, counted = chapter("now"), figures(folder)
    said = page.locator(".picture").first
    told(page.locator(".chart-said").first, f"{counted.relevant} of 150 fetched pages are relevant")
    assert said.get_attribute("role") == "img"
    assert said.get_attribute("aria-label").startswith(f"{counted.relevant} of 150 fetched pages are relevant")
    assert said.locator("svg path").count() > 3
    page.get_by_text("The numbers").first.click()
    rows = page.locator("details[open] tbody tr")
    assert 8 <= rows.count() <= 14
    assert "150" in rows.last.inner_text().split()


def test_the_curve_is_shown_by_time_and_as_a_rate_too(chapter):
    page = chapter("now")
    told(page.locator(".chart-said").first, "relevant")
    page.get_by_role("button", name="by time").click()
    page.locator(".picture svg text", has_text="seconds under way").first.wait_for()
    page.get_by_role("button", name="Harvest rate").click()
    page.locator(".picture svg text", has_text="relevant ÷ fetched").first.wait_for()
    page.locator(".picture svg text", has_text=re.compile(r"^\d+ %$")).first.wait_for()


def test_the_latest_pages_link_to_what_is_known_of_them(chapter):
    page = chapter("now")
    link = page.locator("[aria-label='The latest pages'] a.cell-link").first
    assert re.fullmatch(r"/crawl/iris/page/\d+", link.get_attribute("href"))


def test_hostile_titles_are_text(chapter, folder):
    attacked = "SELECT host FROM visit WHERE title LIKE '%onerror%' GROUP BY host"
    with Archive.open(folder / "iris") as archive:  # of a host with few pages, all of which are shown
        (host,) = archive.read(
            f"SELECT host FROM visit WHERE host IN ({attacked}) GROUP BY host ORDER BY count(*) LIMIT 1"
        ).fetchone()
    page = chapter("map")
    opened_hosts = set()
    for _ in range(40):  # open host after host, until that one is there
        found = page.locator(f"button[aria-label='Open {host}']")
        if found.count():
            found.first.click()
            break
        shut = page.locator("button[aria-label^='Open '][aria-expanded=false]").first
        opened_hosts.add(shut.get_attribute("aria-label"))
        shut.click()
        page.wait_for_timeout(500)
    page.locator("a.cell-link", has_text="<img src=x onerror=alert(1)>").first.wait_for()
    assert page.locator("img[src=x]").count() == 0
    assert "\u202e" not in page.inner_text("body")


def test_the_map_is_opened_step_by_step(chapter, folder):
    page = chapter("map")
    first = page.locator(".tree > li > .tree-line")
    told(first.locator(".tree-note"), r"\d+ of \d+ relevant, led to \d+ host")
    assert page.locator(".tree li").count() == 1
    button = first.get_by_role("button")
    assert button.get_attribute("aria-expanded") == "false"
    button.press("Enter")
    page.locator(".tree .tree-page").first.wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    page.locator("button[aria-label^='What ']").first.press("Enter")
    page.locator(".tree ul ul.flat ul > li").first.wait_for()
    button.press("Enter")
    page.locator(".tree .tree-page").first.wait_for(state="hidden")


def test_what_is_fetched_next_is_told_with_its_reasons(chapter):
    page = chapter("map")
    rows = page.locator("[aria-label='What is fetched next'] tbody tr")
    rows.first.wait_for()
    told(rows.first.locator("td").last, r"[+−]\d\.\d\d, ")
    assert rows.count() == 20
    assert page.get_by_text("this is what it would fetch if it went on").is_visible()
    told(page.locator(".chart-said").last, r"^\d+ urls wait, with priorities from")


def test_trouble_tells_errors_from_what_was_left_out_and_from_retries(chapter, folder):
    running = RunningFigures()
    with Archive.open(folder / "iris") as archive:
        running.take_in(archive)
    page = chapter("trouble")
    told(tile(page, "Tried again"), f"^{running.trouble.retries}$")
    kinds = page.locator("[aria-label='Trouble by kind'] tbody tr")
    assert kinds.count() == len(running.trouble.kinds)
    assert kinds.filter(has_text="the page is not there (404)").count() == 1
    lost = page.locator("[aria-label='Promising pages that were lost'] tbody tr")
    assert lost.count() == min(25, len(running.trouble.promising))
    assert page.get_by_text("No trap was met.").is_visible()


def test_the_topic_has_names_words_and_weights(chapter):
    page = chapter("topic")
    names = page.locator("[aria-label='Names of the topic'] tbody tr td:first-child")
    names.first.wait_for()
    assert set(names.all_inner_texts()) == set(TOPIC.split())
    speaks = page.locator("[aria-label='Words: speak for a link'] tbody tr")
    speaks.first.wait_for()
    assert speaks.filter(has_text="+3.0").count() > 5
    weights = page.locator("[aria-label='Weights that the strategy has learnt'] tbody tr")
    assert weights.count() == 33
    assert weights.filter(has_text="links in menus").count() == 1
