"""What was found of the topic by judges of several kinds, over real crawl folders."""

import json
import re

import pytest
from click.testing import CliRunner
from tests.crawl.irises import write_ontology
from tests.unit.results.iris_site import SEED, IrisSite, crawl, page

from thresher.cli.show import show
from thresher.cli.why import why as draw_why
from thresher.results.archive import Archive
from thresher.results.sightings import sightings
from thresher.results.why.explanation import why


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("found")


def seen(home, name, judge):
    path = home / name
    if not path.exists():
        knowledge = {"ontologies": [str(write_ontology(home))], "senses": ["E:1"]}
        crawl(path, topic="iris", judge=judge, knowledge=knowledge)
    with Archive.open(path) as archive:
        return sightings(archive)


def both(home):
    """As a crawl for a word with a chosen sense has it."""
    judge = {"name": "combine", "judges": ["concepts", "sense"], "how": "mean", "threshold": 0.5}
    return seen(home, "both", judge)


def test_a_combined_judge_never_found_what_its_parts_look_for_and_no_page_has(home):
    assert set(both(home).never) == {"organ", "motion sickness"}


def test_words_that_a_sense_weighed_are_not_among_the_names_of_the_topic(home):
    found = both(home)
    assert found.names
    assert found.tiers().keys() <= {"exact", "synonym", "broader", "context"}
    assert found.tiers()["exact"]["iris"] == max(found.pages.values())


def test_judges_in_tables_and_judges_in_judges_are_looked_into(home):
    inner = {"name": "combine", "judges": [{"name": "concepts", "mode": "paper"}]}
    found = seen(home, "nested", {"name": "combine", "judges": [inner, "sense"], "threshold": 0.1})
    assert "organ" in found.never


def test_words_and_concepts_together_are_both_told(home):
    found = seen(home, "usual", {"name": "combine"})
    assert found.tiers()[""].keys() == {"iris"}
    assert "iris" in found.tiers()["exact"]
    assert "organ" in found.never


def test_a_judge_that_looks_for_no_names_tells_the_words_that_weighed_most(home):
    found = seen(home, "sense", {"name": "sense"})
    assert not found.names
    assert found.never == ()
    with Archive.open(home / "sense") as archive:
        totals = archive.read(
            "SELECT json_extract(value, '$[0]') AS what FROM visit, json_each(evidence) WHERE fresh "
            "GROUP BY what ORDER BY sum(json_extract(value, '$[2]')) DESC, what"
        )
        assert list(found.pages) == [what for (what,) in totals]
    said = CliRunner().invoke(show, [str(home / "sense")]).stdout
    assert re.search(r"^words that count most  \w+ \d", said, re.MULTILINE)


def test_an_ontology_that_is_there_no_more_leaves_what_was_found(home):
    both(home)
    settings = home / "both" / "crawl.toml"
    before = settings.read_text("utf-8")
    settings.write_text(re.sub(r"irises\.obo", "lost.obo", before), "utf-8")
    try:
        found = both(home)
    finally:
        settings.write_text(before, "utf-8")
    assert found.never == ()
    assert found.tiers()["exact"]["iris"]


def test_what_spoke_against_pages_is_told_with_the_number_of_pages(home):
    site = IrisSite()
    site.pages["/garden"] = page("Garden", "<p>The iris, a plant with a flower. Flowers of the plant: iris.")
    path = home / "against"
    knowledge = {"ontologies": [str(write_ontology(home))], "senses": ["E:1"]}
    crawl(path, site, "iris", judge={"name": "sense"}, knowledge=knowledge)
    with Archive.open(path) as archive:
        found = sightings(archive)
    assert found.against["plant"] == 1
    assert not found.against.keys() & {"eye"}
    said = json.loads(CliRunner().invoke(show, [str(path), "--json"]).stdout)
    assert said["found_against"]["plant"] == 1


@pytest.mark.parametrize(
    ("judge", "lacks"),
    [
        ({"name": "terms", "threshold": 0.3}, ("cornea",)),
        ({"name": "combine", "judges": ["terms", {"name": "terms", "raw": True}]}, ("cornea",)),
        ({"name": "terms", "mode": "cosine", "threshold": 0.1}, ()),
    ],
)
def test_words_that_the_judge_looked_for_and_a_page_lacks_are_told(tmp_path, judge, lacks):
    path = crawl(tmp_path / "crawl", topic="iris eye, cornea", judge=judge, budget={"pages": 2})
    with Archive.open(path) as archive:
        last = why(archive, SEED).way[-1]
    assert last.missing == lacks
    assert last.as_json()["missing"] == lacks
    assert ("without  cornea" in CliRunner().invoke(draw_why, [str(path), SEED]).stdout) == bool(lacks)


def test_of_a_page_without_any_word_none_is_told_to_be_missing(tmp_path):
    path = crawl(tmp_path / "crawl", topic="zebra, cornea", judge={"name": "terms"}, budget={"pages": 1})
    with Archive.open(path) as archive:
        assert why(archive, SEED).way[-1].missing == ()


def test_a_judge_that_goes_by_no_words_misses_none(home):
    both(home)
    with Archive.open(home / "both") as archive:
        assert why(archive, SEED).way[-1].missing == ()
