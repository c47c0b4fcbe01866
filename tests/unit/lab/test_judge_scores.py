"""How judges are measured: ranking, threshold, calibration."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.lab.task_files import EYE, eye_task, task_file

from thresher.cli.lab_judges import judges
from thresher.errors import BadInput
from thresher.lab.report.judge_report import reliability_diagram
from thresher.lab.run.judge_scores import JudgedPage, ReliabilityBin, average_precision, judged, pooled, reliability
from thresher.lab.run.trial import Workbench

verdicts = st.lists(st.builds(JudgedPage, st.floats(0, 1), st.booleans(), st.booleans()), max_size=30)


def page(relevance, is_so):
    return JudgedPage(relevance, relevance >= 0.5, is_so)


def test_average_precision_is_the_mean_precision_at_each_relevant_page():
    ranked = [page(0.9, True), page(0.8, False), page(0.7, True), page(0.1, False)]
    assert average_precision(ranked) == pytest.approx((1 + 2 / 3) / 2)


def test_pages_of_the_same_relevance_win_nothing_by_their_order():
    one = [page(0.5, True), page(0.5, False)]
    assert average_precision(one) == average_precision(one[::-1]) == 0.5


def test_without_a_relevant_page_average_precision_is_0():
    assert average_precision([page(0.9, False)]) == 0.0
    assert average_precision([]) == 0.0


@given(verdicts)
def test_average_precision_lies_between_0_and_1_and_is_1_when_all_relevant_come_first(found):
    assert 0 <= average_precision(found) <= 1
    perfect = [JudgedPage(1.0 if each.is_so else 0.0, each.is_so, each.is_so) for each in found]
    assert average_precision(perfect) in {0.0, 1.0}


@given(verdicts)
def test_the_bins_hold_every_page_once(found):
    bins = reliability(found)
    assert sum(each.pages for each in bins) == len(found)
    assert all(0 <= each.share <= 1 for each in bins)


def test_a_judge_is_measured_on_every_labelled_page_of_a_web(tmp_path):
    with Workbench() as bench:
        row = judged(eye_task(tmp_path), {"name": "terms"}, bench)
    assert row.judge == "terms"
    assert row.pages > row.relevant > 0
    assert 0.5 < row.average_precision <= 1
    assert row.pages_s > 0
    assert sum(each.pages for each in row.reliability) == row.pages


def test_bins_of_several_tasks_are_added_up(tmp_path):
    with Workbench() as bench:
        row = judged(eye_task(tmp_path), {"name": "terms"}, bench)
    assert sum(each.pages for each in pooled([row, row])) == 2 * row.pages


def test_the_command_shows_every_judge_and_writes_figures_and_diagrams(tmp_path):
    out = tmp_path / "judges"
    asked = [str(task_file(tmp_path, EYE)), "--judge", "terms", "--judge", "terms:mode=cosine", "--into", str(out)]
    done = CliRunner().invoke(judges, asked, env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "terms:mode=cosine" in done.output
    rows = json.loads((out / "judges.json").read_text())
    assert {row["judge"] for row in rows} == {"terms", "terms:mode=cosine"}
    assert (out / "reliability-terms.svg").read_text().startswith("<svg")


def test_a_task_that_a_named_judge_cannot_do_is_left_out_with_a_sentence(tmp_path):
    path = task_file(tmp_path, EYE, {**EYE, "name": "sail", "topic": "sail", "sense": ""})
    asked = [str(path), "--judge", "sense", "--into", str(tmp_path / "judges")]
    done = CliRunner().invoke(judges, asked)
    assert done.exit_code == 0, done.output
    assert "sense is left out for iris/sail: " in done.output
    rows = json.loads((tmp_path / "judges" / "judges.json").read_text())
    assert [(row["judge"], row["task"]) for row in rows] == [("terms", "eye"), ("sense", "eye"), ("terms", "sail")]


def test_a_named_judge_that_can_judge_no_task_is_an_error(tmp_path):
    path = task_file(tmp_path, {**EYE, "topic": "sail", "sense": ""})
    with pytest.raises(BadInput, match="task 'eye': judge 'sense' needs a word that an ontology knows"):
        CliRunner().invoke(
            judges, [str(path), "--judge", "sense", "--into", str(tmp_path / "judges")], catch_exceptions=False
        )


def test_a_diagram_tells_how_many_pages_a_dot_is():
    drawn = reliability_diagram("<terms>", [ReliabilityBin(1200, 0.25, 0.5)])
    assert "1,200 pages judged 0.25: 50% relevant" in drawn
    assert "<terms>" not in drawn
