"""Task files over a generated web, for the tests of the lab. They need no extra: the ontology lies beside them."""

from pathlib import Path

import pytest
import tomli_w

from thresher.lab.run.task import Task, read_tasks

WEBS = Path(__file__).parents[4] / "shared" / "webs"

SHAPE = {"size": 240, "hosts": 12, "seed": 3}
START = "http://weekendalmanac.example/"
EYE = {
    "name": "eye",
    "topic": "iris",
    "keywords": "eye pupil cornea retina",
    "sense": "the part of an eye",
    "ontologies": ["iris.obo"],
    "relevant": ["eye"],
    "near": [START],
}
OBO = """format-version: 1.2

[Term]
id: X:1
name: organ

[Term]
id: X:2
name: eye
is_a: X:1

[Term]
id: X:3
name: iris
def: "the part of an eye around the pupil" []
is_a: X:2

[Term]
id: X:4
name: pupil
is_a: X:2

[Term]
id: X:5
name: plant

[Term]
id: X:6
name: iris
def: "a plant with large flowers" []
is_a: X:5
"""


def task_file(folder: Path, *tasks: dict, name: str = "iris", **tables) -> Path:
    """A task file over a generated web, unless the tables say otherwise."""
    (folder / "iris.obo").write_text(OBO)
    path = folder / f"{name}.toml"
    web = {} if "warc" in tables or "generated" in tables else {"generated": SHAPE}
    path.write_text(tomli_w.dumps({**web, **tables, "task": list(tasks)}))
    return path


def eye_task(folder: Path, **changes) -> Task:
    """The one task of such a file."""
    return read_tasks(task_file(folder, {**EYE, **changes}))[0]


def recorded(web: str) -> dict[str, Task]:
    """The tasks of a recorded web by name; the test is skipped where there is none."""
    if not (WEBS / f"{web}.toml").exists():
        pytest.skip(f"needs the recorded web {web} in ../shared/webs")
    return {task.name: task for task in read_tasks(WEBS / f"{web}.toml")}
