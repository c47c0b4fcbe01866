"""`thresher lab train` fits the start weights of the apprentice on labelled webs."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import click

from thresher.cli.declared import lab_commands as declared
from thresher.disk.atomic_file import write_whole
from thresher.errors import BadInput
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.training import Lesson, learnt, lessons, topics, weights_file
from thresher.lab.run.trial import Trial, Workbench, run


@declared.train.work
def train(*, tasks: Sequence[Path], out: Path, pages: int, most: int, strength: float, leave_one_out: bool) -> None:  # noqa: PLR0913
    """Crawl, fit, and write the table."""
    read = {path: read_tasks(path) for path in tasks}
    with Workbench() as bench:
        taught = [lesson for each in read.values() for lesson in _taught(each, bench, pages, most)]
        if leave_one_out:
            _leave_one_out(list(read.values()), taught, bench, strength, out)
    date = datetime.now(UTC).date().isoformat()
    write_whole(out, weights_file(learnt(taught, strength), out.stem, date, taught).encode())
    click.echo(
        f"{out}: weights fitted on {len(taught)} crawls, {sum(len(each.pairs) for each in taught)} pairs of waiting urls"
    )


def _taught(tasks: Sequence[Task], bench: Workbench, pages: int, most: int) -> Iterator[Lesson]:
    found = topics(bench.web(tasks[0].web), tasks, most)
    if not found:
        raise BadInput(f"{tasks[0].web.place}: no label has 30 to 300 pages, apart from those of its tasks")
    for lesson in lessons(found, bench, pages):
        click.echo(f"{lesson.web}/{lesson.topic}: {len(lesson.pairs)} pairs of waiting urls", err=True)
        yield lesson


def _leave_one_out(
    webs: Sequence[Sequence[Task]], taught: Sequence[Lesson], bench: Workbench, strength: float, out: Path
) -> None:
    if len(webs) < 2:
        raise BadInput("--leave-one-out needs the task files of two webs or more")
    for tasks in webs:
        name = tasks[0].web.name
        others = [each for each in taught if each.web != name]
        path = out.with_name(f"{out.stem}-without-{name}.toml")
        date = datetime.now(UTC).date().isoformat()
        write_whole(path, weights_file(learnt(others, strength), path.stem, date, others).encode())
        for task, aucs in groupby(_aucs(tasks, path, bench), key=lambda each: each[0]):
            values = [auc for _, auc in aucs]
            click.echo(f"{task}: AUC {sum(values) / len(values):.3f}, with weights fitted on the other webs")


def _aucs(tasks: Sequence[Task], weights: Path, bench: Workbench) -> Iterator[tuple[str, float]]:
    for task in tasks:
        for seeds in ("near", "far"):
            if task.seeds(seeds):
                trial = Trial(task, seeds, {"name": "apprentice", "weights": str(weights)})
                yield task.full_name, run(trial, bench)[0].auc
