"""Classes as a tree: a class is a path such as `Science/Physics`, and a parent's probability is the sum of its children's."""

import difflib
from collections.abc import Iterable, Mapping

from thresher.errors import BadInput

SEPARATOR = "/"
DEEPEST = 50
"""Steps of a path; what stands behind the last of them is part of its name."""
_MOST_NAMED = 20
"""An error names at most so many classes."""


class ClassTree:
    """The tree that class names make. A class may have others below it: then it is one of its own children too.

    >>> tree = ClassTree(["Science/Physics", "Science/Biology", "Arts"])
    >>> tree.children(), tree.children("Science")
    (['Science', 'Arts'], ['Science/Physics', 'Science/Biology'])
    >>> round(tree.probability("Science", {"Science/Physics": 0.5, "Science/Biology": 0.2, "Arts": 0.3}), 2)
    0.7
    """

    def __init__(self, classes: Iterable[str]) -> None:
        self._children: dict[str, dict[str, None]] = {"": {}}
        self._classes: dict[str, list[str]] = {"": []}
        for label in classes:
            self._add(label)

    def _add(self, label: str) -> None:
        above = ""
        self._classes[above].append(label)
        for place in _ancestry(label):
            self._children[above][place] = None
            self._children.setdefault(place, {})
            self._classes.setdefault(place, []).append(label)
            above = place

    def __contains__(self, path: str) -> bool:
        return path in self._classes

    def children(self, path: str = "") -> list[str]:
        """The nodes one step below, as whole paths, in the order in which they were met."""
        return list(self._children[path])

    def classes(self, path: str = "") -> list[str]:
        """The classes at a node and below it."""
        return self._classes[path]

    def probability(self, path: str, shares: Mapping[str, float]) -> float:
        """How probably a page with these shares of classes belongs at a node or below it."""
        return sum(shares[label] for label in self.classes(path))

    def named(self, text: str) -> str:
        """The node that a person named; an error lists what may be meant."""
        if text and text in self:
            return text
        path = SEPARATOR.join(part for part in text.split(SEPARATOR) if part)
        if path and path in self:
            return path
        raise BadInput(f"there is no class {text!r}; {self._choices(path)}")

    def _choices(self, path: str) -> str:
        name = path.rpartition(SEPARATOR)[2].lower()
        nodes = [each for each in self._classes if each]
        ends = [each for each in nodes if each.rpartition(SEPARATOR)[2].lower() == name]
        if close := ends or difflib.get_close_matches(path, nodes, n=3):
            return f"did you mean {', '.join(map(repr, close[:_MOST_NAMED]))}?"
        top = self.children()
        more = f" and {len(top) - _MOST_NAMED} more" if len(top) > _MOST_NAMED else ""
        return f"the classes: {', '.join(top[:_MOST_NAMED])}{more}"


def _ancestry(label: str) -> list[str]:
    """The paths from the top of the tree to a class, itself included.

    >>> _ancestry("Science/Physics")
    ['Science', 'Science/Physics']
    """
    parts = label.split(SEPARATOR, DEEPEST - 1)
    paths = (SEPARATOR.join(parts[:count]) for count in range(1, len(parts) + 1))
    return [path for path in paths if path]
