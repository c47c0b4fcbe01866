"""One page of a crawl in a real browser: its text with the evidence marked, the way to it, its links, the kept copy as text."""

import pytest
from tests.unit.results.iris_site import IrisSite, crawl, page
from tests.unit.view.window import browsing, opened

ATTACK = "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"


class IrisSiteUnderAttack(IrisSite):
    """The site with one page that tries to run something wherever it is shown."""

    def __init__(self):
        super().__init__()
        escaped = ATTACK.replace("<", "&lt;")
        head = f'<meta name=author content="{escaped}">'
        text = f"<p>The iris of the eye 😀 𝒾ris {escaped} iris.</p><script>window.pwned=1</script>"
        self.pages["/pupil"] = page(f"Pupils 😀 iris {escaped}", text, ("/lens", f"lens {escaped}"), head=head)


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    folder = crawl(tmp_path_factory.mktemp("sheet") / "iris", IrisSiteUnderAttack())
    with opened(folder) as address, browsing() as (page, looked):
        yield address, page, looked


def sheet(window, title):
    """Open a page from the list."""
    address, page, _ = window
    page.goto(address.replace("/?", "/crawl/iris/pages?"))
    page.get_by_role("link", name=title).first.click()
    page.wait_for_selector(".way")
    return page


def test_the_evidence_is_marked_in_the_text_whatever_letters_stand_before_it(window):
    page = sheet(window, "Pupils")
    marked = page.locator(".text-box mark").all_inner_texts()
    assert set(marked) == {"iris", "eye"}
    assert page.locator("h1, [aria-level='1']").first.locator("mark").all_inner_texts() == ["iris"]


def test_nothing_of_the_page_runs_and_all_of_it_is_text(window):
    page = sheet(window, "Pupils")
    page.get_by_text("The kept copy, as text").click()
    page.locator(".source").wait_for()
    assert "<script>window.pwned=1</script>" in page.locator(".source").inner_text()
    assert page.locator("#content").get_by_text(ATTACK).count() > 1
    assert page.evaluate("window.pwned") is None
    assert page.locator("#content img, #content iframe, #content script").count() == 0
    assert window[2].outside == []
    assert window[2].errors == []


def test_the_way_and_the_links_lead_to_other_pages(window):
    page = sheet(window, "Pupils")
    assert "how the pupil of the eye works" in page.locator(".way").inner_text()
    page.locator(".way").get_by_role("link", name="The iris of the eye").click()
    page.get_by_text("members").first.wait_for()
    links = page.get_by_role("table", name="Links of the page")
    assert "robots" in links.inner_text()
    assert "out of scope" in links.inner_text()
    links.get_by_role("link", name="http-404").click()
    page.get_by_role("heading", name="No page").wait_for()
    page.go_back()
    page.get_by_role("heading", name="The iris of the eye").first.wait_for()


def test_the_original_opens_in_a_page_that_learns_nothing_of_this_one(window):
    page = sheet(window, "Pupils")
    link = page.get_by_role("link", name="Open the original")
    assert link.get_attribute("href") == "http://iris.example/pupil"
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")


def test_what_is_known_and_the_copies_are_told(window):
    page = sheet(window, "The lens")
    text = page.locator("#content").inner_text()
    assert "terms:threshold=0.3" in text
    page.get_by_text("same bytes").first.wait_for()


def test_a_visit_that_is_not_there_is_told_in_a_sentence(window):
    address, page, _ = window
    for number, told in (
        ("999", "has no visit 999: its visits are 1 to 12"),
        ("x", "'x' is not the number of a visit"),
    ):
        page.goto(address.replace("/?", f"/crawl/iris/page/{number}?"))
        page.get_by_text(told).wait_for()


def test_a_page_is_labelled_where_it_is_read_and_it_can_be_taken_back(window):
    page = sheet(window, "Garden")
    group = page.get_by_role("group", name="Your label")
    group.get_by_role("button", name="Relevant", exact=True).click()
    page.wait_for_function(
        "document.querySelector('[role=group][aria-label=\"Your label\"] [role=status]').textContent.length > 3"
    )
    page.reload()
    group.get_by_role("button", name="Relevant", exact=True).and_(page.locator("[aria-pressed=true]")).wait_for()
    group.get_by_role("button", name="Take back").click()
    page.wait_for_function(
        "document.querySelector('[role=group][aria-label=\"Your label\"] [role=status]').textContent.length > 3"
    )
    page.reload()
    page.wait_for_selector(".way")
    assert page.locator("[aria-pressed=true]").count() == 0
