"""One trial: a strategy crawls the web of a task, by the same loop as a live crawl; then its fetches are held against the labels."""

import asyncio
import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from thresher import plugins
from thresher.budget import Budget, Stop
from thresher.clock import FakeClock
from thresher.crawl import Crawl
from thresher.errors import BadInput
from thresher.frontier import MemoryFrontier
from thresher.knowledge import part
from thresher.lab.ground import OpenGround
from thresher.lab.heedless import HeedlessParser
from thresher.lab.knowing import needs
from thresher.lab.measures import Fetch, harvested, measure
from thresher.lab.notebook import Notebook
from thresher.lab.replay import Replay
from thresher.lab.results import Run
from thresher.lab.task import Ground, Task
from thresher.model import Url
from thresher.plugins import Need
from thresher.polite.scope import Rules
from thresher.ports import Strategy

Table = Mapping[str, Any]
Knowing = Callable[[Task, OpenGround], dict[str, Need]]
SEED_KEY = "seed"
"""The keyword by which a strategy that throws dice takes their seed."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is asked: which strategy, for which task, from which seeds, with how many fetches."""

    task: Task
    seeds: str
    strategy: Table
    """A name and its keys, as in a crawl file."""
    pages: int = 1000
    repeat: int = 0
    judge: Table = field(default_factory=lambda: {"name": "terms"})
    knowing: Knowing = needs
    """What makes all that the parts may know; a function of a module, so that another process can import it."""

    @property
    def blank(self) -> Run:
        """The row of this trial, before it is run."""
        parameters = {key: value for key, value in self.strategy.items() if key != "name"}
        if self.judge != {"name": "terms"}:
            parameters["judge"] = self.judge["name"]
        return Run(
            self.task.ground.name,
            self.task.name,
            self.seeds,
            self.strategy["name"],
            parameters,
            self.repeat,
            self.pages,
        )


def run(trial: Trial) -> tuple[Run, list[Fetch]]:
    """Run a trial: the row it gives, and what was fetched."""
    ground = opened(trial.task.ground)
    given = known(trial.task, trial.knowing)
    strategy = made(trial, given)
    judge = part("judge", trial.judge, given)
    start = time.process_time()
    stop, notebook = asyncio.run(crawled(trial, ground, strategy, judge))
    spent = time.process_time() - start
    targets = ground.targets(trial.task)
    fetches = list(held_against(notebook.fetches, targets))
    figures = _figures(fetches, trial.pages, targets)
    return replace(trial.blank, **figures, cpu_s=round(spent, 3), stopped=stop.reason), fetches


async def crawled(trial: Trial, ground: OpenGround, strategy: Strategy, judge: Any) -> tuple[Stop, Notebook]:
    """Crawl the web of a task, one page at a time, so that the order is the strategy's own."""
    notebook = Notebook()
    crawl = Crawl(
        frontier=MemoryFrontier(merge=strategy.merge, delay=0.0),
        fetcher=Replay(ground.pages),
        # Nobody's server is asked, so a page's wish not to be followed protects no one; and the counts of others ignore it too.
        parser=HeedlessParser(),
        scope=Rules(deny_prefixes=trial.task.ground.deny, depth=None),
        judge=judge,
        strategy=strategy,
        store=notebook,
        seeds=trial.task.seeds(trial.seeds),
        budget=Budget(pages=trial.pages, dry_share=0.0),
        clock=FakeClock(1.7e9),
        workers=1,
    )
    return await crawl.run(), notebook


def made(trial: Trial, given: Mapping[str, Need]) -> Strategy:
    """The strategy of a trial. A repeat is another seed, for a strategy that takes one."""
    table = dict(trial.strategy)
    if trial.repeat:
        takes = plugins.parameters(plugins.find("strategy", table["name"]))
        if SEED_KEY in takes and takes[SEED_KEY].default is not inspect.Parameter.empty:
            table.setdefault(SEED_KEY, trial.repeat)
    strategy: Strategy = part("strategy", table, given)
    return strategy


def held_against(fetches: list[Fetch], targets: frozenset[Url]) -> Iterator[Fetch]:
    """The fetches, each with what the labels say of it."""
    for fetch in fetches:
        yield fetch._replace(relevant=fetch.page and fetch.url in targets)


def _figures(fetches: list[Fetch], pages: int, targets: frozenset[Url]) -> dict[str, Any]:
    """The columns of a row that come from the fetches."""
    figures = asdict(measure(fetches, pages, targets))
    del figures["budget"]
    places = {id(fetch): number for number, fetch in enumerate(fetches, 1)}
    return {
        **figures,
        "targets": len(targets),
        "recall": {str(mark): share for mark, share in figures["recall"].items()},
        "curve": tuple(places[id(fetch)] for fetch in harvested(fetches, pages)),
    }


# A process works on the runs of one task after another, so that what is expensive to know is worked out once.
_latest: dict[str, tuple[str, Any]] = {}


def _once(kind: str, key: str, make: Callable[[], Any]) -> Any:
    """What was made last under that key, or what is made now."""
    if kind not in _latest or _latest[kind][0] != key:
        _latest[kind] = (key, make())
    return _latest[kind][1]


def opened(ground: Ground) -> OpenGround:
    """The web of a task file, opened."""
    found: OpenGround = _once("ground", repr(ground), lambda: OpenGround(ground))
    return found


def known(task: Task, knowing: Knowing = needs) -> dict[str, Need]:
    """What may be known of a task."""
    key = f"{knowing.__module__}.{knowing.__qualname__} {task!r}"
    found: dict[str, Need] = _once("needs", key, lambda: knowing(task, opened(task.ground)))
    return found


def check_strategies(tables: list[Table], tasks: list[Task]) -> None:
    """Construct each strategy for the first task that it can be made for, so that a mistake shows before an hour of runs."""
    for table in tables:
        given = known(tasks[0])
        if not isinstance(table.get("name"), str):
            raise BadInput(f"{table!r} names no strategy")
        made(Trial(tasks[0], "near", table), given)
