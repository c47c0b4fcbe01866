"""Focused crawler: best-first by the cosine of a page and the focus word.

Paper: Choudhary and Roy 2013, "Priority based Semantic Web Crawler": the "focused crawler" they compare with (§1, §5; their reference [2]:
Tsoi et al. 2003, "A simple focused crawler"). A link is worth

    cos(f, page) + anchor · cos(f, anchor text)

on raw term frequencies, where f is the focus word.

Unclear in the paper: it gives no formula, and says only that best-first crawling "downloads only relevant web pages of a particular given
topic or string". Read as the plain best-first crawler with the focus word in place of a query, on the page's main text. The anchor is one
of the things that the semantic crawler adds, so it counts nothing here unless told to (`anchor=1.0`). "Only relevant web pages" taken at
its word is `prune=True`: links of a page without the focus word are dropped, except those of a seed. The topics of the paper are single
words; of a topic of several words all are in focus, unless `word` names one.
"""

from collections.abc import Sequence

from thresher.errors import BadInput
from thresher.language import words
from thresher.model import DROP, Evidence, Link, Visit
from thresher.ports import Strategy
from thresher.strategy.parameters import within
from thresher.topic import Topic
from thresher.topic.link_text import anchors
from thresher.topic.scoring import Cosine


class Focused(Strategy):
    """Follow the links of pages that use the focus word most."""

    def __init__(self, topic: Topic, word: str = "", anchor: float = 0.0, *, prune: bool = False) -> None:
        within("focused", 0, anchor=anchor)
        if word and not words(word):
            raise BadInput(f"strategy 'focused': word is {word!r}, but must have a letter or a digit")
        self._cosine = Cosine({word: 1.0} if word else topic.labels)
        self._anchor, self._prune = anchor, prune

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """The page's similarity for all, and what the words of each link add."""
        similarity = self._cosine.similarity(_text(visit))
        if self._prune and not similarity and visit.claim.candidate.depth:
            return [DROP] * len(links)
        if not self._anchor:
            return [similarity] * len(links)
        return [similarity + self._anchor * each for each in self._cosine.similarities(anchors(links))]

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What each focus word adds, on the page and in the anchor."""
        parts = (("page", _text(visit), 1.0), ("anchor", link.anchor, self._anchor))
        return tuple(
            Evidence(word, where, factor * share)
            for where, text, factor in parts
            for word, share in self._cosine.shares(text).items()
            if factor
        )


def _text(visit: Visit) -> str:
    return visit.page.main if visit.page else ""
