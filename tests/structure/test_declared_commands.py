"""What a command takes is described apart from its work: both must agree, and the description must be quick to load."""

import inspect
import os
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from thresher.cli import thresher
from thresher.cli.declared import crawl_command, knowledge_commands, lab_commands, result_commands, taxonomy_commands
from thresher.cli.demo import PAGES
from thresher.lab.papers import PAPERS
from thresher.lab.webs.serve import LAST_PORT
from thresher.results.export.exporter import FORMS
from thresher.taxonomy.example_urls import ExampleOptions
from thresher.taxonomy.training_folder import LearningOptions
from thresher.topic.build_topic import PROFILES

AS_INSTALLED = "import sys; sys.argv = ['thresher', *sys.argv[1:]]; from thresher.__main__ import main; main()"
"""`python -m thresher` goes by another name when a shell asks."""
CPU, TRIES = 0.15, 5
"""Seconds, and how often we try: other work on the machine can only make it slower."""
HEAVY = (
    "aiohttp",
    "asyncio",
    "numpy",
    "rich",
    "sqlite3",
    "msgspec",
    "selectolax",
    "thresher.settings",
    "thresher.crawl",
)
TYPED = [
    "s",
    "crawl --",
    "crawl --strategy s",
    "crawl --ontology ",
    "crawl --judge c",
    "crawl --sense ",
    "show i",
    "export iris --to ",
    "lab run --",
    "taxonomy ",
]


def every_command(group=thresher, name="thresher"):
    for each in group.list_commands(None):
        command = group.get_command(None, each)
        yield from (
            every_command(command, f"{name} {each}")
            if isinstance(command, click.Group)
            else [(f"{name} {each}", command)]
        )


@pytest.mark.parametrize(
    ("name", "command"), list(every_command()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_the_work_of_a_command_takes_what_its_description_says(name, command):
    import_module(command.home)
    assert command.callback.__module__ == command.home
    inspect.signature(command.callback).bind(**{each.name: None for each in command.params if each.expose_value})


def option(command, name):
    return next(each for each in command.params if each.name == name)


def test_descriptions_name_the_choices_and_defaults_of_the_work():
    assert list(option(result_commands.export, "to").type.choices) == list(FORMS)
    assert list(option(lab_commands.reproduce, "name").type.choices) == [*PAPERS, "all"]
    assert option(lab_commands.serve, "port").type.max == LAST_PORT
    assert list(option(knowledge_commands.topic, "profile").type.choices) == sorted(PROFILES)
    learn, usual = taxonomy_commands.learn, ExampleOptions()
    assert (option(learn, "least").default, option(learn, "most").default) == (usual.least, usual.most)
    assert option(learn, "linked").default == LearningOptions(Path()).linked
    assert option(crawl_command.demo, "pages").default == PAGES


def asked(typed):
    """What a shell sets when the Tab key is pressed behind this."""
    words = ["thresher", *typed.split(" ")]
    return {"_THRESHER_COMPLETE": "zsh_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}


def seconds(arguments, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", AS_INSTALLED, *arguments]
    subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--version"], {}), (["--help"], {}), (["crawl", "--help"], {}), *(([], asked(typed)) for typed in TYPED[:4])],
    ids=["version", "help", "help of crawl", *TYPED[:4]],
)
def test_version_help_and_the_tab_key_take_little_of_the_processor(arguments, environment):
    assert any(seconds(arguments, environment) < CPU for _ in range(TRIES))


def test_version_help_and_the_tab_key_load_nothing_heavy():
    """All in one process: what the first of them loads, the last would find loaded."""
    code = f"""
import os, sys
from click.testing import CliRunner
from thresher.cli import thresher
from click.shell_completion import ZshComplete
assert CliRunner().invoke(thresher, ["--version"]).exit_code == 0
for command in ([], *([each] for each in thresher.list_commands(None))):
    assert CliRunner().invoke(thresher, [*command, "--help"]).exit_code == 0
for typed in {TYPED!r}:
    *words, last = typed.split(" ")
    assert ZshComplete(thresher, {{}}, "thresher", "_THRESHER_COMPLETE").get_completions(words, last) is not None
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
