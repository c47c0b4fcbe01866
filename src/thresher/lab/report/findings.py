"""What an experiment says: every strategy's figures by task, who is ahead of the baseline, and whether that is luck."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal

from thresher.lab.run.results_file import Results, Run
from thresher.lab.run.statistics import Comparison, averaged, compare, holm

ORACLE = "oracle-greedy"
"""It reads the labels: an upper bound to compare with, which is never ranked."""
CHANCE = 0.05
"""How rare a false alarm must be, over all comparisons of a report together."""

Measure = Callable[[Run], float | None]
Verdict = Literal["ahead", "behind", "open", "few"]
"""Ahead of the baseline or behind it beyond chance; or that stays open; or the tasks are too few to say."""


def auc(run: Run) -> float:
    """The mean of the harvest curve, by which strategies are ranked."""
    return run.auc


class ExperimentFindings:
    """An experiment compared with a baseline. A task is the unit: seed sets and repeats are averaged first."""

    def __init__(self, results: Results, baseline: str) -> None:
        self.results = results
        self.runs = comparable(results.runs.values())
        self.left_out = len(results.runs) - len(self.runs)
        self.tasks = sorted({run.topic for run in self.runs})
        self._of: dict[str, list[Run]] = defaultdict(list)
        for run in self.runs:
            self._of[run.label].append(run)
        self.wanted = baseline
        """The baseline that was asked for, run or not; empty if none is wanted."""
        self.baseline = self._called(baseline)
        self.oracle = self._called(ORACLE)

    def _called(self, name: str) -> str | None:
        of_that_name = [label for label, runs in self._of.items() if runs[0].strategy == name]
        return name if name in self._of else min(of_that_name, default=None)

    @cached_property
    def strategies(self) -> list[str]:
        """Best mean first; those that were not tried on every task come last, because their mean is of other tasks."""
        return sorted(self._of, key=lambda label: (not self.complete(label), -(self.mean(label) or 0.0), label))

    @cached_property
    def crawlers(self) -> list[str]:
        """The strategies that do not read the labels, best first."""
        return [label for label in self.strategies if self._of[label][0].strategy != ORACLE]

    def of(self, label: str) -> list[Run]:
        """A strategy's runs."""
        return self._of[label]

    def on(self, task: str) -> dict[str, list[Run]]:
        """The runs for one task, by strategy."""
        runs = {label: [run for run in self._of[label] if run.topic == task] for label in self.strategies}
        return {label: each for label, each in runs.items() if each}

    def complete(self, label: str) -> bool:
        """Whether a strategy was tried on every task."""
        return {run.topic for run in self._of[label]} == set(self.tasks)

    def values(self, label: str, measure: Measure = auc) -> dict[str, float]:
        """A figure of a strategy by task."""
        return _by_task(self._of[label], measure)

    def mean(self, label: str, measure: Measure = auc) -> float | None:
        """A figure of a strategy over its tasks, each counted once; None if no run has it."""
        values = self.values(label, measure)
        return averaged(("all", value) for value in values.values())["all"] if values else None

    def ranks(self, label: str) -> list[float]:
        """A strategy's place on each of its tasks, from 1; equals share theirs."""
        own = self.values(label)
        return [_rank(own[task], [row[task] for row in self._rows if task in row]) for task in own]

    @cached_property
    def _rows(self) -> list[dict[str, float]]:
        return [self.values(label) for label in self.crawlers]

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        """Each strategy against the baseline, over the tasks and seeds that both were tried on."""
        others = [label for label in self.crawlers if label != self.baseline] if self.baseline else []
        paired = {label: _paired(self._of[label], self._of[self.baseline or ""]) for label in others}
        return {label: compare(*pair) for label, pair in paired.items() if pair[0]}

    @cached_property
    def chances(self) -> dict[str, float]:
        """How often chance alone would make such a difference: two-sided sign-flip test, after Holm over all comparisons."""
        return holm({label: each.sign_flip.either for label, each in self.comparisons.items()})

    def verdict(self, label: str) -> Verdict:
        """What can be said of a strategy against the baseline."""
        comparison = self.comparisons[label]
        if not comparison.claimable:
            return "few"
        if self.chances[label] >= CHANCE:
            return "open"
        return "ahead" if comparison.difference > 0 else "behind"

    @property
    def budgets(self) -> list[int]:
        """The budgets of the runs, from the smallest."""
        return sorted({run.pages for run in self.runs})


def comparable(runs: Iterable[Run]) -> list[Run]:
    """The runs of one budget a task, the one that most of its runs had: harvests of different budgets are not to be compared."""
    every = sorted(runs, key=lambda run: run.key)
    counts = Counter((run.topic, run.pages) for run in every)
    chosen: dict[str, int] = {}
    for (topic, pages), _ in sorted(counts.items(), key=lambda pair: (pair[1], pair[0][1])):
        chosen[topic] = pages
    return [run for run in every if chosen[run.topic] == run.pages]


def _by_task(runs: Iterable[Run], measure: Measure) -> dict[str, float]:
    told = ((run.topic, measure(run)) for run in runs)
    return averaged((task, value) for task, value in told if value is not None)


def _paired(one: Sequence[Run], other: Sequence[Run]) -> tuple[dict[str, float], dict[str, float]]:
    """Both sides' values by task. Near seeds are easier than far ones: where only one side had a set of seeds, it counts on neither."""
    both = {(run.topic, run.seeds) for run in one} & {(run.topic, run.seeds) for run in other}
    sides = ([run for run in side if (run.topic, run.seeds) in both] for side in (one, other))
    first, second = (_by_task(side, auc) for side in sides)
    return first, second


def _rank(value: float, among: Iterable[float]) -> float:
    others = [round(each, 12) for each in among]
    own = round(value, 12)
    return 1 + sum(each > own for each in others) + (others.count(own) - 1) / 2


def recall_at(mark: int) -> Measure:
    """The share of the targets that was found in so many fetches."""
    return lambda run: run.recall.get(str(mark))


def share_of(best: Iterable[Run]) -> Measure:
    """Relevant pages per relevant page of another strategy's runs for the same task from the same seeds; None where that found none."""
    most = averaged((f"{run.topic} {run.seeds}", run.relevant) for run in best)
    return lambda run: run.relevant / found if (found := most.get(f"{run.topic} {run.seeds}")) else None
