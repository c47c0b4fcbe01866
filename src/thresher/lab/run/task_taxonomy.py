"""The taxonomy of a task: classes learnt from example pages (train-0), and rules learnt from the pages that these link to (train-1).

The examples are those the task file names, or at most twenty of each class, picked by a hash of their urls; only their labels are looked
at. Train-1 is every page that an example links to and that the web has: links to pages that nobody recorded teach nothing. It is
classified, as in Altıngövde and Ulusoy 2004, not looked up. Beside it stand the rules of random walks that begin at the examples and
take as many links as train-1 has pages (after Chakrabarti et al. 2002, who walk in both directions; a crawler knows links forwards only).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from xxhash import xxh3_64_intdigest

from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy, class_text
from thresher.errors import Missing
from thresher.lab.run.task import Task
from thresher.lab.run.task_web import TaskWeb
from thresher.model import Page, Url

EXAMPLES = 20
"""Example pages of each class, where the task names none."""
FEWEST = 5
"""Classes with fewer pages are left out."""
LINKED = 40_000
"""Pages that train-1 has at most: as many as in the paper."""
WALK = 10
"""Links that a random walk takes before the next begins."""

ExampleUrls = Sequence[tuple[Url, str]]
"""Pages to learn the classes from, each with its class."""


def learnt_taxonomy(task: Task, web: TaskWeb, examples: ExampleUrls | None = None) -> Taxonomy:
    """Classifier and rules, learnt from the examples of the task or from those that are given."""
    named = examples_of(task, web) if examples is None else examples
    pages = {url: page for url, _ in named if (page := web.page(url)) is not None}
    train_0 = [(pages[url], label) for url, label in named if url in pages]
    classifier = Classifier.of((class_text(page), label) for page, label in train_0)
    class_of = _class_of(web, classifier)
    rules = InterclassRules.of_links(_links(train_0, web), class_of)
    walks = _walked(train_0, web, class_of, sum(rules.pages.values()))
    return Taxonomy(classifier, tuple(task.relevant), rules, frozenset(url for url, _ in named), walks)


def outlined_taxonomy(task: Task, web: TaskWeb) -> Taxonomy:
    """The same classes, learnt from nothing but their names."""
    labels = dict.fromkeys(label for _, label in examples_of(task, web))
    rules = InterclassRules((label, label) for label in labels)
    classifier = Classifier.of((label, label) for label in labels)
    return Taxonomy(classifier, tuple(task.relevant), rules, walks=rules)


# ── train-0 ──


def examples_of(task: Task, web: TaskWeb) -> ExampleUrls:
    """The examples that the task file names, or a few of each class."""
    allowed = frozenset(task.web.examples)
    classes: defaultdict[str, list[Url]] = defaultdict(list)
    for url, labels in web.labelled():
        if (label := class_label(labels, task)) and (not allowed or labels & allowed):
            classes[label].append(url)
    large = {label: urls for label, urls in classes.items() if len(urls) >= FEWEST or label in task.relevant}
    examples = some_of_each(large, web, None if allowed else EXAMPLES)
    if without := sorted(set(task.relevant) - {label for _, label in examples}):
        how = f"taxonomy = {task.web.taxonomy!r} and examples = {list(task.web.examples)!r}"
        raise Missing(
            f"example pages of {', '.join(map(repr, without))} to learn a taxonomy from: none are left by {how}"
        )
    return examples


def some_of_each(classes: Mapping[str, Iterable[Url]], web: TaskWeb, most: int | None) -> ExampleUrls:
    """So many pages of each class, by chance, of those that the web has."""
    there = {label: islice(filter(web.has, sorted(classes[label], key=_by_chance)), most) for label in sorted(classes)}
    return [(url, label) for label, urls in there.items() for url in urls]


def class_label(labels: Iterable[str], task: Task) -> str | None:
    """The class of a page: the one sought, if it has that label, else the widest of its labels."""
    own = sorted((each for each in labels if each.startswith(task.web.taxonomy)), key=lambda each: (len(each), each))
    return next((each for each in own if each in task.relevant), own[0] if own else None)


# ── train-1 ──


def _links(train_0: Iterable[tuple[Page, str]], web: TaskWeb) -> list[tuple[str, Url]]:
    """Each class with the pages that its examples link to, drawn from those that the web has."""
    links = dict.fromkeys((label, link.target) for page, label in train_0 for link in page.links)
    chosen = set(islice(filter(web.has, sorted({target for _, target in links}, key=_by_chance)), LINKED))
    return [(label, target) for label, target in links if target in chosen]


def _class_of(web: TaskWeb, classifier: Classifier) -> Callable[[Url], str | None]:
    """Pages that examples link to are classified, not looked up: their labels are nobody's business."""

    @cache
    def class_of(url: Url) -> str | None:
        page = web.page(url)
        return classifier.best(class_text(page)) if page is not None else None

    return class_of


# ── random walks ──


def _walked(
    train_0: Sequence[tuple[Page, str]], web: TaskWeb, class_of: Callable[[Url], str | None], links: int
) -> InterclassRules:
    """Rules from so many links, as walks come to them."""
    known = {page.url: label for page, label in train_0}
    starts = sorted(known, key=_by_chance)
    taken = islice((link for walk in range(links) for link in _walk(starts[walk % len(starts)], walk, web)), links)
    classes = ((known.get(source) or class_of(source), class_of(target)) for source, target in taken)
    return InterclassRules((parent, child) for parent, child in classes if parent and child)


def _walk(start: Url, number: int, web: TaskWeb) -> Iterator[tuple[Url, Url]]:
    """The links that one walk takes, until it has gone far enough or no link leads on."""
    here = start
    for step in range(WALK):
        page = web.page(here)
        links = dict.fromkeys(link.target for link in page.links) if page else {}
        by_lot = sorted(links, key=lambda url: xxh3_64_intdigest(f"{number} {step} {url}".encode()))
        there = next(filter(web.has, by_lot), None)
        if there is None:
            return
        yield here, there
        here = there


def _by_chance(url: Url) -> int:
    return xxh3_64_intdigest(url.encode())
