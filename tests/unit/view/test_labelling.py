"""Pages are labelled in a real browser: by keys, with undo, and the judge says nothing before the person does."""

import shutil
import sqlite3

import pytest
from tests.unit.results.iris_site import crawl
from tests.unit.view.window import browsing, opened


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("label") / "iris")


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "iris")


@pytest.fixture
def labelling(folder):
    with opened(folder) as address, browsing() as (page, looked):
        page.goto(address.replace("/?", "/crawl/iris/label?"))
        page.locator(".question [role=heading]").wait_for()
        page.wait_for_function("window.socket === undefined || window.socket.connected")
        yield page
        assert looked.errors == []


def labels(folder):
    with sqlite3.connect(folder / "crawl.sqlite") as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'label'").fetchone():
            return {}
        return dict(database.execute("SELECT url, relevant FROM label"))


def title(page):
    return page.locator(".question [role=heading]").inner_text()


def answered(page, key):
    """Press a key, and wait until the next page is asked about and the crawl has answered."""
    before = title(page)
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.querySelector('.question [role=heading]')?.textContent !== before", arg=before
    )
    page.wait_for_function(
        "!document.querySelector('.crawl-answer') || document.querySelector('.crawl-answer').textContent.length > 3"
    )


def test_keys_label_pages_and_the_labels_are_kept(folder, labelling):
    page, said = labelling, {}
    for key, relevant in (("y", 1), ("n", 0), ("s", None)):
        url = page.locator(".question .url").inner_text()
        said[url] = relevant
        answered(page, key)
    assert labels(folder) == said


def test_the_judge_says_nothing_before_the_person_does(labelling):
    page = labelling
    assert "judge says" not in page.inner_text("#content")
    assert "0.4" not in page.locator(".question").inner_text()
    answered(page, "y")
    verdict = page.get_by_role("status", name="The last page").inner_text()
    assert "The judge says 0." in verdict
    assert "so do you" in verdict or "you differ" in verdict
    assert "you agree with the judge on" in page.inner_text("#content")


def test_undo_takes_the_last_answer_back_and_asks_again(folder, labelling):
    page = labelling
    first = title(page)
    answered(page, "n")
    second = title(page)
    answered(page, "u")
    assert title(page) == first
    assert labels(folder) == {}
    answered(page, "y")
    assert title(page) == second
    assert list(labels(folder).values()) == [1]


def test_buttons_do_what_the_keys_do_and_more_text_is_shown(folder, labelling):
    page = labelling
    page.get_by_role("button", name="More text").click()
    page.get_by_role("region", name="The text of the page").wait_for()
    before = title(page)
    page.get_by_role("button", name="Not relevant").click()
    page.wait_for_function(
        "before => document.querySelector('.question [role=heading]')?.textContent !== before", arg=before
    )
    page.wait_for_function("document.querySelector('.crawl-answer').textContent.length > 3")
    assert list(labels(folder).values()) == [0]


def test_when_all_were_asked_it_says_so(folder, labelling):
    page = labelling
    while page.locator(".question [role=heading]").count():
        answered(page, "s")
    assert "There is no page left to ask about" in page.locator(".question").inner_text()
    assert len(labels(folder)) > 5
