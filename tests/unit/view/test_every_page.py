"""Every page of the window, found by following its links: nothing of the web runs, nothing is asked elsewhere, everybody can use it."""

import re
from urllib.parse import urlsplit

import pytest
from tests.unit.view.hostile_web import MARK, crawled
from tests.unit.view.window import browsing, opened

pytestmark = pytest.mark.slow
_MOST = 25
_ONE_OF_EACH = re.compile(r"\d+")
"""Of the pages that differ by a number in their address, one is looked at."""
_SERIOUS = {"serious", "critical"}
INTERACTIVE = "a[href], button, input, textarea, select, [role=checkbox], [role=tab], [role=button], [tabindex='0']"


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    crawled(folder / "irises")
    crawled(folder / "eyes")
    return folder


def walked(page, address):
    """Go to one page of each kind, by the links there are."""
    base, seen = address.split("/?")[0], set()
    waiting = [address, f"{base}/side-by-side?crawl=irises&crawl=eyes", f"{base}/crawl/irises/now"]
    while waiting and len(seen) < _MOST:
        target = waiting.pop(0)
        kind = _ONE_OF_EACH.sub("0", urlsplit(target).path)
        if kind in seen or "/export/" in target:
            continue
        seen.add(kind)
        page.goto(target)
        settle(page)
        yield urlsplit(target).path
        links = page.eval_on_selector_all("a[href]", "found => found.map(each => each.href)")
        waiting += [link.split("#")[0] for link in links if link.startswith(base)]


def settle(page):
    """Until the socket is open and the first figures have come."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)


def test_nothing_of_a_hostile_web_runs_on_any_page_and_nothing_is_asked_elsewhere(crawls):
    with opened(crawls) as address, browsing() as (page, looked):
        dialogs = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        for path in walked(page, address):
            assert page.evaluate(f"window.{MARK}") is None, path
            assert page.locator("img[src=x], svg[onload]").count() == 0, path
            assert page.evaluate("document.body.innerText.length") < 200_000, f"{path} shows a text that never ends"
            text = page.inner_text("body")
            assert not set(text) & set("\u202e\u2066\u2069\u200f\x07\x1b"), path
        assert dialogs == []
        assert looked.outside == []
        assert [error for error in looked.errors if "favicon" not in error] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault_for_those_who_read_or_use_it_otherwise(crawls, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-core is in the extra `interop`"
    ).Axe()
    with opened(crawls) as address, browsing(color_scheme=scheme) as (page, _):
        found = {}
        for path in walked(page, address):
            faults = axe.run(page).response["violations"]
            found[path] = [
                (fault["id"], [node["html"][:200] for node in fault["nodes"]][:4])
                for fault in faults
                if fault["impact"] in _SERIOUS
            ]
        assert {path: faults for path, faults in found.items() if faults} == {}
        assert len(found) > 3


def test_the_keyboard_alone_reaches_everything(crawls):
    with opened(crawls) as address, browsing() as (page, _):
        for path in walked(page, address):
            assert unreached(page) == [], path


def unreached(page):
    """What can be clicked or filled in, is shown, and does not get the focus by Tab."""
    page.evaluate(
        """interactive => {
            document.activeElement.blur(); window.scrollTo(0, 0);
            window.met = new Set();
            window.addEventListener("focusin", event => window.met.add(event.target), true);
            window.wanted = () => [...document.querySelectorAll(interactive)].filter(each =>
                each.checkVisibility({visibilityProperty: true}) && !each.disabled && each.tabIndex >= 0
                && !each.closest("[aria-hidden=true], [aria-disabled=true], .q-focus-helper")
                && !["row", "presentation"].includes(each.role)); // arrows move in a grid, as test_pages.py tries
        }""",
        INTERACTIVE,
    )
    for _ in range(40 + 2 * page.evaluate("window.wanted().length")):
        page.keyboard.press("Tab")
    return page.evaluate(
        """window.wanted().filter(each => {
                // In a grid the arrows lead from row to row, and Tab leads into it and out again.
                const whole = each.closest("[role=grid], [role=treegrid]") || each;
                return ![...window.met].some(met => whole.contains(met) || met.contains(each));
            }).map(each => each.outerHTML.slice(0, 200))"""
    )
