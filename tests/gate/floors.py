"""The harvest gate: what every strategy must harvest on a few small tasks, and the file of floors that says so.

    python -m tests.gate.floors                           # measure again, and raise the floors that rose
    python -m tests.gate.floors --lower "what made it so"  # lower those that fell too, with the reason

A floor is the AUC that a strategy had when its floor was written. Crawls of the lab are the same on every machine, so an AUC that falls is
the work of a change. Recorded webs are looked for in `../shared/webs`; floors of tasks whose web is not there are kept.
"""

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import tomli_w
from tests.unit.lab.task_files import EYE, START, WEBS, task_file

from thresher import plugins
from thresher.lab.run.task import Task, chosen, read_tasks
from thresher.lab.run.trial import PartTable, Trial, Workbench, label, run
from thresher.lab.webs.generated import generate

FILE = Path(__file__).with_name("floors.toml")
SLACK = 0.005
"""How far an AUC may fall below its floor."""
PAGES = 150
GENERATED = "generated/eye"
SHAPE = {"size": 480, "hosts": 16, "seed": 11}
RECORDED = ("womenshealth/mental-health", "webkb/course", "foldoc/storage", "schools/mercury-planet")
_HEAD = """# The AUC that each strategy must reach on each task of the harvest gate (tests/gate/test_harvest.py), less .005.
# Written by `python -m tests.gate.floors`. A change that lowers a floor says why: see [[lowered]] at the end.

"""

Aucs = dict[str, float]
"""An AUC by the label of its strategy, such as `lokman:profile=robust`."""


class Lowered(NamedTuple):
    """A floor that a change lowered, and why."""

    task: str
    strategy: str
    before: float
    after: float
    why: str


class Floors(NamedTuple):
    """What stands in the file."""

    by_task: dict[str, Aucs]
    lowered: tuple[Lowered, ...] = ()


def read(path: Path = FILE) -> Floors:
    """The floors as they are."""
    tables = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    return Floors(tables.get("floor", {}), tuple(Lowered(**each) for each in tables.get("lowered", ())))


def write(floors: Floors, path: Path = FILE) -> None:
    """Write them, in the same order each time."""
    rows = {task: dict(sorted(floors.by_task[task].items())) for task in floors.by_task}
    lowered = [each._asdict() for each in floors.lowered]
    path.write_text(_HEAD + tomli_w.dumps({"floor": rows, **({"lowered": lowered} if lowered else {})}), "utf-8")


# ── measuring ──


def strategies() -> Iterator[PartTable]:
    """Every strategy that comes with Thresher, and its robust profile if it has one that is not its default."""
    for point in sorted(entry_points(group="thresher.strategy")):
        if point.value.startswith("thresher."):
            yield {"name": point.name}
            profile = plugins.parameters(point.load()).get("profile")
            if profile is not None and profile.default != "robust":
                yield {"name": point.name, "profile": "robust"}


def generated(folder: Path) -> Task:
    """The task on a generated web; its ontology lies beside it, so that it needs no extra.

    It starts at the portal and at three pages on topic, since some strategies follow no others.
    """
    web = generate(**SHAPE)
    on_topic = islice((url for url in web.urls() if web.topic_of(url) == "eye"), 3)
    row = {**EYE, "near": [START, *on_topic]}
    return read_tasks(task_file(folder, row, name="generated", generated=SHAPE))[0]


def recorded(name: str) -> Task | None:
    """A task on a recorded web; None if the web is not there."""
    path = WEBS / f"{name.split('/', maxsplit=1)[0]}.toml"
    return chosen(read_tasks(path), [name])[0] if path.exists() else None


def measured(task: Task) -> Aucs:
    """The AUC of every strategy on a task."""
    with Workbench() as bench:
        return {label(each): round(run(Trial(task, "near", each, PAGES), bench)[0].auc, 4) for each in strategies()}


# ── holding one against the other ──


def fallen(floors: Mapping[str, float], found: Mapping[str, float]) -> list[str]:
    """What the gate does not let pass, a sentence each."""
    low = [
        f"{name} fell from {floors[name]:.4f} to {auc:.4f}"
        for name, auc in found.items()
        if name in floors and auc < floors[name] - SLACK
    ]
    new = [f"{name} has no floor yet" for name in found.keys() - floors.keys()]
    gone = [f"{name} has a floor but no crawl" for name in floors.keys() - found.keys()]
    return low + sorted(new) + sorted(gone)


def again(floors: Floors, found: Mapping[str, Aucs], why: str = "") -> Floors:
    """New floors. Without a reason none is lower than before; with one, those that fell too far are lower, and it is noted."""
    by_task, lowered = dict(floors.by_task), list(floors.lowered)
    for task, aucs in found.items():
        before = floors.by_task.get(task, {})
        by_task[task] = {name: max(auc, before.get(name, auc)) for name, auc in aucs.items()}
        for name, auc in aucs.items():
            if why and auc < before.get(name, auc) - SLACK:
                by_task[task][name] = auc
                lowered.append(Lowered(task, name, before[name], auc, why))
    return Floors(by_task, tuple(lowered))


def main() -> None:
    """Write the floors again."""
    parser = argparse.ArgumentParser("tests.gate.floors", description="Measure the harvest gate's floors again.")
    parser.add_argument("--lower", default="", metavar="WHY", help="lower the floors that fell, for this reason")
    why = parser.parse_args().lower
    with tempfile.TemporaryDirectory() as folder:
        tasks = [generated(Path(folder)), *filter(None, map(recorded, RECORDED))]
        found = {task.full_name: measured(task) for task in tasks}
    floors = read()
    write(again(floors, found, why))
    said = [
        f"{task}: {each}"
        for task, aucs in found.items()
        for each in fallen(again(floors, found, why).by_task[task], aucs)
    ]
    print(*said, f"{len(found)} tasks, {sum(map(len, found.values()))} floors in {FILE}", sep="\n")
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
