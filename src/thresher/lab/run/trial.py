"""One trial: a strategy crawls the web of a task, by the same loop as a live crawl; then its fetches are compared with the labels.

with Workbench() as bench:
    row, fetches = run(Trial(task, "near", {"name": "best-first"}, pages=500), bench)
"""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from threading import current_thread, main_thread
from types import TracebackType
from typing import Any, Self

from xxhash import xxh3_128_digest

from thresher import plugins
from thresher.budget import Budget, Stop, Tally
from thresher.clock import FakeClock
from thresher.crawl import CrawlLoop
from thresher.errors import Missing
from thresher.frontier import MemoryFrontier
from thresher.knowledge import part
from thresher.lab.run.crawl_measures import Fetch, counted_once, measure
from thresher.lab.run.results_file import Run
from thresher.lab.run.several_workers import CommonParts, SeveralWorkers
from thresher.lab.run.task import Task, WebSource
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.turned_time import LoopClock, TurnedLoop
from thresher.lab.webs.replay import Replay
from thresher.model import Kept, Response, Url, Visit
from thresher.plugins import Need
from thresher.polite.scope import ScopeRules
from thresher.ports import Judge, Strategy
from thresher.store.memory_store import States

PartTable = Mapping[str, Any]
"""A strategy or a judge: its name and its keys, as in a crawl file."""
KnowledgeOf = Callable[[Task, TaskWeb], dict[str, Need]]
"""What makes all that the parts may know of a task."""
SEED_KEY = "seed"
"""The keyword by which a strategy that throws dice takes their seed."""
ORACLE = "distances"
"""The need that reveals the labels: a strategy that takes it is the upper bound, and no judge gets it."""
INTERRUPTED = "interrupted"
LESSONS_EVERY = 2.0
_TERMS: PartTable = {"name": "terms"}


def label(strategy: PartTable) -> str:
    """What results call a strategy: `lokman:profile=robust`."""
    return Run("", "", "", strategy["name"], {key: value for key, value in strategy.items() if key != "name"}).label


@dataclass(frozen=True, slots=True)
class Trial:
    """What is asked: which strategy, for which task, from which seeds, with how many fetches."""

    task: Task
    seeds: str
    strategy: PartTable
    pages: int = 1000
    repeat: int = 0
    judge: PartTable = field(default_factory=lambda: dict(_TERMS))
    knowledge_of: KnowledgeOf = needs
    """A function of a module, so that another process can import it."""
    team: int = 1
    """How many workers share the crawl; more than one are `SeveralWorkers`."""
    lessons_every: float = LESSONS_EVERY
    """Simulated seconds after which they tell each other what they learnt."""

    @property
    def blank(self) -> Run:
        """The row of this trial, before it is run."""
        parameters = {key: value for key, value in self.strategy.items() if key != "name"}
        if self.judge != _TERMS:
            parameters["judge"] = self.judge["name"] if len(self.judge) == 1 else self.judge
        if self.team > 1:
            parameters["team"] = self.team
            if self.lessons_every != LESSONS_EVERY:
                parameters["lessons_every"] = self.lessons_every
        web, name = self.task.web.name, self.strategy["name"]
        return Run(web, self.task.name, self.seeds, name, parameters, self.repeat, self.pages)


class Workbench:
    """What trials share: the web that is open, with the pages parsed so far, and what is known of the current task.

    An experiment makes one, hands it to its trials and closes it at its end; so does each of its worker processes. It holds one web and
    one task at a time: trials come task by task, and a web can take much memory.
    """

    def __init__(self) -> None:
        self._web: TaskWeb | None = None
        self._known: tuple[Task, KnowledgeOf, dict[str, Need]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def web(self, source: WebSource) -> TaskWeb:
        """The web, opened; the same object until another web is asked for."""
        if self._web is None or self._web.source != source:
            self.close()  # before the next is opened, so that there are never two
            self._web = TaskWeb(source)
        return self._web

    def known(self, task: Task, knowledge_of: KnowledgeOf = needs) -> dict[str, Need]:
        """What may be known of a task; worked out once, until another task is asked for."""
        web = self.web(task.web)
        if self._known is None or self._known[:2] != (task, knowledge_of):
            self._known = None  # as above
            self._known = task, knowledge_of, knowledge_of(task, web)
        return self._known[2]

    def close(self) -> None:
        """Close the web and forget what is known."""
        if self._web is not None:
            self._web.close()
        self._web = self._known = None


def run(trial: Trial, bench: Workbench | None = None) -> tuple[Run, list[Fetch]]:
    """Run a trial: the row it gives, and what was fetched. Without a bench it opens its web for itself."""
    if bench is None:
        with Workbench() as own:
            return run(trial, own)
    web = bench.web(trial.task.web)
    targets = web.targets(trial.task)
    known = bench.known(trial.task, trial.knowledge_of)
    strategy, judge = parts(trial, known)
    start, spared = time.process_time(), web.parser.spared
    if trial.team > 1:
        others = [parts(trial, known)[0] for _ in range(trial.team - 1)]
        stop, notebook = crawled_by_several(trial, web, [strategy, *others], judge)
    else:
        # Closed, so that Ctrl-C before its first step leaves no warning of Python's about a crawl that nobody awaited.
        with closing(crawled(trial, web, strategy, judge)) as crawl:
            stop, notebook = asyncio.run(crawl)
    if stop.reason == INTERRUPTED:
        raise KeyboardInterrupt
    # Pages that an earlier run has read are charged all the same: what a crawl costs must not depend on who went before.
    spent = time.process_time() - start + web.parser.spared - spared
    fetches = list(with_labels(notebook.fetches, targets))
    figures = {**_figures(fetches, trial.pages, targets), **_taught(trial.strategy, known)}
    return replace(trial.blank, **figures, cpu_s=round(spent, 3), stopped=stop.reason), fetches


@contextmanager
def _stopped_by_ctrl_c(crawl: CrawlLoop | SeveralWorkers) -> Iterator[None]:
    """Let Ctrl-C end the crawl after the current page. asyncio would handle it only when the crawl waits, and a replay never waits."""
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


class Notebook(States):
    """A store that only notes what was fetched, in order. Pages with the very same bytes are noted as duplicates."""

    def __init__(self) -> None:
        super().__init__()
        self.fetches: list[Fetch] = []
        """Every url that was asked for; `relevance` is the crawl's own judgement."""
        self._first: dict[bytes, Url] = {}

    async def keep(self, visit: Visit) -> Kept:
        """Note one visit."""
        kept = self._compared(visit)
        if visit.asked:
            relevance = visit.judgement.relevance if visit.judgement else 0.0
            depth = visit.claim.candidate.depth
            duplicate = kept.duplicate_of is not None
            self.fetches.append(Fetch(visit.url, depth, False, relevance, duplicate, visit.page is not None))
        return kept

    def _compared(self, visit: Visit) -> Kept:
        if visit.page is None or not isinstance(visit.fetched, Response):
            return Kept()
        first = self._first.setdefault(xxh3_128_digest(visit.fetched.body), visit.url)
        return Kept(None if first == visit.url else first)

    def visits(self) -> Iterator[Visit]:
        """None: pages are not kept."""
        return iter(())

    def tally(self, window: int) -> Tally:  # noqa: ARG002 - nothing is recent
        """Nothing: a notebook is as new as its crawl."""
        return Tally()


async def crawled(trial: Trial, web: TaskWeb, strategy: Strategy, judge: Judge) -> tuple[Stop, Notebook]:
    """Crawl the web of a task, one page at a time, so that the order is the strategy's own."""
    notebook = Notebook()
    crawl = CrawlLoop(
        frontier=MemoryFrontier(merge=strategy.merge, delay=0.0, alike_turns=0),
        fetcher=Replay(web.pages),
        parser=web.parser,
        scope=ScopeRules(deny_prefixes=trial.task.web.deny, depth=None),
        judge=judge,
        strategy=strategy,
        store=notebook,
        seeds=trial.task.seeds(trial.seeds),
        budget=Budget(pages=trial.pages, dry_share=0.0),
        clock=FakeClock(1.7e9),
        workers=1,
    )
    with _stopped_by_ctrl_c(crawl):
        return await crawl.run(), notebook


def crawled_by_several(
    trial: Trial, web: TaskWeb, strategies: Sequence[Strategy], judge: Judge
) -> tuple[Stop, Notebook]:
    """Crawl the web of a task with a worker for each strategy."""
    notebook = Notebook()
    scope = ScopeRules(deny_prefixes=trial.task.web.deny, depth=None)
    seeds = trial.task.seeds(trial.seeds)
    shared = CommonParts(Replay(web.pages), web.parser, scope, judge, notebook, seeds, trial.pages, trial.lessons_every)
    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        team = SeveralWorkers(shared, strategies, LoopClock(runner.get_loop()))
        with _stopped_by_ctrl_c(team):
            stop = runner.run(team.run())
    del notebook.fetches[trial.pages :]
    return stop, notebook


def parts(trial: Trial, given: Mapping[str, Need]) -> tuple[Strategy, Judge]:
    """The strategy and the judge of a trial, of what is given about its task. A repeat is another seed of the dice."""
    table = dict(trial.strategy)
    if trial.repeat and throws_dice(table):
        table[SEED_KEY] = trial.repeat
    for_judges = unlabelled(given)
    judge: Judge = part("judge", trial.judge, for_judges)
    strategy: Strategy = part("strategy", table, {**given, "judge_of": for_judges["judge_of"]})
    return strategy, judge


def unlabelled(given: Mapping[str, Need]) -> dict[str, Need]:
    """What a judge may ask for: all but what tells the labels, by way of another judge too."""
    left = {name: need for name, need in given.items() if name != ORACLE}
    left["judge_of"] = Need(lambda: lambda table: part("judge", table, left))
    return left


def throws_dice(table: PartTable) -> bool:
    """Whether a strategy, as its table has it, takes another way with another seed; not if the seed is given."""
    return SEED_KEY not in table and SEED_KEY in plugins.parameters(plugins.find("strategy", table["name"]))


def with_labels(fetches: list[Fetch], targets: frozenset[Url]) -> Iterator[Fetch]:
    """The fetches, each with what the labels say of it."""
    for fetch in fetches:
        yield fetch._replace(relevant=fetch.page and fetch.url in targets)


def _taught(strategy: PartTable, known: Mapping[str, Need]) -> dict[str, int]:
    """How much the taxonomy of a strategy was learnt from; nothing if it uses none."""
    if "taxonomy" not in plugins.parameters(plugins.find("strategy", strategy["name"])):
        return {}
    try:
        sizes = known["taxonomy"].make().sizes
    except Missing:  # it can do without
        return {}
    return {"train_0": sizes.train_0, "train_1": sizes.train_1}


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
