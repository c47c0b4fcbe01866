"""The folder of a learnt taxonomy, which `--taxonomy` takes: the classifier, the rules, how much each was learnt from, and marked targets.

classifier.npz   naïve Bayes over the classes
rules.toml       which class links to which
taxonomy.toml    the pages that each class was learnt from; written last, so that a folder with it is complete
targets.toml     the targets that a person marked
learning.toml    how it is learnt, by the room `taxonomy`: there from the beginning
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from thresher.classify.class_tree import ClassTree
from thresher.classify.link_rules import InterclassRules
from thresher.classify.naive_bayes import Classifier
from thresher.disk.atomic_file import write_whole
from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput

BEGUN = "learning.toml"
_ABOUT = "# How many pages each class was learnt from: examples (train-0), and pages that these link to (train-1).\n\n"
_MARKED = "# The classes that a crawl with this taxonomy looks for if it is given no --target.\n\n"
_MOST_BYTES = 50_000_000


class ClassSize(NamedTuple):
    """How many pages a class was learnt from."""

    examples: int = 0
    """Pages of the class itself: train-0."""
    linked: int = 0
    """Pages that its examples link to: train-1."""

    def __add__(self, other: object) -> "ClassSize":
        assert isinstance(other, ClassSize)
        return ClassSize(self.examples + other.examples, self.linked + other.linked)


class LearntFolder:
    """The files of a learnt taxonomy."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._classifier, self._rules = path / "classifier.npz", path / "rules.toml"
        self._about, self._targets = path / "taxonomy.toml", path / "targets.toml"

    @property
    def begun(self) -> bool:
        """Whether somebody began to learn one here."""
        return (self.path / BEGUN).is_file()

    @property
    def exists(self) -> bool:
        """Whether a taxonomy was learnt here, to the end."""
        return self._about.is_file()

    def save(self, classifier: Classifier, rules: InterclassRules, sizes: Mapping[str, ClassSize]) -> None:
        """Write all of it; a kill meanwhile leaves a folder that is not complete."""
        self._about.unlink(missing_ok=True)
        classifier.save(self._classifier)
        rules.save(self._rules)
        tables = {label: size._asdict() for label, size in sizes.items()}
        write_whole(self._about, _ABOUT + tomli_w.dumps({"classes": tables}))

    def classifier(self) -> Classifier:
        """The classifier that was learnt."""
        return Classifier.load(self._classifier)

    def rules(self) -> InterclassRules:
        """The rules that were learnt."""
        return InterclassRules.load(self._rules)

    def sizes(self) -> dict[str, ClassSize]:
        """The classes, and how many pages each was learnt from."""
        if not self.exists:
            raise BadInput(f"{self.path} holds no learnt taxonomy: thresher taxonomy learn makes one")
        table = _table(self._about).get("classes")
        if not isinstance(table, dict):
            raise BadInput(f"{self._about}: has no table of classes")
        return {label: _size(row, f"{self._about}, {label}") for label, row in table.items()}

    def targets(self) -> list[str]:
        """The targets that were marked, as paths of the tree."""
        if not self._targets.is_file():
            return []
        targets = _table(self._targets).get("targets", [])
        if not isinstance(targets, list) or not all(isinstance(each, str) for each in targets):
            raise BadInput(f"{self._targets}: targets is {targets!r:.100}, but must be a list of classes")
        return targets

    def mark(self, targets: Iterable[str]) -> list[str]:
        """Make these the marked targets, whatever was marked before; an error names what is no class."""
        tree = ClassTree(self.sizes())
        marked = list(dict.fromkeys(map(tree.named, targets)))
        write_whole(self._targets, _MARKED + tomli_w.dumps({"targets": marked}))
        return marked


def _table(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BadInput(f"{path}: more than {_MOST_BYTES // 1_000_000} MB; not a file of ours")
        return read_toml(content.decode())
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from error


def _size(row: object, place: str) -> ClassSize:
    values = row if isinstance(row, dict) else {}
    examples, linked = values.get("examples"), values.get("linked")
    if type(examples) is not int or type(linked) is not int or min(examples, linked) < 0:
        raise BadInput(f"{place}: the numbers of pages, examples and linked, are meant, not {row!r:.100}")
    return ClassSize(examples, linked)
