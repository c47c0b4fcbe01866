"""Learn from the pages that were fetched: train-0 teaches the classifier; train-1 is classified, and gives the rules.

1. Each example page teaches its class, and the links of it that were followed are noted. Copies of a page that was seen before, and pages
   without a word, teach nothing.
2. Each page that such a link led to, through redirects if there were any, is classified.
3. X(Ti → Tj) = pages that examples of Ti link to and that are classified as Tj / all pages that examples of Ti link to.

No server is asked. It takes what is there: after a crawl that was cut short by its budget, it learns from fewer pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from thresher.classify.learnt_folder import ClassSize, LearntFolder
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import class_text
from thresher.disk.found_rows import Row
from thresher.errors import BadInput
from thresher.fetchers import scope_rules
from thresher.language import words
from thresher.model import Url
from thresher.outcomes import HOPS
from thresher.results.archive import Archive
from thresher.store.visits import count_pages, every_visit, numbered_row
from thresher.taxonomy.example_crawl import LinkSample
from thresher.taxonomy.training_folder import TrainingFolder

Told = Callable[[int], None]
"""Is told how many more pages were read."""


class LearningReport(NamedTuple):
    """What was learnt, and from how much."""

    sizes: dict[str, ClassSize]
    examples: int
    """Pages of train-0."""
    linked: int
    """Pages of train-1, each once, however many classes link to it."""
    rules: int
    lost: tuple[str, ...]
    """Classes of which no example page came."""


class Learning:
    """Reads the pages of a folder and learns from them."""

    def __init__(self, folder: TrainingFolder, archive: Archive) -> None:
        self._archive, self._path = archive, folder.path
        self._classes: Mapping[str, Sequence[Url]] = folder.examples()
        self._sample = LinkSample(self._classes, folder.options)
        self._scope = scope_rules(archive.settings)
        self._classifier = Classifier()
        self._examples = Counter[str]()
        self._links: dict[tuple[str, Url], None] = {}
        """The links that were followed, each with the class of the example that it is on."""

    def steps(self) -> int:
        """How many pages will be read, about."""
        return count_pages(self._archive.read)

    def run(self, told: Told = lambda _: None) -> LearningReport:
        """Learn, and write what was learnt."""
        self._learn_examples(told)
        lost = tuple(label for label in self._classes if not self._examples[label])
        if len(self._examples) < 2:
            raise BadInput(
                f"{self._path}: example pages came of {len(self._examples)} of {len(self._classes)} classes, but it takes two to tell"
                f" apart; thresher show {self._path / 'pages'} says what went wrong"
            )
        found = self._linked_classes(told)
        rules, linked = self._rules(found), Counter[str]()
        for rule in rules:
            linked[rule.parent] += rule.pages
        sizes = {label: ClassSize(self._examples[label], linked[label]) for label in sorted(self._classifier.classes)}
        LearntFolder(self._path).save(self._classifier, rules, sizes)
        return LearningReport(sizes, self._examples.total(), len(found), len(rules), lost)

    def _learn_examples(self, told: Told) -> None:
        """By their urls, and not as they came: so the same pages teach the same, whenever the crawl was stopped."""
        first: dict[object, tuple[Url, int]] = {}
        """Of pages with the same content: the one whose url is the first in the alphabet."""
        for row in self._pages():
            if row["depth"] == 0:
                this, content = (row["url"], row["number"]), row["content_hash"] or row["number"]
                first[content] = min(this, first.get(content, this))
        for _, number in sorted(first.values()):
            self._learn_example(numbered_row(self._archive.read, number))
            told(1)

    def _learn_example(self, row: Row) -> None:
        visit = self._archive.visit_of(row)
        label = self._sample.label(visit.claim.candidate)
        if label is None or visit.page is None or not words(class_text(visit.page)):
            return
        self._classifier.learn(class_text(visit.page), label)
        self._examples[label] += 1
        if visit.page.follow:
            targets = self._sample.targets(label, visit.page.links, self._scope)
            self._links |= dict.fromkeys((label, target) for target in targets)

    def _linked_classes(self, told: Told) -> dict[Url, str]:
        """The class of each page that the links lead to, by the url that it has in the end."""
        redirects = self._redirects()
        self._links = {(label, _end_of(target, redirects)): None for label, target in self._links}
        wanted = {target for _, target in self._links}
        found: dict[Url, str] = {}
        for row in self._pages():
            told(int(row["depth"] > 0))
            page = self._archive.visit_of(row).page if row["url"] in wanted else None
            if page is not None and words(class_text(page)):
                found[row["url"]] = self._classifier.best(class_text(page))
        return found

    def _rules(self, classes: Mapping[Url, str]) -> InterclassRules:
        # Sorted, so that the same pages give the same file in whatever order they came.
        return InterclassRules.of_links(sorted(self._links), classes.get)

    def _redirects(self) -> dict[Url, Url]:
        rows = every_visit(self._archive.read)
        return {row["url"]: row["final_url"] for row in rows if row["outcome"] == "redirect" and row["final_url"]}

    def _pages(self) -> Iterator[Row]:
        return (row for row in every_visit(self._archive.read) if row["outcome"] == "page")


def _end_of(url: Url, redirects: Mapping[Url, Url]) -> Url:
    for _ in range(HOPS):
        url = redirects.get(url, url)
    return url
