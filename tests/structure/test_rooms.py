"""The rules of the house, so that a stranger finds every room: see ARCHITECTURE.md."""

import ast
import re
import tomllib
from collections import defaultdict
from statistics import median

import pytest
from tests.structure.house import ROOT, importers, modules, public_classes

SMALL, CHAPTER = 60, 300
ONE_A_FILE = (
    "thresher.strategy.",
    "thresher.judge.",
    "thresher.ontology.readers.",
    "thresher.language.dictionaries.",
    "thresher.online.engines.",
    "thresher.documents.markdown",
)
"""Strategies, judges, readers and search engines: each in a file of its own, however short."""
NOT_A_COMMAND = {
    "completion",
    "crawl_options",
    "dialogue",
    "event_lines",
    "minute",
    "plain_output",
    "plot",
    "progress",
    "running",
    "stopping",
    "target_picker",
    "terminal",
}
"""What commands share."""


def chapters():
    return [module for module in modules().values() if not module.is_package]


def commands():
    """The modules that do the work of commands; what a command takes is described in `cli/declared/`."""
    found = {module.name for module in chapters() if module.room == "cli" and module.leaf not in NOT_A_COMMAND}
    return {name for name in found if not name.startswith("thresher.cli.declared.")}


def test_no_command_imports_another():
    pairs = {(user, name) for name in commands() for user in importers()[name] if user in commands()}
    assert not pairs


def test_a_short_file_with_a_single_reader_is_part_of_it():
    table = modules()
    mergeable = [
        f"{module.name} ({module.lines}) → {user}"
        for module in chapters()
        if module.lines < SMALL and not module.name.startswith(ONE_A_FILE)
        for user in importers()[module.name]
        if len(importers()[module.name]) == 1
        and table[user].lines + module.lines < CHAPTER
        and not table[user].is_package
    ]
    assert not mergeable


def test_public_class_names_are_unique():
    homes = defaultdict(list)
    for module in modules().values():
        for name in public_classes(module):
            homes[name].append(module.name)
    assert not {name: found for name, found in homes.items() if len(found) > 1}


def test_few_modules_share_a_name():
    homes = defaultdict(list)
    for module in chapters():
        homes[module.leaf].append(module.name)
    assert len({name: found for name, found in homes.items() if len(found) > 1}) < 12


def test_files_are_chapters_and_not_sentences():
    lines = [module.lines for module in chapters()]
    assert sum(count < 40 for count in lines) < 35
    assert median(lines) >= 120


@pytest.mark.parametrize(
    "package", [each for each in modules().values() if each.is_package and each.room], ids=lambda each: each.name
)
def test_every_package_tells_its_story(package):
    story = (ast.get_docstring(package.tree) or "").splitlines()
    assert 10 <= len(story) <= 35, f"{package.name} has a story of {len(story)} lines"


def test_papers_are_cited_by_author_and_year():
    """Not by the number of a file and a section, which nobody can look up."""
    numbered = re.compile(r"\b0\d\d,? §")
    cited = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _texts()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if numbered.search(line)
    ]
    assert not cited


PAPERS = {
    "Kayışoğlu": {"2005"},
    "Altıngövde and Ulusoy": {"2004"},
    "Kumar and Vig": {"2010"},
    "Pesaranghader": {"2014"},
    "Choudhary and Roy": {"2013"},
}


@pytest.mark.parametrize("authors", PAPERS)
def test_a_paper_has_one_year(authors):
    cited = re.compile(re.escape(authors) + r"(?: and others| et al\.)?,? \(?(\d{4})")
    assert {year for path in _texts() for year in cited.findall(path.read_text("utf-8"))} <= PAPERS[authors]


def _texts():
    return [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.py"), ROOT / "README.md"]


def test_the_layers_that_are_drawn_are_those_that_are_kept():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    kept = [layer for layer in contracts[0]["layers"] if layer != "__main__"]
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    drawn = text.partition("## Who may import whom")[2].partition("```text\n")[2].partition("```")[0]
    assert drawn.split("\n")[:-1] == kept


def test_every_room_is_drawn():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = {
        f"{module.room}/" if module.is_package else f"{module.leaf}.py" for module in modules().values() if module.room
    }
    tops = {name for name in rooms if (ROOT / "src" / "thresher" / name).exists()}
    assert {name for name in tops if name not in text} == {"__main__.py"}
