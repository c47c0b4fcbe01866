"""A task: a web that stands still, what to look for in it, where to start, and which pages count.

A task file names the web and its labels, then the tasks:

    warc = "schools.warc.gz"
    labels = "schools.labels.tsv.gz"
    [[task]]
    name = "health"
    topic = "medicine"
    relevant = ["Science.Biology.Health_and_medicine"]
    near = ["http://schools-wikipedia.org/wp/c/Cancer.htm"]
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thresher import plugins
from thresher.errors import BadInput
from thresher.model import Url
from thresher.seed.named_urls import seed_urls
from thresher.settings import read_crawl_file

SEED_SETS = ("near", "far")
_NEEDED = {"name": '"eye", to tell it from other tasks', "topic": '"iris", what to look for'}
"""The keys that every task needs, and an example of each."""


@dataclass(frozen=True, slots=True)
class WebSource:
    """The web of a task file, and what is known of it."""

    name: str
    warc: Sequence[str] | str = ()
    """WARC files or crawl folders, beside the task file."""
    generated: Mapping[str, Any] = field(default_factory=dict)
    """Instead of a recording: the keywords of `lab.webs.generated.generate`."""
    labels: str = ""
    deny: Sequence[str] = ()
    """Prefixes of the urls that nobody may fetch."""
    taxonomy: str = ""
    """The prefix of the labels that are classes of the taxonomy; empty for all labels."""
    examples: Sequence[str] = ()
    """Labels of the pages that the taxonomy may be learnt from; if empty, a few pages of each class."""
    folder: Path = Path()
    file: str = ""
    """The task file, as the user named it."""

    @property
    def place(self) -> str:
        """What an error names as the place of a mistake."""
        return self.file or self.name

    @property
    def paths(self) -> list[Path]:
        """Where the recording lies."""
        named = [self.warc] if isinstance(self.warc, str) else self.warc
        return [self.folder / each for each in named]


@dataclass(frozen=True, slots=True)
class Task:
    """What to look for in a web, where to start, and what counts as found."""

    web: WebSource
    name: str
    topic: str
    """The phrase that ontologies are asked about."""
    keywords: str = ""
    """More words that a user would type. Every strategy gets them."""
    sense: Sequence[str] | str = ""
    """Which meaning of the phrase, or which of them: a number, an id, or its gloss as WordNet has it."""
    ontologies: Sequence[str] = ("wordnet",)
    languages: Sequence[str] = ()
    relevant: Sequence[str] = ()
    """The labels of the pages that count. No strategy and no judge gets to see them."""
    near: Sequence[str] = ()
    far: Sequence[str] = ()

    @property
    def full_name(self) -> str:
        """The task among all tasks: `schools/health`."""
        return f"{self.web.name}/{self.name}"

    @property
    def place(self) -> str:
        """What an error names as the place of a mistake."""
        return f"{self.web.place}, task {self.name!r}"

    def seeds(self, which: str) -> list[Url]:
        """A set of seeds; empty if the task has none of that name."""
        return seed_urls(getattr(self, which))


def read_tasks(path: Path) -> list[Task]:
    """All tasks of a file."""
    tables = read_crawl_file(path, "a task file")
    rows = tables.pop("task", [])
    web = plugins.construct(WebSource, tables, str(path), name=path.stem, folder=path.parent, file=str(path))
    _check_web(web)
    if not isinstance(rows, list):
        raise BadInput(f"{path}: task must be a list of tables: write [[task]]")
    if not rows:
        raise BadInput(f"{path}: has no [[task]]")
    tasks = [_task(row, web, f"{path}, task {number}") for number, row in enumerate(rows, 1)]
    _check_names([task.name for task in tasks], path)
    return tasks


def _check_web(web: WebSource) -> None:
    path = web.file
    if bool(web.warc) == bool(web.generated):
        raise BadInput(f'{path}: needs a web: warc = "FILE", or a [generated] table, and not both')
    if web.warc and not web.labels:
        raise BadInput(f'{path}: needs labels = "FILE": without them nothing can be measured')
    if web.generated and web.labels:
        raise BadInput(f"{path}: a generated web labels itself: leave labels out")


def chosen(tasks: Sequence[Task], names: Collection[str]) -> list[Task]:
    """The tasks of these names, plain or full (`schools/health`); all of them if none is named."""
    known = {name for task in tasks for name in (task.name, task.full_name)}
    if unknown := sorted(set(names) - known):
        listed = ", ".join(task.full_name for task in tasks)
        raise BadInput(f"there is no task {', '.join(map(repr, unknown))}; the tasks: {listed}")
    return [task for task in tasks if not names or task.name in names or task.full_name in names]


def _check_names(names: Sequence[str], path: Path) -> None:
    for name in names:
        if not name or "|" in name:
            raise BadInput(f"{path}: {name!r} is no name for a task: it must be text without '|'")
        if names.count(name) > 1:
            raise BadInput(f"{path}: two tasks are called {name!r}: results are told apart by the name")


def _task(row: Any, web: WebSource, where: str) -> Task:
    if not isinstance(row, dict):
        raise BadInput(f"{where} is {row!r}, but must be a table")
    for key, value in _NEEDED.items():
        if row.get(key, "") == "":
            named = "" if key == "name" else f" ({row['name']!r})"
            raise BadInput(f"{where}{named} has no {key}: give {key} = {value}")
    task: Task = plugins.construct(Task, row, where, web=web)
    if not task.near and not task.far:
        raise BadInput(f"{where}: {task.name!r} has no seeds: give near = [URL] or far = [URL]")
    if not task.relevant:
        raise BadInput(f"{where}: {task.name!r} does not say which labels are relevant")
    for which in SEED_SETS:
        try:
            task.seeds(which)
        except BadInput as error:
            raise BadInput(f"{where}, {which}: {error}") from error
    return task
