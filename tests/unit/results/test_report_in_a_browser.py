"""A report in a real browser: nothing runs, nothing is asked for, everybody can read it, on a phone and on paper too."""

import os
import shutil
from contextlib import contextmanager

import pytest
from tests.unit.browser.site import needs_browser
from tests.unit.results.report_crawls import MARK, crawl, hostile

from thresher.results.crawl_comparison import compare_crawls
from thresher.results.report.comparison_page import write_comparison
from thresher.results.report.report_file import write_report

pytestmark = needs_browser
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Reports of a usual and of a hostile crawl, and a comparison of both."""
    place = tmp_path_factory.mktemp("reports")
    crawl(place / "irises")
    hostile(place / "hostile")
    made = {name: write_report(place / name, place / f"{name}.html") for name in ("irises", "hostile")}
    made["compared"] = place / "compared.html"
    write_comparison(compare_crawls(place / "irises", place / "hostile"), made["compared"])
    return made


@pytest.fixture(scope="module")
def browser(pages):  # which are crawled before: the driver has an event loop of its own
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield started
        started.close()


@pytest.fixture
def shown(browser):
    """Opens a report in Chromium; the page remembers what it asked for."""

    @contextmanager
    def show(path, width=1300, **look):
        context = browser.new_context(viewport={"width": width, "height": 900}, **look)
        page = context.new_page()
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(path.as_uri())
        yield page
        context.close()

    return show


@pytest.mark.parametrize("name", ["irises", "hostile", "compared"])
def test_nothing_runs_and_nothing_is_asked_for(shown, pages, name):
    with shown(pages[name]) as page:
        page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
        for link in page.locator("main a").all()[:40]:
            link.hover(force=True)
        page.wait_for_timeout(300)
        assert page.evaluate(f"window.{MARK}") is None
        assert page.asked == [pages[name].as_uri()]
        assert page.locator("script, img, iframe, object, embed, form").count() == 0
        assert page.is_visible("h1")
        targets = page.eval_on_selector_all("a", "all => all.map(each => each.protocol)")
        assert set(targets) <= {"http:", "https:", "file:"}


def test_a_script_in_the_file_would_not_run_either(shown, pages, tmp_path):
    forged = tmp_path / "forged.html"
    forged.write_text(
        pages["irises"].read_text("utf-8").replace("<main>", f"<main><script>window.{MARK}=1</script>"), "utf-8"
    )
    with shown(forged) as page:
        assert page.evaluate(f"window.{MARK}") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["irises", "hostile", "compared"])
def test_axe_finds_no_serious_fault(shown, pages, name, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-core is in the extra `interop`"
    ).Axe()
    with shown(pages[name], bypass_csp=True, color_scheme=scheme) as page:
        page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
        faults = axe.run(page).response["violations"]
        told = [(each["id"], each["nodes"][0]["html"]) for each in faults if each["impact"] in SERIOUS]
        assert told == []


@pytest.mark.parametrize("name", ["irises", "hostile", "compared"])
def test_a_phone_need_not_scroll_sideways(shown, pages, name):
    with shown(pages[name], width=360) as page:
        page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360
        assert page.locator(".narrow svg").first.is_visible() == (page.locator(".narrow").count() > 0)
        assert not page.locator(".wide svg").first.is_visible()


def test_paper_has_what_is_closed_on_the_screen(shown, pages, tmp_path):
    with shown(pages["irises"]) as page:
        page.emulate_media(media="print")
        assert page.locator("nav").is_hidden()
        closed = page.locator("details:not([open]) li").first
        assert closed.evaluate("each => each.getBoundingClientRect().height") > 0
        page.pdf(path=str(tmp_path / "page.pdf"), format="A4")
    assert (tmp_path / "page.pdf").stat().st_size > 10_000


def test_headings_tables_and_pictures_have_their_names(shown, pages):
    with shown(pages["irises"]) as page:
        assert page.locator("h1").count() == 1
        assert page.locator("table:not(:has(caption))").count() == 0
        assert page.locator("th:not([scope])").count() == 0
        assert page.locator("svg[role=img]:not(:has(> title))").count() == 0
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "A"
