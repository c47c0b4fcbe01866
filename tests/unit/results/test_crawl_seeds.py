"""All seeds of a crawl, what came of each and what it led to, in `show` and in `why`."""

import json
import re

import pytest
from click.testing import CliRunner
from tests.unit.results.iris_site import SEED, crawl

from thresher.cli.show import show
from thresher.cli.why import why
from thresher.results.archive import Archive
from thresher.results.crawl_seeds import seed_fates

OLD, GONE, SHED = f"{SEED}old", f"{SEED}gone", f"{SEED}shed"
FAR = [f"{SEED}far/{number}" for number in range(30)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("seeds") / "crawl", seeds=[GONE, SHED, OLD, SEED, *FAR], budget={"pages": 45})


def told(command, *words):
    done = CliRunner().invoke(command, list(map(str, words)), env={"COLUMNS": "100"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_each_seed_says_what_came_of_it_and_how_many_relevant_pages_it_led_to(folder):
    with Archive.open(folder) as archive:
        found = {seed.url: seed for seed in seed_fates(archive)}
        (harvest,) = archive.read("SELECT count(*) FROM visit WHERE fresh").fetchone()
    assert found.keys() == {GONE, SHED, OLD, SEED, *FAR}
    assert (found[GONE].outcome, found[GONE].relevance, found[GONE].led_to) == ("http-404", None, 0)
    assert (found[SHED].outcome, found[SHED].relevant, found[SHED].led_to) == ("page", False, 0)
    assert sum(seed.led_to for seed in found.values()) == harvest > 2


def test_a_seed_that_redirects_is_told_by_where_it_leads(folder):
    with Archive.open(folder) as archive:
        old = next(seed for seed in seed_fates(archive) if seed.url == OLD)
    assert (old.outcome, old.title, old.relevant, old.led_to) == ("page", "A new page", True, 1)


def test_show_names_the_seeds_that_led_to_most_first_and_counts_the_rest(folder):
    said = told(show, folder)
    lines = said[said.index("34 seeds, with the relevant pages") :].splitlines()
    assert re.match(rf"\d+  0\.\d\d  The iris of the eye +{SEED}$", lines[1])
    assert lines[21] == "and 14 more; --json has all"
    assert len(json.loads(told(show, folder, "--json"))["seeds"]) == 34


def test_why_names_the_other_seeds_too(folder):
    said = told(why, folder, f"{SEED}pupil")
    listed = said[said.index("The other 33 seeds of the crawl:") :].splitlines()
    assert listed[1] == f"  {GONE}"
    assert listed[21].startswith("  and 13 more; ")
    assert json.loads(told(why, folder, f"{SEED}pupil", "--json"))["seeds"] == [GONE, SHED, OLD, SEED, *FAR]


def test_a_crawl_of_one_seed_has_no_other(tmp_path):
    path = crawl(tmp_path / "crawl", budget={"pages": 3})
    assert "seeds of the crawl" not in told(why, path, SEED)
    assert "1 seed, with" in told(show, path)


def test_a_seed_that_was_not_fetched_yet_waits(tmp_path):
    path = crawl(tmp_path / "crawl", seeds=[SEED, GONE], budget={"pages": 1})
    with Archive.open(path) as archive:
        assert {seed.outcome for seed in seed_fates(archive)} == {"page", "waiting"}
