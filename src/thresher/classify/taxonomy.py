"""The classes pages may belong to: example pages to learn them from, which of them are sought, and how they link to each other."""

import copy
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from thresher.classify.class_tree import ClassTree
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.errors import BadInput
from thresher.model import Page, Url

_HTML = frozenset({".html", ".htm", ".xhtml"})
_PLAIN = ".txt"
# An example is a page that somebody chose. What is larger got there by mistake.
_MOST_BYTES = 10_000_000


class TrainingSizes(NamedTuple):
    """How much a taxonomy was learnt from."""

    train_0: int
    """Example pages, which the classifier has learnt."""
    train_1: int
    """Pages that the examples link to, each once under the class of the examples; the rules are counted on them."""
    rules: int


class Taxonomy:
    """A classifier that has learnt some classes, the target classes, and, for tunnelling, interclass rules."""

    def __init__(
        self,
        classifier: Classifier,
        targets: tuple[str, ...],
        rules: InterclassRules | None = None,
        learnt_from: frozenset[Url] = frozenset(),
        walks: InterclassRules | None = None,
    ) -> None:
        self.tree = ClassTree(classifier.classes)
        if not targets:
            raise BadInput(
                f"which classes are sought? Give --target CLASS, one or more of {_some(self.tree.children())}"
            )
        self.classifier, self.rules = classifier, rules
        self.targets = _classes_of(targets, self.tree)
        """The classes that are sought. A path above several classes stands for all of them."""
        self.learnt_from = learnt_from
        """Pages of the web itself that were its examples: whoever measures leaves them out."""
        self.walks = walks
        """Rules from the links of random walks instead of those of the examples."""
        self._temperature: float | None = None
        self._latest: tuple[Page | None, Mapping[str, float]] = (None, {})

    @property
    def sizes(self) -> TrainingSizes:
        """The sizes of what it was learnt from."""
        rules = self.rules or InterclassRules()
        return TrainingSizes(sum(self.classifier.pages.values()), sum(rules.pages.values()), len(rules))

    def tempered(self, temperature: float | None) -> Self:
        """The same taxonomy with probabilities of another temperature: 0 is raw naïve Bayes, None as its classifier has it."""
        if temperature == self._temperature:
            return self
        if temperature is not None and not 0 <= temperature < math.inf:
            raise BadInput(f"temperature is {temperature}, but must be 0 or more: 0 is raw naïve Bayes")
        other = copy.copy(self)
        other._temperature, other._latest = temperature, (None, {})  # noqa: SLF001 - its own kind
        return other

    def distribution(self, page: Page) -> Mapping[str, float]:
        """How probably the page belongs to each class, the best first."""
        # Judge and strategy ask about the same page one after the other.
        if self._latest[0] is not page:
            self._latest = page, self.classifier.distribution(class_text(page), self._temperature)
        return self._latest[1]

    def best(self, page: Page) -> str:
        """The class that the page most probably belongs to."""
        shares = self.distribution(page)
        return max(shares, key=shares.__getitem__)

    def on_target(self, page: Page) -> float:
        """How probably the page belongs to one of the target classes."""
        shares = self.distribution(page)
        return sum(shares[target] for target in self.targets)


def _classes_of(targets: Iterable[str], tree: ClassTree) -> tuple[str, ...]:
    """The classes at the paths that were named and below them, each once: so a parent's probability is the sum of its children's."""
    return tuple(dict.fromkeys(label for target in targets for label in tree.classes(tree.named(target))))


def _some(names: list[str], most: int = 20) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def class_text(page: Page) -> str:
    """The words that a page is classified by: its title and its text without menus."""
    return f"{page.title}\n{page.main}"


# ── examples ──


class Example(NamedTuple):
    """The words of a page, and the class it belongs to."""

    text: str
    label: str


def read_folder(folder: Path, html_text: Callable[[bytes], str]) -> Iterator[Example]:
    """The pages of a folder whose subfolders are the classes, in the order of their names.

    Folders within a class belong to it; files other than `.html`, `.htm`, `.xhtml` and `.txt` (in UTF-8) do not count.
    """
    for label, pages in _classes(folder).items():
        for page in pages:
            content = _content(page)
            yield Example(_plain(page, content) if page.suffix.lower() == _PLAIN else html_text(content), label)


def _classes(folder: Path) -> dict[str, list[Path]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    except OSError as error:
        raise BadInput(f"{folder}: cannot be read: {error.strerror or error}") from error
    _at_least_two(names, folder)
    classes = {name: list(_pages(folder / name)) for name in names}
    for name, pages in classes.items():
        if not pages:
            raise BadInput(f"{folder / name}: no page in this class; examples end in .html or .txt")
    return classes


def _pages(folder: Path) -> Iterator[Path]:
    # A link to a folder is not followed, so that a loop of links ends.
    for here, folders, files in os.walk(folder):
        folders.sort()
        pages = (Path(here, name) for name in sorted(files))
        yield from (page for page in pages if page.suffix.lower() in {*_HTML, _PLAIN})


def _content(page: Path) -> bytes:
    try:
        with page.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{page}: cannot be read: {error.strerror or error}") from error
    if len(content) > _MOST_BYTES:
        raise BadInput(f"{page}: more than {_MOST_BYTES // 1_000_000} MB, too large for an example page")
    return content


def _plain(page: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{page}, line {line}: not UTF-8 text ({error.reason})") from error


def _at_least_two(names: list[str], path: Path) -> None:
    if len(names) < 2:
        raise BadInput(f"{path}: needs at least two classes to tell apart; found {', '.join(names) or 'none'}")
