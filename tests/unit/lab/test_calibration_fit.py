"""Curves fitted on the tasks of labelled webs."""

import tomllib

import numpy as np
import pytest
from click.testing import CliRunner
from tests.unit.lab.task_files import EYE, eye_task, task_file

from thresher.cli.lab_calibrate import calibrate
from thresher.errors import BadInput
from thresher.judge.calibration import Curve
from thresher.lab.run.calibration_fit import Scores, fitted, left_out, scores
from thresher.lab.run.trial import Workbench


def drawn(curve, web="one", pages=20_000, seed=7):
    """Pages of a judge whose score means what the curve says."""
    dice = np.random.default_rng(seed)
    raw = dice.uniform(0.01, 0.99, pages)
    return Scores(web, "task", raw, dice.uniform(size=pages) < [curve(each) for each in raw.tolist()])


@pytest.mark.parametrize("curve", [Curve(1.0, 0.0), Curve(2.0, 0.9), Curve(0.7, -1.5), Curve(4.0, -6.0)])
def test_the_curve_that_made_the_labels_is_found_again(curve):
    found = fitted([drawn(curve)])
    assert found.slope == pytest.approx(curve.slope, rel=0.1)
    assert found.offset == pytest.approx(curve.offset, rel=0.1, abs=0.1)


def test_pages_without_a_score_teach_nothing():
    some = drawn(Curve(2.0, 0.9))
    nothing = Scores("one", "task", np.zeros(5000), np.ones(5000, bool))
    assert fitted([some, nothing]) == fitted([some])


@pytest.mark.parametrize("relevant", [np.zeros(10, bool), np.ones(10, bool)])
def test_without_pages_of_both_kinds_there_is_no_curve(relevant):
    with pytest.raises(BadInput, match="pages that are relevant and pages that are not"):
        fitted([Scores("one", "task", np.linspace(0.1, 0.9, 10), relevant)])


def test_a_judge_that_is_always_wrong_has_no_curve():
    raw = np.linspace(0.1, 0.9, 100)
    with pytest.raises(BadInput, match="less relevant"):
        fitted([Scores("one", "task", raw, (raw < 0.5) ^ (np.arange(100) % 10 == 0))])


def test_a_web_is_judged_by_the_curve_of_the_others():
    webs = [drawn(Curve(2.0, 0.5), web, seed=seed) for seed, web in enumerate(("one", "two", "three"))]
    figures, pages = left_out(webs)
    assert len(pages) == 60_000
    assert figures.error < 0.02
    assert figures.precision > 0.5
    other = [*webs[:2], drawn(Curve(2.0, -3.0), "three")]
    assert left_out(other)[0].error > 0.1
    assert left_out(webs[:1]) is None


def test_every_task_is_judged_with_and_without_its_keywords(tmp_path):
    with Workbench() as bench:
        (both,) = scores([eye_task(tmp_path)], [{"name": "terms"}], bench).values()
    assert [each.web for each in both] == [both[0].web] * 2
    assert not np.array_equal(both[0].raw, both[1].raw)
    assert np.array_equal(both[0].relevant, both[1].relevant)


def test_a_judge_that_asks_for_no_words_is_judged_once_and_not_on_its_examples(tmp_path):
    with Workbench() as bench:
        task = eye_task(tmp_path)
        (once,) = scores([task], [{"name": "classifier"}], bench)["classifier"]
        taught = bench.known(task)["taxonomy"].make().learnt_from
        assert taught
        assert len(once.raw) == len(bench.web(task.web).labels) - len(taught)


def test_a_judge_without_a_key_for_its_curve_is_asked_as_it_is(tmp_path):
    with Workbench() as bench:
        found = scores([eye_task(tmp_path)], [{"name": "sense"}], bench)["sense"]
    assert max(each.raw.max() for each in found) > 0


def test_the_command_writes_a_table_that_says_what_it_was_fitted_on(tmp_path):
    out = tmp_path / "curves"
    done = CliRunner().invoke(calibrate, [str(task_file(tmp_path, EYE)), "--judge", "terms", "--into", str(out)])
    assert done.exit_code == 0, done.output
    assert "one web alone" in done.output
    table = tomllib.loads((out / "calibration.toml").read_text())
    assert table["curve"]["terms"]["slope"] > 0
    assert table["curve"]["terms"]["fitted_on"].startswith("1 task of recorded webs, each with its phrase alone and")
    assert table["curve"]["terms"]["date"]


def test_a_judge_that_no_curve_fits_is_named_and_the_others_have_theirs(tmp_path):
    out, tasks = tmp_path / "curves", str(task_file(tmp_path, EYE))
    done = CliRunner().invoke(calibrate, [tasks, "--judge", "terms", "--judge", "sense", "--into", str(out)])
    assert done.exit_code == 0, done.output
    assert "sense: no curve: there must be pages that are relevant" in done.output
    assert list(tomllib.loads((out / "calibration.toml").read_text())["curve"]) == ["terms"]
    alone = CliRunner().invoke(calibrate, [tasks, "--judge", "sense", "--into", str(out)])
    assert isinstance(alone.exception, BadInput)
    assert str(alone.exception) == "no curve could be fitted"
