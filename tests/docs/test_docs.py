"""What the docs must say: a key, an outcome, an event or a port that nobody wrote about fails here."""

import dataclasses
import inspect
import re
from functools import partial
from pathlib import Path

import click
import pytest

import thresher
from thresher import events, ports
from thresher.budget import Budget
from thresher.cli import thresher as commands
from thresher.documents.document_fetcher import DocumentOptions
from thresher.fetch import HttpFetcher, failures
from thresher.frontier.options import FrontierOptions
from thresher.hands import HandOptions
from thresher.knowledge import NEEDS, Knowledge
from thresher.listed_links import LinkOptions
from thresher.plugins import find, names
from thresher.polite.scope import ScopeRules
from thresher.seed.search_settings import Search
from thresher.settings import Manners, Settings

ROOT = Path(__file__).parents[2]
CRAWL_FILE = (ROOT / "docs" / "reference" / "crawl-file.md").read_text("utf-8")
OUTCOMES = (ROOT / "docs" / "reference" / "outcomes.md").read_text("utf-8")
STRATEGIES = (ROOT / "docs" / "reference" / "strategies.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
GIVEN = {
    "anonymous",
    "user_agent",
    "connections",
    "guard",
    "larger",
    "lists",
    "resolver",
    "beside",
    "merge",
    "delay",
    "per_host",
    *NEEDS,
}
"""Keywords that the settings of another table decide."""


def keywords(part):
    return [name for name in inspect.signature(part).parameters if name not in GIVEN]


@pytest.mark.parametrize(
    "key",
    [
        *(field.name for field in dataclasses.fields(Settings)),
        *(field.name for field in dataclasses.fields(Budget)),
        *(field.name for field in dataclasses.fields(Manners)),
        *keywords(ScopeRules),
        *keywords(FrontierOptions),
        *(field.name for field in dataclasses.fields(Knowledge)),
        *(field.name for field in dataclasses.fields(Search)),
        *keywords(HttpFetcher),
        *(field.name for field in dataclasses.fields(HandOptions)),
        *(field.name for field in dataclasses.fields(DocumentOptions)),
        *(field.name for field in dataclasses.fields(LinkOptions)),
    ],
)
def test_every_key_and_part_of_a_crawl_file_is_documented(key):
    assert f"`{key}`" in CRAWL_FILE or f"`[{key}]`" in CRAWL_FILE


@pytest.mark.parametrize("name", [*names("strategy"), *names("judge")])
def test_every_strategy_and_judge_has_a_section_and_a_line_in_the_contents(name):
    assert f"## `{name}`" in STRATEGIES
    assert f"| [`{name}`](#{name}) |" in STRATEGIES.partition("# The strategies")[0]


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for kind in ("strategy", "judge") for name in names(kind) for key in keywords(find(kind, name))],
)
def test_every_key_of_a_strategy_or_judge_is_documented(name, key):
    section = STRATEGIES.partition(f"## `{name}`")[2].partition("\n## ")[0]
    assert f"`{key}`" in section


def test_every_failure_is_documented():
    named = {name.why for _, name in failures._BY_TYPE} | {name.why for name in failures._BY_NUMBER.values()}
    for room in ("fetch", "hands"):
        for path in (ROOT / "src" / "thresher" / room).glob("*.py"):
            named |= set(re.findall(r'(?:Spoiled|Refused|Failed|Later)\("([a-z-]+)"', path.read_text("utf-8")))
    assert {"timeout", "bomb", "content-type", "hand-lost"} <= named
    assert {name for name in named if f"`{name}`" not in OUTCOMES} == set()


@pytest.mark.parametrize("command", commands.list_commands(None))
def test_every_command_is_in_the_readme(command):
    assert f"thresher {command}" in README


@pytest.mark.parametrize("command", list(map(partial(commands.get_command, None), commands.list_commands(None))))
def test_every_option_says_what_it_does(command):
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize("module", [ports, events])
def test_every_port_and_event_says_what_it_is(module):
    own = [each for each in vars(module).values() if inspect.isclass(each) and each.__module__ == module.__name__]
    assert own
    assert [each.__name__ for each in own if not inspect.getdoc(each)] == []


def test_the_public_names_are_those_listed_and_sorted_as_people_look_for_them():
    public = {
        name for name in dir(thresher) if not name.startswith("_") and not inspect.ismodule(getattr(thresher, name))
    }
    assert public == set(thresher.__all__)


def test_ci_calls_the_test_command_of_the_readme():
    command = re.search(r"python3 -m venv .*pytest$", README, re.MULTILINE)
    assert command is not None
    assert command.group() in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_stages_can_be_read_off_in_order():
    firsts = [path.read_text("utf-8").splitlines()[0] for path in (ROOT / "src" / "thresher").glob("*/__init__.py")]
    stages = sorted(line for line in firsts if line.startswith('"""Stage'))
    assert [line[9:12] for line in stages] == [f"{number}/8" for number in range(1, 9)]


def test_no_figure_is_left_to_be_filled_in():
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert "@@" not in path.read_text("utf-8"), path
