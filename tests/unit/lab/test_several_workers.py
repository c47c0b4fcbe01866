"""Several workers on one web of the lab."""

import asyncio
import json
import os
import signal
from dataclasses import replace

import pytest
from click.testing import CliRunner
from tests.unit.lab.task_files import EYE, eye_task, task_file

from thresher import plugins
from thresher.cli.declared.lab_commands import lab
from thresher.lab.run.several_workers import Board, Colleague
from thresher.lab.run.trial import Trial, Workbench, crawled_by_several, parts, run
from thresher.lab.run.turned_time import LoopClock, TurnedLoop
from thresher.model import Response, Url
from thresher.strategy.breadth_first import BreadthFirst
from thresher.testing.strategy import visit

PAGES = 80


def tried(task, name, team, **options):
    return run(Trial(task, "near", {"name": name}, **{"pages": PAGES, "team": team, **options}))


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    return eye_task(tmp_path_factory.mktemp("web"))


@pytest.mark.parametrize("name", plugins.names("strategy"))
def test_every_strategy_runs_in_a_team_the_same_way_each_time(name, task):
    row, fetches = tried(task, name, 3)
    assert 1 <= row.fetched == len(fetches) <= PAGES
    assert len({fetch.url for fetch in fetches}) == len(fetches)
    again, same = tried(task, name, 3)
    assert replace(again, cpu_s=0.0) == replace(row, cpu_s=0.0)
    assert same == fetches


def test_a_row_says_how_many_workers_there_were_and_a_team_of_one_is_a_crawl_like_any_other(task):
    alone, fetches = tried(task, "best-first", 1)
    plain = Trial(task, "near", {"name": "best-first"}, PAGES)
    assert (alone.label, alone.key) == ("best-first", plain.blank.key)
    assert fetches == run(plain)[1]
    assert tried(task, "best-first", 4)[0].label == "best-first:team=4"
    assert tried(task, "best-first", 2, lessons_every=9)[0].label == "best-first:lessons_every=9,team=2"


def test_all_pages_are_found_by_a_team_that_is_not_stopped(task):
    _, by_one = tried(task, "breadth-first", 1, pages=1000)
    row, by_all = tried(task, "breadth-first", 5, pages=1000)
    assert row.stopped == "empty"
    assert {fetch.url for fetch in by_all} == {fetch.url for fetch in by_one}


def test_workers_that_hear_late_choose_otherwise(task):
    assert tried(task, "apprentice", 4)[1] != tried(task, "apprentice", 4, lessons_every=1000)[1]
    assert tried(task, "best-first", 4)[1] == tried(task, "best-first", 4, lessons_every=1000)[1]


def test_ctrl_c_ends_the_crawl_of_all(task):
    class Interrupted(BreadthFirst):
        def score(self, visit, links):
            os.kill(os.getpid(), signal.SIGINT)
            return super().score(visit, links)

    trial = Trial(task, "near", {"name": "breadth-first"}, PAGES, team=3)
    with Workbench() as bench:
        _, judge = parts(trial, bench.known(task))
        strategies = [Interrupted() for _ in range(3)]
        stop, notebook = crawled_by_several(trial, bench.web(task.web), strategies, judge)
    assert stop.reason == "interrupted"
    assert len(notebook.fetches) <= 3


def test_nobody_hears_its_own_lessons():
    class Told(BreadthFirst):
        sharing = "lessons"
        heard = ()

        def lesson(self):
            return b"mine"

        def take_in(self, lessons):
            self.heard = lessons
            return ()

    board, told = Board(), [Told(), Told()]
    one, other = (Colleague(each, number, board) for number, each in enumerate(told))
    page = visit(1, Response(Url("http://a.example/"), 200, ((b"content-type", b"text/html"),), b"", b""))
    for strategy in (one, one, other):
        strategy.learn(page)
        strategy.save()
    one.hear()
    other.hear()
    assert ([*told[0].heard], [*told[1].heard]) == ([b"mine"], [b"mine", b"mine"])
    assert not one.hear()


def test_hours_pass_in_a_moment_and_in_order():
    said = []

    async def wait(clock, hours):
        await clock.sleep(3600 * hours)
        said.append((hours, round((clock.now() - 1.7e9) / 3600)))

    async def all_of_them():
        clock = LoopClock(asyncio.get_running_loop())
        await asyncio.gather(*(wait(clock, hours) for hours in (5, 1, 3)))

    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        runner.run(all_of_them())
    assert said == [(1, 1), (3, 3), (5, 5)]


def test_the_command_compares_teams_and_keeps_the_baseline_alone(tmp_path):
    words = ["run", task_file(tmp_path, EYE), "--strategy", "best-first", "--team", 2, "--team", 4, "--pages", 30]
    done = CliRunner().invoke(lab, [*map(str, words), "--into", str(tmp_path / "lab")])
    assert done.exit_code == 0, done.output
    rows = json.loads((tmp_path / "lab" / "results.json").read_bytes())["runs"]
    assert [(row["strategy"], row["parameters"]) for row in rows] == [
        ("best-first", {"team": 2}),
        ("best-first", {"team": 4}),
        ("breadth-first", {"team": 2}),
        ("breadth-first", {"team": 4}),
        ("breadth-first", {}),
    ]


@pytest.mark.parametrize("wrong", ["0", "65", "two"])
def test_a_team_of_none_is_refused_in_a_sentence(tmp_path, wrong):
    done = CliRunner().invoke(lab, ["run", str(task_file(tmp_path, EYE)), "--team", wrong])
    assert done.exit_code == 2
    assert f"'{wrong}' is not a whole number from 1 to 64" in done.output
