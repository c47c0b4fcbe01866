"""Crawls for the senses of words, judged: by LinCrawler's oracle as the paper has it, by a fairer one, and by the labels.

`sense_tasks` makes a task of each sense of the words of `two_senses.py`; `SenseRuns` has the crawls and what each judge says of them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from thresher.lab.papers.reproduction import Crawls, Setting, rejudged, tasks_of, varied
from thresher.lab.papers.text_oracle import TextOracle, definitions_of
from thresher.lab.papers.two_senses import ENOUGH, PAIRS, WORDS, Word, looked_up
from thresher.lab.run.crawl_measures import Fetch, harvest_curve, harvest_rate, harvested
from thresher.lab.run.statistics import averaged
from thresher.lab.run.task import Task
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import PartTable, Trial
from thresher.ontology.known_ontologies import open_ontology

DELTA = 0.2
"""The cosine with the definitions from which on the paper calls a page relevant."""
PAGES, QUICK_PAGES = 1000, 40
ALL_PAGES = 6000
"""Fetches for the paper's own words: as many as the paper has pages. Fewer pages come, since many links of the web are dead."""


class SenseOracle(NamedTuple):
    """Who says what is relevant: the text oracle from a cosine of δ on, or the labels."""

    kind: Literal["literal", "struck", "labels"]
    """`literal` strikes the topic's word from the definitions, as in the paper; `struck` from the page too."""
    delta: float = DELTA


LITERAL, STRUCK, LABELS = SenseOracle("literal"), SenseOracle("struck"), SenseOracle("labels")
Said = dict[str, tuple[float, float]]
"""What the literal oracle and the other say of each url."""


class SenseTask(NamedTuple):
    """One sense of a word as a task."""

    task: Task
    word: Word
    place: int
    """Which of its two senses."""


def known_words(setting: Setting, base: Task) -> list[Word]:
    """What a look at all pages tells of the words."""
    if setting.quick:
        # Known to be common enough; counting it would take longer than the crawls.
        return [Word("mercury", (ENOUGH, ENOUGH), tuple(base.near), ("", ""))]
    return looked_up(setting.bench.web(base.web), WORDS, setting.out / "lin" / "words.json", setting.told)


def base_task(setting: Setting) -> Task:
    """A task of the encyclopaedia, which those of the senses are made of."""
    return tasks_of(setting, "schools")["schools/mercury-planet"]


def sense_tasks(base: Task, known: Sequence[Word]) -> dict[str, SenseTask]:
    """A task for each sense of words that are common enough, and of the paper's own; both senses start from the same pages."""
    used = [each for each in known if each.common or each.word in PAIRS]
    tasks = {word.named(place): SenseTask(_task(base, word, place), word, place) for word in used for place in (0, 1)}
    return {name: each for name, each in tasks.items() if each.word.seeds}


def _task(base: Task, word: Word, place: int) -> Task:
    sense = WORDS[word.word][place]
    about: dict[str, Any] = {"topic": word.word, "keywords": "", "sense": sense.ids, "relevant": sense.subjects}
    return varied(base, word.named(place), near=word.seeds, **about)


class KeptOracle:
    """LinCrawler's oracle of one sense, and what it said of each page, kept for the next time."""

    def __init__(self, setting: Setting, sought: SenseTask) -> None:
        sense, word = WORDS[sought.word.word][sought.place], sought.word
        texts = [*definitions_of(open_ontology("wordnet"), sense.ids), word.definitions[sought.place]]
        told = [each for each in texts if each]
        self._literal, self._struck = (TextOracle(told, word.word, DELTA, literal=each) for each in (True, False))
        self._web = setting.bench.web(sought.task.web)
        self._path = setting.out / "lin" / f"oracles {sought.task.name}.json"
        kept = json.loads(self._path.read_text("utf-8")) if self._path.exists() else {}
        self._said: Said = {url: (one, other) for url, (one, other) in kept.items()}

    def relevances(self, fetches: Sequence[Fetch]) -> Said:
        """How relevant each page is."""
        missing = {each.url for each in fetches if each.page} - self._said.keys()
        for url in sorted(missing):
            counts = self._literal.counts(_page_text(self._web, url))
            literal, struck = (each.relevance_of(counts) for each in (self._literal, self._struck))
            self._said[url] = (round(literal, 4), round(struck, 4))
        if missing:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._said), "utf-8")
        return self._said


def _page_text(web: TaskWeb, url: Any) -> str:
    page = web.page(url)
    return f"{page.title}\n{page.main}" if page else ""


class SenseRuns:
    """All crawls of some tasks by some strategies, as each judge sees them."""

    def __init__(
        self, setting: Setting, name: str, tasks: Mapping[str, SenseTask], by: Mapping[str, PartTable], pages: int
    ) -> None:
        self.names, self.by, self.pages = list(tasks), list(by), pages
        trials = {
            (task, who): Trial(sought.task, "near", table, pages)
            for task, sought in tasks.items()
            for who, table in by.items()
        }
        crawls = Crawls(setting, name, list(trials.values()))
        self._fetches = {key: crawls.fetches(trial) for key, trial in trials.items()}
        self._words = {task: sought.word.word for task, sought in tasks.items()}
        self._said = {}
        for number, (task, sought) in enumerate(tasks.items(), 1):
            setting.told(f"{name}: asking the text oracle, {number} of {len(tasks)}, {task}")
            several = [each for who in by for each in self._fetches[task, who]]
            self._said[task] = KeptOracle(setting, sought).relevances(several)

    def judged(self, name: str, by: str, oracle: SenseOracle) -> list[Fetch]:
        """A crawl as a judge sees it."""
        fetches, said = self._fetches[name, by], self._said[name]
        if oracle.kind == "labels":
            return fetches
        which = 0 if oracle.kind == "literal" else 1
        return rejudged(fetches, lambda each: said[each.url][which] >= oracle.delta)

    def values(self, by: str, oracle: SenseOracle, pages: int = 0) -> dict[str, float]:
        """The harvest rate of every sense, after so many pages or at the end."""
        return {name: harvest_rate(self.judged(name, by, oracle), pages or self.pages) for name in self.names}

    def by_word(self, by: str, oracle: SenseOracle) -> dict[str, float]:
        """The mean of a word's two senses: they share seeds and pages, so the word is the sample."""
        return averaged((self._words[name], value) for name, value in self.values(by, oracle).items())

    def fetched(self, name: str, by: str) -> int:
        """How far a crawl came before it ran out of links."""
        return len(self._fetches[name, by])

    def came(self, name: str, by: str) -> int:
        """How many pages a crawl got: fetches without those of dead links."""
        return sum(each.page for each in self._fetches[name, by])

    def found(self, name: str, by: str, oracle: SenseOracle) -> int:
        """How many relevant pages a crawl found."""
        return len(harvested(self.judged(name, by, oracle), self.pages))

    def relevant(self, name: str, oracle: SenseOracle) -> int:
        """How many relevant pages all crawls found together."""
        return len({each.url for by in self.by for each in harvested(self.judged(name, by, oracle), self.pages)})

    def curve(self, name: str, by: str, oracle: SenseOracle) -> list[float]:
        """The harvest curve of a crawl, over all its fetches."""
        return list(harvest_curve(self.judged(name, by, oracle), self.pages).tolist())

    def page_curve(self, name: str, by: str, oracle: SenseOracle) -> list[float]:
        """The same over the pages that came, to where the crawl ended, as the paper counts."""
        pages = [each for each in self.judged(name, by, oracle) if each.page]
        return list(harvest_curve(pages, len(pages)).tolist())
