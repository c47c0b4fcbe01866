"""Choudhary and Roy 2013 again: the priority-based semantic crawler against a simple, a focused and a priority-based focused one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.lab.papers.paper_tables import claim, direction, figure, gained, highest, picture, tests
from thresher.lab.papers.reproduction import Crawls, PaperTable, Reproduction, Setting, mean_of, tasks_of, varied
from thresher.lab.run.crawl_measures import auc, harvest_curve, harvest_rate, relative_gain
from thresher.lab.run.statistics import averaged
from thresher.lab.run.task import Task
from thresher.lab.run.trial import Trial

PAPER = 'Choudhary and Roy, "Priority based Semantic Web Crawler", 2013, §5–6 and Figure 5'
SEMANTIC, PRIORITY, FOCUSED, SIMPLE, ROBUST = "semantic", "priority-focused", "focused", "simple", "semantic, robust"
STRATEGIES: Mapping[str, Mapping[str, Any]] = {
    SEMANTIC: {"name": "priority-semantic"},
    PRIORITY: {"name": "priority-focused"},
    FOCUSED: {"name": "focused"},
    SIMPLE: {"name": "breadth-first"},
    ROBUST: {"name": "priority-semantic", "profile": "robust"},
}
PRINTED = {SIMPLE: 88, FOCUSED: 28, PRIORITY: 6}
"""Gain of the semantic crawler over each, in percent."""
PAGES, QUICK_PAGES = 1000, 40
OWN = "the paper's four"
_ARTICLES = "http://schools-wikipedia.org/wp/"


class PaperTopic(NamedTuple):
    """One of the paper's four topics in the schools' encyclopaedia."""

    word: str
    sense: str
    labels: tuple[str, ...]
    seeds: tuple[str, ...]


TOPICS = (
    PaperTopic("computer", "computer.n.01", ("IT",), ("c/Computer.htm", "w/World_Wide_Web.htm")),
    PaperTopic("science", "science.n.01", ("Science",), ("s/Science.htm", "p/Physics.htm")),
    PaperTopic("art", "art.n.01", ("Art",), ("a/Art.htm", "p/Painting.htm")),
    PaperTopic(
        "sport",
        "sport.n.01",
        ("Everyday_life.Sports", "Everyday_life.Sports_events", "Everyday_life.Sports_teams"),
        ("s/Sport.htm", "f/Football_%2528soccer%2529.htm"),
    ),
)


def reproduce(setting: Setting) -> Reproduction:
    """Run the crawls that are missing and set them beside the paper."""
    tasks = list(_tasks(setting))
    pages = QUICK_PAGES if setting.quick else PAGES
    trials = {
        (name, task.full_name, seeds): Trial(task, seeds, table, pages)
        for task in tasks
        for seeds in ("near", "far")
        if task.seeds(seeds)
        for name, table in STRATEGIES.items()
    }
    seen = PriorityRuns(trials, Crawls(setting, "priority", list(trials.values())), pages)
    own = [task.full_name for task in tasks if task.name in {each.word for each in TOPICS}]
    every = [task.full_name for task in tasks]
    return Reproduction(
        "priority",
        PAPER,
        _design(len(every) - len(own), pages),
        (_gains(seen, own, every), _harvests(seen, every), _tests(seen, every)),
        _verdict(seen, own, every),
        DIFFERENCES,
        (_plot(seen, every),),
    )


def _tasks(setting: Setting) -> Iterator[Task]:
    """The paper's topics, each a single word, then those of the webs with the words that they give every strategy."""
    webs = ("schools",) if setting.quick else ("schools", "foldoc", "womenshealth")
    known = tasks_of(setting, *webs)
    base = known["schools/music"]
    for topic in TOPICS[: 1 if setting.quick else None]:
        near = tuple(_ARTICLES + each for each in topic.seeds)
        about = {"topic": topic.word, "keywords": "", "sense": topic.sense, "relevant": topic.labels, "near": near}
        yield varied(base, topic.word, **about)
    yield from () if setting.quick else (task for task in known.values() if "mercury" not in task.name)


class PriorityRuns:
    """All crawls, every download charged."""

    def __init__(self, trials: Mapping[tuple[str, str, str], Trial], crawls: Crawls, pages: int) -> None:
        self.pages = pages
        self._fetches = {key: crawls.fetches(trial) for key, trial in trials.items()}

    def values(self, by: str, topics: Sequence[str], measure: Any = harvest_rate) -> dict[str, float]:
        """A figure for each topic, the mean of its seed sets."""
        rows = (
            (topic, float(measure(fetches, self.pages)))
            for (name, topic, _), fetches in self._fetches.items()
            if name == by and topic in topics
        )
        return averaged(rows)

    def curves(self, by: str, topics: Sequence[str]) -> list[list[float]]:
        """The harvest curve of every crawl."""
        chosen = (fetches for (name, topic, _), fetches in self._fetches.items() if name == by and topic in topics)
        return [harvest_curve(fetches, self.pages).tolist() for fetches in chosen]


# ── tables ──


def _gains(seen: PriorityRuns, own: Sequence[str], every: Sequence[str]) -> PaperTable:
    rows = []
    for other, printed in PRINTED.items():
        cells = [
            gained(_gain(seen, other, topics, measure)) for topics in (own, every) for measure in (harvest_rate, auc)
        ]
        rows.append((other, f"+{printed} %", *cells))
    columns = (
        "semantic crawler over",
        "paper",
        f"{OWN}, at the end",
        f"{OWN}, mean of the curve",
        f"all {len(every)}, at the end",
        f"all {len(every)}, mean of the curve",
    )
    said = "Gain of the mean harvest over topics. The paper's figures are read off its text; no absolute numbers of it are left."
    return PaperTable("Gain in average harvest", columns, tuple(rows), said)


def _gain(seen: PriorityRuns, other: str, topics: Sequence[str], measure: Any = harvest_rate) -> float:
    return relative_gain(*(mean_of(seen.values(by, topics, measure)) for by in (SEMANTIC, other)))


def _harvests(seen: PriorityRuns, every: Sequence[str]) -> PaperTable:
    values = {by: seen.values(by, every) for by in STRATEGIES}
    rows = [(topic, *(figure(values[by][topic]) for by in STRATEGIES)) for topic in every]
    rows.append(("mean", *(figure(mean_of(values[by])) for by in STRATEGIES)))
    said = f"By the labels; relevant pages ÷ {seen.pages:,} downloads, those of pages that were only downloaded to be ranked included."
    return PaperTable("Harvest", ("topic", *STRATEGIES), tuple(rows), said)


def _tests(seen: PriorityRuns, every: Sequence[str]) -> PaperTable:
    own = seen.values(SEMANTIC, every)
    pairs = [(SEMANTIC, own, other, seen.values(other, every)) for other in (*PRINTED, ROBUST)]
    said = "The paper has no test. A topic is one pair, its seed sets averaged."
    return tests("Is it chance? All topics", pairs, said)


def _plot(seen: PriorityRuns, every: Sequence[str]) -> tuple[str, str]:
    return picture(
        f"Harvest by the labels, mean of {len(every)} topics",
        "harvest rate",
        {by: seen.curves(by, every) for by in STRATEGIES},
    )


# ── words ──


def _design(others: int, pages: int) -> str:
    return (
        "The paper crawls 1,000 pages of the live web for each of four topics of DMOZ (computer, science, arts, sports), with an "
        "ontology of the topic, and never says which pages "
        "are relevant. DMOZ and that web are gone. Here: the same four words in the schools' encyclopaedia, with the editors' "
        f"subjects as relevance, and {others} topics "
        f"of recorded webs beside them; WordNet's concepts as ontology; {pages:,} downloads a crawl, all of them charged. The "
        "simple crawler is breadth-first."
    )


DIFFERENCES = (
    (
        "The paper does not say what makes a page relevant; if it was the semantic score itself, its crawler was judged by its "
        "own guide. Here it is the labels."
    ),
    (
        "The semantic crawler downloads every child of a page before it ranks them; whether the paper charged those downloads is "
        "not said. Here all are charged."
    ),
    (
        "WordNet stands in for the paper's ontologies, which are not given; a page of an encyclopaedia links to a hundred "
        "others, so one expansion costs a hundred downloads."
    ),
    (
        "On the topics beside the paper's four, *focused* and *priority-focused* get all the words that the task gives every "
        "strategy, not a single focus word as in the paper: what is said over all topics is not the paper's comparison."
    ),
    "Science is a fifth of the encyclopaedia: on so wide a topic even chance finds it every fifth time.",
    "*semantic, robust* is ours, not the paper's.",
)


def _verdict(seen: PriorityRuns, own: Sequence[str], every: Sequence[str]) -> str:
    parts = []
    for other, printed in PRINTED.items():
        gain = _gain(seen, other, own)
        values, base = seen.values(SEMANTIC, every), seen.values(other, every)
        parts.append(
            f"Over {other}, {direction(gain)} on {OWN if len(own) == len(TOPICS) else own[0]} ({gained(gain)}, paper +{printed} %); over "
            "all topics "
            f"{claim(SEMANTIC, values, other, base)}"
        )
    means = {by: mean_of(seen.values(by, every)) for by in STRATEGIES}
    parts.append(f"The highest mean harvest over all topics has {highest(means)}.")
    return " ".join(parts)
