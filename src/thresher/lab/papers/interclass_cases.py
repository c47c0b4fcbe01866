"""The crawls of Altıngövde and Ulusoy's 2004 comparison: which class is sought, in which web, from which seeds.

- `department`: WebKB, from the home page of one department; `departments`: from all four together.
- `seeds 1`, `seeds 2`: WebKB and the schools' encyclopaedia, from two disjoint sets of ten pages of the class, as the paper's are of
  two directories.
- `50 seeds`: WebKB, from the fifty pages that a search for the name of the class gives first; the paper's are those of a search engine.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thresher.classify.taxonomy import Taxonomy
from thresher.lab.papers.leaf_subjects import leaf_examples, leaf_needs, leaves
from thresher.lab.papers.reproduction import Setting, drawn, tasks_of, varied
from thresher.lab.papers.word_search import hits
from thresher.lab.run.task import Task
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_taxonomy import examples_of
from thresher.lab.run.task_web import TaskWeb
from thresher.lab.run.trial import KnowledgeOf, Trial, Workbench
from thresher.model import Url

RULES, SOFT, HARD, BREADTH = "interclass-rules", "soft-focus", "hard-focus", "breadth-first"
WALKS, BOTH, WHOLE = "of walks", "of both", "over the whole taxonomy"
STRATEGIES: Mapping[str, Mapping[str, Any]] = {
    RULES: {"name": "interclass-rules"},
    SOFT: {"name": "soft-focus", "profile": "paper"},
    HARD: {"name": "hard-focus", "profile": "paper"},
    BREADTH: {"name": "breadth-first"},
    WALKS: {"name": "interclass-rules", "citations": "walks"},
    BOTH: {"name": "interclass-rules", "citations": "both"},
    WHOLE: {"name": "interclass-rules", "whole_taxonomy": True},
}
PUBLISHED = (RULES, SOFT, HARD, BREADTH)
EXTENDED = (WALKS, BOTH, WHOLE)
"""What the authors named as future work."""

WEBKB, SCHOOLS = "webkb", "schools"
CLASSES = ("course", "faculty", "student", "project", "staff")
TOPICS = 10
"""Leaves of the encyclopaedia that are sought: the largest."""
SEEDS, MANY_SEEDS = 10, 50
ALONE, TOGETHER, FIRST, SECOND, FIFTY = "department", "departments", "seeds 1", "seeds 2", "50 seeds"
_JUDGE = {"name": "classifier", "temperature": 0}
"""Raw naïve Bayes, as in the paper; strategies have it by their profile `paper`."""


class Case(NamedTuple):
    """A class that is sought from one set of seeds."""

    task: Task
    topic: str
    kind: str
    pages: int
    strategies: Sequence[str]
    learnt_from: frozenset[Url]
    """Pages of train-0: they are no find."""
    knowledge_of: KnowledgeOf = needs

    @property
    def name(self) -> str:
        """Such as `course, seeds 1`."""
        return self.task.name

    def trial(self, strategy: str) -> Trial:
        """The crawl of a strategy, judged by the classifier that guides it."""
        table = dict(STRATEGIES[strategy])
        return Trial(self.task, "near", table, self.pages, judge=_JUDGE, knowledge_of=self.knowledge_of)

    def taxonomy(self, bench: Workbench) -> Taxonomy:
        """What the crawls of the case know of classes."""
        made: Taxonomy = bench.known(self.task, self.knowledge_of)["taxonomy"].make()
        return made


def cases(setting: Setting) -> list[Case]:
    """All of them, those of one web after the other."""
    tasks = tasks_of(setting, WEBKB, SCHOOLS)
    of_web = {name: next(task for task in tasks.values() if task.web.name == name) for name in (WEBKB, SCHOOLS)}
    return [*_webkb(of_web[WEBKB], setting), *_schools(of_web[SCHOOLS], setting)]


def _webkb(base: Task, setting: Setting) -> Iterator[Case]:
    web = setting.bench.web(base.web)
    learnt = frozenset(url for url, _ in examples_of(base, web))
    for name in CLASSES[:1] if setting.quick else CLASSES:
        task = varied(base, name, relevant=(f"class={name}",), topic=name, keywords="")
        ours = sorted(web.targets(task) - learnt)
        yield from _departments(task, base.near, learnt, quick=setting.quick)
        yield from _seed_sets(task, name, ours, setting, Case(task, name, "", 0, PUBLISHED, learnt))
        others = [url for url, _ in web.labelled() if url not in learnt]
        found = hits(name, others, web, 3 if setting.quick else MANY_SEEDS)
        yield Case(_from(task, name, FIFTY, found), name, FIFTY, _pages(setting), (RULES, SOFT), learnt)


def _departments(task: Task, homes: Sequence[str], learnt: frozenset[Url], *, quick: bool) -> Iterator[Case]:
    """From all four departments together, then from each alone."""
    whole, single = (60, 40) if quick else (3000, 1000)
    yield Case(varied(task, f"{task.name} all"), task.name, TOGETHER, whole, PUBLISHED, learnt)
    for home in homes[: 1 if quick else None]:
        university = home.split("cs.")[1].split(".")[0]
        alone = varied(task, f"{task.name} {university}", near=(home,))
        yield Case(alone, task.name, ALONE, single, PUBLISHED, learnt)


def _schools(base: Task, setting: Setting) -> Iterator[Case]:
    web = setting.bench.web(base.web)
    learnt = frozenset(url for url, _ in leaf_examples(web))
    for label in _largest(web, 1 if setting.quick else TOPICS):
        name = label.rpartition(".")[2].replace("_", " ")
        task = varied(base, name, relevant=(label,), topic=name, keywords="", sense="")
        ours = sorted(web.targets(task) - learnt)
        like = Case(task, name, "", 0, (RULES, SOFT, *EXTENDED), learnt, leaf_needs)
        yield from _seed_sets(task, name, ours, setting, like)


def _largest(web: TaskWeb, count: int) -> list[str]:
    """The classes with most pages that have no class below them."""
    classes = leaves(web)
    lowest = [each for each in classes if not any(other.startswith(f"{each}.") for other in classes)]
    return sorted(lowest, key=lambda each: (-len(classes[each]), each))[:count]


def _seed_sets(task: Task, name: str, pages: Sequence[Url], setting: Setting, like: Case) -> Iterator[Case]:
    """Two disjoint sets; of few pages at most a third each, so that some are left to be found."""
    size = min(SEEDS, len(pages) // 3)
    by_lot = drawn(pages, 2 * size, name)
    for kind, seeds in ((FIRST, by_lot[:size]), (SECOND, by_lot[size:])):
        yield like._replace(task=_from(task, name, kind, seeds), kind=kind, pages=_pages(setting))


def _from(task: Task, name: str, kind: str, seeds: Sequence[Url]) -> Task:
    return varied(task, f"{name}, {kind}", near=tuple(seeds))


def _pages(setting: Setting) -> int:
    return 40 if setting.quick else 1000
