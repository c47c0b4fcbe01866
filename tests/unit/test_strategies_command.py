"""`thresher strategies`, as it is read by people and by programs."""

import json

import pytest
from click.testing import CliRunner

from thresher import plugins
from thresher.cli.strategies import strategies


def said(*words, columns=80):
    found = CliRunner().invoke(strategies, words, env={"COLUMNS": str(columns)})
    assert found.exit_code == 0, found.output
    return found.output


def listed(*words):
    return {each["name"]: each for each in json.loads(said(*words, "--json"))}


@pytest.mark.parametrize(("words", "kind"), [((), "strategy"), (("--judges",), "judge")])
def test_every_part_is_listed_with_a_sentence(words, kind):
    found = listed(*words)
    assert list(found) == plugins.names(kind)
    assert all(each["what"].endswith(".") for each in found.values())


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_a_name_is_never_cut_short(columns):
    lines = said(columns=columns).splitlines()
    for name in plugins.names("strategy"):
        assert any(line.startswith(f"{name} ") for line in lines)


def test_each_says_what_it_needs_and_what_it_can_do_without():
    found = listed()
    assert found["breadth-first"]["needs"] == []
    assert found["lin"]["needs"] == ["a word sense"]
    assert found["interclass-rules"]["needs"] == ["a taxonomy", "interclass rules (profile robust learns them)"]
    assert found["context-ontology"]["needs"] == [
        "an importance table",
        "a taxonomy (optional)",
        "a dictionary (optional)",
    ]


def test_all_but_the_bounds_name_a_paper():
    found = listed()
    own = {name for name in found if plugins.find("strategy", name).__module__.startswith("thresher.")}
    assert {name for name in own if not found[name]["paper"]} == {"oracle-greedy", "random"}


def test_what_must_be_given_is_no_key_and_every_other_keyword_is():
    found = listed()["interclass-rules"]
    assert "taxonomy" not in found["keys"]
    assert {"profile", "max_depth", "merge", "soft_class"} <= set(found["keys"])
