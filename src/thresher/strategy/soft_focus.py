"""Soft focus: all links of a page get the page's own score for the target classes; nothing is pruned.

Paper: Altıngövde and Ulusoy 2004, "Baseline focused crawler" (after Chakrabarti, van den Berg and Dom 1999): every url found on page P has

    priority = P(target | P), as the classifier sees it; several targets add up

on the radius-1 hypothesis: what a page on topic links to is more often on topic than what any page links to. The distiller is left out, as
in the paper. A seed's score is "1.0 by definition": `trust_seeds=False` asks the classifier about seeds too.

Unclear in the paper: what becomes of a url that is met again. Read as: it keeps the higher score.

The paper's classifier gives raw naïve Bayes scores, nearly all 0 or 1 (`profile="paper"`, temperature 0). Profile `robust`, the default,
tempers them: the classes of a page keep their order, and pages are told apart in between. By how much that helps stands in
docs/reference/strategies.md.
"""

from collections.abc import Sequence

from thresher.classify.taxonomy import Taxonomy
from thresher.model import Evidence, Link, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import Profile, switches

TEMPERATURES: dict[str, dict[str, float | None]] = {"paper": {"temperature": 0.0}, "robust": {"temperature": None}}
"""Raw naïve Bayes, and as the classifier was measured to be best."""


class SoftFocus(Strategy):
    """Follow the links of pages that most probably belong to the target classes."""

    def __init__(
        self,
        taxonomy: Taxonomy,
        *,
        profile: Profile = "robust",
        trust_seeds: bool = True,
        temperature: float | None = None,
    ) -> None:
        self._taxonomy = taxonomy.tempered(
            switches("soft-focus", profile, TEMPERATURES, temperature=temperature).temperature
        )
        self._trust_seeds = trust_seeds

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The page's score for the target, for each of its links."""
        return [self._page_score(visit)] * len(links)

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """How probably the page is of each target class."""
        if self._is_trusted(visit):
            return (Evidence("seed", "page", 1.0),)
        shares = self._taxonomy.distribution(visit.page) if visit.page else {}
        return tuple(Evidence(label, "page", shares[label]) for label in self._taxonomy.targets if label in shares)

    def _page_score(self, visit: Visit) -> float:
        if self._is_trusted(visit):
            return 1.0
        return self._taxonomy.on_target(visit.page) if visit.page else 0.0

    def _is_trusted(self, visit: Visit) -> bool:
        return self._trust_seeds and visit.claim.candidate.depth == 0
