"""An experiment: every strategy on every task, on as many cores as one likes. It can be stopped at any moment and continued."""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict

from xxhash import xxh3_64_hexdigest

from thresher import plugins
from thresher.errors import BadInput, FolderError, Missing
from thresher.event_loops import rare_garbage_collection
from thresher.lab.run.crawl_measures import Fetch
from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.task import SEED_SETS, Task
from thresher.lab.run.task_knowledge import sketched
from thresher.lab.run.trial import LESSONS_EVERY, PartTable, Trial, Workbench, parts, run, throws_dice
from thresher.plugins import Need

Done = Callable[[Run], None]
Warned = Callable[[str], None]
"""Called with a sentence about a mistake that spoils only a part of the experiment."""
Ran = tuple[Run, list[Fetch]] | Missing
"""What a run gave, or what it lacked."""
_TASKS = "tasks.json"
_NAMED = 5
"""Urls that are named in a sentence."""


def trials(  # noqa: PLR0913 - what is combined
    tasks: Iterable[Task],
    strategies: Sequence[PartTable],
    *,
    seeds: str = "all",
    pages: int = 1000,
    repeats: int = 1,
    team: Sequence[int] = (1,),
    lessons_every: float = LESSONS_EVERY,
) -> list[Trial]:
    """Every combination, task by task; a strategy without chance is not repeated."""
    sets = SEED_SETS if seeds == "all" else (seeds,)
    if unknown := set(sets) - set(SEED_SETS):
        raise BadInput(f"there is no set of seeds {', '.join(unknown)!r}; the choices: {', '.join(SEED_SETS)}, all")
    often = [(table, repeats if throws_dice(table) else 1) for table in strategies]
    return [
        Trial(task, which, table, pages, repeat, team=many, lessons_every=lessons_every)
        for task in tasks
        for which in sets
        if task.seeds(which)
        for table, times in often
        for many in dict.fromkeys(team)
        for repeat in range(times)
    ]


def with_baseline(strategies: Sequence[PartTable], baseline: PartTable | None) -> list[PartTable]:
    """The strategies with the baseline among them; a baseline without keys is there if any strategy has its name."""
    if baseline is None or any(each == baseline or each["name"] == _plain_name(baseline) for each in strategies):
        return list(strategies)
    plugins.find("strategy", baseline["name"])
    return [*strategies, baseline]


def _plain_name(strategy: PartTable) -> str | None:
    return strategy["name"] if len(strategy) == 1 else None


def possible(wanted: Sequence[Trial], bench: Workbench, *, named: bool, told: Warned) -> list[Trial]:
    """The trials whose parts can be made. What a strategy cannot do is left out and told.

    A strategy that was named and can do no task at all is an error.
    """
    without = missing_parts(wanted, bench, told)
    out = {trial.blank.key for trial, _ in without}
    left = [trial for trial in wanted if trial.blank.key not in out]
    able = {trial.blank.label for trial in left}
    for trial, error in without if named else ():
        if trial.blank.label not in able:
            raise BadInput(f"{trial.task.place}: {error}") from error
    once = {(trial.task.full_name, trial.strategy["name"]): (trial, error) for trial, error in without}
    for trial, error in once.values():
        told(f"left out for {trial.task.full_name}: {error}")
    return left


def missing_parts(
    wanted: Iterable[Trial], bench: Workbench, warned: Warned = lambda _: None
) -> list[tuple[Trial, Missing]]:
    """Make the parts of every trial, so that a mistake shows before an hour of runs. The trials whose parts need what is not there."""
    given: dict[str, dict[str, Need]] = {}
    started: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], Missing | None] = {}
    told = []
    for trial in wanted:
        name = trial.task.full_name
        if name not in given:
            given[name] = _checked(trial.task, bench)
        if (name, trial.seeds) not in started:
            started.add((name, trial.seeds))
            _check_seeds(trial, bench, warned)
        same = name, trial.blank.label
        if same not in found:
            found[same] = _lack(trial, given[name])
        if (lack := found[same]) is not None:
            told.append((trial, lack))
    return told


def _checked(task: Task, bench: Workbench) -> dict[str, Need]:
    web = bench.web(task.web)
    if not web.targets(task):
        raise BadInput(f"{task.place}: its web has no page with a relevant label that may be fetched: nothing to find")
    return sketched(task, web)


def _check_seeds(trial: Trial, bench: Workbench, warned: Warned) -> None:
    where, seeds = trial.task.place, trial.task.seeds(trial.seeds)
    absent = bench.web(trial.task.web).absent(seeds)
    listed = ", ".join(absent[:_NAMED]) + (f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else "")
    if len(absent) == len(seeds):
        raise BadInput(f"{where}: none of the {trial.seeds} seeds is a page of its web that may be fetched: {listed}")
    if absent:
        warned(
            f"{where}: of the {trial.seeds} seeds {len(absent)} of {len(seeds)} cannot be fetched in its web: {listed}"
        )


def _lack(trial: Trial, given: dict[str, Need]) -> Missing | None:
    try:
        parts(trial, given)
    except Missing as error:
        return error
    return None


def experiment(  # noqa: PLR0913 - what it runs, then how
    wanted: Sequence[Trial],
    results: Results,
    *,
    jobs: int = 1,
    done: Done = lambda _: None,
    skipped: Warned | None = None,
    bench: Workbench | None = None,
) -> None:
    """Run what is not in the results yet. Each run is kept as it ends, so that a kill costs only those under way.

    With one job the trials share the bench that is given, or one of their own; with more, each process has its own. A run that lacks
    something, which shows only when it begins, is told to `skipped`, and the others go on; without `skipped` it is an error.
    """
    note_tasks(wanted, results)
    missing = [trial for trial in wanted if trial.blank.key not in results.runs]
    for ran in _one_by_one(missing, bench) if jobs == 1 or len(missing) < 2 else _side_by_side(missing, jobs):
        if not isinstance(ran, Missing):
            results.keep(*ran)
            done(ran[0])
        elif skipped is None:
            raise ran
        else:
            skipped(f"left out {' '.join(ran.__notes__)}: {ran}")


def _one_by_one(wanted: Sequence[Trial], bench: Workbench | None) -> Iterator[Ran]:
    if bench is None:
        with Workbench() as own:
            yield from _one_by_one(wanted, own)
    else:
        yield from (_run(trial, bench) for trial in wanted)


def _side_by_side(wanted: Sequence[Trial], jobs: int) -> Iterator[Ran]:
    # A fresh process each, on every system: what one has opened another must not share.
    fresh = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, mp_context=fresh, initializer=_begin_worker) as pool:
        try:
            # They are taken in order, so that each process meets each task once, and works out once what is known of it.
            for future in as_completed([pool.submit(_run_in_worker, trial) for trial in wanted]):
                yield future.result()
        except BaseException:
            # What is under way would be waited for, and nobody wants it any more.
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _run(trial: Trial, bench: Workbench) -> Ran:
    try:
        with rare_garbage_collection():
            return run(trial, bench)
    except Exception as error:
        error.add_note(f"in the run {trial.blank.key}")
        if isinstance(error, Missing):
            return error
        raise


class _Worker:
    """A process of the experiment. Its bench is made when it begins and goes with it: a pool hands its functions nothing else."""

    bench: Workbench


def _begin_worker() -> None:
    """End with the process that started this one, however that ends, and at once on Ctrl-C."""
    _Worker.bench = Workbench()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _run_in_worker(trial: Trial) -> Ran:
    return _run(trial, _Worker.bench)


# ── what the results are results of ──


def note_tasks(wanted: Iterable[Trial], results: Results) -> None:
    """Note which task each name stands for: results are kept by name, so a name must always mean the same task."""
    path = results.folder / _TASKS
    tasks = json.loads(path.read_bytes()) if path.exists() else {}
    for trial in wanted:
        name, digest = trial.task.full_name, _digest(trial.task)
        if tasks.setdefault(name, digest) != digest:
            raise BadInput(
                f"{results.folder} has results of another task {name}: its file has changed since, or two files "
                f"have one name; choose another --into"
            )
    try:
        results.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(tasks, indent=1))
    except OSError as error:
        raise FolderError(
            f"cannot keep results in {results.folder}: {error.strerror}; choose another --into"
        ) from error


def _digest(task: Task) -> str:
    """All that a task file says of a task, wherever the file lies."""
    said = asdict(task)
    web = said["ground"] = said.pop("web")  # results that exist already were digested under this name
    del web["folder"], web["file"]
    return xxh3_64_hexdigest(json.dumps(said, sort_keys=True).encode())
