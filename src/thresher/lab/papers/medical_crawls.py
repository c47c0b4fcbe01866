"""The topics and crawls of Kayışoğlu's 2005 comparison on recorded webs, judged by the thesis's page value and by the labels."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.lab.papers.reproduction import Crawls, Setting, drawn, installed, rejudged, tasks_of, varied
from thresher.lab.run.crawl_measures import Fetch, auc, beyond, harvest_curve
from thresher.lab.run.statistics import averaged
from thresher.lab.run.task import Task
from thresher.lab.run.task_knowledge import meant
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import Trial, Workbench
from thresher.model import Url
from thresher.ontology.known_ontologies import open_ontology
from thresher.topic.matching import Matcher

SECTIONS = {
    "cancer": ("section=cancer", "section=breast-cancer"),
    "mental health": ("section=mental-health",),
    "pregnancy": ("section=pregnancy",),
    "heart disease": ("section=heart-disease-and-stroke",),
    "menopause": ("section=menopause",),
    "AIDS": ("section=hiv-and-aids",),
    "lupus": ("section=lupus",),
    "menstrual cycle": ("section=menstrual-cycle",),
}
"""Of a women's health site: the sections of ten pages or more on something medical that an ontology knows by the section's name."""
OTHERS = (
    "schools/plants",
    "schools/food",
    "schools/computing",
    "schools/music",
    "foldoc/storage",
    "foldoc/database",
)
"""Topics of other kinds, with WordNet's concepts."""
SEEDS, TARGETS = 10, 40
"""Of the fifty pages a topic in the recall experiment."""
FEWEST = 20


class TopicPages(NamedTuple):
    """A topic of the experiment, and the pages that are about it."""

    task: Task
    pages: frozenset[Url]
    medical: bool


class Sizes(NamedTuple):
    """How large the experiment is."""

    crawls: int
    pages: int
    recall_pages: int
    topics: int | None


FULL, QUICK = Sizes(5, 100, 800, None), Sizes(1, 40, 60, 2)


def subjects_of(setting: Setting) -> list[TopicPages]:
    """All topics, those of the women's health site first."""
    webs = ("womenshealth",) if setting.quick else ("womenshealth", "schools", "foldoc")
    known = tasks_of(setting, *webs)
    base, knowing = known["womenshealth/cancer"], (*installed("mondo", "hpo"), "wordnet")
    medical = [
        _plain(base, name, topic=name, relevant=labels, ontologies=knowing, sense="")
        for name, labels in SECTIONS.items()
    ]
    if "schools/health" in known:
        medical.append(_plain(known["schools/health"], "medicine", ontologies=knowing))
    others = [_plain(known[name], name.split("/")[1], sense=_sense(known[name])) for name in OTHERS if name in known]
    return [
        TopicPages(task, setting.bench.web(task.web).targets(task), task in medical)
        for task in sorted((*medical, *others), key=lambda each: each.web.name != "womenshealth")
    ]


def _plain(task: Task, name: str, **changes: Any) -> Task:
    """The topic's phrase is all that a user gives, as in Kayışoğlu's thesis."""
    return varied(task, name, keywords="", **changes)


def _sense(task: Task) -> str:
    """What the web's own task means by its phrase."""
    return next(iter(meant(task, [open_ontology(name) for name in task.ontologies])), "")


def harvest_tasks(subject: TopicPages, sizes: Sizes) -> list[Task]:
    """Several crawls of a topic, each from another few of its pages."""
    many = max(1, min(5, len(subject.pages) // 5))
    return [
        varied(subject.task, f"{subject.task.name}~{crawl}", near=tuple(drawn(subject.pages, many, crawl)))
        for crawl in range(1, sizes.crawls + 1)
    ]


def recall_task(subject: TopicPages) -> Task:
    """The crawl that is to find the targets from the seeds."""
    seeds, _ = parted(subject.pages)
    return varied(subject.task, f"{subject.task.name}~recall", near=tuple(seeds))


def parted(pages: frozenset[Url]) -> tuple[list[Url], frozenset[Url]]:
    """Seeds and targets: 10 and 40 of fifty pages; of fewer pages the same shares."""
    chosen = drawn(pages, SEEDS + TARGETS, "recall")
    many = max(1, len(chosen) * SEEDS // (SEEDS + TARGETS))
    return chosen[:many], frozenset(chosen[many:])


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


# ── the crawls, judged ──


def trials_of(tasks: Iterable[Task], pages: int) -> Iterator[Trial]:
    """Every strategy on every task."""
    return (trial_of(task, name, pages) for task in tasks for name in STRATEGIES)


def trial_of(task: Task, name: str, pages: int) -> Trial:
    """A strategy by the name it has in the thesis, on a task."""
    return Trial(task, "near", STRATEGIES[name], pages, judge=JUDGE)


class MedicalRuns:
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
