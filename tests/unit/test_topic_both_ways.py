"""A topic is the same thing as the argument of `thresher crawl` and behind `--topic`."""

import pytest
from click.testing import CliRunner
from tests.crawl.irises import write_ontology

from thresher.budget import Stop
from thresher.cli.crawl import crawl
from thresher.cli.running import CrawlEnd
from thresher.errors import BadInput

SEED = ["--seed", "http://127.0.0.1:1/"]
IRISES = ["--ontology", "irises.obo"]


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """The settings that a command line comes to, without the crawl."""
    monkeypatch.chdir(tmp_path)
    write_ontology(tmp_path)
    (tmp_path / "mine.csv").write_text("label,relation\niris,exact\npupil,synonym\n")
    found = []

    def note(folder, wanted, *_, **__):
        found.append({**wanted, "into": str(folder.path)})
        return CrawlEnd(Stop("pages", ""))

    monkeypatch.setattr("thresher.cli.crawl.run_to_its_end", note)

    def run(*arguments):
        done = CliRunner().invoke(crawl, [*arguments, *SEED])
        if done.exit_code == 0:
            return found.pop(), done.output
        assert isinstance(done.exception, BadInput), done.output
        return str(done.exception), ""

    return run


@pytest.mark.parametrize(
    ("topic", "options"),
    [
        ("iris", IRISES),
        ("iris", [*IRISES, "--sense", "2"]),
        ("iris", [*IRISES, "--sense", "none"]),
        ("iris", [*IRISES, "--sense", "9"]),
        ("iris", [*IRISES, "--terms", "mine.csv"]),
        ("iris", [*IRISES, "--judge", "concepts"]),
        ("iris", [*IRISES, "--judge", "concepts", "--sense", "none"]),
        ("iris", [*IRISES, "--strategy", "best-first", "--threshold", "0.4"]),
        ("iris", ["--strategy", "breadth-first", "--judge", "terms"]),
        ("pupil", IRISES),
        ("quagga", IRISES),
        ("quagga", ["--terms", "mine.csv"]),
        ("iris eye", IRISES),
        ("iris, plant", IRISES),
        ("iris, plant", [*IRISES, "--sense", "none"]),
        ("iris, plant", [*IRISES, "--sense", "E:1", "--sense", "F:0"]),
        ("iris, plant", [*IRISES, "--strategy", "lin"]),
        ("iris, plant", ["--terms", "mine.csv"]),
        ("quagga, zebra", IRISES),
    ],
)
def test_a_topic_given_either_way_gives_the_same_settings_and_messages(prepared, topic, options):
    assert prepared(topic, *options) == prepared("--topic", topic, *options)


@pytest.mark.parametrize("topic", ["iris", "pupil", "iris, plant"])
@pytest.mark.parametrize("named", [IRISES, ["--terms", "mine.csv", *IRISES]])
def test_an_ontology_and_a_table_of_terms_are_used_with_topic(prepared, topic, named):
    settings, _ = prepared("--topic", topic, *named)
    assert settings["judge"]["name"] in {"concepts", "combine"}
    assert settings["knowledge"].get("senses") or "--terms" in named


def test_phrases_that_no_named_ontology_knows_are_looked_for_as_plain_words_and_it_is_said(prepared):
    settings, said = prepared("--topic", "quagga, zebra", *IRISES)
    assert "judge" not in settings
    assert "looking for the plain words" in said


def test_nobody_is_told_of_senses_where_strategy_and_judge_make_no_use_of_them(prepared):
    settings, said = prepared("--topic", "iris", "--strategy", "breadth-first", "--judge", "terms")
    assert "knowledge" not in settings
    assert not said


def test_two_topics_are_one_too_many(prepared):
    said, _ = prepared("iris", "--topic", "iris eye")
    assert "are two topics: give one of them" in said
