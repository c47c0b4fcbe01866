"""`thresher lab rules`: take what was learnt in the lab to a live crawl."""

import shlex
from pathlib import Path

import click

from thresher.classify.taxonomy import Taxonomy
from thresher.errors import BadInput
from thresher.lab.run.task import Task, chosen, read_tasks
from thresher.lab.run.trial import Workbench


@click.command()
@click.argument("tasks", type=click.Path(path_type=Path), metavar="TASKS.toml")
@click.option("--task", "name", metavar="NAME", help="Whose taxonomy; needed if the file has several tasks.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("rules.toml"),
    show_default=True,
    metavar="FILE",
    help="Where the rules go; the classifier goes beside them, as .npz.",
)
def rules(tasks: Path, name: str | None, out: Path) -> None:
    """Save the taxonomy and the interclass rules that the lab learns for a task, so that a live crawl can use them.

    \b
    thresher lab rules webkb.toml --task course --out course.toml
    thresher crawl --topic course --seed https://example.edu/ --strategy interclass-rules \\
        --taxonomy course.npz --target class=course --rules course.toml
    """
    task = _one(chosen(read_tasks(tasks), [name] if name else []), tasks)
    classifier = out.with_suffix(".npz")
    if classifier == out:
        raise BadInput(f"--out {out}: that is where the classifier goes; the rules are text: name a .toml file")
    with Workbench() as bench:
        taxonomy: Taxonomy = bench.known(task)["taxonomy"].make()
    assert taxonomy.rules is not None
    try:
        taxonomy.rules.save(out)
        taxonomy.classifier.save(classifier)
    except OSError as error:
        raise BadInput(f"cannot write {out} and {classifier.name}: {error.strerror}; choose another --out") from error
    options = [
        "--taxonomy",
        classifier,
        "--rules",
        out,
        *(part for each in task.relevant for part in ("--target", each)),
    ]
    click.echo(
        f"{len(taxonomy.classifier.classes)} classes in {classifier}, {len(taxonomy.rules)} rules in {out}. Go on with:"
    )
    click.echo(
        f"thresher crawl --topic {shlex.quote(task.topic)} --seed URL --strategy interclass-rules {shlex.join(map(str, options))}"
    )


def _one(tasks: list[Task], path: Path) -> Task:
    if len(tasks) != 1:
        raise BadInput(f"{path} has several tasks: choose one with --task: {', '.join(task.name for task in tasks)}")
    return tasks[0]
