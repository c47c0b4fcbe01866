"""The best pages, and what became of them, after a round of revisits."""

import json
import re

import pytest
from click.testing import CliRunner
from tests.unit.results.changing_web import MUSCLES, PIGMENT, Served, crawled, page, round_over, serving, titled

from thresher.cli.show import show
from thresher.errors import BadInput
from thresher.results.archive import Archive
from thresher.results.show import best
from thresher.results.target_recall import target_recall

LIGHT = "The pupil of an eye is where the light enters, and the iris lets it."


@pytest.fixture
async def folder(tmp_path):
    """One page has turned to another topic, one has changed a little, one is gone, one has stayed."""
    path = tmp_path / "crawl"
    async with serving(titled(muscles=MUSCLES, pigment=PIGMENT, light=LIGHT)) as served:
        await crawled(path, served)
        served.pages["/muscles"] = Served(page("Flour, water and salt.", title="Bread"))
        served.pages["/light"] = Served(page(f"{LIGHT} Then the iris rests.", title="Light"))
        del served.pages["/pigment"]
        await round_over(path)
    return path


async def test_the_best_pages_say_what_became_of_them(folder):
    with Archive.open(folder) as archive:
        found = {each.page.url.rpartition("/")[2]: each for each in best(archive, 10)}
    assert found.keys() == {"", "muscles", "pigment", "light"}
    assert (found[""].gone, found[""].changed) == (None, None)
    assert found["pigment"].gone > found["pigment"].page.at
    assert found["muscles"].changed > found["muscles"].page.at
    assert (found["muscles"].relevance, found["muscles"].relevant) == (0.0, False)
    assert found["light"].relevant


async def test_show_marks_what_is_gone_or_has_changed(folder):
    said = CliRunner().invoke(show, [str(folder)]).stdout
    assert re.search(r"Pigment +gone since \d{4}-\d\d-\d\d  http\S+/pigment\n", said)
    assert re.search(r"Muscles +changed since, now 0\.00, not relevant  http\S+/muscles\n", said)
    assert re.search(r"Light +changed since, now 0\.\d\d  http\S+/light\n", said)
    assert re.search(r"Iris of the eye  http\S+/\n", said)


async def test_programs_are_told_too(folder):
    pages = json.loads(CliRunner().invoke(show, [str(folder), "--json"]).stdout)["best"]
    told = {each["url"].rpartition("/")[2]: each for each in pages}
    assert told["muscles"]["now"] == {"relevance": 0.0, "relevant": False}
    assert told["muscles"]["relevance"] > 0
    assert told["pigment"]["gone"]
    assert told[""]["now"] is None


async def test_the_expected_precision_is_the_mean_relevance_of_the_relevant_pages(folder):
    told = json.loads(CliRunner().invoke(show, [str(folder), "--json"]).output)
    relevances = [each["relevance"] for each in told["best"]]
    assert len(relevances) == told["relevant"] == 4
    assert told["expected_precision"] == pytest.approx(sum(relevances) / 4)
    assert f"Expected precision {told['expected_precision']:.0%}" in CliRunner().invoke(show, [str(folder)]).output


async def test_a_judge_whose_relevance_is_no_probability_promises_no_precision(tmp_path):
    async with serving(titled(muscles=MUSCLES)) as served:
        await crawled(tmp_path / "crawl", served, judge={"name": "terms", "raw": True, "threshold": 0.1})
    told = json.loads(CliRunner().invoke(show, [str(tmp_path / "crawl"), "--json"]).output)
    assert told["relevant"] > 0
    assert told["expected_precision"] is None
    assert "Expected precision" not in CliRunner().invoke(show, [str(tmp_path / "crawl")]).output


async def test_the_harvest_is_told_with_and_without_the_seeds_and_their_links(folder):
    told = json.loads(CliRunner().invoke(show, [str(folder), "--json"]).output)
    assert told["harvest_beyond_seeds"] == 1.0
    assert told["harvest_beyond_links"] is None
    assert told["seconds_per_100"] > 0
    said = CliRunner().invoke(show, [str(folder)]).output
    assert "Harvest without the seeds 100.0%\n" in said
    assert re.search(r"^[\d,.]+ seconds for 100 fetches$", said, re.MULTILINE)
    assert "target" not in said


async def test_the_recall_of_targets_counts_pages_that_came_and_no_seeds(tmp_path):
    web = titled(muscles=MUSCLES, light=LIGHT)
    web.pages["/moved"] = Served("", status=301, location="/light")
    web.pages["/"] = Served(page(links=("/muscles", "/moved", "/gone")))
    async with serving(web) as served:
        await crawled(tmp_path / "crawl", served)
    known = ["/", "/muscles", "/moved", "/gone", "/never"]
    (tmp_path / "targets.txt").write_text("".join(f"{served.base}{path}\n" for path in known))
    asked = [str(tmp_path / "crawl"), "--known", str(tmp_path / "targets.txt")]
    assert json.loads(CliRunner().invoke(show, [*asked, "--json"]).output)["target_recall"] == {
        "targets": 4,
        "reached": 2,
        "share": 0.5,
    }
    assert "2 of 4 targets reached, recall 50.0%" in CliRunner().invoke(show, asked).output


@pytest.mark.parametrize(("text", "complaint"), [("not a url\n", "line 1"), ("# none\n", "no target in it")])
async def test_a_list_without_targets_is_refused(folder, tmp_path, text, complaint):
    path = tmp_path / "targets.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=complaint), Archive.open(folder) as archive:
        target_recall(archive, path)
    with pytest.raises(BadInput, match="cannot be read"), Archive.open(folder) as archive:
        target_recall(archive, tmp_path / "nowhere")
