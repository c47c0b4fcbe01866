"""What `deploy/` starts: the commands exist with these options, files parse, and no password stands anywhere."""

import ast
import re
import shlex
from pathlib import Path

import pytest

from thresher.cli import thresher as commands

yaml = pytest.importorskip("yaml")
DEPLOY = Path(__file__).parents[2] / "deploy"
FILES = sorted(path.name for path in DEPLOY.iterdir())


def text(name):
    return (DEPLOY / name).read_text("utf-8")


def filled(word):
    """A word of a compose file, with its variables filled in."""
    return re.sub(r"\$\{(\w+)[^}]*\}", lambda name: {"PAGES": "5", "VIEW_TOKEN": "t" * 16}.get(name[1], "x"), word)


def composed():
    services = yaml.safe_load(text("docker-compose.yml"))["services"]
    return [list(map(filled, each["command"])) for name, each in services.items() if name != "postgres"]


def manifests():
    return list(yaml.safe_load_all(text("kubernetes.yaml")))


def containers():
    return [pod["spec"]["template"]["spec"]["containers"][0] for pod in manifests() if "template" in pod["spec"]]


def in_shell(name):
    """The commands of Thresher in a script and in its comments."""
    lines = [line.lstrip("# ").removeprefix("exec srun ") for line in text(name).splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("thresher ")]


def of_ray():
    tree = ast.parse(text("ray_job.py"))
    [command] = [ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)]
    return command[1:]


COMMANDS = [*composed(), *[each["args"] for each in containers()], *in_shell("slurm.sh"), of_ray()]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_command_is_one_of_ours_with_options_that_it_has(words, monkeypatch):
    monkeypatch.setenv("THRESHER_LEDGER", "postgresql://me@db.example/crawls")
    name, *rest = words
    command = commands.get_command(None, name)
    assert command is not None
    with command.make_context(name, rest) as context:
        assert not context.args


def test_every_way_to_start_workers_is_looked_at():
    assert len(COMMANDS) == 3 + 2 + 2 + 1
    assert {words[0] for words in COMMANDS} == {"crawl", "work", "view"}
    assert FILES == ["docker-compose.yml", "example.env", "kubernetes.yaml", "ray_job.py", "slurm.sh"]


def test_the_window_is_seen_by_this_machine_alone_and_needs_a_token():
    view = yaml.safe_load(text("docker-compose.yml"))["services"]["view"]
    assert view["ports"] == ["127.0.0.1:8080:8080"]
    assert "--token" in view["command"]


def test_workers_get_the_address_by_their_environment():
    services = yaml.safe_load(text("docker-compose.yml"))["services"]
    assert all("THRESHER_LEDGER" in services[name]["environment"] for name in ("crawl", "worker"))
    for container in containers():
        named = {each["name"]: each for each in container["env"]}
        assert named["THRESHER_LEDGER"]["valueFrom"]["secretKeyRef"]["name"] == "thresher"


@pytest.mark.parametrize("name", FILES)
def test_no_password_stands_in_a_file(name):
    passwords = re.findall(r"postgresql://[^\s:/@']+:([^\s@]+)@", text(name))
    assert set(passwords) <= {"PASSWORD"}
    assert not re.search(r"^\s*\w*PASSWORD: (?!\$\{)", text(name), re.MULTILINE)
