"""The topics of the thesis's experiments that recorded webs have, and where their crawls begin."""

from typing import Any, NamedTuple

from thresher.lab.papers.crawls import drawn, installed, tasks_of, varied
from thresher.lab.papers.reproduction import Setting
from thresher.lab.run.task import Task
from thresher.lab.run.task_knowledge import meant
from thresher.model import Url
from thresher.ontology.known_ontologies import open_ontology

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


class Subject(NamedTuple):
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


def subjects_of(setting: Setting) -> list[Subject]:
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
        Subject(task, setting.bench.web(task.web).targets(task), task in medical)
        for task in sorted((*medical, *others), key=lambda each: each.web.name != "womenshealth")
    ]


def _plain(task: Task, name: str, **changes: Any) -> Task:
    """The topic's phrase is all that a user gives, as in the thesis."""
    return varied(task, name, keywords="", **changes)


def _sense(task: Task) -> str:
    """What the web's own task means by its phrase."""
    return next(iter(meant(task, [open_ontology(name) for name in task.ontologies])), "")


def harvest_tasks(subject: Subject, sizes: Sizes) -> list[Task]:
    """Several crawls of a topic, each from another few of its pages."""
    many = max(1, min(5, len(subject.pages) // 5))
    return [
        varied(subject.task, f"{subject.task.name}~{crawl}", near=tuple(drawn(subject.pages, many, crawl)))
        for crawl in range(1, sizes.crawls + 1)
    ]


def recall_task(subject: Subject) -> Task:
    """The crawl that is to find the targets from the seeds."""
    seeds, _ = parted(subject.pages)
    return varied(subject.task, f"{subject.task.name}~recall", near=tuple(seeds))


def parted(pages: frozenset[Url]) -> tuple[list[Url], frozenset[Url]]:
    """Seeds and targets: 10 and 40 of fifty pages; of fewer pages the same shares."""
    chosen = drawn(pages, SEEDS + TARGETS, "recall")
    many = max(1, len(chosen) * SEEDS // (SEEDS + TARGETS))
    return chosen[:many], frozenset(chosen[many:])
