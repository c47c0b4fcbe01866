"""What the Tab key offers, as the shells ask for it."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete

from thresher.cli import thresher

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


def test_commands_are_offered():
    assert offered("s") == ["search", "senses", "show", "strategies"]


def test_strategies_and_judges_are_offered_by_name():
    assert {"lin", "lokman"} <= set(offered("crawl", "--strategy", "l"))
    assert offered("crawl", "--strategy", "shark") == ["shark-search"]
    assert offered("crawl", "--judge", "c") == ["classifier", "combine", "concepts"]


def test_crawl_folders_and_crawl_files_are_offered():
    assert offered("crawl", "") == ["iris-eye", "irises.toml"]
    assert offered("crawl", "night/") == ["night/pupil"]


def test_where_there_is_none_the_shell_completes_files():
    (item,) = BashComplete(thresher, {}, "thresher", "_THRESHER_COMPLETE").get_completions(["crawl"], "pict")
    assert item.type == "file"


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
