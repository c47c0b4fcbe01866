"""The first commands that the README and the guide of the lab show run as they stand, from the source folder."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli.declared.lab_commands import lab
from thresher.lab.run.experiment import missing_parts, trials
from thresher.lab.run.task import read_tasks
from thresher.lab.run.trial import Workbench

ROOT = Path(__file__).parents[3]
SHOWN = [
    (name, command.split("  #")[0], table)
    for name in ("README.md", "docs/guides/lab.md")
    for command, table in re.findall(
        r"^(?:\$ )?thresher lab (run .*)\n((?:[^`].*\n|\n)*)", (ROOT / name).read_text("utf-8"), re.MULTILINE
    )
]


def figures(text):
    """The strategies with their AUC, harvest, and tasks won and lost."""
    return re.findall(r"^([a-z]+-[a-z]+) +(0\.\d{3}) +(0\.\d{3}) +(\S+)", text, re.MULTILINE)


@pytest.mark.parametrize(("name", "command", "table"), SHOWN, ids=[name for name, *_ in SHOWN])
def test_the_first_command_gives_what_is_shown(name, command, table, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "120")
    done = CliRunner().invoke(lab, [*shlex.split(command), "--into", str(tmp_path / "lab")], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "lab" / "report.html").exists()
    assert figures(done.stdout)
    assert name == "README.md" or figures(table) == figures(done.stdout)


def test_both_show_one():
    assert [name for name, *_ in SHOWN] == ["README.md", "docs/guides/lab.md"]


def test_the_tasks_of_the_example_start_where_its_web_has_pages():
    tasks, warned = read_tasks(ROOT / "examples" / "tasks.toml"), []
    assert len(tasks) == 3
    assert missing_parts(trials(tasks, [{"name": "breadth-first"}]), Workbench(), warned.append) == []
    assert warned == []
