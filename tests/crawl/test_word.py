"""A crawl from a word, as a person starts it: senses shown and asked about, seeds from a search engine, several topics in a row."""

import io
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
import tomli_w
from rich.console import Console
from tests.crawl.irises import START, SearchedWeb, at_a_terminal, command, local, searching, served, write_ontology
from tests.crawl.local import catalogued

from thresher.budget import Stop
from thresher.cli import main
from thresher.cli.dialogue import TerminalDialogue
from thresher.topic_list import crawl_each


@pytest.fixture(scope="module")
def server():
    with served(SearchedWeb()) as server:
        yield server


@pytest.fixture
def web(server):
    server.web.queries.clear()
    yield server.web
    server.web.status = 200


@pytest.fixture
def here(tmp_path, monkeypatch):
    write_ontology(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Done(NamedTuple):
    returncode: int
    stderr: str


@pytest.fixture
def thresher(monkeypatch, capsys):
    def run(*arguments):
        capsys.readouterr()
        # A real file, as a process has: after a mistake it is taken away from under whoever writes.
        with Path(os.devnull).open("w") as out, monkeypatch.context() as here:
            here.setattr(sys, "argv", ["thresher", *map(str, arguments)])
            here.setattr(sys, "stdout", out)
            with pytest.raises(SystemExit) as ended:
                main()
        return Done(ended.value.code, capsys.readouterr().err)

    return run


def background(*arguments):
    return subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True)


def until(process, true):
    for _ in range(500):
        assert process.poll() is None, process.communicate()
        if true():
            return
        time.sleep(0.02)
    pytest.fail("it takes too long")


def settings(folder):
    return tomllib.loads((folder / "crawl.toml").read_text("utf-8"))


def fetched(folder):
    return len(catalogued(folder))


def mistake(done, code=2):
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


EYE = ["--ontology", "irises.obo", "--sense", "1"]

# ── which sense ──


def test_a_word_in_a_terminal_shows_its_senses_and_asks_until_it_is_answered(here, server, web, thresher):
    asked = ["crawl", "iris", "--ontology", "irises.obo", *local(server.port)]
    code, said = at_a_terminal(*asked, answers=["7\n", "2\n"])
    assert code == 0, said
    assert said.index("iris: 2 senses") < said.index("A garden flower") < said.index("Which one? 1–2")
    assert "There is no sense '7'." in said
    assert said.count("Which one?") == 2
    assert "Looking for iris; a kind of plant; near rhizome" in said
    assert settings(here / "iris")["knowledge"]["senses"] == ["F:1"]


def test_several_senses_can_be_meant(here, server, web, thresher):
    asked = ["crawl", "iris", "--ontology", "irises.obo", *local(server.port)]
    code, said = at_a_terminal(*asked, answers=["1, 9\n", "1, 2\n"])
    assert code == 0, said
    assert "There is no sense '1, 9'." in said
    assert settings(here / "iris")["knowledge"]["senses"] == ["E:1", "F:1"]


@pytest.mark.parametrize("sense", ["1", "E:1"])
def test_a_sense_on_the_command_line_is_not_asked_about(here, server, web, thresher, sense):
    done = thresher("crawl", "iris", "--ontology", "irises.obo", "--sense", sense, *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "Which one" not in done.stderr
    assert "Looking for iris; also iris of the eye; a kind of organ; near pupil, motion sickness" in done.stderr
    assert settings(here / "iris")["knowledge"]["senses"] == ["E:1"]


def test_without_a_terminal_the_likeliest_sense_is_taken_and_the_crawl_says_so_and_goes_on(here, server, web, thresher):
    done = thresher("crawl", "iris", "--ontology", "irises.obo", *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "'iris' has 2 senses; taken as E:1: The coloured ring of the eye. (the first in irises)." in done.stderr
    assert "--sense NUMBER, ID or WORDS chooses another, --sense none the plain word" in done.stderr
    assert settings(here / "iris")["knowledge"]["senses"] == ["E:1"]


@pytest.mark.parametrize("parts", [["--judge", "concepts"], ["--strategy", "lin"], ["--judge", "combine"]])
def test_without_a_terminal_phrases_are_taken_in_the_sense_nearest_to_the_others(here, server, web, thresher, parts):
    done = thresher("crawl", "--topic", "iris, plant", "--ontology", "irises.obo", *parts, *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "taken as F:1: A garden flower with sword-shaped leaves. (nearest to the other words given)" in done.stderr
    assert settings(here / "iris-plant")["knowledge"]["senses"] == ["F:1", "F:0"]
    assert "--sense ID, given once for each phrase of the topic, chooses others" in done.stderr
    others = ["--sense", "E:1", "--sense", "F:0", "--into", "others"]
    again = thresher(
        "crawl", "--topic", "iris, plant", "--ontology", "irises.obo", *parts, *others, *local(server.port)
    )
    assert again.returncode == 0, again.stderr


def test_the_number_of_a_sense_is_kept_as_its_id_also_for_a_topic(here, server, web, thresher):
    asked = ["crawl", "--topic", "iris", "--judge", "concepts", "--ontology", "irises.obo", *local(server.port)]
    assert thresher(*asked, "--sense", "2").returncode == 0
    assert settings(here / "iris")["knowledge"]["senses"] == ["F:1"]
    for sense in ("2", "F:1"):
        again = thresher(*asked, "--sense", sense)
        assert again.returncode == 0, again.stderr
    assert "is a crawl with knowledge.senses" in mistake(thresher(*asked, "--sense", "1"))
    assert "'iris' has the number or id 7" in mistake(thresher(*asked, "--sense", "7", "--into", "other"))


def test_the_plain_word_is_refused_where_a_meaning_is_needed(here, server, web, thresher):
    asked = ["crawl", "--topic", "iris, plant", "--judge", "concepts", "--ontology", "irises.obo", *local(server.port)]
    said = mistake(thresher(*asked, "--sense", "none"))
    assert "strategy or judge must know what 'iris, plant' means: choose one of its senses" in said
    code, said = at_a_terminal(*asked, answers=["none\n"])
    assert code == 2, said
    assert "must know what 'iris' means" in said


def test_a_phrase_that_no_ontology_knows_stands_beside_one_that_has_several_senses(here, server, web, thresher):
    wanted = ["--topic", "iris, quagga", "--judge", "concepts", "--ontology", "irises.obo"]
    done = thresher("crawl", *wanted, *local(server.port))
    assert done.returncode == 0, done.stderr
    assert settings(here / "iris-quagga")["knowledge"]["senses"] == ["E:1"]


def test_a_table_of_terms_says_which_sense_is_meant_and_nobody_is_asked(here, server, web, thresher):
    (here / "mine.csv").write_text("label,relation\niris,exact\npupil,synonym\n")
    done = thresher("crawl", "iris", "--ontology", "irises.obo", "--terms", "mine.csv", *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "'iris' has 2 meanings: your table of terms says which is meant" in done.stderr
    kept = settings(here / "iris")
    assert "senses" not in kept["knowledge"]
    assert (kept["strategy"]["name"], kept["judge"]["name"]) == ("apprentice", "concepts")


def test_sense_none_is_the_plain_word(here, server, web, thresher):
    done = thresher("crawl", "iris", "--ontology", "irises.obo", "--sense", "none", *searching(server.port))
    assert done.returncode == 0, done.stderr
    kept = settings(here / "iris")
    assert "senses" not in kept["knowledge"]
    assert kept["strategy"]["name"] == "apprentice"
    assert web.queries == ["iris", "iris"]


def test_sense_none_needs_no_ontology(here, server, thresher):
    done = thresher("crawl", "iris", "--sense", "none", *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "knowledge" not in settings(here / "iris")


def test_a_word_that_no_ontology_knows_is_looked_for_as_it_is(here, server, web, thresher):
    done = thresher("crawl", "retina", "--ontology", "irises.obo", *local(server.port))
    assert done.returncode == 0, done.stderr
    assert "'retina' is not in irises: looking for the plain word" in done.stderr
    assert settings(here / "retina")["judge"]["name"] == "terms"


def test_a_sense_of_a_word_that_no_ontology_knows_is_an_error(here, server, web, thresher):
    done = thresher("crawl", "retina", *EYE, *local(server.port))
    assert "no meaning of 'retina' has the number or id 1" in mistake(done)


def test_two_words_are_one_phrase_with_its_other_names_asked_for_too(here, server, web, thresher):
    done = thresher("crawl", "motion", "sickness", "--ontology", "irises.obo", *searching(server.port))
    assert "no search engine gave a seed for 'motion sickness' or 'kinetosis'" in mistake(done, code=1)
    asked = ["crawl", "motion", "sickness", "--ontology", "irises.obo", "--seed", START, *searching(server.port)]
    done = thresher(*asked)
    assert done.returncode == 0, done.stderr
    assert "Looking for motion sickness; also kinetosis" in done.stderr
    assert settings(here / "motion-sickness")["strategy"] == {"name": "apprentice"}


# ── what the user named stays ──


def test_a_sense_brings_a_strategy_and_a_judge_that_use_it(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    kept = settings(here / "iris")
    assert kept["strategy"] == {"name": "lin", "profile": "robust"}
    assert (kept["judge"]["name"], kept["judge"]["judges"]) == ("combine", [{"name": "concepts", "raw": True}, "sense"])


def test_a_strategy_and_a_threshold_that_were_named_stay(here, server, web, thresher):
    own = ["--strategy", "breadth-first", "--threshold", "0.2"]
    thresher("crawl", "iris", *EYE, *own, *local(server.port))
    kept = settings(here / "iris")
    assert kept["strategy"] == {"name": "breadth-first"}
    assert (kept["judge"]["name"], kept["judge"]["threshold"]) == ("combine", 0.2)


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        ("knowledge=x", "[knowledge] has no key 'name'"),
        ("knowledge=3", "knowledge is a table, not 3"),
        ("knowledge.senses=3", "[knowledge]: senses is 3, but must be a list of texts"),
    ],
)
def test_knowledge_that_is_none_is_told_of_a_new_crawl_and_of_one_that_goes_on(
    here, server, web, thresher, slip, words
):
    assert words in mistake(thresher("crawl", "iris", "--set", slip, *local(server.port)))
    thresher("crawl", "iris", *EYE, *local(server.port))
    assert words in mistake(thresher("crawl", "iris", "--set", slip))


def test_a_slip_is_told_before_anybody_is_asked(here, server, web, thresher):
    done = thresher("crawl", "iris", "--ontology", "irises.obo", "--strategy", "lim", *searching(server.port))
    assert "did you mean 'lin'?" in mistake(done)
    assert web.queries == []


# ── seeds ──


def test_seeds_come_from_the_search_engine_and_are_visited_in_its_order(here, server, web, thresher):
    done = thresher("crawl", "iris", *EYE, *searching(server.port), "--workers", 1)
    named = r"(\d+) seeds for 'iris' and 'iris of the eye' from searxng: (\d+) returned for more than one query, (\d+) returned once\n"
    total, again, once = map(int, re.search(named, done.stderr).groups())
    assert total == again + once
    assert 2 * again + once == 30, "two queries of fifteen"
    seeds = settings(here / "iris")["seeds"]
    assert f"Starting with {seeds[0]}" in done.stderr
    assert catalogued(here / "iris")[0] == seeds[0]
    assert fetched(here / "iris") == 8


def test_own_seeds_are_enough_unless_a_search_is_asked_for(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, "--seed", START, *searching(server.port), "--into", "own")
    assert settings(here / "own")["seeds"] == [START]
    assert web.queries == []
    thresher("crawl", "iris", *EYE, "--seed", START, "--search", *searching(server.port), "--into", "more")
    seeds = settings(here / "more")["seeds"]
    assert seeds[0] == START
    assert len(seeds) > 10


def test_seeds_come_from_all_lists_in_their_order(here, server, web, thresher):
    (here / "one.txt").write_text("http://one.example/\nhttp://both.example/\n")
    (here / "two.txt").write_text("http://both.example/\nhttp://two.example/\n")
    lists = ["--seeds", "two.txt", "--seeds", "one.txt", "--seed", START]
    done = thresher("crawl", "iris", *EYE, *lists, *searching(server.port))
    assert done.returncode == 0, done.stderr
    named = [f"http://{name}.example/" for name in ("both", "two", "one")]
    assert settings(here / "iris")["seeds"] == [START, *named]


def test_seeds_out_of_scope_are_left_out_before_they_are_announced(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *searching(server.port), "--into", "all", "--pages", 1)
    seeds = settings(here / "all")["seeds"]
    host = seeds[-1].split("/")[2]
    done = thresher("crawl", "iris", *EYE, *searching(server.port), "--into", "some", "--host", host)
    inside = [url for url in seeds if url.split("/")[2] == host]
    assert settings(here / "some")["seeds"] == inside
    left_out = len(seeds) - len(inside)
    assert (
        f"{left_out} of the {len(seeds)} urls that search engines found are outside of the scope of this crawl"
        in done.stderr
    )
    assert f"Starting with {inside[0]}" in done.stderr
    said = mistake(
        thresher("crawl", "iris", *EYE, *searching(server.port), "--into", "none", "--host", "no.example"), code=1
    )
    assert (
        f"All {len(seeds)} urls that search engines found are outside of the scope of this crawl, such as {seeds[0]}"
        in said
    )


def test_an_own_seed_out_of_scope_is_told_before_the_crawl(here, server, web, thresher):
    host = START.split("/")[2]
    seeds = ["--seed", START, "--seed", "http://other.example/"]
    done = thresher("crawl", "iris", *EYE, *seeds, *searching(server.port), "--host", host)
    assert done.returncode == 0
    assert (
        "One seed is outside of the scope of this crawl and will not be fetched: http://other.example/" in done.stderr
    )


def test_if_no_engine_answers_the_error_says_what_to_do(here, server, web, thresher):
    web.status = 500
    said = mistake(thresher("crawl", "iris", *EYE, *searching(server.port)), code=1)
    assert "no search engine gave a seed" in said
    assert "--seed URL" in said
    assert "searxng:" in said
    assert not (here / "iris").exists()


def test_an_engine_without_its_key_is_skipped_unless_it_is_the_only_one(here, server, web, thresher, monkeypatch):
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    asked = ["crawl", "iris", *EYE, *searching(server.port)]
    done = thresher(*asked, "--set", 'search.engines=["brave", "searxng"]')
    assert done.returncode == 0, done.stderr
    assert "brave skipped: wants an API key: set BRAVE_API_KEY" in done.stderr
    done = thresher(*asked, "--set", 'search.engines=["brave"]', "--into", "other")
    assert "brave: wants an API key: set BRAVE_API_KEY" in mistake(done)


def test_own_seeds_do_without_an_engine_that_fails(here, server, web, thresher):
    web.status = 500
    done = thresher("crawl", "iris", *EYE, "--seed", START, "--search", *searching(server.port))
    assert done.returncode == 0, done.stderr
    assert "Starting from your own seeds." in done.stderr


def test_keys_of_engines_stay_out_of_the_folder(here, server, web, thresher):
    key = "BSA-k3y-0f9a6c1e7d3b4c55"
    done = thresher("crawl", "iris", *EYE, *searching(server.port), "--set", f"search.brave_key={key}")
    assert done.returncode == 0, done.stderr
    assert key not in done.stderr
    assert "search" in settings(here / "iris")
    kept = [path for path in (here / "iris").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if key.encode() in path.read_bytes()]


# ── going on ──


@pytest.mark.parametrize("again", [["iris"], ["iris", "--sense", "1"], ["iris", "--sense", "E:1"], ["iris", *EYE]])
def test_going_on_asks_nothing_and_searches_nothing(here, server, web, thresher, again):
    thresher("crawl", "iris", *EYE, *local(server.port))
    queries = list(web.queries)
    done = thresher("crawl", *again, "--pages", 12)
    assert done.returncode == 0, done.stderr
    assert fetched(here / "iris") == 12
    assert web.queries == queries


@pytest.mark.parametrize("other", ["2", "none"])
def test_going_on_with_another_sense_is_refused(here, server, web, thresher, other):
    thresher("crawl", "iris", *EYE, *local(server.port))
    assert "choose another --into" in mistake(thresher("crawl", "iris", "--sense", other))


def test_going_on_as_the_plain_word_is_refused_where_the_sense_is_all_that_is_known(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    kept = settings(here / "iris")
    (here / "iris" / "crawl.toml").write_text(tomli_w.dumps(kept | {"knowledge": {"senses": ["E:1"]}}))
    done = thresher("crawl", here / "iris", "--sense", "none")
    assert "is a crawl with knowledge.senses 'E:1', not none: choose another --into" in mistake(done)


def test_a_seed_for_a_crawl_that_goes_on_is_added_and_the_old_ones_are_not_fetched_again(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    new = next(url for url in web.words if url not in catalogued(here / "iris"))
    done = thresher("crawl", "iris", "--seed", new, "--pages", 9, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert settings(here / "iris")["seeds"] == [START, new]
    assert catalogued(here / "iris")[8] == new
    assert catalogued(here / "iris").count(START) == 1


def test_senses_in_another_order_are_the_same_crawl(here, server, web, thresher):
    thresher("crawl", "iris", "--ontology", "irises.obo", "--sense", "1", "--sense", "2", *local(server.port))
    done = thresher("crawl", "iris", "--sense", "2", "--sense", "E:1", "--pages", 12)
    assert done.returncode == 0, done.stderr
    assert settings(here / "iris")["knowledge"]["senses"] == ["E:1", "F:1"]


def test_the_path_of_a_crawl_beside_another_folder_is_a_mistake(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    said = mistake(thresher("crawl", here / "iris", "--into", "again"))
    assert "continues in its own folder" in said
    assert not (here / "again").exists()


def test_another_crawl_for_the_same_word_goes_into_another_folder(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    done = thresher("crawl", "iris", *EYE, "--judge", "concepts", *local(server.port), "--into", "again")
    assert done.returncode == 0, done.stderr
    assert settings(here / "again")["judge"] == {"name": "concepts"}


def test_a_plain_word_goes_on_as_one(here, server, web, thresher):
    asked = ["crawl", "iris", "--ontology", "irises.obo", "--sense", "none", *local(server.port)]
    thresher(*asked)
    done = thresher(*asked, "--pages", 12)
    assert done.returncode == 0, done.stderr
    assert fetched(here / "iris") == 12


def test_a_name_close_to_that_of_a_crawl_is_pointed_out(here, server, web, thresher):
    asked = ["--ontology", "irises.obo", *local(server.port)]
    thresher("crawl", "iris", *EYE, *local(server.port), "--into", "iris-eye")
    code, said = at_a_terminal("crawl", "iris-ey", *asked, answers=["n\n"])
    assert code == 1
    assert "Begin a new crawl for 'iris-ey'?" in said
    assert not (here / "iris-ey").exists()
    done = thresher("crawl", "iris-ey", *asked)
    assert done.returncode == 0
    assert "thresher crawl iris-eye continues it" in done.stderr


def test_a_folder_that_is_named_is_no_slip(here, server, web, thresher):
    thresher("crawl", "iris", *EYE, *local(server.port))
    code, said = at_a_terminal("crawl", "iris", *EYE, *local(server.port), "--into", "again", answers=[])
    assert code == 0
    assert "continues it" not in said
    assert (here / "again").exists()


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("https://example.org/", "start there with --seed https://example.org/"),
        ("folder", "is a folder here, but it holds no crawl"),
        ("some/where", "neither a crawl file"),
        ("irises.obo", "neither a crawl file"),
    ],
)
def test_what_is_no_word_is_told(here, thresher, word, words):
    (here / "folder").mkdir()
    assert words in mistake(thresher("crawl", word))


# ── several topics ──


def test_each_topic_of_a_list_has_its_folder_and_a_line_at_the_end(here, server, web, thresher):
    (here / "night.txt").write_text("iris | E:1\npupil   # the hole\n")
    done = thresher("crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port))
    assert done.returncode == 0, done.stderr
    assert settings(here / "night" / "iris")["knowledge"]["senses"] == ["E:1"]
    assert settings(here / "night" / "pupil")["knowledge"]["senses"] == ["E:2"]
    summary = done.stderr[done.stderr.index("topic ") :].splitlines()
    assert summary[0].split() == ["topic", "fetched", "relevant", "harvest", "stopped", "folder"]
    assert re.match(r"iris \| E:1 +8 .* pages +night/iris$", summary[1].rstrip())
    assert re.match(r"pupil +8 .* pages +night/pupil$", summary[2].rstrip())


def test_a_topic_of_several_senses_is_taken_in_its_likeliest_if_the_list_does_not_say(here, server, web, thresher):
    (here / "night.txt").write_text("iris\n")
    wanted = ["--topics", "night.txt", "--ontology", "irises.obo", "--strategy", "lin", *local(server.port)]
    done = thresher("crawl", *wanted)
    assert done.returncode == 0, done.stderr
    assert "'iris' has 2 senses; taken as E:1" in done.stderr
    assert "Write another behind the topic, as in iris | 2, or iris | none for the plain word" in done.stderr
    assert settings(here / "night" / "iris")["knowledge"]["senses"] == ["E:1"]
    again = thresher("crawl", *wanted)
    assert again.returncode == 0, again.stderr
    assert [each.name for each in (here / "night").iterdir()] == ["iris"]


@pytest.mark.slow
def test_a_list_that_was_killed_goes_on_and_takes_what_was_appended(here, server, thresher):
    (here / "night.txt").write_text("pupil\niris | 1\n")
    asked = ["crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port, pages=20)]
    process = background(*asked, "--delay", 0.2)
    until(process, lambda: len(catalogued(here / "night" / "pupil")) > 3)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = catalogued(here / "night" / "pupil")
    with (here / "night.txt").open("a") as topics:
        topics.write("retina\n")
    done = thresher(*asked)
    assert done.returncode == 0, done.stderr
    assert [fetched(here / "night" / name) for name in ("pupil", "iris", "retina")] == [20, 20, 20]
    assert catalogued(here / "night" / "pupil")[: len(before)] == before


@pytest.mark.slow
def test_a_topic_appended_while_the_list_runs_is_crawled_too(here, server):
    (here / "night.txt").write_text("pupil\n")
    asked = ["crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port), "--delay", 0.2]
    process, before = background(*asked), len(server.log)
    until(process, lambda: len(server.log) > before + 2)
    with (here / "night.txt").open("a") as topics:
        topics.write("retina\n")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert fetched(here / "night" / "retina") == 8


@pytest.mark.slow
def test_ctrl_c_ends_the_whole_list_with_its_summary(here, server):
    (here / "night.txt").write_text("pupil\nretina\n")
    asked = ["crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port), "--delay", 0.5]
    process, before = background(*asked), len(server.log)
    until(process, lambda: len(server.log) > before + 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.search(r"^pupil .* interrupted", said, re.MULTILINE)
    assert not (here / "night" / "retina").exists()


def test_one_topic_that_fails_does_not_stop_the_others(here, server, thresher):
    (here / "night.txt").write_text("quagga zebra\npupil\n")
    done = thresher("crawl", "--topics", "night.txt", "--ontology", "irises.obo", *searching(server.port))
    assert done.returncode == 1
    assert "no search engine gave a seed for 'quagga zebra'" in done.stderr
    assert re.search(r"^quagga zebra +– +– +– +failed", done.stderr, re.MULTILINE)
    assert fetched(here / "night" / "pupil") == 8


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("crawl.toml", b"topic = = 1", "is not a crawl file"),
        ("crawl.toml", b"topic = 'pupil'\nbudget = 'large'", "a fault of Thresher: AttributeError"),
        ("crawl.sqlite", b"not a database at all" * 100, "crawl.sqlite"),
    ],
)
def test_a_topic_whose_folder_is_damaged_does_not_stop_the_others(here, server, thresher, file, content, words):
    (here / "night.txt").write_text("pupil\nretina\n")
    asked = ["crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port)]
    (here / "first.txt").write_text("pupil\n")
    thresher("crawl", "--topics", "first.txt", *asked[3:], "--into", "night")
    (here / "night" / "pupil" / file).write_bytes(content)
    done = thresher(*asked)
    assert done.returncode == 1, done.stderr
    assert words in done.stderr
    assert re.search(r"^pupil .* failed", done.stderr, re.MULTILINE)
    assert re.search(r"^retina +8 .* pages", done.stderr, re.MULTILINE)


def test_every_topic_of_a_list_starts_from_the_seeds_of_standard_input(here, server, web, thresher, monkeypatch):
    (here / "night.txt").write_text("pupil\nretina\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(START.encode())))
    asked = ["--ontology", "irises.obo", "--seeds", "-", *searching(server.port)]
    done = thresher("crawl", "--topics", "night.txt", *asked)
    assert done.returncode == 0, done.stderr
    assert [settings(here / "night" / name)["seeds"] for name in ("pupil", "retina")] == [[START], [START]]


def test_a_list_that_is_taken_away_is_crawled_as_it_was(here, capsys):
    (here / "night.txt").write_text("pupil\nretina\n")

    def crawled(_line, _folder):
        (here / "night.txt").unlink(missing_ok=True)
        return Stop("pages", "")

    done = crawl_each(here / "night.txt", here / "night", crawled, {}, TerminalDialogue(Console(stderr=True)))
    assert [each.reason for each in done.values()] == ["pages", "pages"]
    assert "going on with the list as it was" in capsys.readouterr().err


def test_a_list_that_is_interrupted_before_a_crawl_has_begun_ends_with_its_summary(here, capsys, monkeypatch):
    (here / "night.txt").write_text("pupil\nretina\n")

    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("thresher.cli.crawl.prepare", interrupted)
    monkeypatch.chdir(here)
    monkeypatch.setattr("sys.argv", ["thresher", "crawl", "--topics", "night.txt"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
    assert re.search(r"^pupil +– +– +– +interrupted", capsys.readouterr().err, re.MULTILINE)


def test_a_list_that_is_done_goes_on_with_a_larger_budget_only(here, server, web, thresher):
    (here / "night.txt").write_text("pupil\n")
    asked = ["crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port)]
    thresher(*asked)
    count = len(server.log)
    done = thresher(*asked)
    assert done.returncode == 0, done.stderr
    assert len(server.log) == count
    thresher(*asked, "--pages", 12)
    assert fetched(here / "night" / "pupil") == 12


def rows(said):
    """The lines of the summary: topic, fetched, relevant, harvest, stopped, folder."""
    _, summary = said.split(" folder", 1)
    return [re.split(r" {2,}", line.strip()) for line in summary.splitlines() if line.strip()]


def listed(here, server, thresher, *lines, pages=8):
    (here / "night.txt").write_text("\n".join(lines))
    done = thresher("crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port, pages=pages))
    return {row[0]: row[-2:] for row in rows(done.stderr)}


def test_two_senses_of_a_word_have_a_folder_each_whatever_their_order(here, server, web, thresher):
    both = {"iris | 1": ["pages", "night/iris"], "iris | 2": ["pages", "night/iris-2"]}
    assert listed(here, server, thresher, "iris | 1", "iris | 2") == both
    assert settings(here / "night" / "iris")["knowledge"]["senses"] == ["E:1"]
    assert settings(here / "night" / "iris-2")["knowledge"]["senses"] == ["F:1"]
    count = len(server.log)
    assert listed(here, server, thresher, "iris | 2", "iris | 1") == both
    assert listed(here, server, thresher, "iris | F:1") == {"iris | F:1": ["pages", "night/iris-2"]}
    assert len(server.log) == count, "they were done"
    listed(here, server, thresher, "iris | 2", "iris | 1", pages=12)
    assert [fetched(here / "night" / name) for name in ("iris", "iris-2")] == [12, 12]


def test_a_list_with_another_sense_than_before_is_another_crawl(here, server, web, thresher):
    listed(here, server, thresher, "iris | 2")
    assert listed(here, server, thresher, "iris | 1") == {"iris | 1": ["pages", "night/iris-1"]}
    assert listed(here, server, thresher, "iris") == {"iris": ["pages", "night/iris-1"]}, "its likeliest sense"
    assert listed(here, server, thresher, "iris | none") == {"iris | none": ["pages", "night/iris-none"]}
    kept = [settings(here / "night" / name)["knowledge"].get("senses") for name in ("iris", "iris-1", "iris-none")]
    assert kept == [["F:1"], ["E:1"], None]


def test_topics_that_differ_by_a_sign_have_a_folder_each(here, server, web, thresher):
    both = {"pupil": ["pages", "night/pupil"], "pupil!": ["pages", "night/pupil_2"]}
    assert listed(here, server, thresher, "pupil", "pupil!") == both
    assert listed(here, server, thresher, "pupil!", "pupil") == both


def test_a_topic_that_fails_does_not_show_the_figures_of_another(here, server, web, thresher):
    assert listed(here, server, thresher, "iris | 9", "iris | 1") == {
        "iris | 9": ["failed", "–"],
        "iris | 1": ["pages", "night/iris"],
    }
    (here / "night.txt").write_text("iris | 9\n")
    done = thresher("crawl", "--topics", "night.txt", "--ontology", "irises.obo", *local(server.port))
    assert done.returncode == 1
    assert rows(done.stderr) == [["iris | 9", "–", "–", "–", "failed", "–"]]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", [], "names no topic"),
        ("# nothing yet\n", [], "names no topic"),
        (None, [], "cannot be read as a list of topics"),
        ("iris\n", ["iris"], "write 'iris' into that file"),
        ("iris\n", ["--topic", "iris"], "write 'iris' into that file"),
        ("iris\n", ["--sense", "1"], "iris | 2"),
    ],
)
def test_a_mistake_in_a_list_is_told(here, thresher, text, options, words):
    if text is not None:
        (here / "night.txt").write_text(text)
    assert words in mistake(thresher("crawl", "--topics", "night.txt", *options))
