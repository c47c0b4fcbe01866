"""The gallery of examples: each is in it, its code is that of the files, and what it shows is what they print."""

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from thresher.lab.webs.generated import generate
from thresher.lab.webs.local_web import LocalWeb

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GALLERY = (ROOT / "docs" / "guides" / "gallery.md").read_text("utf-8")
CODE = re.findall(r"^```python\n(.*?)^```", GALLERY, re.MULTILINE | re.DOTALL)
RUNS = re.findall(r"^```console\n\$ ([^\n]+)\n(.*?)^```", GALLERY, re.MULTILINE | re.DOTALL)
VARY = "ask_a_service.py", "sites.toml", "tasks.toml"
"""Their numbers differ from run to run: several pages are under way at a time, or seconds are told."""
NEEDED = {"to_pandas.py": ("pandas", "pyarrow", "trafilatura")}


def named(command):
    """The file of the examples that a command runs."""
    return Path(re.search(r"examples/([\w.]+)", command)[1])


@pytest.fixture
def place(tmp_path):
    """A folder that looks like the source folder, to which examples may write."""
    (tmp_path / "examples").symlink_to(EXAMPLES)
    (tmp_path / "temporary").mkdir()
    return tmp_path


def printed(command, place):
    """What a command of the gallery prints, its web being served on other ports than the gallery says."""
    with LocalWeb() as web, LocalWeb(generate(size=8, hosts=["127.0.0.1"])) as site:
        words = shlex.split(command.replace("http://127.0.0.1:8080", site.url))
        program = [sys.executable] if words[0] == "python" else [sys.executable, "-m", "thresher"]
        proxy = ["--proxy", web.url] if named(command).name == "sites.toml" else []
        environment = os.environ | {"TMPDIR": str(place / "temporary"), "COLUMNS": "80"}
        done = subprocess.run(
            [*program, *words[1:], *proxy],
            cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), RUNS, ids=lambda text: text.split("examples/")[-1][:12])
def test_an_example_prints_what_the_gallery_shows(command, shown, place):
    for package in NEEDED.get(named(command).name, ()):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: pip install -e '.[export,pandas]'")
    said = printed(command, place)
    if named(command).name in VARY:
        said, shown = (re.sub(r"\d+", "#", text) for text in (said, shown))
    lines = iter(line.rstrip() for line in said.splitlines())
    assert [line for line in shown.splitlines() if line.rstrip() not in lines] == []


def test_what_an_example_shows_is_all_that_a_reader_sees():
    assert [command for command, shown in RUNS if not shown.strip()] == []


@pytest.mark.parametrize("code", CODE, ids=lambda code: code.split("\n")[0].strip()[:40])
def test_the_code_of_the_gallery_is_that_of_an_example(code):
    assert any(code in path.read_text("utf-8") for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("path", sorted({*EXAMPLES.glob("*.*")} - {EXAMPLES / "README.md"}), ids=lambda path: path.name)
def test_every_example_is_in_the_gallery(path):
    assert f"examples/{path.name}" in GALLERY


def test_ten_examples_and_more_are_run():
    assert len({named(command) for command, _ in RUNS}) >= 10
