"""The experiment of Kayışoğlu 2005 on the topics of its Table 5: Figures 15–18 and 22, the shares tried, Figure 23, the seconds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from thresher.lab.papers.medical_crawls import (
    FULL,
    GREATER,
    INCREMENT,
    JUDGES,
    MEASURES,
    QUICK,
    ROBUST,
    STRATEGIES,
    WITHOUT,
    Sizes,
)
from thresher.lab.papers.paper_tables import claim, direction, percent, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean_of, rejudged
from thresher.lab.papers.table_five import (
    ALPHAS,
    CHOSEN,
    FEWEST_FOR_RECALL,
    HITS,
    NAME,
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

PAPER = 'Kayışoğlu, "Lokman: a medical ontology based topical web crawler", 2005, Table 5 and Figures 15–18, 22 and 23'
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


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside Kayışoğlu's thesis."""
    seen = crawled(setting, QUICK if setting.quick else FULL)
    return Reproduction(NAME, PAPER, _design(seen), tables(seen), verdict(seen), DIFFERENCES)


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
    return TableFive(Crawls(setting, NAME, wanted), sizes, topics, harvest, recall)


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


def _design(seen: TableFive) -> str:
    webs = ", ".join(dict.fromkeys(each.task.web.name for each in seen.topics))
    sizes, knowing = seen.sizes, ", ".join(seen.topics[0].task.ontologies) if seen.topics else ""
    return (
        f"The thesis takes ten topics of MedlinePlus (Table 5), five crawls each of 100 pages from a search engine's first {HITS} hits, "
        "with UMLS as ontology, and calls a page important if its value is above 0; then 800 pages from 10 seeds with 40 targets. "
        f"Here: the same topics in recorded webs ({webs}). A page whose own text, menus apart, has an everyday name of a topic is "
        f"labelled with it; up to {HITS} of these pages, at most half, drawn by lot, stand for the engine's hits. {sizes.crawls} crawls "
        f"of {sizes.pages} fetches for each topic in each web, each from other hits; recall after {sizes.recall_pages}; the first of "
        f"{knowing} that knows "
        "the phrase is the ontology. Every strategy gets the phrase and nothing else, and all meet the same two oracles: *CC > 0* is the "
        "thesis's test with the whole concept set, *labels* ask whether the page names the topic."
    )


DIFFERENCES = (
    (
        "The webs are not about these topics: two to sixty-eight pages name one, of a thousand and of 4,600, where the thesis had the web. "
        "So few pages cannot fill 100 fetches, which keeps every harvest rate below the thesis's, for every strategy alike."
    ),
    "A label means that a page names the topic, not that it is about it.",
    (
        "CC > 0 is true for one word of the concept set anywhere on the page; broader concepts are in the set. Everyday names that the "
        "ontology lacks (*deaf*, for instance) are not, so a page may have the label and CC = 0."
    ),
    "The thesis's five crawls were of a web that changed; here five draws of hits stand for that.",
    "UMLS has more names than MONDO, HPO and WordNet. Of *vasectomy* only WordNet knows anything, and no other noun.",
    "The value formulas are rebuilt from the prose: they are lost in the copy at hand.",
    "*best-first* and *robust* are not the thesis's.",
)


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
