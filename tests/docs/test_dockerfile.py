"""What can be checked of the Dockerfile without an engine; where one runs, the image is built and tried."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from thresher.cli import thresher as commands

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guides" / "docker.md").read_text("utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
CODE = "\n".join(line for line in DOCKERFILE.splitlines() if not line.startswith("#"))
STEPS = [line.split(maxsplit=1) for line in CODE.replace("\\\n", "").splitlines() if line]
"""Each instruction with its words."""


def steps(name):
    return [words for instruction, words in STEPS if instruction == name]


def copied():
    """What of this folder is copied into the image."""
    lists = [words.split() for words in steps("COPY") if not words.startswith("--from")]
    return {source for words in lists for source in words[:-1]}


def test_what_is_copied_is_there_and_nothing_else_is_sent_to_the_engine():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split("\n")
    assert {line[1:] for line in ignored if line.startswith("!")} == copied()
    assert "*" in ignored
    assert [source for source in copied() if not (ROOT / source).exists()] == []


def test_all_that_the_wheel_is_made_of_is_copied():
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {Path(package).parts[0] for package in wheel["packages"]}
    project = PROJECT["project"]
    files = {"pyproject.toml", project["readme"], *project["license-files"], wheel["hooks"]["custom"]["path"]}
    assert files | folders == copied()


def test_both_stages_have_the_same_base_of_a_python_that_we_support():
    first, second = (words.split()[0] for words in steps("FROM"))
    assert first == second
    version = re.fullmatch(r"python:(3\.\d+)-slim-\w+", first)[1]
    assert f"Programming Language :: Python :: {version}" in PROJECT["project"]["classifiers"]


def test_the_extras_are_those_that_the_readmes_crawl_needs_and_exist():
    [extras] = [words.partition("=")[2].split(",") for words in steps("ARG")]
    wanted = re.search(r"pip install -q '\.\[([\w,]+)\]'\nthresher crawl", README)[1].split(",")
    left_out = {"export", "view"}
    assert set(extras) == {*wanted} - left_out, "texts, Parquet and the window are for the larger image of the guide"
    named = re.findall(r"EXTRAS=([\w,]+)", DOCKERFILE + GUIDE)
    assert {extra for each in named for extra in each.split(",")} <= PROJECT["project"]["optional-dependencies"].keys()


def test_the_image_runs_thresher_as_nobody_special_in_the_folder_of_the_volume():
    [entry] = steps("ENTRYPOINT")
    assert json.loads(entry) == ["thresher"]
    assert "thresher" in PROJECT["project"]["scripts"]
    assert steps("USER") == ["thresher"]
    assert steps("VOLUME") == ["/crawls"]
    assert steps("WORKDIR")[-1] == "/crawls"


def test_libraries_that_wheels_bring_along_are_not_stripped(tmp_path):
    for name in ("numpy/core.so", "numpy.libs/openblas.so"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    found = re.search(r"find /opt/thresher (.*) -exec strip", CODE)[1]
    stripped = subprocess.run(["find", tmp_path, *shlex.split(found)], capture_output=True, text=True, check=True)
    assert stripped.stdout.split() == [str(tmp_path / "numpy" / "core.so")]


def test_no_cache_is_left_in_the_image():
    assert all("--no-cache-dir" in words for words in steps("RUN") if "pip " in words)
    assert all("rm -rf /var/lib/apt/lists" in words for words in steps("RUN") if "apt-get" in words)


def test_every_command_of_the_guide_and_the_dockerfile_exists():
    text = (GUIDE + DOCKERFILE).replace("\\\n", " ")
    called = re.findall(r"docker run [^\n`]*?\bthresher(?::\w+)? (--)?([\w-]+)", text)
    assert {name for option, name in called if not option} >= {"demo", "crawl"}
    assert {name for option, name in called if not option} <= set(commands.list_commands(None))


# ── with an engine ──

BASE = steps("FROM")[0].split()[0]
ENGINES = {
    "docker": (("docker", "info"), "docker build -q -t {tag} .", "docker run --rm {tag}", "docker rmi -f {tag}"),
    # buildah builds where no service can run, but then from images alone that are there.
    "buildah": (
        ("buildah", "images", BASE),
        "buildah bud -q --isolation chroot --pull-never -t {tag} .",
        "sh -c 'made=$(buildah from --pull-never {tag}) && buildah run --isolation chroot $made -- thresher \"$@\"; buildah rm $made' run",
        "buildah rmi -f {tag}",
    ),
}


def works(question):
    return shutil.which(question[0]) and subprocess.run(question, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_the_image_is_built_and_runs_the_demo():
    engine = next((each for question, *each in ENGINES.values() if works(question)), None)
    if engine is None:
        pytest.skip(f"no Docker engine answers here, and there is no buildah with the image {BASE}")

    def run(command, *words):
        whole = [*shlex.split(command.format(tag="thresher-tried-by-a-test")), *words]
        return subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, timeout=900, check=True).stdout

    build, start, remove = engine
    run(build)
    try:
        assert "relevant of 20 fetched" in run(start, "demo", "--pages", "20")
        assert "iris.n.02" in run(start, "senses", "iris")
    finally:
        run(remove)
