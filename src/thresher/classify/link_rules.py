"""Interclass rules: how probably a page of one class links to a page of another, and how probably it leads to the target.

Paper: Altıngövde and Ulusoy 2004, "Exploiting Interclass Rules for Focused Crawling"; Kumar and Vig 2010 use the same rules to look ahead.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import tomli_w

from thresher.disk.atomic_file import write_whole
from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput

Page = TypeVar("Page", bound=Hashable)

_HEADER = """\
# Interclass rules. Under each class: how many of the pages its examples link to are of which class.
# The probability of a rule is its share: with CH = 8, PH = 1, SP = 1 under [DH], DH -> CH has 0.8.

"""
# Room for a rule between any two of a thousand classes.
_MOST_BYTES = 50_000_000


class Rule(NamedTuple):
    """Pages of class `parent` link to pages of class `child` with this probability."""

    parent: str
    child: str
    probability: float
    pages: int
    """How many pages it was learnt from."""


class InterclassRules:
    """Rules learnt from pairs of the class of a page (train-0) and the class of a page it links to (train-1).

    X(Ti → Tj) = train-1 pages under Ti that were classified as Tj / train-1 pages under Ti.

    >>> rules = InterclassRules([("DH", "CH")] * 8 + [("DH", "PH"), ("DH", "SP")])
    >>> rules.probability("DH", "CH")
    0.8
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pages: dict[str, Counter[str]] = {}
        for parent, child in pairs:
            self.add(parent, child)

    @classmethod
    def of_links(cls, links: Iterable[tuple[str, Page]], class_of: Callable[[Page], str | None]) -> "InterclassRules":
        """Rules from links, each the class of the page it is on and the page it leads to, and a way to classify that page.

        A page that many pages of a class link to counts once under the class; one without a class (it was never fetched) does not count.
        """
        distinct = dict.fromkeys(links)
        classes = {page: class_of(page) for _, page in distinct}
        return cls((parent, child) for parent, page in distinct if (child := classes[page]) is not None)

    def add(self, parent: str, child: str, pages: int = 1) -> None:
        """Learn that a page of class `parent` links to so many more pages of class `child`."""
        self._pages.setdefault(parent, Counter())[child] += pages

    def probability(self, parent: str, child: str) -> float:
        """How probably a page of one class links to one of another; 0 where there is no rule."""
        row = self._pages.get(parent)
        return row[child] / row.total() if row else 0.0

    @property
    def pages(self) -> dict[str, int]:
        """How many pages the rules of each class were learnt from: the sizes of train-1, by class."""
        return {parent: row.total() for parent, row in self._pages.items()}

    def __iter__(self) -> Iterator[Rule]:
        """All rules, class by class as they were met."""
        for parent, row in self._pages.items():
            total = row.total()
            yield from (Rule(parent, child, pages / total, pages) for child, pages in row.items())

    def __len__(self) -> int:
        return sum(map(len, self._pages.values()))

    def save(self, path: Path) -> None:
        """Write the counts as TOML, for people to read and for `load`."""
        rows = {parent: dict(row.most_common()) for parent, row in self._pages.items()}
        write_whole(path, _HEADER + tomli_w.dumps(rows))

    @classmethod
    def load(cls, path: Path) -> "InterclassRules":
        """The rules that were saved there, or written by hand."""
        rules = cls()
        for parent, row in _tables(path).items():
            for child, pages in _row(row, f"{path}, [{parent}]").items():
                rules.add(parent, child, pages)
        return rules


class RulePath(NamedTuple):
    """A chain of rules that ends in a target class, and the product of their probabilities."""

    classes: tuple[str, ...]
    probability: float

    def __str__(self) -> str:
        return f"{' → '.join(self.classes)} {self.probability:.2f}"


def paths_to(rules: Iterable[Rule], targets: Collection[str], max_depth: int) -> Iterator[RulePath]:
    """All paths of at most `max_depth` rules that reach a target and stop there; the one cycle allowed is from a target to itself.

    Paths that stop at the first target they meet exclude each other, so the probabilities of those from one class add up to at most 1.
    """
    parents: dict[str, list[Rule]] = {}
    for rule in rules:
        parents.setdefault(rule.child, []).append(rule)
    unfinished = [RulePath((target,), 1.0) for target in dict.fromkeys(targets)]
    while unfinished:
        path = unfinished.pop()
        for rule in parents.get(path.classes[0], ()):
            longer = RulePath((rule.parent, *path.classes), rule.probability * path.probability)
            if rule.parent in targets:
                # A target may begin a path but is never on the way; its own loop is the one cycle that counts.
                if rule.parent != path.classes[-1] or len(longer.classes) == 2:
                    yield longer
            elif rule.parent not in path.classes:
                yield longer
                if len(longer.classes) <= max_depth:
                    unfinished.append(longer)


class RuleScores:
    """The paper's scoring function for given targets, with all paths to them found beforehand.

    `soft_class` takes the expectation over the classes the page may have instead of trusting the best one.
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        targets: Collection[str],
        *,
        max_depth: int = 2,
        merge: Literal["sum", "max"] = "sum",
        soft_class: bool = False,
    ) -> None:
        if not targets or isinstance(targets, str):
            raise BadInput(f"rules need a list of target classes, not {targets!r}")
        if max_depth < 1:
            raise BadInput(f"max_depth is {max_depth}; a path has at least 1 rule")
        if merge not in {"sum", "max"}:
            raise BadInput(f"paths cannot be merged by {merge!r}; the choices: sum, max")
        self._targets = tuple(dict.fromkeys(targets))
        self._soft_class = soft_class
        self._scores: dict[str, float] = {}
        self._best: dict[str, RulePath] = {}
        for path in paths_to(rules, self._targets, max_depth):
            start = path.classes[0]
            before = self._scores.get(start, 0.0)
            self._scores[start] = before + path.probability if merge == "sum" else max(before, path.probability)
            self._best[start] = max(self._best.get(start, path), path, key=lambda each: each.probability)

    def of_class(self, label: str) -> float | None:
        """How probably a page of that class leads to a target; None if no path of rules does."""
        return self._scores.get(label)

    def best_path(self, label: str) -> RulePath | None:
        """The most probable path from a class to a target, to explain its score."""
        return self._best.get(label)

    def score(self, distribution: Mapping[str, float]) -> float:
        """The score of all links of a page with this class distribution: by rules, or by soft focus where no rule applies."""
        return self._expected(distribution, self._soft_focus(distribution))

    def look_ahead(self, distribution: Mapping[str, float], la_scale: float = 10.0) -> float:
        """The look-ahead score (LARS) of Kumar and Vig: by rules or 0, scaled up because no probability exceeds their threshold of 3."""
        return la_scale * self._expected(distribution, 0.0)

    def _expected(self, distribution: Mapping[str, float], otherwise: float) -> float:
        if self._soft_class:
            return sum(share * self._scores.get(label, otherwise) for label, share in distribution.items())
        return self._scores.get(max(distribution, key=distribution.__getitem__), otherwise)

    def _soft_focus(self, distribution: Mapping[str, float]) -> float:
        for target in self._targets:
            if target not in distribution:
                raise BadInput(f"there is no class {target!r} to aim at; the classes: {', '.join(distribution)}")
        return sum(distribution[target] for target in self._targets)


def _tables(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadInput(f"{path}: more than {_MOST_BYTES // 1_000_000} MB; not a file of rules")
        return read_toml(content.decode())
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text ({error.reason} at byte {error.start + 1})") from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line \d+", str(error))
        raise BadInput(f"{path}, {line[0] if line else 'at its end'}: {error}") from error


def _row(row: object, place: str) -> dict[str, int]:
    if not isinstance(row, dict):
        raise BadInput(f"{place}: a table of classes and numbers of pages is meant, not {row!r:.100}")
    for child, pages in row.items():
        if type(pages) is not int or pages < 1:
            raise BadInput(f"{place}: {child} = {pages!r:.100}; a whole number of pages from 1 is meant")
    return row
