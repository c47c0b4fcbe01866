"""What is prepared for the page of new crawls, and the processes that crawl, without a browser."""

import os
import signal
import time
import tomllib

import pytest
from tests.crawl.in_process import Answer, answering
from tests.crawl.irises import write_ontology
from tests.crawl.local import catalogued

from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput, FolderError
from thresher.start import folder_name
from thresher.topic.topic import Term, Topic
from thresher.view.preparation import Preparation, with_concepts, with_seeds
from thresher.view.processes import begin, go_on, last_words


def until(true):
    for _ in range(600):
        if true():
            return
        time.sleep(0.02)
    pytest.fail("it takes too long")


@pytest.fixture
def wanted(tmp_path):
    return {
        "topic": "iris",
        "knowledge": {"ontologies": [str(write_ontology(tmp_path))]},
        "seeds": ["http://weekendalmanac.example/"],
    }


# ── what is asked and told ──


def test_a_word_with_two_senses_waits_for_the_person_and_goes_on_with_what_is_chosen(wanted, tmp_path):
    preparation = Preparation(wanted, CrawlFolder(tmp_path / "crawl"), search=False)
    preparation.begin()
    until(lambda: preparation.question is not None)
    assert not preparation.over
    assert [each.concept.id for each in preparation.question.meanings] == ["E:1", "F:1"]
    preparation.answer(preparation.question.meanings[1:])
    until(lambda: preparation.over)
    assert preparation.error == ""
    assert preparation.complete["knowledge"]["senses"] == ["F:1"]
    assert {term.label for term in preparation.concepts.terms} == {"iris", "plant", "rhizome"}


def test_the_plain_word_is_a_choice(wanted, tmp_path):
    preparation = Preparation(wanted, CrawlFolder(tmp_path / "crawl"), search=False)
    preparation.begin()
    until(lambda: preparation.question is not None)
    preparation.answer([])
    until(lambda: preparation.over)
    assert "senses" not in preparation.complete["knowledge"]


def test_a_page_that_is_closed_leaves_no_thread_that_waits(wanted, tmp_path):
    preparation = Preparation(wanted, CrawlFolder(tmp_path / "crawl"), search=False)
    preparation.begin()
    until(lambda: preparation.question is not None)
    preparation.drop()
    until(lambda: preparation.over)
    assert preparation.complete is None


def test_a_page_that_is_closed_before_anything_is_asked_leaves_no_thread_that_waits(wanted, tmp_path):
    preparation = Preparation(wanted, CrawlFolder(tmp_path / "crawl"), search=False)
    preparation.drop()
    preparation.begin()
    until(lambda: preparation.over)
    assert preparation.complete is None


def test_no_seeds_are_no_end_and_the_sentence_says_why(wanted, tmp_path):
    del wanted["seeds"]
    wanted |= {"topic": "pupil", "search": {"engines": ["searxng"], "searxng": "http://127.0.0.1:1"}}
    preparation = Preparation(wanted, CrawlFolder(tmp_path / "crawl"), search=True)
    preparation.begin()
    until(lambda: preparation.over)
    assert preparation.error == ""
    assert preparation.complete is not None
    assert "no search engine gave a seed for 'pupil'" in preparation.notices[-1]
    with pytest.raises(BadInput, match="no seed: tick one"):
        with_seeds(preparation.complete, [], " ")


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"judge": "nobody"}, "nobody"),
        ({"no_such_table": 1}, "no key 'no_such_table'"),
        ({"polite": {"delay": -1}}, "delay is -1"),
        ({"knowledge": {"ontologies": ["nowhere.obo"]}}, "nowhere.obo"),
    ],
)
def test_a_mistake_ends_in_a_sentence(tmp_path, tables, words):
    preparation = Preparation({"topic": "iris", **tables}, CrawlFolder(tmp_path / "crawl"), search=True)
    preparation.begin()
    until(lambda: preparation.over)
    assert words in preparation.error
    assert "\n  File" not in preparation.error


# ── what a person changes ──

EYE = Topic("iris", (Term("iris", 15.0), Term("pupil", 5.0, "context")))
COMPLETE = {
    "topic": "iris",
    "knowledge": {"senses": ["E:1"]},
    "judge": {"name": "combine"},
    "strategy": {"name": "lin"},
}


def test_concepts_that_nobody_changed_leave_the_settings_as_they_were():
    assert with_concepts(COMPLETE, EYE, EYE.terms) == COMPLETE
    assert with_concepts({"topic": "iris"}, None, ()) == {"topic": "iris"}


def test_concepts_that_were_struck_out_added_or_weighed_are_kept_whole_beside_the_sense():
    changed = with_concepts(COMPLETE, EYE, [Term("iris", 3.0), Term("cornea", 5.0, "context")])
    assert changed["knowledge"]["senses"] == ["E:1"]
    assert changed["judge"] == {"name": "combine"}
    given = changed["knowledge"]["given_topic"]
    assert [each[:2] for each in given["terms"]] == [["iris", 3.0], ["cornea", 5.0]]
    assert "pupil" not in str(given)


def test_names_added_to_a_plain_word_are_looked_for_by_the_judge_of_concepts():
    changed = with_concepts({"topic": "quagga"}, None, [Term("quagga", 15.0), Term("zebra", 5.0)])
    assert changed["judge"] == {"name": "concepts"}


@pytest.mark.parametrize(
    ("terms", "words"),
    [([], "no concept is left"), ([Term("iris", 0.0)], "the weight of 'iris' is 0.0, but must be above 0")],
)
def test_concepts_that_make_no_topic_are_refused(terms, words):
    with pytest.raises(BadInput, match=words):
        with_concepts(COMPLETE, EYE, terms)


def test_seeds_that_were_pasted_come_first_and_each_once():
    found = with_seeds({}, ["http://b.example/", "http://a.example/"], " http://a.example \n\nhttp://c.example/\n")
    assert found["seeds"] == ["http://a.example/", "http://c.example/", "http://b.example/"]


# ── processes ──


@pytest.fixture
def site():
    links = "".join(f'<a href="/{number}">iris {number}</a>' for number in range(60))
    pages = {f"/{number}": Answer(f"<title>{number}</title><p>iris eye {number}".encode()) for number in range(60)}
    with answering({"/": Answer(links.encode()), **pages}) as (here, _):
        yield here


def crawl_file(here, **tables):
    return {
        "topic": "iris eye",
        "seeds": [f"{here}/"],
        "polite": {"delay": 0.1, "contact": "me@example.org"},
        **tables,
    }


@pytest.fixture
def folder(tmp_path):
    folder = CrawlFolder(tmp_path / "crawl")
    yield folder
    if folder.in_use():
        os.kill(int((folder.path / "crawl.lock").read_text()), signal.SIGKILL)


def test_a_crawl_is_a_process_of_its_own_session_and_goes_on_after_a_kill(site, folder):
    process = begin(folder, crawl_file(site, budget={"pages": 30}))
    process.begun()
    pid = int((folder.path / "crawl.lock").read_text())
    assert os.getsid(pid) == pid != os.getsid(0)
    with pytest.raises(BadInput, match="holds a crawl already"):
        begin(folder, crawl_file(site))
    with pytest.raises(BadInput, match="is being crawled already"):
        go_on(folder)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not folder.in_use())
    go_on(folder).begun()
    until(lambda: not folder.in_use())
    assert len(catalogued(folder.path)) == 30
    assert "all 30 pages of the budget are fetched" in last_words(folder)


def test_what_a_crawl_says_that_fails_at_once_is_told(folder, site):
    with pytest.raises(BadInput) as error:
        begin(folder, crawl_file(site, fetch={"proxy": "http://127.0.0.1:1"})).begun()
    assert "127.0.0.1:1" in str(error.value)
    assert "Traceback" not in str(error.value)


def test_a_crawl_that_was_started_and_failed_can_be_started_again(folder, site):
    with pytest.raises(BadInput):
        begin(folder, crawl_file(site, fetch={"proxy": "http://127.0.0.1:1"})).begun()
    begin(folder, crawl_file(site, budget={"pages": 3})).begun()
    until(lambda: len(catalogued(folder.path)) == 3)
    assert "proxy" not in tomllib.loads(folder.settings.read_text()).get("fetch", {})


def test_a_folder_with_other_things_in_it_or_that_cannot_be_made_is_refused(tmp_path, site):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"is not empty \(one.txt lies in it\)"):
        begin(CrawlFolder(tmp_path / "letters"), crawl_file(site))
    with pytest.raises(FolderError, match="cannot write into"):
        begin(CrawlFolder(tmp_path / "letters" / "one.txt" / "crawl"), crawl_file(site))


@pytest.mark.parametrize("topic", ["iris" * 2000, "虹膜" * 300, "\U00020000" * 300])
def test_a_long_topic_in_any_script_has_a_folder_and_room_for_its_exports(tmp_path, topic):
    name = folder_name(topic)
    assert topic.startswith(name)
    (tmp_path / f"{name}-parquet").mkdir()


@pytest.mark.parametrize("seeds", ["5", "'http://127.0.0.1:9/'", "{ a = 1 }"])
def test_seeds_among_the_other_settings_are_a_list(seeds):
    pytest.importorskip("nicegui", reason="the extra `view` draws the window")
    from thresher.view.new_crawl import _tables_of  # noqa: PLC0415 - it needs NiceGUI

    with pytest.raises(BadInput, match="seeds is a list of addresses, not"):
        _tables_of(f"seeds = {seeds}")
