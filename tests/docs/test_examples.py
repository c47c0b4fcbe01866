"""What the examples and the guide *Write a strategy* show is run, and the guide's code is the examples' own."""

import ast
import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest

from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import serve

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PACKAGE = EXAMPLES / "anchor-first"
GUIDE = (ROOT / "docs" / "guides" / "write-a-strategy.md").read_text("utf-8")
GALLERY = (ROOT / "docs" / "guides" / "gallery.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
ELSEWHERE = {
    "python examples/own_strategy.py",
    "pip install -e examples/anchor-first",
    "python -m thresher.lab.webs.serve --port 8080",
    "pytest examples/anchor-first",
}
"""Commands of the guide that the gallery, other tests here and fixtures stand for; pip would need the network."""


async def run(*command, **options):
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_the_web_of_the_tutorial_is_served_with_its_search_engine():
    command = [sys.executable, EXAMPLES / "local_search.py", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            here = process.stdout.readline().strip()
            with urllib.request.urlopen(f"{here}/search?q=iris+membrane&format=json&pageno=2", timeout=10) as answer:
                found = json.load(answer)["results"]
            through = urllib.request.build_opener(urllib.request.ProxyHandler({"http": here}))
            with through.open(found[0]["url"], timeout=10) as page:
                assert b"iris" in page.read().lower()
            assert len(found) == 10
        finally:
            process.kill()


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_has_fewer_than_forty_lines_and_a_test(example):
    assert len(example.read_text().splitlines()) < 40
    # test_gallery.py runs what the gallery shows.
    assert example.name in Path(__file__).read_text() or f"$ python examples/{example.name}" in GALLERY


# ── the guide ──


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The environment of a process in which the example package is installed, as pip would do it, but without the network."""
    target = tmp_path_factory.mktemp("site")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    for module in PACKAGE.glob("*.py"):
        shutil.copy(module, target)
    about = target / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    (about / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
            for group, points in groups
        )
    )
    path = os.pathsep.join(filter(None, [str(target), os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def command(beginning):
    """The one command of the guide that begins so, without the word `thresher`."""
    [line] = [line for line in COMMANDS if line.startswith(beginning)]
    return shlex.split(line)[1:]


@pytest.mark.parametrize("number", [n for n, (kind, _) in enumerate(BLOCKS) if kind != "sh"])
def test_the_code_of_the_guide_is_that_of_an_example(number):
    sources = [path.read_text("utf-8") for path in EXAMPLES.rglob("*.*") if path.suffix in {".py", ".toml"}]
    assert any(BLOCKS[number][1] in source for source in sources)


def test_every_command_of_the_guide_is_run():
    run_here = {" ".join(line.split()[:2]) for line in COMMANDS if line not in ELSEWHERE}
    assert run_here == {"thresher strategies", "thresher crawl", "thresher lab"}
    assert set(COMMANDS) >= ELSEWHERE


def test_the_example_strategy_is_a_class_of_twenty_to_thirty_lines():
    [made] = [
        node
        for node in ast.parse((PACKAGE / "anchor_first.py").read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    assert 20 <= len(ast.unparse(made).replace("\n\n", "\n").splitlines()) <= 30


async def test_an_installed_strategy_is_listed_with_its_needs_and_keys(installed):
    done = await run("-m", "thresher", *command("thresher strategies"), "--json", env=installed)
    [own] = [each for each in json.loads(done.stdout) if each["name"] == "anchor-first"]
    assert own["what"].startswith("Follow links whose own words name the topic")
    assert (own["needs"], own["keys"]) == (["topic words"], ["host", "least"])


async def test_an_installed_strategy_crawls_by_its_name(installed, tmp_path):
    async with serve(generate()) as server:
        words = [word.replace(":8080", f":{server.port}") for word in command("thresher crawl")]
        await run("-m", "thresher", *words, "--quiet", "--into", tmp_path / "crawl", env=installed)
    shown = await run("-m", "thresher", "show", tmp_path / "crawl", "--json", env=installed)
    assert json.loads(shown.stdout)["fetched"] == 60
    assert 'name = "anchor-first"' in (tmp_path / "crawl" / "crawl.toml").read_text("utf-8")


async def test_an_installed_strategy_is_compared_in_the_lab(installed, tmp_path):
    words = command("thresher lab")
    done = await run("-m", "thresher", *words, "--into", tmp_path / "lab", env=installed, cwd=ROOT)
    assert re.search(r"^anchor-first +0\.\d+", done.stdout, re.MULTILINE)


async def test_the_tests_of_the_example_package_pass(installed, tmp_path):
    shutil.copytree(PACKAGE, tmp_path, dirs_exist_ok=True)
    # Settings of its own: those of this repository must not make the tests of somebody else's package pass.
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    done = await run("-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path, env=installed, cwd=tmp_path)
    assert "passed" in done.stdout
