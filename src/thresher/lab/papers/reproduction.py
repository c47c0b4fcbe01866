"""A paper's experiment, run again: its printed numbers beside ours, and why they differ."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from xxhash import xxh3_64_intdigest

from thresher.errors import BadInput
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.experiment import experiment
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.trial import Trial, Workbench
from thresher.model import Url
from thresher.ontology.known_ontologies import KNOWN

Told = Callable[[str], None]
"""Where progress is told, a line at a time."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment needs to run."""

    webs: Path
    """The folder of the recorded webs and their task files."""
    out: Path
    """Where runs are kept, so that the experiment can be stopped and gone on with."""
    jobs: int = 1
    quick: bool = False
    """A small part of it, to see that it runs."""
    told: Told = field(default=lambda _: None)
    bench: Workbench = field(default_factory=Workbench)
    """The web that is open, for the crawls and for what is measured afterwards; whoever made the setting closes it."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table of a reproduction."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: str = ""
    """What the table shows, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What became of a paper's experiment."""

    name: str
    paper: str
    design: str
    """What the paper did, and what was done here instead where it cannot be done any more."""
    tables: tuple[PaperTable, ...]
    verdict: str
    """Does the paper's claim hold here? In plain words, with the figure."""
    differences: tuple[str, ...] = ()
    """Why our numbers are not theirs, a sentence each."""
    plots: tuple[tuple[str, str], ...] = ()
    """Titles and SVG texts."""
    training: str = "none; nothing is learnt before the crawls."
    """How much was learnt from before the crawls began."""


def as_markdown(made: Reproduction) -> str:
    """The whole of it as Markdown."""
    parts = [f"## {made.name}", f"*{made.paper}*", made.design, f"**Training sets:** {made.training}"]
    parts += [_table(each) for each in made.tables]
    parts += [f"![{title}]({plot_file(made, number)})" for number, (title, _) in enumerate(made.plots, 1)]
    parts += [f"**Verdict.** {made.verdict}"]
    if made.differences:
        parts.append("Why the numbers differ:\n\n" + "\n".join(f"- {each}" for each in made.differences))
    return "\n\n".join(parts) + "\n"


def plot_file(made: Reproduction, number: int) -> str:
    """The file of a plot, counted from 1, beside the Markdown."""
    return f"{made.name}-{number}.svg"


def write(made: Reproduction, folder: Path) -> Path:
    """Write it as Markdown with its plots beside it; where the Markdown went."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, svg) in enumerate(made.plots, 1):
        (folder / plot_file(made, number)).write_text(svg, "utf-8")
    path = folder / f"{made.name}.md"
    path.write_text(as_markdown(made), "utf-8")
    return path


def _table(table: PaperTable) -> str:
    lines = [f"| {' | '.join(map(_cell, table.columns))} |", f"|{'---|' * len(table.columns)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows]
    return "\n".join([f"### {table.title}", "", *lines, "", table.said]).strip()


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


Judged = Callable[[Fetch], bool]
"""Whether a fetch brought a relevant page, whoever says so."""


class Crawls:
    """What the trials of an experiment fetched; those that were run before are read back."""

    def __init__(self, setting: Setting, name: str, wanted: Sequence[Trial]) -> None:
        self._results = Results.open(setting.out / name)
        self._read: dict[str, list[Fetch]] = {}
        ready = sum(trial.blank.key in self._results.runs for trial in wanted)

        def done(row: Run) -> None:
            nonlocal ready
            ready += 1
            setting.told(f"{name}: crawl {ready} of {len(wanted)}, {row.topic} by {row.label}")

        setting.told(f"{name}: {ready} of {len(wanted)} crawls are there already")
        experiment(wanted, self._results, jobs=setting.jobs, done=done, bench=setting.bench)

    def run(self, trial: Trial) -> Run:
        """The row of a trial."""
        return self._results.runs[trial.blank.key]

    def fetches(self, trial: Trial) -> list[Fetch]:
        """What a trial fetched, as the labels judge it."""
        key = trial.blank.key
        if key not in self._read:
            self._read[key] = self._results.fetches(self.run(trial))
        return self._read[key]


def rejudged(fetches: Iterable[Fetch], judged: Judged) -> list[Fetch]:
    """The same fetches, held against another oracle; what is no page is never relevant."""
    return [each._replace(relevant=each.page and judged(each)) for each in fetches]


def tasks_of(setting: Setting, *webs: str) -> dict[str, Task]:
    """The tasks of these webs by their full names."""
    if missing := [f"{web}.toml" for web in webs if not (setting.webs / f"{web}.toml").exists()]:
        raise BadInput(
            f"this experiment crawls recorded webs, and {setting.webs} has no {', '.join(missing)}: name the folder of the "
            f"task files with --webs DIR; the webs are not part of Thresher (docs/guides/lab.md says what belongs to one)"
        )
    return {task.full_name: task for web in webs for task in read_tasks(setting.webs / f"{web}.toml")}


def varied(task: Task, name: str, **changes: object) -> Task:
    """A task of the experiment's own, made of one of the web's."""
    if "|" in name:
        raise BadInput(f"{name!r} is no name for a task: it has a '|'")
    return replace(task, name=name, far=(), **changes)  # type: ignore[arg-type]  # checked by whoever calls


def drawn(urls: Iterable[Url], count: int, salt: object = 0) -> list[Url]:
    """So many of the urls, by a lottery that falls the same everywhere; another salt is another draw."""
    return sorted(urls, key=lambda url: xxh3_64_intdigest(f"{salt} {url}".encode()))[:count]


def installed(*wanted: str) -> tuple[str, ...]:
    """Those of the ontologies that are on this machine, in the order wanted."""
    there = {each.name for each in KNOWN if each.find()}
    return tuple(name for name in wanted if name in there)


def mean_of(values: Mapping[str, float]) -> float:
    """The mean over topics; 0 of none."""
    return sum(values.values()) / len(values) if values else 0.0
