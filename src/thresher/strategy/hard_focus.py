"""Hard focus: soft focus that follows no link of a page off topic.

Paper: Altıngövde and Ulusoy 2004, "Baseline focused crawler" (after Chakrabarti, van den Berg and Dom 1999). Page P is off topic if

    its most probable class is no target class, or P(target | P) < threshold (0.5 "say")

and then its links are dropped. The paper does not say in which order the other links are visited; read as by soft focus. Seeds are on topic
by definition, as there; with `trust_seeds=False` a crawl from seeds that the classifier does not know ends at once. Profiles are those of
`soft-focus`; a tempered share is seldom above .5 where there are many classes, so that `robust` drops more.
"""

from collections.abc import Sequence

from thresher.classify.taxonomy import Taxonomy
from thresher.model import DROP, Link, Visit
from thresher.strategy.parameters import Profile, within
from thresher.strategy.soft_focus import SoftFocus


class HardFocus(SoftFocus):
    """Follow the links of pages on topic, and no others."""

    def __init__(
        self,
        taxonomy: Taxonomy,
        *,
        profile: Profile = "robust",
        threshold: float = 0.5,
        trust_seeds: bool = True,
        temperature: float | None = None,
    ) -> None:
        super().__init__(taxonomy, profile=profile, trust_seeds=trust_seeds, temperature=temperature)
        within("hard-focus", 0, 1, threshold=threshold)
        self._threshold = threshold

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The page's score for each link, or none of them."""
        return super().score(visit, links) if self._on_topic(visit) else [DROP] * len(links)

    def _on_topic(self, visit: Visit) -> bool:
        if self._is_trusted(visit):
            return True
        if visit.page is None or self._taxonomy.best(visit.page) not in self._taxonomy.targets:
            return False
        return self._page_score(visit) >= self._threshold
