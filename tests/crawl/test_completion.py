"""What the Tab key offers, as the shells ask for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from tests.crawl.irises import write_ontology

from thresher.cli import thresher
from thresher.ontology.known_ontologies import KNOWN

COMPLETION = (Path(__file__).parents[2] / "docs" / "reference" / "completion.md").read_text("utf-8")
# What the installed `thresher` is to a shell: `python -m thresher` goes by another name.
AS_INSTALLED = "import sys; sys.argv = ['thresher']; from thresher.cli import main; main()"


def offered(*typed):
    *words, last = typed
    return [
        item.value for item in BashComplete(thresher, {}, "thresher", "_THRESHER_COMPLETE").get_completions(words, last)
    ]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("iris-eye", "night/pupil"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "crawl.toml").touch()
    (tmp_path / "irises.toml").touch()
    (tmp_path / "pictures").mkdir()


def test_the_line_of_the_docs_works_in_a_new_shell_that_does_not_know_thresher_yet(tmp_path):
    """It is installed in an environment of its own, which a new shell has not activated."""
    (line,) = re.findall(r"^echo .*bash_source.*(?= # bash)", COMPLETION, re.MULTILINE)
    away = {"HOME": str(tmp_path), "PATH": os.defpath}
    active = away | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"}
    subprocess.run(["bash", "-c", line], env=active, check=True)
    new = ["bash", "--norc", "-c", "source ~/.bashrc && complete -p thresher"]
    shell = subprocess.run(new, env=away, capture_output=True, text=True, check=False)
    assert shell.stderr == ""
    assert "_thresher_completion" in shell.stdout


def test_commands_are_offered():
    assert offered("s") == ["search", "senses", "show", "strategies"]


def test_strategies_and_judges_are_offered_by_name():
    assert {"lin", "lokman"} <= set(offered("crawl", "--strategy", "l"))
    assert offered("crawl", "--strategy", "shark") == ["shark-search"]
    assert offered("crawl", "--judge", "c") == ["classifier", "combine", "concepts"]


def test_crawl_folders_and_crawl_files_are_offered():
    assert offered("crawl", "") == ["iris-eye", "irises.toml"]
    assert offered("crawl", "night/") == ["night/pupil"]


@pytest.mark.parametrize("command", ["show", "search", "why", "label", "export", "revisit"])
def test_commands_that_look_at_a_crawl_offer_crawl_folders(command):
    assert offered(command, "i") == ["iris-eye"]
    assert offered(command, "night/") == ["night/pupil"]
    (item,) = BashComplete(thresher, {}, "thresher", "_THRESHER_COMPLETE").get_completions([command], "pict")
    assert item.type == "dir"


@pytest.mark.parametrize("option", ["--strategy", "--baseline"])
def test_strategies_are_offered_in_the_lab_too(option):
    assert offered("lab", "run", "tasks.toml", option, "best-f") == ["best-first"]
    assert offered("lab", "record", "--strategy", "bre") == ["breadth-first"]


@pytest.mark.parametrize("command", ["crawl", "topic", "senses"])
def test_ontologies_are_offered_by_name_wherever_one_can_be_named(command):
    installed = [known.name for known in KNOWN if known.find()]
    assert offered(command, "iris", "--ontology", "") == (installed or [""])


@pytest.mark.parametrize(
    "typed",
    [
        ["crawl", "iris", "--ontology", "irises.obo"],
        ["crawl", "--ontology", "irises.obo", "--topic", "iris"],
        ["topic", "iris", "--ontology", "irises.obo"],
        ["topic", "--ontology", "irises.obo", "--json", "iris"],
    ],
)
def test_the_senses_of_the_word_that_was_typed_are_offered(typed, tmp_path):
    write_ontology(tmp_path)
    assert offered(*typed, "--sense", "") == ["E:1", "F:1"]
    assert offered(*typed, "--sense", "F") == ["F:1"]
    assert offered(*typed, "--sense", "2") == ["2"]
    (item,) = BashComplete(thresher, {}, "thresher", "_THRESHER_COMPLETE").get_completions([*typed, "--sense"], "E")
    assert item.help == "The coloured ring of the eye."


def test_without_a_word_or_its_ontology_no_sense_is_offered(tmp_path):
    write_ontology(tmp_path)
    assert offered("topic", "--ontology", "irises.obo", "--sense", "") == []
    assert offered("topic", "iris", "--ontology", "lost.obo", "--sense", "") == []


def test_where_there_is_none_the_shell_completes_files():
    (item,) = BashComplete(thresher, {}, "thresher", "_THRESHER_COMPLETE").get_completions(["crawl"], "pict")
    assert item.type == "file"


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shells_get_their_script_and_their_answers(shell):
    words = {"COMP_WORDS": "thresher crawl --strategy shark", "COMP_CWORD": "shark" if shell == "fish" else "3"}
    script, answer = (
        subprocess.run(
            [sys.executable, "-c", AS_INSTALLED],
            env={**os.environ, **words, "_THRESHER_COMPLETE": f"{shell}_{what}"},
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for what in ("source", "complete")
    )
    # click asks bash for its version, which a machine may lack.
    assert "_THRESHER_COMPLETE" in script or shell == "bash"
    assert "shark-search" in answer


def test_umls_is_offered_where_its_key_or_its_release_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("UMLS_META", raising=False)
    monkeypatch.delenv("UMLS_API_KEY", raising=False)
    assert "umls" not in offered("topic", "eye", "--ontology", "um")
    monkeypatch.setenv("UMLS_API_KEY", "x" * 36)
    assert offered("topic", "eye", "--ontology", "um") == ["umls"]
    monkeypatch.setenv("UMLS_META", str(tmp_path / "nowhere"))
    assert "umls" not in offered("topic", "eye", "--ontology", "um")
