"""The leaves of the schools' encyclopaedia as classes, for interclass rules between many topics.

As Altıngövde and Ulusoy 2004 made theirs of DMOZ: a leaf with too few pages is merged into the class above it, and what is left are
the classes. Their leaves had 150 pages, these have 20 or more. A page belongs to the deepest of its subjects.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain

from thresher.classify.taxonomy import Taxonomy
from thresher.knowledge import on_demand
from thresher.lab.run.task import Task
from thresher.lab.run.task_knowledge import needs
from thresher.lab.run.task_taxonomy import EXAMPLES, ExampleUrls, learnt_taxonomy, some_of_each
from thresher.lab.run.task_web import TaskWeb
from thresher.model import Url
from thresher.plugins import Need

Classes = Mapping[str, tuple[Url, ...]]
"""The pages of each class."""


def leaf_needs(task: Task, web: TaskWeb) -> dict[str, Need]:
    """What strategies and judges may know of a task, with the leaves as its taxonomy."""
    return {**needs(task, web), **on_demand({"taxonomy": lambda: leaf_taxonomy(task, web)})}


def leaf_taxonomy(task: Task, web: TaskWeb) -> Taxonomy:
    """Classifier and rules between all leaves. They are the same for every task, so they are learnt once."""
    learnt = _learnt(task, web)
    return Taxonomy(learnt.classifier, tuple(task.relevant), learnt.rules, learnt.learnt_from, learnt.walks)


class _Kept:
    """What was learnt last: it takes ten seconds, and the tasks of one web come one after the other."""

    taxonomy: tuple[str, Taxonomy] | None = None


def _learnt(task: Task, web: TaskWeb) -> Taxonomy:
    name = str(web.source.paths)
    if _Kept.taxonomy is None or _Kept.taxonomy[0] != name:
        _Kept.taxonomy = name, learnt_taxonomy(task, web, leaf_examples(web))
    return _Kept.taxonomy[1]


def leaf_examples(web: TaskWeb) -> ExampleUrls:
    """Train-0: twenty pages of each leaf, by chance."""
    return some_of_each(leaves(web), web, EXAMPLES)


def leaves(web: TaskWeb) -> Classes:
    """The classes: the deepest subject of each page, small ones merged upward."""
    classes: defaultdict[str, list[Url]] = defaultdict(list)
    for url, labels in web.labelled():
        if web.has(url):
            classes[max(labels, key=lambda each: (each.count("."), each))].append(url)
    return merged_upward(classes, EXAMPLES)


def merged_upward(classes: Mapping[str, Iterable[Url]], least: int) -> dict[str, tuple[Url, ...]]:
    """Move the pages of a class with fewer than `least` to the class above it, the deepest first; at the top they are left out."""
    merged = {label: list(urls) for label, urls in classes.items()}
    above = dict.fromkeys(chain.from_iterable(map(_above, list(merged))), ())
    for label in sorted({*merged, *above}, key=lambda each: (-each.count("."), each)):
        if len(merged.get(label, ())) < least:
            moved = merged.pop(label, [])
            if parent := label.rpartition(".")[0]:
                merged.setdefault(parent, []).extend(moved)
    return {label: tuple(urls) for label, urls in sorted(merged.items())}


def _above(label: str) -> Iterable[str]:
    while label := label.rpartition(".")[0]:
        yield label
