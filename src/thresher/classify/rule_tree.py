"""Interclass rules over a whole taxonomy: a class borrows what it lacks from the classes above it.

Altıngövde and Ulusoy 2004 use the leaves of their taxonomy only, and name the whole tree as future work: a leaf with few pages in train-1
has few rules, and they are rough. Here a class is a path, such as `Science/Biology/Plants` or `Science.Biology.Plants`. The rules of an
inner class are those of all classes below it; the root's are those of all pages. Each class is an estimate between its own pages and its
parent's rule, as if the parent's were worth `STRENGTH` pages:

    X(C → T) = (pages of T under C + STRENGTH · X(parent of C → T)) / (pages under C + STRENGTH)

A class of which no page was seen has the rules of the class above it. One of a thousand pages keeps its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from thresher.classify.link_rules import Rule

STRENGTH = 10
"""How many pages a parent's rules are worth: as many as the paper's example has of each class."""
LEAST = 0.01
"""Rules less probable than this are left out, so that no class has more than a hundred: paths are looked for over all of them."""
_ROOT = ""
_DEEPEST = 20
"""Levels of a path that count: what is below them is one name."""


def rules_over(rules: Iterable[Rule], classes: Sequence[str]) -> list[Rule]:
    """A rule for each class, whether pages of it were seen or not, with what the classes above it say."""
    tree = _RuleTree(rules, "/" if any("/" in each for each in classes) else ".")
    return [rule for each in classes for rule in tree.rules_of(each)]


class _RuleTree:
    def __init__(self, rules: Iterable[Rule], between: str) -> None:
        self._between = between
        self._pages: dict[str, Counter[str]] = {}
        """Under each class, inner ones and the root too: how many pages of which class."""
        for rule in rules:
            for each in self._way_to(rule.parent):
                self._pages.setdefault(each, Counter())[rule.child] += rule.pages
        self._shares: dict[str, dict[str, float]] = {_ROOT: _shares(self._pages.get(_ROOT, Counter()))}

    def rules_of(self, label: str) -> Iterator[Rule]:
        own = self._pages.get(label, Counter[str]())
        shares = self._shares[_ROOT]
        for each in self._way_to(label)[1:]:
            if each not in self._shares:
                self._shares[each] = self._between_own_and(shares, each)
            shares = self._shares[each]
        return (Rule(label, child, share, own[child]) for child, share in shares.items() if share >= LEAST)

    def _between_own_and(self, above: Mapping[str, float], label: str) -> dict[str, float]:
        own = self._pages.get(label, Counter[str]())
        weight = own.total() + STRENGTH
        return {child: (own[child] + STRENGTH * share) / weight for child, share in above.items()}

    def _way_to(self, label: str) -> list[str]:
        """The classes above one and itself, from the root on."""
        steps = label.split(self._between, _DEEPEST)
        return [_ROOT, *(self._between.join(steps[:many]) for many in range(1, len(steps) + 1))]


def _shares(pages: Counter[str]) -> dict[str, float]:
    total = pages.total()
    return {child: count / total for child, count in pages.items()}
