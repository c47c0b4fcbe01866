"""How much of a topic is in a text: every label counts with its weight, each time it occurs."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from thresher.topic.matching import Matcher, Overlap


class Weigher:
    """The sum over all labels of count times weight, not divided by anything.

    Lokman's CalculateComparator (weights of 15, 12, 8 and 5 for the tiers), and the ontology-based relevance score of Kumar and Vig (a
    table of importance from 0 to 1). Integers stay exact, and the order in which labels are found never shows.

    >>> Weigher({"bedwetting": 15, "nocturnal enuresis": 12}).weigh("Bedwetting (nocturnal enuresis) is common.")
    27.0
    """

    def __init__(
        self,
        labels: Mapping[str, float],
        *,
        overlap: Overlap = "independent",
        stem: Callable[[str], str] | None = None,
    ) -> None:
        self._weights = dict(labels)
        self._matcher = Matcher(self._weights, overlap=overlap, stem=stem)

    def weigh(self, text: str) -> float:
        """The weight of one text."""
        return self._sum(self._matcher.count(text))

    def weigh_each(self, texts: Sequence[str]) -> list[float]:
        """The same as `[self.weigh(text) for text in texts]`, by one search."""
        return list(map(self._sum, self._matcher.count_each(texts)))

    def found(self, text: str) -> Counter[str]:
        """How often each label occurs: what the weight is made of."""
        return self._matcher.count(text)

    def _sum(self, counts: Counter[str]) -> float:
        return math.fsum(self._weights[label] * count for label, count in counts.items()) if counts else 0.0
