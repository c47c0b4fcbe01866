"""The experiment of Kayışoğlu 2005 on the topics of its Table 5: Figures 15–18 and 22, the shares tried, Figure 23, the seconds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from thresher.lab.papers.medical_crawls import (
    GREATER,
    INCREMENT,
    JUDGES,
    MEASURES,
    ROBUST,
    STRATEGIES,
    WITHOUT,
    Sizes,
)
from thresher.lab.papers.paper_tables import claim, direction, percent, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Setting, mean_of, rejudged
from thresher.lab.papers.table_five import (
    ALPHAS,
    CHOSEN,
    FEWEST_FOR_RECALL,
    FOLDER,
    HITS,
    TOPICS,
    TopicTask,
    harvest_crawls,
    recall_crawl,
    sweep_trial,
    topic_tasks,
    trial,
)
from thresher.lab.run.crawl_measures import relative_gain, target_recall
from thresher.lab.run.statistics import averaged
from thresher.lab.run.task import Task
from thresher.lab.run.trial import Trial
from thresher.model import Url

FIGURES = {
    GREATER: ("Figures 17, 18", "76.9057 %", "67.2906 %"),
    INCREMENT: ("Figures 15, 16", "67.095 %", "41.234 %"),
    WITHOUT: ("Figure 22", "63.3287 %", "38.0434 %"),
}
RECALL_AT = (100, 200, 400, 800)
SECONDS = 588.215
"""For 100 pages (§5.1)."""
_WITHOUT_HITS = "without seeds"


class TableFive(NamedTuple):
    """What was crawled."""

    crawls: Crawls
    sizes: Sizes
    topics: Sequence[TopicTask]
    harvest: Mapping[str, Sequence[Task]]
    """The crawls of each topic, in all webs."""
    recall: Sequence[tuple[str, Task, frozenset[Url]]]

    def values(self, trial_of: Callable[[Task], Trial], judged: str, measure: str) -> dict[str, float]:
        """A figure for each topic, the mean of its crawls."""
        return averaged(
            (topic, MEASURES[measure](rejudged(self.crawls.fetches(trial_of(task)), JUDGES[judged]), self.sizes.pages))
            for topic, tasks in self.harvest.items()
            for task in tasks
        )

    def by(self, strategy: str, judged: str, measure: str) -> dict[str, float]:
        """The same for a strategy by its name."""
        return self.values(lambda task: trial(task, strategy, self.sizes.pages), judged, measure)

    def recalls(self, strategy: str, after: int) -> dict[str, float]:
        """The share of each topic's targets that was reached in so many fetches."""
        return averaged(
            (topic, target_recall(self.crawls.fetches(trial(task, strategy, self.sizes.recall_pages)), targets, after))
            for topic, task, targets in self.recall
        )

    def seconds(self, strategy: str) -> float:
        """CPU seconds for 100 fetches, over all crawls of the strategy."""
        trials = [trial(task, strategy, self.sizes.pages) for task in chain.from_iterable(self.harvest.values())]
        runs = [self.crawls.run(each) for each in trials]
        return 100 * sum(run.cpu_s for run in runs) / max(1, sum(run.fetched for run in runs))


def crawled(setting: Setting, sizes: Sizes) -> TableFive:
    """Run the crawls that are missing."""
    topics = topic_tasks(setting)[: sizes.topics]
    harvest = defaultdict[str, list[Task]](list)
    recall: list[tuple[str, Task, frozenset[Url]]] = []
    wanted: list[Trial] = []
    for each in topics:
        tasks = harvest_crawls(each, sizes)
        harvest[each.task.name] += tasks
        wanted += [made for task in tasks for made in _trials(task, sizes)]
        if len(each.pages) >= FEWEST_FOR_RECALL:
            task, targets = recall_crawl(each)
            recall.append((each.task.name, task, targets))
            wanted += [trial(task, name, sizes.recall_pages) for name in STRATEGIES]
    return TableFive(Crawls(setting, FOLDER, wanted), sizes, topics, harvest, recall)


def _trials(task: Task, sizes: Sizes) -> Iterable[Trial]:
    yield from (trial(task, name, sizes.pages) for name in STRATEGIES)
    yield from (sweep_trial(task, alpha, sizes.pages) for alpha in ALPHAS if alpha != CHOSEN)


def tables(seen: TableFive) -> tuple[PaperTable, ...]:
    """All of them."""
    return (_topics(seen), _harvests(seen), _sweep(seen), _chance(seen), _recall(seen), _seconds(seen))


def _topics(seen: TableFive) -> PaperTable:
    rows = []
    for topic in TOPICS:
        here = [each for each in seen.topics if each.task.name == topic]
        where = ", ".join(f"{each.task.web.name} {len(each.pages)}" for each in here) or "none"
        values = (seen.by(name, "labels", _WITHOUT_HITS).get(topic) for name in STRATEGIES)
        rows.append((topic, where, *("" if value is None else percent(value) for value in values)))
    said = (
        "Pages whose own text names the topic, by web; then the average harvest rate by these labels without D = 1. "
        "A topic that at most one page of a web names is left out there. Each has a task file, which the command writes beside its runs."
    )
    return PaperTable(
        "Table 5: the ten topics, and the pages there are", ("topic", "pages", *STRATEGIES), tuple(rows), said
    )


def _harvests(seen: TableFive) -> PaperTable:
    columns = ("strategy", "thesis", "with D = 1", "without", *(f"{j}, {m}" for j in JUDGES for m in _MEASURED))
    rows = [
        (
            name,
            *FIGURES.get(name, ("", "", "")),
            *(percent(mean_of(seen.by(name, judged, measure))) for judged in JUDGES for measure in _MEASURED.values()),
        )
        for name in STRATEGIES
    ]
    said = (
        f"Mean of the running harvest over {len(seen.harvest)} topics, {seen.sizes.crawls} crawls of {seen.sizes.pages} fetches for "
        f"each topic in each web. D = 1 are the search engine's {HITS} hits in the thesis, and the seeds here; *without links too* also "
        "leaves out what the seeds link to."
    )
    return PaperTable("Figures 15–18 and 22: average harvest rate", columns, tuple(rows), said)


_MEASURED = {"with D = 1": "all pages", "without": _WITHOUT_HITS, "without links too": "without D ≤ 1"}


def _sweep(seen: TableFive) -> PaperTable:
    rows = []
    for alpha in ALPHAS:
        own = (
            percent(mean_of(seen.values(_with(alpha, seen), judged, measure)), 2)
            for judged in JUDGES
            for measure in ("all pages", _WITHOUT_HITS)
        )
        rows.append((f"{alpha:.2f}", f"{1 - alpha:.2f}", "chosen" if alpha == CHOSEN else "", *own))
    said = (
        "The thesis began with .4 for what is inherited and went down in steps of .05, since less of it was better; it prints no "
        "figures for the steps. The share of the page or link itself is the rest."
    )
    columns = ("inherited", "own", "thesis", *(f"{j}, {m}" for j in JUDGES for m in ("with D = 1", "without")))
    return PaperTable("§4.1: the share of what is inherited", columns, tuple(rows), said)


def _with(alpha: float, seen: TableFive) -> Callable[[Task], Trial]:
    return lambda task: sweep_trial(task, alpha, seen.sizes.pages)


def _chance(seen: TableFive) -> PaperTable:
    pairs = [
        (
            f"{GREATER}, by {judged}",
            seen.by(GREATER, judged, _WITHOUT_HITS),
            other,
            seen.by(other, judged, _WITHOUT_HITS),
        )
        for judged in JUDGES
        for other in (INCREMENT, WITHOUT, ROBUST)
    ]
    first, last = ALPHAS[0], CHOSEN
    pairs += [
        (
            f"inherited {last:g}, by {judged}",
            seen.values(_with(last, seen), judged, _WITHOUT_HITS),
            f"inherited {first:g}",
            seen.values(_with(first, seen), judged, _WITHOUT_HITS),
        )
        for judged in JUDGES
    ]
    return tests(
        "Is it chance? Table 5's topics without D = 1", pairs, "A topic is one pair, its crawls in all webs averaged."
    )


def _recall(seen: TableFive) -> PaperTable:
    marks = [mark for mark in RECALL_AT if mark <= seen.sizes.recall_pages]
    rows = tuple(
        (name, "21.25 %" if name == GREATER else "", *(percent(mean_of(seen.recalls(name, mark))) for mark in marks))
        for name in STRATEGIES
    )
    said = (
        f"Share of the targets reached after so many fetches, over {len({topic for topic, *_ in seen.recall})} topics with "
        f"{FEWEST_FOR_RECALL} pages or more in a web: a fifth of the pages are seeds, the rest targets, as 10 and 40 of the thesis's fifty."
    )
    columns = ("strategy", "thesis, after 800", *(f"after {mark}" for mark in marks))
    return PaperTable("Figure 23: target recall", columns, rows, said)


def _seconds(seen: TableFive) -> PaperTable:
    rows = tuple(
        (name, f"{SECONDS} s" if name == GREATER else "", f"{seen.seconds(name):.2f} s") for name in STRATEGIES
    )
    said = (
        "The thesis's seconds are of a live web on a Pentium 4 of 2.8 GHz, downloads included. Ours are CPU seconds of a replay: "
        "parsing, judging and ranking alone. They say what the strategy costs, not how long a polite crawl takes."
    )
    return PaperTable("§5.1: seconds for 100 pages", ("strategy", "thesis", "here"), rows, said)


def verdict(seen: TableFive) -> str:
    """What became of the thesis's claims on its own topics."""
    parts = []
    for judged in JUDGES:
        for other in (INCREMENT, WITHOUT):
            own, base = (seen.by(name, judged, _WITHOUT_HITS) for name in (GREATER, other))
            way = direction(relative_gain(mean_of(own), mean_of(base)))
            parts.append(f"On Table 5's topics by {judged}, without D = 1, {way}: {claim(GREATER, own, other, base)}")
    for judged in JUDGES:
        means = {alpha: mean_of(seen.values(_with(alpha, seen), judged, _WITHOUT_HITS)) for alpha in ALPHAS}
        best, most = max(means, key=means.__getitem__), max(means.values())
        parts.append(
            f"Of the shares tried the best by {judged} is {best:g} ({most:.4f}); the thesis's {CHOSEN:g} has {means[CHOSEN]:.4f}."
        )
    return " ".join(parts)
