"""Two experiments side by side, for programs."""

import json

import pytest
from click.testing import CliRunner
from tests.unit.lab.experiments import fetched, kept

from thresher.cli.declared.lab_commands import lab
from thresher.lab.run.results_file import Results


@pytest.fixture
def folders(tmp_path):
    """Two experiments: one strategy became better, one found the same on another way, one is new."""
    one, other = Results(tmp_path / "one"), Results(tmp_path / "other")
    for results, pattern, prefix in ((one, "." * 20, "a"), (other, "r" * 20, "b")):
        kept(results, "web/a", "keen", fetched(pattern))
        kept(results, "web/a", "same", fetched("r..", prefix))
    kept(other, "web/a", "late", fetched("r."))
    return one.folder, other.folder


def told(folders):
    return json.loads(CliRunner().invoke(lab, ["compare", *map(str, folders), "--json"]).stdout)


def test_every_run_that_differs_is_told_with_both_its_figures(folders):
    found = told(folders)
    (run,) = found["differing"]
    assert (run["strategy"], run["task"], run["auc"], run["relevant"]) == ("keen", "web/a", [0.0, 1.0], [0, 20])
    assert found["runs"] == 2


def test_strategies_are_compared_and_few_tasks_claim_nothing(folders):
    keen, same = told(folders)["strategies"]
    assert (keen["difference"], keen["wins"], keen["differ"], keen["claimable"]) == (1.0, 1, 1, False)
    assert (same["difference"], same["ties"], same["differ"]) == (0.0, 1, 0)


def test_runs_of_one_alone_and_runs_that_went_another_way_are_named(folders):
    found = told(folders)
    assert found["only_first"] == []
    assert ["late" in key for key in found["only_second"]] == [True]
    assert ["same" in key for key in found["other_visits"]] == [True]


def test_where_fetches_were_not_kept_nobody_can_say_which_way_they_went(folders):
    for path in (folders[0] / "fetches").iterdir():
        path.unlink()
    assert told(folders)["other_visits"] is None
