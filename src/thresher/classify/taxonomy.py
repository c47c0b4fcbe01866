"""The classes pages may belong to, which of them are sought, and what is known of how they link to each other."""

from collections.abc import Mapping

from thresher.classify.classifier import Classifier
from thresher.classify.rules import InterclassRules
from thresher.errors import BadInput
from thresher.model import Page


class Taxonomy:
    """A classifier that has learnt some classes, the target classes, and, for tunnelling, interclass rules."""

    def __init__(self, classifier: Classifier, targets: tuple[str, ...], rules: InterclassRules | None = None) -> None:
        for target in targets:
            if target not in classifier.classes:
                raise BadInput(f"there is no class {target!r} to aim at; the classes: {', '.join(classifier.classes)}")
        if not targets:
            raise BadInput(
                f"which classes are sought? Give --target CLASS, one or more of {', '.join(classifier.classes)}"
            )
        self.classifier, self.targets, self.rules = classifier, targets, rules
        self._latest: tuple[Page | None, Mapping[str, float]] = (None, {})

    def distribution(self, page: Page) -> Mapping[str, float]:
        """How probably the page belongs to each class, the best first."""
        # Judge and strategy ask about the same page one after the other.
        if self._latest[0] is not page:
            self._latest = page, self.classifier.distribution(class_text(page))
        return self._latest[1]

    def best(self, page: Page) -> str:
        """The class that the page most probably belongs to."""
        shares = self.distribution(page)
        return max(shares, key=shares.__getitem__)

    def on_target(self, page: Page) -> float:
        """How probably the page belongs to one of the target classes."""
        shares = self.distribution(page)
        return sum(shares[target] for target in self.targets)


def class_text(page: Page) -> str:
    """The words that a page is classified by: its title and its text without menus."""
    return f"{page.title}\n{page.main}"
