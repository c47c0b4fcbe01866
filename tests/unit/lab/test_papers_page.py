from dataclasses import replace

import pytest
from click.testing import CliRunner
from tests.unit.lab.test_papers import MADE

from thresher.cli.lab_papers import reproduce as command
from thresher.errors import BadInput
from thresher.lab.papers.page import update_page
from thresher.lab.papers.reproduction import Reproduction

LIN = replace(MADE, name="lin", verdict="It holds for lin.")
LOKMAN = replace(MADE, name="lokman", plots=(), training="train-0 5 pages.")


@pytest.fixture
def page(tmp_path):
    return tmp_path / "docs" / "reproductions.md"


def test_a_page_has_a_section_a_paper_in_one_order_whichever_ran_first(page):
    for made in (LIN, LOKMAN):
        update_page(page, made, "Run today.")
    text = page.read_text()
    assert text.startswith("# The papers' experiments, run again\n")
    assert text.index("\n## lokman\n\nRun today.\n\n*Nobody, 1900*") < text.index("\n## lin\n")
    assert "**Training sets:** train-0 5 pages." in text
    assert "**Training sets:** none; nothing is learnt before the crawls." in text


def test_a_paper_that_runs_again_replaces_its_own_section_and_no_other(page):
    for made in (LIN, LOKMAN):
        update_page(page, made, "Run today.")
    before = page.read_text()
    update_page(page, LIN, "Run today.")
    assert page.read_text() == before
    update_page(page, replace(LIN, verdict="It does not."), "Run later.")
    assert page.read_text() == before.replace("It holds for lin.", "It does not.").replace(
        "## lin\n\nRun today.", "## lin\n\nRun later."
    )


def test_the_plots_of_a_page_lie_beside_it(page):
    update_page(page, LIN, "Run today.")
    assert "![A curve](pictures/reproductions/lin-1.svg)" in page.read_text()
    assert (page.parent / "pictures" / "reproductions" / "lin-1.svg").read_text() == "<svg/>"


def test_a_page_of_something_else_is_not_written_over(page):
    page.parent.mkdir()
    page.write_text("# My diary\n")
    with pytest.raises(BadInput, match=r"reproductions\.md: this is another page, and would be lost; choose another"):
        update_page(page, LIN, "Run today.")
    assert page.read_text() == "# My diary\n"


def test_a_page_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "docs").write_text("a file")
    with pytest.raises(BadInput, match=r"--page .*cannot be"):
        update_page(tmp_path / "docs" / "page.md", LIN, "Run today.")


def test_figures_that_mean_nothing_are_not_for_a_page(tmp_path):
    with pytest.raises(BadInput, match="--quick gives figures that mean nothing: they are not for a --page"):
        CliRunner().invoke(
            command, ["interclass", "--quick", "--page", str(tmp_path / "page.md")], catch_exceptions=False
        )


def test_the_command_writes_the_page(page, tmp_path, monkeypatch):
    module = __import__("thresher.lab.papers.choudhary_roy_2013", fromlist=["reproduce"])
    made: Reproduction = replace(MADE, name="priority")
    monkeypatch.setattr(module, "reproduce", lambda _: made)
    done = CliRunner().invoke(command, ["priority", "--into", str(tmp_path / "out"), "--page", str(page)])
    assert done.exit_code == 0, done.output
    assert "## priority\n\nRun on 2" in page.read_text()


def test_a_page_of_something_else_is_refused_before_the_first_crawl(page, monkeypatch):
    page.parent.mkdir()
    page.write_text("# My diary\n")
    module = __import__("thresher.lab.papers.choudhary_roy_2013", fromlist=["reproduce"])
    monkeypatch.setattr(module, "reproduce", lambda _: pytest.fail("it has crawled"))
    with pytest.raises(BadInput, match="this is another page"):
        CliRunner().invoke(command, ["priority", "--page", str(page)], catch_exceptions=False)
