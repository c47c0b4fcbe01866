"""What the runs of an experiment gave: a row a run in `results.json`, and what each run fetched in a file of its own."""

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from xxhash import xxh3_64_hexdigest

from thresher.disk.atomic_file import write_whole
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.lab.run.crawl_measures import Fetch
from thresher.model import Url

FORMAT = 1
_ROWS, _FETCHES = "results.json", "fetches"


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl of one strategy for one task from one set of seeds: what was asked, and the figures it gave."""

    web: str
    task: str
    seeds: str
    """`near` or `far`."""
    strategy: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 0
    """The number of the repetition: the seed of a strategy that throws dice."""
    pages: int = 0
    """The budget."""
    fetched: int = 0
    """Urls that were asked for, failures included."""
    targets: int = 0
    """Relevant pages there are in the web."""
    relevant: int = 0
    """Relevant pages found, each once."""
    harvest: float = 0.0
    auc: float = 0.0
    deep_harvest: float = 0.0
    deep_auc: float = 0.0
    harvest_ratio: float = 0.0
    reciprocal_rank: float = 0.0
    hosts: int = 0
    recall: Mapping[str, float] = field(default_factory=dict)
    """The share of the targets found after 100, 300 and 1,000 fetches."""
    cpu_s: float = 0.0
    stopped: str = ""
    """Why it ended: `pages`, `empty` …"""
    train_0: int = 0
    """Example pages that the classes of its strategy were learnt from; 0 if it uses no taxonomy."""
    train_1: int = 0
    """Pages that the examples link to, which the rules between classes were learnt from."""
    curve: tuple[int, ...] = ()
    """The numbers of the fetches that brought a relevant page, counted from 1."""

    @property
    def label(self) -> str:
        """The strategy with its parameters, as on the command line: `lokman:profile=robust`."""
        given = ",".join(f"{key}={_shown(value)}" for key, value in sorted(self.parameters.items()))
        return f"{self.strategy}:{given}" if given else self.strategy

    @property
    def topic(self) -> str:
        """The task among all tasks: `schools/health`."""
        return f"{self.web}/{self.task}"

    @property
    def key(self) -> str:
        """What tells this run from all others of an experiment, whatever it gave."""
        return "|".join((self.topic, self.seeds, self.label, str(self.pages), str(self.repeat)))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


class Results:
    """The folder of an experiment. Rows are kept as they come, so that an experiment can be stopped and continued."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.about: dict[str, Any] = {}
        """How it was made: command, date, version; for the report."""
        self.runs: dict[str, Run] = {}

    @classmethod
    def open(cls, folder: Path) -> "Results":
        """What was kept in a folder; nothing if it is new."""
        _check_folder(folder)
        results = cls(folder)
        if (folder / _ROWS).exists():
            results.about, results.runs = _read(folder / _ROWS)
        return results

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """What was kept in a folder; that there is nothing is a mistake."""
        results = cls.open(folder)
        if not results.runs:
            raise BadInput(f"{folder} has no results of an experiment: name a folder that `thresher lab run` wrote to")
        return results

    def keep(self, run: Run, fetches: Iterable[Fetch]) -> None:
        """Keep a run, in the place of an earlier one with the same key."""
        (self.folder / _FETCHES).mkdir(parents=True, exist_ok=True)
        rows = "".join(f"{_marks(each)}\t{each.depth}\t{each.relevance:.4f}\t{each.url}\n" for each in fetches)
        write_whole(self._path(run), gzip.compress(rows.encode(), mtime=0))
        self.runs[run.key] = run
        self.write()

    def write(self) -> None:
        """Write all rows, in an order that does not depend on which run ended first."""
        self.folder.mkdir(parents=True, exist_ok=True)
        rows = [asdict(self.runs[key]) for key in sorted(self.runs)]
        kept = {"format": FORMAT, "about": self.about, "runs": rows}
        write_whole(self.folder / _ROWS, json.dumps(kept, indent=1, ensure_ascii=False).encode())

    def fetches(self, run: Run) -> list[Fetch]:
        """What a run fetched, in order."""
        lines = gzip.decompress(self._path(run).read_bytes()).decode().splitlines()
        return [_fetch(*line.split("\t")) for line in lines]

    def _path(self, run: Run) -> Path:
        return self.folder / _FETCHES / f"{xxh3_64_hexdigest(run.key.encode())}.tsv.gz"


def _marks(fetch: Fetch) -> str:
    return (
        "".join(mark for mark, holds in zip("rdp", (fetch.relevant, fetch.duplicate, fetch.page), strict=True) if holds)
        or "-"
    )


def _fetch(marks: str, depth: str, relevance: str, url: str) -> Fetch:
    return Fetch(Url(url), int(depth), "r" in marks, float(relevance), "d" in marks, "p" in marks)


def _run(row: Mapping[str, Any]) -> Run:
    known = {each.name for each in fields(Run)}
    values = {key: value for key, value in row.items() if key in known}
    return Run(**{**values, "curve": tuple(values.get("curve", ()))})


def _check_folder(folder: Path) -> None:
    """The results of an experiment have a folder of their own."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: the results of an experiment are a folder; name another")
    if CrawlFolder(folder).exists:
        raise BadInput(f"{folder} is the folder of a crawl: the results of an experiment have their own; name another")


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Run]]:
    """How the results were made, and the runs by their keys."""
    try:
        kept = json.loads(path.read_bytes())
        if kept["format"] == FORMAT:
            return dict(kept.get("about", {})), {run.key: run for run in map(_run, kept["runs"])}
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise BadInput(f"{path}: not the results of an experiment: {error}") from error
    raise BadInput(f"{path}: not the results of an experiment, or of another version of Thresher")


def holds_results(folder: Path) -> bool:
    """Whether an experiment wrote its results to a folder."""
    return (folder / _ROWS).is_file()
