"""The crawls of a paper's experiment: run once, kept, and judged afterwards as often as one likes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from xxhash import xxh3_64_intdigest

from thresher.errors import BadInput
from thresher.lab.papers.reproduction import Setting
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.experiment import experiment
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.task import Task, read_tasks
from thresher.lab.run.trial import Trial
from thresher.model import Url
from thresher.ontology.known_ontologies import KNOWN

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
            f"task files with --webs DIR; the webs are not part of Thresher (docs/lab.md says what belongs to one)"
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
