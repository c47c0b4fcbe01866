"""Searching a crawl, asking why, and looking at it, as a person does: the commands, what they print, and their exit codes."""

import json
import re
from shutil import copytree

import pytest
from click.testing import CliRunner
from tests.unit.results.iris_site import crawl

from thresher.cli.search import search
from thresher.cli.show import show
from thresher.cli.why import why
from thresher.errors import BadInput
from thresher.results.label.desk import open_desk


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return crawl(tmp_path_factory.mktemp("look") / "crawl")


def run(command, *arguments):
    done = CliRunner(env={"COLUMNS": "100"}).invoke(command, [str(each) for each in arguments])
    if isinstance(done.exception, BadInput):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_search_shows_title_url_and_snippet(folder):
    said = run(search, folder, "lens", "refracts")
    assert said.startswith("1 page has lens refracts\n")
    assert "1  The lens  relevance 0.43, en, 1 copy\n   http://iris.example/copy\n" in said
    assert "The lens refracts light." in said


def test_a_word_with_a_minus_is_no_option(folder):
    assert "/pupil" not in run(search, folder, "iris", "-hole")
    assert "/pupil" in run(search, folder, "iris")


def test_an_option_that_does_not_exist_is_still_an_error(folder):
    done = CliRunner().invoke(search, [str(folder), "iris", "--limt", "3"])
    assert done.exit_code == 2
    assert "--limt" in done.output


def test_search_for_programs_has_marks_into_the_snippet(folder):
    answer = json.loads(run(search, folder, "refracts", "--json"))
    (found,) = answer["found"]
    assert [found["snippet"][start:end] for start, end in found["marks"]] == ["refracts"]
    assert answer["total"] == 1


def test_search_says_when_nothing_has_it(folder):
    assert run(search, folder, "quagga").startswith("No page has quagga\n")


def test_why_draws_the_way_with_anchors_priorities_and_evidence(folder):
    said = run(why, folder, "http://iris.example/new")
    assert "It was fetched, as visit" in said
    assert re.search(r"“an old page on the iris”  priority 0\.\d+ = ", said)
    assert "redirected by http://iris.example/old" in said
    assert said.index("● http://iris.example/\n") < said.index("▼") < said.index("● http://iris.example/new\n")


def test_why_draws_the_way_to_the_page_whose_link_was_not_followed(folder):
    said = run(why, folder, "http://iris.example/rake")
    told = [
        "● http://iris.example/\n",
        "○ http://iris.example/garden",
        "○ http://iris.example/shed",
        "│ “rake”\n✗ the strategy",
    ]
    assert [said.index(each) for each in told] == sorted(said.index(each) for each in told)
    assert said.count("http://iris.example/shed") == 1


def test_why_offers_what_was_meant(folder):
    said = run(why, folder, "https://iris.example/pupil")
    assert f"thresher why {folder} http://iris.example/pupil" in said.replace("\n", "")


def test_why_for_programs_has_all_of_it(folder):
    told = json.loads(run(why, folder, "http://iris.example/pupil", "--json"))
    assert told["fate"] == "fetched"
    assert [step["anchor"] for step in told["way"]] == ["", "how the pupil of the eye works"]
    assert told["way"][1]["parts"]
    assert told["way"][1]["evidence"]


def test_show_says_which_words_were_found(folder):
    said = run(show, folder)
    assert re.search(r"Found, with the number of relevant pages\nwords +eye 6, iris 6", said)
    assert re.search(r"0\.77  The iris of the eye +http://iris.example/\n", said)


def test_show_says_the_harvest_by_labels_where_there_are_any(folder, tmp_path):
    assert "your" not in run(show, folder)
    own = copytree(folder, tmp_path / "labelled")
    with open_desk(own) as desk:
        for path, relevant in (("pupil", False), ("", True), ("garden", None)):
            desk.answer(desk.question(f"http://iris.example/{path}"), relevant)
    said = run(show, own)
    fetched, relevant = map(int, re.search(r"(\d+) fetched, (\d+) relevant", said).groups())
    assert f"By your 2 labels, 1 of them relevant: harvest {(relevant - 1) / fetched:.1%}; F1 of the judge" in said
    settings = own / "crawl.toml"
    settings.write_text(settings.read_text("utf-8").replace('"terms"', '"my-own"'), "utf-8")
    assert "judged by my-own" in run(show, own), "what needs no judge is shown without one"


def test_show_draws_the_tree_with_anchors(folder):
    said = run(show, folder, "--tree")
    assert "── 0.43  Pupils  “how the pupil of the eye works”  http://iris.example/pupil" in said
    assert "Garden" not in said
    (root,) = json.loads(run(show, folder, "--tree", "--json"))
    assert root["url"] == "http://iris.example/"


def test_show_writes_the_curve_as_svg(folder, tmp_path):
    run(show, folder, "--plot", tmp_path / "curve.svg")
    assert "Harvest of iris, eye" in (tmp_path / "curve.svg").read_text("utf-8")


def test_show_writes_the_curve_as_png_where_the_extra_is(folder, tmp_path):
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    run(show, folder, "--plot", tmp_path / "curve.PNG")
    assert (tmp_path / "curve.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_another_kind_is_refused(folder, tmp_path):
    with pytest.raises(BadInput, match=r"must end in \.svg or \.png"):
        run(show, folder, "--plot", tmp_path / "curve.pdf")


@pytest.mark.parametrize("command", [search, why, show])
def test_a_folder_without_a_crawl_is_named(command, tmp_path):
    with pytest.raises(BadInput, match="is not the folder of a crawl"):
        run(command, tmp_path, *["iris"] * (command is not show))


@pytest.mark.parametrize("command", [search, why, show])
def test_the_help_has_an_example(command):
    assert f"thresher {command.name} iris-eye" in run(command, "--help")
