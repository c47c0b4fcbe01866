"""One trial: a strategy crawls the web of a task, by the same loop as a live crawl; then its fetches are held against the labels."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from threading import current_thread, main_thread
from typing import Any

from thresher import plugins
from thresher.budget import Budget, Stop
from thresher.clock import FakeClock
from thresher.crawl import Crawl
from thresher.frontier import MemoryFrontier
from thresher.knowledge import part
from thresher.lab.run.measures import Fetch, counted_once, measure
from thresher.lab.run.notebook import Notebook
from thresher.lab.run.results_file import Run
from thresher.lab.run.task import Ground, Task
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_web import OpenGround
from thresher.lab.webs.replay import Replay
from thresher.model import Url
from thresher.plugins import Need
from thresher.polite.scope import Rules
from thresher.ports import Judge, Strategy

Table = Mapping[str, Any]
Knowing = Callable[[Task, OpenGround], dict[str, Need]]
SEED_KEY = "seed"
"""The keyword by which a strategy that throws dice takes their seed."""
ORACLE = "distances"
"""What tells the labels: a strategy that takes this is the upper bound, and no judge gets it."""
INTERRUPTED = "interrupted"
_ALLOCATIONS = 50_000
_TERMS: Table = {"name": "terms"}


def label(strategy: Table) -> str:
    """What results call a strategy: `lokman:profile=robust`."""
    return Run("", "", "", strategy["name"], {key: value for key, value in strategy.items() if key != "name"}).label


@dataclass(frozen=True, slots=True)
class Trial:
    """What is asked: which strategy, for which task, from which seeds, with how many fetches."""

    task: Task
    seeds: str
    strategy: Table
    """A name and its keys, as in a crawl file."""
    pages: int = 1000
    repeat: int = 0
    judge: Table = field(default_factory=lambda: dict(_TERMS))
    knowing: Knowing = needs
    """What makes all that the parts may know; a function of a module, so that another process can import it."""

    @property
    def blank(self) -> Run:
        """The row of this trial, before it is run."""
        parameters = {key: value for key, value in self.strategy.items() if key != "name"}
        if self.judge != _TERMS:
            parameters["judge"] = self.judge["name"] if len(self.judge) == 1 else self.judge
        web, name = self.task.ground.name, self.strategy["name"]
        return Run(web, self.task.name, self.seeds, name, parameters, self.repeat, self.pages)


def run(trial: Trial) -> tuple[Run, list[Fetch]]:
    """Run a trial: the row it gives, and what was fetched."""
    ground = opened(trial.task.ground)
    targets = ground.targets(trial.task)
    strategy, judge = parts(trial, known(trial.task, trial.knowing))
    with _seldom_collected():
        start, spared = time.process_time(), ground.parser.spared
        stop, notebook = asyncio.run(crawled(trial, ground, strategy, judge))
        if stop.reason == INTERRUPTED:
            raise KeyboardInterrupt
        # Pages that an earlier run has read are charged all the same: what a crawl costs must not depend on who went before.
        spent = time.process_time() - start + ground.parser.spared - spared
    fetches = list(held_against(notebook.fetches, targets))
    figures = _figures(fetches, trial.pages, targets)
    return replace(trial.blank, **figures, cpu_s=round(spent, 3), stopped=stop.reason), fetches


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Let garbage collection look for cycles less often: pages are thousands of links each, and none is part of a cycle.

    A crawl of large pages takes about 7 % less CPU time (the median of six pairs), and no more memory.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_ALLOCATIONS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def _obeying(crawl: Crawl) -> Iterator[None]:
    """Let Ctrl-C end a crawl after the page under way: asyncio would wait until it waits for something, and a replay never does."""
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual) or current_thread() is not main_thread():
        yield
        return

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second one waits for nothing
        crawl.stop(INTERRUPTED)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


async def crawled(trial: Trial, ground: OpenGround, strategy: Strategy, judge: Judge) -> tuple[Stop, Notebook]:
    """Crawl the web of a task, one page at a time, so that the order is the strategy's own."""
    notebook = Notebook()
    crawl = Crawl(
        frontier=MemoryFrontier(merge=strategy.merge, delay=0.0),
        fetcher=Replay(ground.pages),
        parser=ground.parser,
        scope=Rules(deny_prefixes=trial.task.ground.deny, depth=None),
        judge=judge,
        strategy=strategy,
        store=notebook,
        seeds=trial.task.seeds(trial.seeds),
        budget=Budget(pages=trial.pages, dry_share=0.0),
        clock=FakeClock(1.7e9),
        workers=1,
    )
    with _obeying(crawl):
        return await crawl.run(), notebook


def parts(trial: Trial, given: Mapping[str, Need]) -> tuple[Strategy, Judge]:
    """The strategy and the judge of a trial, of what is given about its task. A repeat is another seed of the dice."""
    table = dict(trial.strategy)
    if trial.repeat and throws_dice(table):
        table[SEED_KEY] = trial.repeat
    unlabelled = _unlabelled(given)
    judge: Judge = part("judge", trial.judge, unlabelled)
    strategy: Strategy = part("strategy", table, {**given, "judge_of": unlabelled["judge_of"]})
    return strategy, judge


def _unlabelled(given: Mapping[str, Need]) -> dict[str, Need]:
    """What a judge may ask for: all but what tells the labels, by way of another judge too."""
    left = {name: need for name, need in given.items() if name != ORACLE}
    left["judge_of"] = Need(lambda: lambda table: part("judge", table, left))
    return left


def throws_dice(table: Table) -> bool:
    """Whether a strategy, as its table has it, takes another way with another seed; not if the seed is given."""
    return SEED_KEY not in table and SEED_KEY in plugins.parameters(plugins.find("strategy", table["name"]))


def held_against(fetches: list[Fetch], targets: frozenset[Url]) -> Iterator[Fetch]:
    """The fetches, each with what the labels say of it."""
    for fetch in fetches:
        yield fetch._replace(relevant=fetch.page and fetch.url in targets)


def _figures(fetches: list[Fetch], pages: int, targets: frozenset[Url]) -> dict[str, Any]:
    """The columns of a row that come from the fetches."""
    figures = asdict(measure(fetches, pages, targets))
    del figures["budget"]
    return {
        **figures,
        "targets": len(targets),
        "recall": {str(mark): share for mark, share in figures["recall"].items()},
        "curve": tuple(number for number, fetch in enumerate(counted_once(fetches[:pages]), 1) if fetch.relevant),
    }


# A process works on the runs of one task after another, so that what is expensive to know is worked out once.
_latest: dict[str, tuple[str, Any]] = {}


def _once(kind: str, key: str, make: Callable[[], Any]) -> Any:
    """What was made last under that key, or what is made now."""
    if kind not in _latest or _latest[kind][0] != key:
        _latest.pop(kind, None)  # before the next is made, so that there are never two
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
