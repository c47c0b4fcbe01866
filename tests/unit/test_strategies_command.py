"""`thresher strategies`, as it is read by people and by programs."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher import plugins
from thresher.cli.strategies import _OTHERS as OTHERS
from thresher.cli.strategies import strategies
from thresher.settings import Settings


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


def test_in_a_narrow_terminal_a_sentence_has_half_of_the_width():
    lines = said(columns=80).splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("best-first "))
    assert lines[at].rstrip().endswith("Follow the links of pages that use the topic's")
    assert "needs topic words; Kayışoğlu 2005" in lines[at + 2]


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


RESULTS = Path(__file__).parents[2] / "docs" / "papers" / "results.md"


def means_in_the_docs():
    """The column `mean` of the table of tasks in docs/papers/results.md, by strategy."""
    table = next(
        part for part in RESULTS.read_text("utf-8").split("\n\n") if part.startswith("| strategy") and "rank |" in part
    )
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.splitlines()]
    place = rows[0].index("mean")
    return {row[0]: float(row[place]) for row in rows[2:]}


def test_each_has_the_auc_that_the_docs_say():
    found = {spelt: auc for each in listed().values() for spelt, auc in each["auc"].items()}
    told = means_in_the_docs()
    assert len(told) > 20
    assert {name: found.get(name) for name in told} == told
    own = {name for name in listed() if plugins.find("strategy", name).__module__.startswith("thresher.strategy.")}
    assert own <= set(found) | {"download-then-rank"}


def test_people_see_the_best_profile_of_each():
    lines = said(columns=200).splitlines()
    lokman = next(line for line in lines if line.startswith("lokman "))
    assert f"{max(listed()['lokman']['auc'].values()):.3f}*" in lokman


def test_judges_have_no_auc():
    assert "AUC" not in said("--judges")


def flat(*words):
    return " ".join(said(*words).split())


@pytest.mark.parametrize(("words", "kind"), [((), "strategy"), (("--judges",), "judge")])
def test_it_says_what_to_start_with_and_marks_it(words, kind):
    default = getattr(Settings(), kind)["name"]
    assert f"Start with {default} (◀), the default." in flat(*words)
    assert [line.split()[0] for line in said(*words, columns=200).splitlines() if " ◀ " in line] == [default]
    assert [name for name, each in listed(*words).items() if each["default"]] == [default]


@pytest.mark.parametrize(("words", "kind"), [((), "strategy"), (("--judges",), "judge")])
def test_what_it_says_to_take_instead_is_there(words, kind):
    advised = [which.partition(",")[0].partition(" ")[0] for which in OTHERS[kind].values()]
    assert all(which.partition(":")[0] in plugins.names(kind) for which in advised)
    assert all(re.search(f"{when} +{re.escape(which)}", said(*words)) for when, which in OTHERS[kind].items())


def test_why_the_default_is_the_default_is_a_figure_of_the_docs():
    told = means_in_the_docs()
    best, second = sorted((auc for name, auc in told.items() if name != "oracle-greedy"), reverse=True)[:2]
    assert f"its AUC of {best:.3f} is the best; the next has {second:.3f}" in flat()


def test_each_strategy_says_what_its_workers_share():
    found = listed()
    assert {found[name]["sharing"] for name in ("best-first", "lin")} == {"nothing"}
    assert (found["apprentice"]["sharing"], found["pagerank"]["sharing"]) == ("lessons", "one learner")
    wide = {line.split()[0]: line.rstrip() for line in said(columns=200).splitlines() if line.strip()}
    assert wide["name"].endswith("shares")
    assert (wide["best-first"].endswith("nothing"), wide["hits"].endswith("one learner")) == (True, True)
    assert "Kayışoğlu 2005; shares one learner" in said(columns=80)
    assert "shares" not in said("--judges")
