"""Results of the lab in a real browser."""

import re

import pytest
from tests.unit.lab.experiments import experiment, kept
from tests.unit.lab.experiments import fetched as fetches
from tests.unit.view.window import browsing, opened

from thresher.errors import BadInput
from thresher.lab.report.two_runs import runs_by_name, two_runs
from thresher.lab.run.results_file import Results

SKILLS = {"breadth-first": 0.2, "apprentice": 0.6, "best-first": 0.4, "oracle-greedy": 0.9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    into = tmp_path_factory.mktemp("lab") / "skills"
    into.mkdir()
    experiment(Results(into), SKILLS, tasks=10, pages=60)
    return into


@pytest.fixture(scope="module")
def page(folder):
    with opened(folder) as address, browsing() as (page, looked):
        page.set_default_timeout(15_000)
        page.goto(address)
        page.goto(f"{address.split('/?')[0]}/lab/skills")
        page.locator("[aria-label='Two runs side by side'] tbody tr").first.wait_for()
        yield page
        assert looked.errors == []
        assert looked.outside == []


def test_curves_have_bands_and_are_said(page):
    said = page.locator(".picture").first.get_attribute("aria-label")
    assert re.match(r"Mean over all tasks, at the end of the budget: apprentice \d+\.\d%, best-first \d+", said)
    assert "bands hold the middle half of the tasks" in said
    assert page.locator(".picture svg path[fill-opacity='0.13']").count() == 3


def test_strategies_are_ranked_against_the_baseline(page):
    rows = page.locator("[aria-label='Strategies'] tbody tr").all_inner_texts()
    assert [re.split(r"\s", row)[0] for row in rows] == ["oracle-greedy", "apprentice", "best-first", "breadth-first"]
    assert "10 / 0" in rows[1]


def test_every_task_has_a_row_and_its_best_a_star(page):
    rows = page.locator("[aria-label='AUC by task'] tbody tr").all_inner_texts()
    assert len(rows) == 10
    assert all(row.count("★") == 1 for row in rows)


def test_a_task_is_chosen(page):
    page.get_by_label("Task").first.click()
    page.get_by_role("option", name="web/task-03").click()
    page.wait_for_function(
        "() => document.querySelector('.picture').getAttribute('aria-label').startsWith('For web/task-03')"
    )


def test_two_runs_are_leafed_through(page):
    rows = page.locator("[aria-label='Two runs side by side'] tbody tr")
    assert rows.count() == 50
    page.get_by_role("button", name="Later").click()
    page.wait_for_function(
        "() => document.querySelectorAll(\"[aria-label='Two runs side by side'] tbody tr\").length === 10"
    )
    assert page.get_by_text("Fetches 51 to 60 of 60.").is_visible()


def test_two_runs_say_what_the_other_came_to_and_when(tmp_path):
    results = Results(tmp_path)
    left = kept(results, "web/a", "one", fetches(".r.", "same"), pages=3)
    right = kept(results, "web/a", "other", [*fetches("r", "alone"), *fetches(".r.", "same")][:3], pages=3)
    found = two_runs(results, left, right)
    assert [(row.left.elsewhere, row.left.found) for row in found.rows] == [(2, 0), (3, 1), (None, 1)]
    assert [(row.right.elsewhere, row.right.found) for row in found.rows] == [(None, 1), (1, 1), (2, 2)]
    assert (found.length, found.overlap) == (3, pytest.approx(2 / 3))
    assert list(runs_by_name(results)) == ["web/a · one · near, 3 pages", "web/a · other · near, 3 pages"]


def test_fetches_that_cannot_be_read_are_named(tmp_path):
    results = Results(tmp_path)
    run = kept(results, "web/a", "one", fetches("r"), pages=1)
    next((tmp_path / "fetches").iterdir()).write_bytes(b"not gzip")
    with pytest.raises(BadInput, match=r"what web/a · one · near, 1 pages fetched cannot be read"):
        two_runs(results, run, run)
