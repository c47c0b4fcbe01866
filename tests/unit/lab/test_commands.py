"""`thresher lab` as a person meets it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time

import click
import pytest
from click.testing import CliRunner
from tests.crawl.local import crawl_file, shown
from tests.unit.lab.task_files import EYE, START, eye_task, task_file
from tests.unit.lab.warcs import web_of

from thresher.classify.link_rules import InterclassRules
from thresher.cli.crawl_options import part_table
from thresher.cli.declared.lab_commands import lab
from thresher.errors import BadInput, FolderError, UnknownPart
from thresher.lab.run.trial import Workbench
from thresher.lab.webs.generated import generate
from thresher.lab.webs.serve import listen, serve


def called(*arguments):
    """The command, run here; a mistake of the user's is raised."""
    done = CliRunner().invoke(lab, [str(each) for each in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.stderr
    return done


@pytest.fixture
def tasks(tmp_path):
    return task_file(tmp_path, EYE)


def rows(folder):
    return json.loads((folder / "results.json").read_bytes())["runs"]


def test_a_run_gives_results_a_report_and_a_summary(tasks, tmp_path):
    out = tmp_path / "lab"
    done = called("run", tasks, "--strategy", "breadth-first", "--strategy", "best-first", "--pages", 30, "--into", out)
    assert [(row["strategy"], row["fetched"]) for row in rows(out)] == [("best-first", 30), ("breadth-first", 30)]
    assert (out / "report.html").exists()
    assert "best-first" in (out / "report.md").read_text()
    assert "best-first" in done.stdout
    assert str(out / "report.html") in done.stdout


def test_the_same_command_again_runs_nothing_twice_and_another_adds_to_it(tasks, tmp_path):
    out = tmp_path / "lab"
    called("run", tasks, "--strategy", "random", "--baseline", "none", "--repeat", 2, "--pages", 20, "--into", out)
    before = rows(out)
    called("run", tasks, "--strategy", "random", "--baseline", "none", "--repeat", 3, "--pages", 20, "--into", out)
    assert [row for row in rows(out) if row["repeat"] < 2] == before, "cpu_s too: they were not run again"
    assert [row["repeat"] for row in rows(out)] == [0, 1, 2]


def ran(out):
    return {row["strategy"] for row in rows(out)}


def test_the_baseline_runs_too_so_that_there_is_something_to_hold_the_others_against(tasks, tmp_path):
    out = tmp_path / "lab"
    done = called("run", tasks, "--strategy", "best-first", "--pages", 20, "--into", out)
    assert ran(out) == {"best-first", "breadth-first"}
    assert done.stderr.count("thresher: breadth-first runs too, as the baseline of the others; --baseline none") == 1
    assert re.search(r"^best-first .* [01]/[01] +1\.000†", done.stdout, re.MULTILINE)


def test_a_baseline_that_is_among_the_strategies_needs_no_other(tasks, tmp_path):
    for number, (strategy, baseline) in enumerate(
        [("random", "random"), ("lokman:profile=robust", "lokman"), ("lokman:profile=robust,href=true",) * 2]
    ):
        out = tmp_path / f"lab{number}"
        done = called("run", tasks, "--strategy", strategy, "--baseline", baseline, "--pages", 5, "--into", out)
        assert len(rows(out)) == 1
        assert "runs too" not in done.stderr
        assert "of 0 on 1 task" in " ".join(done.stdout.split()), "it was found among the runs"


def test_no_baseline_is_an_answer_too(tasks, tmp_path):
    out = tmp_path / "lab"
    done = called("run", tasks, "--strategy", "best-first", "--baseline", "none", "--pages", 20, "--into", out)
    assert ran(out) == {"best-first"}
    assert "won/lost" not in done.stdout
    assert "Whether a difference is luck is not said: that takes a baseline." in done.stdout
    assert "No baseline was wanted" in (out / "report.md").read_text()


def test_without_a_name_all_strategies_run_and_those_that_cannot_be_made_are_left_out_with_a_word(tmp_path):
    path, out = task_file(tmp_path, {**EYE, "topic": "sail", "sense": ""}), tmp_path / "lab"
    done = called("run", path, "--pages", 5, "--into", out)
    names = {row["strategy"] for row in rows(out)}
    assert {"breadth-first", "oracle-greedy", "soft-focus"} <= names
    assert "lin" not in names
    assert done.stderr.count("strategy 'lin'") == 1
    assert "thresher: left out for iris/eye: strategy 'lin' needs a word that an ontology knows" in done.stderr


def test_a_strategy_that_was_named_and_cannot_be_made_is_an_error_before_anything_runs(tmp_path):
    path, out = task_file(tmp_path, {**EYE, "topic": "sail", "sense": ""}), tmp_path / "lab"
    with pytest.raises(BadInput, match="task 'eye': strategy 'lin' needs a word that an ontology knows"):
        called("run", path, "--strategy", "random", "--strategy", "lin", "--pages", 5, "--into", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (["--strategy", "best"], UnknownPart, "there is no strategy 'best'"),
        (
            ["--strategy", "lokman:robust"],
            BadInput,
            "--strategy 'lokman:robust': 'robust' is not of the form KEY=VALUE",
        ),
        (["--strategy", "lokman:=3"], BadInput, "'=3' is not of the form KEY=VALUE"),
        (["--strategy", "lokman:profil=robust"], BadInput, "has no key 'profil' .did you mean 'profile'"),
        (["--baseline", "best"], UnknownPart, "there is no strategy 'best'"),
        (["--task", "ear"], BadInput, "there is no task 'ear'; the tasks: iris/eye"),
        (["--start", "far"], BadInput, r"nothing to run: no task of .*iris\.toml has far seeds"),
    ],
)
def test_a_mistake_is_named_before_anything_runs(tasks, tmp_path, options, error, words):
    with pytest.raises(error, match=words):
        called("run", tasks, "--pages", 5, "--into", tmp_path / "lab", *options)
    assert not (tmp_path / "lab").exists()


def test_results_go_neither_into_a_file_nor_into_a_crawl(tasks, tmp_path):
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    (crawl / "crawl.toml").write_text('topic = "iris"')
    with pytest.raises(BadInput, match="crawl is the folder of a crawl"):
        called("run", tasks, "--strategy", "random", "--pages", 5, "--into", crawl)
    done = CliRunner().invoke(lab, ["run", str(tasks), "--into", str(tasks)])
    assert done.exit_code == 2
    assert "iris.toml' is a file" in " ".join(done.stderr.split())
    assert [path.name for path in crawl.iterdir()] == ["crawl.toml"]


def test_a_place_that_cannot_hold_results_is_named_and_no_run_is_begun(tasks):
    options = ["--strategy", "random", "--baseline", "none", "--pages", "5", "--into", str(tasks / "lab")]
    done = CliRunner().invoke(lab, ["run", str(tasks), *options])
    assert isinstance(done.exception, FolderError)
    assert str(done.exception) == f"cannot keep results in {tasks / 'lab'}: Not a directory; choose another --into"
    assert done.stderr == ""


@pytest.mark.parametrize("content", ["[]", "{}", '{"format": 1}', '{"format": 1, "runs": [{"web": "a"}]}', "x"])
def test_a_file_of_results_that_is_none_is_named(tasks, tmp_path, content):
    (tmp_path / "results.json").write_text(content)
    with pytest.raises(BadInput, match=r"results\.json: not the results of an experiment"):
        called("run", tasks, "--strategy", "random", "--pages", 5, "--into", tmp_path)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("lokman", {"name": "lokman"}),
        ("lokman:profile=robust,window=5", {"name": "lokman", "profile": "robust", "window": 5}),
        ("x:weights=[1,2],deep=true, share = 0.5", {"name": "x", "weights": [1, 2], "deep": True, "share": 0.5}),
        ("x:said=a=b", {"name": "x", "said": "a=b"}),
    ],
)
def test_a_strategy_is_spelt_with_its_keys(text, table):
    assert part_table(text, "--strategy") == table


def alive(number):
    """Whether a process works on; one that only waits for its parent to take note of its end does not."""
    try:
        with open(f"/proc/{number}/stat") as stat:  # noqa: PTH123 - a file of the kernel's
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc to see processes")  # noqa: PTH110
def test_killed_with_two_jobs_it_loses_the_runs_under_way_and_leaves_no_process_behind(tmp_path):
    path, out = task_file(tmp_path, EYE, generated={"size": 3000, "hosts": 30, "seed": 3}), tmp_path / "lab"
    command = [sys.executable, "-m", "thresher", "lab", "run", path, "--pages", "800", "--into", out, "--jobs", "2"]
    running = subprocess.Popen(
        [*map(str, command), "--strategy", "random", "--repeat", "60"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: (out / "results.json").exists() and len(rows(out)) >= 2)
    workers = offspring(running.pid)
    assert len(workers) >= 2
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = rows(out)
    assert 2 <= len(kept) < 60
    until(lambda: not any(map(alive, workers)))


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ctrl_c_ends_it_soon_with_the_word_that_the_same_command_goes_on(tmp_path, jobs):
    path, out = task_file(tmp_path, EYE, generated={"size": 3000, "hosts": 30, "seed": 3}), tmp_path / "lab"
    options = ["--strategy", "random", "--repeat", "60", "--baseline", "none", "--pages", "800", "--jobs", str(jobs)]
    command = [sys.executable, "-m", "thresher", "lab", "run", str(path), "--into", str(out), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        until((out / "results.json").exists)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=20)[1]
    assert running.returncode == 130, said
    told = f"thresher: stopped; {len(rows(out))} of 60 runs are kept in {out}; run the same command to continue"
    assert said.splitlines()[-1] == told


def offspring(number):
    with open(f"/proc/{number}/task/{number}/children") as file:  # noqa: PTH123 - a file of the kernel's
        return [int(each) for each in file.read().split()]


def until(holds, seconds=60.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_two_experiments_are_compared(tasks, tmp_path):
    for out, pages in (("one", 20), ("two", 20)):
        called("run", tasks, "--strategy", "random", "--pages", pages, "--into", tmp_path / out)
    assert called("compare", tmp_path / "one", tmp_path / "two").stdout.strip()


def test_a_folder_without_results_cannot_be_compared(tasks, tmp_path):
    called("run", tasks, "--strategy", "random", "--pages", 5, "--into", tmp_path / "one")
    (tmp_path / "web").mkdir()
    for pair in (("one", "web"), ("web", "one")):
        with pytest.raises(
            BadInput, match="web has no results of an experiment: name a folder that `thresher lab run`"
        ):
            called("compare", *(tmp_path / name for name in pair))


def test_a_recording_is_served_until_it_is_interrupted(tmp_path):
    web = web_of(tmp_path / "web.warc.gz", {"http://a.example/": "<p>hello from the past"})
    command = [sys.executable, "-m", "thresher", "lab", "serve", str(web)]
    serving = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said = serving.stdout.readline()
        assert said.startswith("1 urls behind the proxy http://127.0.0.1:")
        proxy = said.split()[5].rstrip(";")
        asked = subprocess.run(
            [sys.executable, "-c", FETCH, proxy], capture_output=True, text=True, timeout=30, check=True
        )
        assert "hello from the past" in asked.stdout
    finally:
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) == 0
        serving.stdout.close()


def test_a_port_that_is_taken_or_cannot_be_is_one_sentence(tmp_path):
    web = web_of(tmp_path / "web.warc.gz", {"http://a.example/": "<p>hello"})
    with listen()[0] as taken, pytest.raises(BadInput, match="is taken: choose another"):
        called("serve", web, "--port", taken.getsockname()[1])
    refused = CliRunner().invoke(lab, ["serve", str(web), "--port", "99999"])
    assert refused.exit_code == 2
    assert "'99999' is not a whole number from 0 to 65535" in refused.stderr


FETCH = """
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": sys.argv[1]}))
print(opener.open("http://a.example/").read().decode())
"""


@pytest.mark.slow
async def test_rules_learnt_in_the_lab_guide_a_live_crawl(tasks, tmp_path):
    done = await asyncio.to_thread(called, "rules", tasks, "--task", "eye", "--out", tmp_path / "eye.toml")
    assert "9 classes in" in done.stdout
    assert f"--taxonomy {tmp_path / 'eye.npz'} --rules {tmp_path / 'eye.toml'} --target eye" in done.stdout
    knowledge = {"taxonomy": str(tmp_path / "eye.npz"), "rules": str(tmp_path / "eye.toml"), "targets": ["eye"]}
    how = {"strategy": "interclass-rules", "judge": "classifier", "knowledge": knowledge, "budget": {"pages": 40}}
    async with serve(generate(size=120, hosts=12, seed=9)) as server:
        crawl = crawl_file(tmp_path / "crawl.toml", server.web, server.port, **how)
        command = [sys.executable, "-m", "thresher", "crawl", str(crawl)]
        ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert shown(tmp_path / "crawl")["fetched"] == 40


def test_rules_are_those_that_the_lab_uses(tasks, tmp_path):
    called("rules", tasks, "--out", tmp_path / "eye.toml")
    taxonomy = Workbench().known(eye_task(tmp_path))["taxonomy"].make()
    taxonomy.rules.save(tmp_path / "again.toml")
    assert (tmp_path / "eye.toml").read_bytes() == (tmp_path / "again.toml").read_bytes()


def test_rules_of_random_walks_are_saved_where_they_are_asked_for_and_a_live_crawl_can_read_them(tasks, tmp_path):
    done = called("rules", tasks, "--walks", "--out", tmp_path / "eye.toml")
    taxonomy = Workbench().known(eye_task(tmp_path))["taxonomy"].make()
    assert set(InterclassRules.load(tmp_path / "eye.toml")) == set(taxonomy.walks)
    assert f"from {sum(taxonomy.walks.pages.values()):,} links of random walks. Use them with:" in done.stdout


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("iris.toml/cr.toml", r"cannot write .*cr\.toml and cr\.npz: Not a directory; choose another --out"),
        ("gone/cr.toml", "No such file or directory; choose another --out"),
        ("cr.npz", r"the classifier is written there; choose a \.toml file"),
    ],
)
def test_a_place_that_cannot_hold_rules_is_named(tasks, tmp_path, out, words):
    with pytest.raises(BadInput, match=words):
        called("rules", tasks, "--out", tmp_path / out)


def test_of_several_tasks_one_must_be_named(tmp_path):
    path = task_file(tmp_path, EYE, {**EYE, "name": "other"})
    with pytest.raises(BadInput, match="has several tasks: choose one with --task: eye, other"):
        called("rules", path, "--out", tmp_path / "rules.toml")


def test_a_recording_needs_seeds(tmp_path):
    with pytest.raises(BadInput, match="no seeds: say where to start"):
        called("record", "--into", tmp_path / "web")


@pytest.mark.parametrize(
    "command", [lab.get_command(None, name) for name in lab.list_commands(None)], ids=lambda each: each.name
)
def test_every_command_shows_an_example_and_says_what_its_options_do(command):
    assert f"thresher lab {command.name} " in CliRunner().invoke(lab, [command.name, "--help"]).output
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_the_seed_of_the_examples_is_a_page_of_their_web(tmp_path):
    assert Workbench().known(eye_task(tmp_path))["distances"].make()[START] >= 1
