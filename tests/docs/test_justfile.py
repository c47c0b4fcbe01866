"""Every verb of the justfile says what it does, can be run, and calls commands and files that are there."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BESIDE_PYTHON = str(Path(sys.executable).parent)
JUST = shutil.which("just", path=os.pathsep.join([BESIDE_PYTHON, os.environ.get("PATH", "")]))
WORDS = {"NAME": {"bench": "crawl_speed", "example": "ten_lines"}}
"""For parameters without a default, by the name of the recipe."""

pytestmark = pytest.mark.skipif(JUST is None, reason="just is not installed: pip install rust-just")


def just(*words):
    return subprocess.run([JUST, *words], cwd=ROOT, capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture(scope="module")
def recipes():
    dumped = just("--dump", "--dump-format", "json")
    assert dumped.returncode == 0, dumped.stderr
    return json.loads(dumped.stdout)["recipes"]


def commands(recipe):
    """The lines that a recipe would run, as just itself says."""
    needed = [WORDS[each["name"]][recipe["name"]] for each in recipe["parameters"] if needs_a_word(each)]
    tried = just("--dry-run", recipe["name"], *needed)
    assert tried.returncode == 0, tried.stderr
    return [shlex.split(line) for line in tried.stderr.splitlines()]


def needs_a_word(parameter):
    return parameter["default"] is None and parameter["kind"] != "star"


def missing(words):
    """What a command names that is not there: the program itself, or a file of this repository."""
    program = words[0]
    beside = program.startswith(".venv/bin/")
    # The path of `just` itself is whole, and it need not be on the search path.
    found = shutil.which(Path(program).name, path=BESIDE_PYTHON) if beside else shutil.which(program)
    files = [word for word in words[1:] if re.fullmatch(r"[\w.-]+/[\w./-]+", word)]
    return [*([] if found else [program]), *(file for file in files if not (ROOT / file).exists())]


def test_every_verb_says_what_it_does(recipes):
    assert [name for name, recipe in recipes.items() if not recipe["doc"]] == []


def test_a_verb_takes_a_line_or_two_and_lint_one_for_each_tool(recipes):
    assert {name for name, recipe in recipes.items() if len(recipe["body"]) > 2} <= {"lint"}


def test_every_verb_calls_what_is_there(recipes):
    lines = {name: commands(recipe) for name, recipe in recipes.items()}
    assert all(lines.values())
    # An engine is not something that everybody has.
    absent = {name: [each for words in found for each in missing(words)] for name, found in lines.items()}
    assert {name: gone for name, gone in absent.items() if gone and gone != ["docker"]} == {}


def test_arguments_with_spaces_stay_whole(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    python.chmod(0o755)
    said = just("--set", "bin", str(tmp_path), "floors", "--lower", "the web is larger now")
    assert said.stdout.splitlines()[-2:] == ["--lower", "the web is larger now"]


def test_the_verbs_people_ask_for_are_there(recipes):
    assert {"setup", "test", "slow", "lint", "ci", "docs", "demo", "bench", "crawl-local", "image"} <= recipes.keys()


def test_just_alone_lists_the_verbs():
    listed = just().stdout
    assert "crawl-local" in listed
    assert "# the ordinary tests" in listed
