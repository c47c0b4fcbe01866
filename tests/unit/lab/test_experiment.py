import json
from pathlib import Path

import pytest
from tests.unit.lab.task_files import EYE, START, eye_task, task_file
from tests.unit.lab.warcs import web_of

from thresher.errors import BadInput, Missing, UnknownPart
from thresher.lab.run.experiment import experiment, missing_parts, possible, trials
from thresher.lab.run.results_file import Results
from thresher.lab.run.task import read_tasks
from thresher.lab.run.trial import Trial, Workbench

PAGES = 25
TABLES = [{"name": "breadth-first"}, {"name": "random"}, {"name": "lokman", "profile": "robust"}]


@pytest.fixture
def tasks(tmp_path):
    flower = {**EYE, "name": "flower", "sense": "a plant", "keywords": "garden", "relevant": ["flower"], "far": [START]}
    return read_tasks(task_file(tmp_path, EYE, flower))


@pytest.fixture
def wanted(tasks):
    return trials(tasks, TABLES, pages=PAGES, repeats=2)


def rows(folder):
    """What was kept, but for the time it took."""
    kept = json.loads((folder / "results.json").read_bytes())
    return [{**row, "cpu_s": None} for row in kept["runs"]]


def ran(wanted, folder, **options):
    results = Results.open(folder)
    experiment(wanted, results, **options)
    return results


@pytest.fixture
def whole(wanted, tmp_path):
    """All runs at one go."""
    ran(wanted, tmp_path / "whole")
    return rows(tmp_path / "whole")


def test_trials_are_every_combination_task_by_task_and_only_dice_are_thrown_again(tasks):
    found = [
        (trial.task.name, trial.seeds, trial.strategy["name"], trial.repeat)
        for trial in trials(tasks, TABLES, repeats=2)
    ]
    four = [("breadth-first", 0), ("random", 0), ("random", 1), ("lokman", 0)]
    sets = [("eye", "near"), ("flower", "near"), ("flower", "far")]
    assert found == [(*where, *which) for where in sets for which in four]


def test_a_set_of_seeds_may_be_chosen_and_a_wrong_one_is_named(tasks):
    assert {trial.seeds for trial in trials(tasks, TABLES, seeds="far")} == {"far"}
    with pytest.raises(BadInput, match="there is no set of seeds 'middle'; the choices: near, far, all"):
        trials(tasks, TABLES, seeds="middle")


def test_an_unknown_strategy_is_named_before_anything_runs(tasks):
    with pytest.raises(UnknownPart, match="there is no strategy 'best'"):
        trials(tasks, [{"name": "best"}])


def test_every_run_is_kept_and_told_once(wanted, tmp_path):
    told = []
    results = ran(wanted, tmp_path / "lab", done=lambda row: told.append(row.key))
    assert told == [trial.blank.key for trial in wanted]
    assert set(results.runs) == set(told)
    assert all(len(results.fetches(run)) == PAGES for run in results.runs.values())


def test_an_experiment_that_was_stopped_goes_on_and_gives_the_same_results(wanted, tmp_path, whole):
    told = []

    def stop_after_four(row):
        told.append(row.key)
        if len(told) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(wanted, tmp_path / "stopped", done=stop_after_four)
    assert len(rows(tmp_path / "stopped")) == 4
    ran(wanted, tmp_path / "stopped", done=lambda row: told.append(row.key))
    assert told == [trial.blank.key for trial in wanted]
    assert rows(tmp_path / "stopped") == whole


def test_two_jobs_give_the_rows_of_one(wanted, tmp_path, whole):
    told = []
    ran(wanted, tmp_path / "two", jobs=2, done=lambda row: told.append(row.key))
    assert rows(tmp_path / "two") == whole
    assert sorted(told) == sorted(trial.blank.key for trial in wanted)


@pytest.mark.slow
def test_with_several_jobs_too_each_run_is_kept_as_it_ends(wanted, tmp_path, whole):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(wanted, tmp_path / "two", jobs=2, done=stop)
    assert len(rows(tmp_path / "two")) == 1
    ran(wanted, tmp_path / "two", jobs=2)
    assert rows(tmp_path / "two") == whole


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_that_breaks_is_named_and_what_ran_before_is_kept(tmp_path, jobs):
    task = eye_task(tmp_path)
    broken = Trial(task, "middle", {"name": "breadth-first"}, PAGES)
    wanted = [*trials([task], TABLES, pages=PAGES), broken]
    with pytest.raises(AttributeError) as error:
        ran(wanted, tmp_path / "lab", jobs=jobs)
    assert error.value.__notes__ == ["in the run iris/eye|middle|breadth-first|25|0"]
    assert len(rows(tmp_path / "lab")) >= 3 - (jobs - 1)


def test_a_task_that_means_something_else_now_is_not_mixed_with_what_it_meant(wanted, tmp_path):
    ran(wanted[:1], tmp_path / "lab")
    other = eye_task(tmp_path, keywords="eye doctor")
    with pytest.raises(BadInput, match=r"has results of another task iris/eye: .* choose another --into"):
        ran(trials([other], TABLES, pages=PAGES), tmp_path / "lab")
    same = eye_task(tmp_path)
    ran(trials([same], TABLES, pages=PAGES), tmp_path / "lab")


def test_mistakes_show_before_the_first_run(tasks):
    with pytest.raises(BadInput, match="strategy 'lokman' has no key 'profil'"):
        missing_parts(trials(tasks, [*TABLES, {"name": "lokman", "profil": "robust"}]), Workbench())


def test_a_label_that_nobody_has_shows_before_the_first_run(tmp_path):
    with pytest.raises(BadInput, match="no page has the label 'ear'"):
        missing_parts(trials([eye_task(tmp_path, relevant=["ear"])], TABLES), Workbench())


def test_a_set_of_seeds_that_the_web_does_not_have_shows_before_the_first_run(tmp_path):
    wrong = eye_task(tmp_path, far=["http://nothere.example/", "http://nowhere.example/"])
    words = (
        r"iris\.toml, task 'eye': none of the far seeds is a page of its web .*: http://nothere.example/, http://nowh"
    )
    with pytest.raises(BadInput, match=words):
        missing_parts(trials([wrong], TABLES), Workbench())
    assert missing_parts(trials([wrong], TABLES, seeds="near"), Workbench()) == []


def test_seeds_that_may_not_be_fetched_are_as_good_as_none(tmp_path):
    denied = read_tasks(task_file(tmp_path, EYE, deny=[START]))
    with pytest.raises(BadInput, match="none of the near seeds is a page of its web that may be fetched"):
        missing_parts(trials(denied, TABLES), Workbench())


def test_seeds_that_the_web_does_not_have_beside_others_are_warned_of_once(tmp_path):
    warned = []
    near = [START, *(f"http://nothere.example/{number}" for number in range(7))]
    missing_parts(trials([eye_task(tmp_path, near=near)], TABLES, repeats=2), Workbench(), warned.append)
    [line] = warned
    assert "task 'eye': of the near seeds 7 of 8 cannot be fetched in its web: http://nothere.example/0, " in line
    assert line.endswith("http://nothere.example/4 and 2 more")


def test_a_web_where_nothing_can_be_found_shows_before_the_first_run(tmp_path):
    web_of(tmp_path / "web.warc.gz", {START: "<p>hello"})
    (tmp_path / "labels.tsv").write_text("http://gone.example/\teye\n")
    [task] = read_tasks(task_file(tmp_path, EYE, warc="web.warc.gz", labels="labels.tsv"))
    with pytest.raises(BadInput, match="its web has no page with a relevant label that may be fetched"):
        missing_parts(trials([task], TABLES), Workbench())


def test_a_task_is_the_same_wherever_its_file_is_named_from(tmp_path, monkeypatch):
    first = ran(trials([eye_task(tmp_path)], TABLES[:1], pages=PAGES), tmp_path / "lab").runs
    monkeypatch.chdir(tmp_path)
    again = ran(trials(read_tasks(Path("iris.toml")), TABLES[:1], pages=PAGES), tmp_path / "lab").runs
    # With their CPU seconds, to the bit: nothing was run again.
    assert again == first != {}


def test_what_a_strategy_lacks_is_told_for_the_tasks_that_lack_it(tmp_path):
    sail = {**EYE, "name": "sail", "topic": "sail", "sense": ""}
    tasks = read_tasks(task_file(tmp_path, EYE, sail))
    ((trial, error),) = missing_parts(
        trials(tasks, [{"name": "lin"}, {"name": "soft-focus"}, {"name": "oracle-greedy"}]), Workbench()
    )
    assert (trial.task.name, trial.strategy["name"]) == ("sail", "lin")
    assert isinstance(error, Missing)
    assert "'sail' is not in" in str(error)


# ── what a strategy cannot do ──


def eye_and_sail(folder):
    """Two tasks; no ontology knows the word of the second."""
    return read_tasks(task_file(folder, EYE, {**EYE, "name": "sail", "topic": "sail", "sense": ""}))


def test_a_task_that_a_named_strategy_cannot_do_is_left_out_with_a_sentence_and_the_others_run(tmp_path):
    told = []
    wanted = trials(eye_and_sail(tmp_path), [{"name": "lin"}, {"name": "breadth-first"}], pages=PAGES)
    with Workbench() as bench:
        left = possible(wanted, bench, named=True, told=told.append)
    assert [(trial.task.name, trial.strategy["name"]) for trial in left] == [
        ("eye", "lin"),
        ("eye", "breadth-first"),
        ("sail", "breadth-first"),
    ]
    [line] = told
    assert line.startswith("left out for iris/sail: strategy 'lin' needs a word that an ontology knows: 'sail' is not")


def test_a_named_strategy_that_can_do_no_task_is_an_error_and_one_that_was_not_named_is_not(tmp_path):
    wanted = trials(eye_and_sail(tmp_path)[1:], [{"name": "lin"}, {"name": "breadth-first"}], pages=PAGES)
    with Workbench() as bench, pytest.raises(BadInput, match="task 'sail': strategy 'lin' needs"):
        possible(wanted, bench, named=True, told=print)
    with Workbench() as bench:
        assert len(possible(wanted, bench, named=False, told=lambda _: None)) == 1


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_is_missing_only_when_a_run_begins_costs_that_run_alone(tmp_path, jobs):
    told = []
    wanted = trials(eye_and_sail(tmp_path), [{"name": "lin"}, {"name": "breadth-first"}], pages=PAGES)
    results = ran(wanted, tmp_path / "lab", jobs=jobs, skipped=told.append)
    assert len(results.runs) == 3
    [line] = told
    assert line.startswith("left out in the run iris/sail|near|lin|25|0: strategy 'lin' needs a word")


def test_whoever_cannot_do_without_a_run_gets_the_error(tmp_path):
    with pytest.raises(Missing, match="'sail' is not in"):
        ran(trials(eye_and_sail(tmp_path)[1:], [{"name": "lin"}], pages=PAGES), tmp_path / "lab")
