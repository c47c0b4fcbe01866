"""The list of pages in a real browser: it scrolls, sorts, filters and searches, opens a page and comes back, by mouse and by keys."""

import urllib.error
import urllib.request

import pytest
from benchmarks.view_scale import make
from tests.unit.results.iris_site import crawl
from tests.unit.view.window import browsing, opened

PAGES = 30_000


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A crawl of a dozen pages, and one of thousands."""
    folder = tmp_path_factory.mktemp("pages")
    crawl(folder / "iris")
    make(folder / "large", PAGES)
    return folder


@pytest.fixture(scope="module")
def window(folders):
    with opened(folders) as address, browsing() as (page, looked):
        yield address, page, looked


def going(window, path):
    """Open a page of the window, and wait until there is a list."""
    address, page, _ = window
    where, query = path.partition("?")[::2]
    page.goto(address.replace("/?", f"/crawl/{where}?{query}&" if query else f"/crawl/{where}?"))
    page.wait_for_selector(".page-title")
    return page


def row(page, place):
    return page.locator(f".ag-row[row-index='{place}']").first


def titles(page, count=3):
    return [row(page, place).locator(".page-title").inner_text() for place in range(count)]


def counted(page, text):
    page.wait_for_function("text => document.getElementById('pages-counted')?.textContent.startsWith(text)", arg=text)


def test_the_best_pages_come_first_with_reason_link_and_outcome(window):
    page = going(window, "iris/pages")
    counted(page, "12 visits")
    text = row(page, 0).inner_text()
    for told in ("0.77", "The iris of the eye", "http://iris.example/", "iris 3 (text)", "iris.example", "page"):
        assert told in text
    assert window[2].errors == []
    assert window[2].outside == []


def test_a_heading_sorts_and_the_address_says_so(window):
    page = going(window, "iris/pages")
    page.locator(".ag-header-cell[col-id=title]").click()
    page.wait_for_url("**sort=title")
    page.wait_for_function("document.querySelector('.ag-row[row-index=\"0\"] .page-title')?.textContent === 'The lens'")
    page.locator(".ag-header-cell[col-id=title]").click()
    page.wait_for_url("**sort=title&way=up")
    page.wait_for_function(
        "document.querySelector('.ag-row[row-index=\"0\"] .page-title')?.textContent === 'A new page'"
    )


def test_the_list_is_filtered_by_what_is_typed_and_chosen(window):
    page = going(window, "iris/pages")
    page.get_by_label("In title or url").fill("pupil")
    page.keyboard.press("Enter")
    counted(page, "1 visit")
    assert "text=pupil" in page.url
    page.get_by_label("In title or url").fill("")
    page.keyboard.press("Enter")
    counted(page, "12 visits")
    page.get_by_label("Relevance").click()
    page.get_by_role("option", name="not relevant").click()
    counted(page, "2 visits")
    page.get_by_role("button", name="Clear").click()
    counted(page, "12 visits")


def test_outcomes_can_be_chosen_with_their_numbers(window):
    page = going(window, "iris/pages")
    page.get_by_label("Outcome").click()
    page.get_by_role("option", name="http-404 (1)").click()
    counted(page, "1 visit")
    assert row(page, 0).locator(".page-title").inner_text().endswith("/gone")


def test_words_are_searched_in_the_texts(window):
    page = going(window, "iris/pages")
    page.get_by_label("Search in texts").fill("spade")
    page.keyboard.press("Enter")
    counted(page, "2 visits")
    assert sorted(titles(page, 2)) == ["Garden", "Shed"]
    page.get_by_label("Search in texts").fill("-spade")
    page.keyboard.press("Enter")
    page.wait_for_function("document.getElementById('pages-note').textContent.includes('no word to look for')")


def test_an_address_with_a_question_shows_its_answer_again(window):
    page = going(window, "iris/pages?text=pupil&sort=title")
    counted(page, "1 visit")
    assert page.get_by_label("In title or url").input_value() == "pupil"


def test_any_place_of_a_long_list_is_near(window):
    page = going(window, "large/pages?sort=number")
    counted(page, f"{PAGES:,} visits")
    body = page.locator(".ag-body-viewport")
    for part, place in ((0.5, PAGES // 2), (1, PAGES - 1)):
        body.evaluate("(element, part) => { element.scrollTop = part * element.scrollHeight }", part)
        found = page.locator(f".ag-row[row-index='{place}'] .page-title")
        found.wait_for()
        assert str(PAGES - place) in found.get_attribute("href")
    assert page.locator(".ag-row").count() < 100  # only what is in sight is in the page


def test_the_keys_alone_move_sort_open_and_leave(window):
    page = going(window, "iris/pages")
    page.get_by_role("button", name="Clear").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.ag-header-cell') !== null")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=title")
    page.wait_for_timeout(500)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('.ag-row').getAttribute('row-index')") == "1"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.closest('.ag-header-cell') !== null")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.ag-row')") is None  # no trap of a million rows
    row(page, 2).locator(".ag-cell").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/**")


def test_a_page_opens_and_the_way_back_leads_to_its_place(window):
    page = going(window, "large/pages?sort=number")
    page.locator(".ag-body-viewport").evaluate("element => { element.scrollTop = 52 * 4000 }")
    row(page, 4005).locator(".page-title").wait_for()
    row(page, 4005).click(position={"x": 500, "y": 20})
    page.wait_for_url("**/page/25995?**")
    page.get_by_text("4,006 of 30,000").wait_for()
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**/page/25994?**")
    page.go_back()
    page.go_back()
    row(page, 4005).locator(".page-title").wait_for()


def test_pages_that_come_meanwhile_are_offered(window, folders, tmp_path):
    import sqlite3  # noqa: PLC0415 - a crawl that goes on, in two lines

    page = going(window, "large/pages?sort=number")
    with sqlite3.connect(folders / "large" / "crawl.sqlite") as database:
        columns = [name for _, name, *_ in database.execute("PRAGMA table_info(visit)") if name != "number"]
        told = ", ".join(columns)
        database.execute(f"INSERT INTO visit (number, {told}) SELECT {PAGES + 1}, {told} FROM visit WHERE number = 7")
    try:
        page.get_by_role("button", name="1 more since: show them").click()
        counted(page, f"{PAGES + 1:,} visits")
        assert f"/page/{PAGES + 1}?" in row(page, 0).locator(".page-title").get_attribute("href")
    finally:
        with sqlite3.connect(folders / "large" / "crawl.sqlite") as database:
            database.execute("DELETE FROM visit WHERE number > ?", (PAGES,))


def test_rows_are_for_those_with_the_token_alone(window):
    address, page, _ = window
    answer = page.request.get(address.replace("/?", "/crawl/iris/rows?start=0&end=5&"))
    assert [each["title"] for each in answer.json()["rows"]]
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(address.split("/?")[0] + "/crawl/iris/rows?start=0&end=5")


@pytest.mark.parametrize(
    "query", ["start=-1&end=999999999999999", "start=x&end=%F0", "sort=visit;DROP&label=x&end=3", "as_of=" + "9" * 500]
)
def test_nonsense_in_an_address_breaks_nothing(window, query):
    address, page, _ = window
    answer = page.request.get(address.replace("/?", f"/crawl/iris/rows?{query}&")).json()
    assert answer["last"] == 12


@pytest.fixture
def lists():
    return pytest.importorskip(
        "thresher.view.page_lists", reason="the extra `view` draws the window", exc_type=ImportError
    )


@pytest.mark.parametrize(
    "address",
    [
        {},
        {"words": "iris", "sort": "title", "way": "up"},
        {"text": "a", "relevant": "no", "outcome": "page", "host": "b.example", "language": "en", "label": "none"},
        {"sort": "relevance"},
        {"sort": "number", "way": "up"},
    ],
)
def test_a_question_and_its_address_are_the_same(lists, address):
    assert lists.address_of(lists.question_of(address)) == address


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("0", 0), (None, None), ("", None), ("-1", None), ("१२", None), ("9" * 5000, None)]
)
def test_what_is_no_number_in_an_address_is_left_out(lists, text, number):
    assert lists.number_in(text) == number
