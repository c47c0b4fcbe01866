"""The crawls of the thesis's comparison, and what came of them by its page value and by the labels."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from thresher.lab.papers.crawls import Crawls, rejudged
from thresher.lab.papers.medical_topics import Sizes
from thresher.lab.run.crawl_measures import Fetch, auc, beyond, harvest_curve
from thresher.lab.run.statistics import averaged
from thresher.lab.run.task import Task
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench
from thresher.topic.matching import Matcher

GREATER, INCREMENT, WITHOUT, BEST, ROBUST = "GetGreater", "IncrementValues", "no ontology", "best-first", "robust"
STRATEGIES: Mapping[str, Mapping[str, Any]] = {
    GREATER: {"name": "lokman"},
    INCREMENT: {"name": "lokman", "reevaluate": "increment"},
    WITHOUT: {"name": "lokman-without-ontology"},
    BEST: {"name": "best-first"},
    ROBUST: {"name": "lokman", "profile": "robust"},
}
JUDGE = {"name": "concepts", "mode": "paper"}

Figure = Callable[[list[Fetch], int], float]
MEASURES: Mapping[str, Figure] = {
    "all pages": auc,
    "without seeds": lambda fetches, pages: auc(*beyond(fetches, pages, 1)),
    "without D ≤ 1": lambda fetches, pages: auc(*beyond(fetches, pages, 2)),
}
JUDGES: Mapping[str, Callable[[Fetch], bool]] = {
    "CC > 0": lambda each: each.relevance > 0,
    "labels": lambda each: each.relevant,
}


def trials_of(tasks: Iterable[Task], pages: int) -> Iterator[Trial]:
    """Every strategy on every task."""
    return (trial_of(task, name, pages) for task in tasks for name in STRATEGIES)


def trial_of(task: Task, name: str, pages: int) -> Trial:
    """A strategy by the name it has in the thesis, on a task."""
    return Trial(task, "near", STRATEGIES[name], pages, judge=JUDGE)


class Seen:
    """The harvest crawls of all topics, judged either way."""

    def __init__(self, crawls: Crawls, sizes: Sizes, tasks: Mapping[str, Sequence[Task]], bench: Workbench) -> None:
        self._crawls, self._pages, self._tasks, self._bench = crawls, sizes.pages, tasks, bench

    def fetches(self, strategy: str, topic: str, judged: str) -> list[list[Fetch]]:
        """What the crawls of a topic fetched."""
        trials = [trial_of(task, strategy, self._pages) for task in self._tasks[topic]]
        return [rejudged(self._crawls.fetches(trial), JUDGES[judged]) for trial in trials]

    def own_values(self, strategy: str, topics: Sequence[str], measure: str) -> dict[str, float]:
        """As `values` by CC > 0, but the crawler without ontology knows no more than its phrase."""
        if strategy != WITHOUT:
            return self.values(strategy, topics, "CC > 0", measure)
        rows = (
            (topic, MEASURES[measure](self._named_by_phrase(trial), self._pages))
            for topic in topics
            for trial in (trial_of(task, strategy, self._pages) for task in self._tasks[topic])
        )
        return averaged(rows)

    def _named_by_phrase(self, trial: Trial) -> list[Fetch]:
        named = _naming(trial.task, self._bench.web(trial.task.web))
        return rejudged(self._crawls.fetches(trial), named)

    def values(self, strategy: str, topics: Sequence[str], judged: str, measure: str = "all pages") -> dict[str, float]:
        """A figure for each topic, the mean of its crawls."""
        rows = (
            (topic, MEASURES[measure](fetches, self._pages))
            for topic in topics
            for fetches in self.fetches(strategy, topic, judged)
        )
        return averaged(rows)

    def passed(self, topics: Sequence[str], judged: str) -> float:
        """The share of the pages that came to any crawler which a judge lets pass."""
        several = (each for name in STRATEGIES for topic in topics for each in self.fetches(name, topic, judged))
        came = [fetch.relevant for fetches in several for fetch in fetches if fetch.page]
        return sum(came) / len(came) if came else 0.0

    def curves(self, strategy: str, topics: Sequence[str], judged: str) -> list[list[float]]:
        """The harvest curve of every crawl."""
        several = (each for topic in topics for each in self.fetches(strategy, topic, judged))
        return [harvest_curve(each, self._pages).tolist() for each in several]


def _naming(task: Task, web: TaskWeb) -> Callable[[Fetch], bool]:
    """Whether a page has the topic's phrase, menus too: CC > 0 of a concept set that is nothing but the phrase."""
    phrase = Matcher([task.topic.lower()])

    def named(fetch: Fetch) -> bool:
        page = web.page(fetch.url)
        return page is not None and bool(phrase.count(f"{page.title}\n{page.text}"))

    return named
