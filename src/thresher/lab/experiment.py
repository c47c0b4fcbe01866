"""An experiment: every strategy on every task, on as many cores as one likes, to be stopped and gone on with at any moment."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby
from typing import Any

from thresher.errors import BadInput
from thresher.lab.measures import Fetch
from thresher.lab.results import Results, Run
from thresher.lab.task import SEED_SETS, Task
from thresher.lab.trial import Table, Trial, run
from thresher.plugins import find
from thresher.plugins import parameters as takes

Done = Callable[[Run], None]


def trials(
    tasks: Iterable[Task], strategies: Sequence[Table], *, seeds: str = "all", pages: int = 1000, repeats: int = 1
) -> list[Trial]:
    """Every combination, task by task; a strategy without chance is not repeated."""
    sets = SEED_SETS if seeds == "all" else (seeds,)
    if unknown := set(sets) - set(SEED_SETS):
        raise BadInput(f"there is no set of seeds {', '.join(unknown)!r}; the choices: {', '.join(SEED_SETS)}, all")
    return [
        Trial(task, which, table, pages, repeat)
        for task in tasks
        for which in sets
        if task.seeds(which)
        for table in strategies
        for repeat in range(repeats if _throws_dice(table) else 1)
    ]


def _throws_dice(table: Table) -> bool:
    return "seed" in takes(find("strategy", table["name"]))


def experiment(wanted: Sequence[Trial], results: Results, *, jobs: int = 1, done: Done = lambda _: None) -> None:
    """Run what is not in the results yet. Each run is kept as it ends."""
    missing = [trial for trial in wanted if trial.blank.key not in results.runs]
    for row, fetches in _all(missing, jobs):
        results.keep(row, fetches)
        done(row)


def _all(wanted: Sequence[Trial], jobs: int) -> Iterator[tuple[Run, list[Fetch]]]:
    if jobs == 1:
        yield from map(run, wanted)
        return
    # A fresh process each, on every system: what one has opened another must not share.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=fresh) as pool:
        futures = [pool.submit(_some, group) for group in _groups(wanted, jobs)]
        try:
            for future in as_completed(futures):
                yield from future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _some(group: Sequence[Trial]) -> list[tuple[Run, list[Fetch]]]:
    return [run(trial) for trial in group]


def _groups(wanted: Sequence[Trial], jobs: int) -> Iterator[list[Trial]]:
    """A task's trials in as many parts as there are jobs: what is known of a task is worked out once in each process."""
    by_task: Any = groupby(wanted, key=lambda trial: trial.task.full_name)
    for _, group in by_task:
        several = list(group)
        size = max(1, -(-len(several) // jobs))
        yield from (several[start : start + size] for start in range(0, len(several), size))
