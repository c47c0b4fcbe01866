"""Judge a page by the topic's own words: how many of them it uses, how often, and where."""

import math
from collections import Counter
from typing import Literal

from thresher.errors import BadInput
from thresher.language import words
from thresher.model import Evidence, Judgement, Page
from thresher.topic import Topic
from thresher.topic.matching import Matcher

# A word in the title says more than one in the text: the usual field weights of BM25F.
_TITLE, _HEADING, _TEXT = 3.0, 2.0, 1.0
# BM25's usual constants; the average length is a typical page's main text, fixed so that a judgement never depends on other pages.
_K1, _B, _AVERAGE_WORDS = 1.2, 0.75, 500.0


class TermsJudge:
    """Relevance by BM25 with fixed statistics (`mode="bm25"`) or by the cosine of term frequencies (`mode="cosine"`).

    Menus and footers do not count: the text is the page's main text. The threshold was set where the mean F1 over eleven labelled topics
    of three recorded webs is flat (.57 at .20 and .25, .48 at .30); a topic of few, telling words may want a higher one.
    """

    def __init__(self, topic: Topic, threshold: float = 0.25, mode: Literal["bm25", "cosine"] = "bm25") -> None:
        if mode not in {"bm25", "cosine"}:
            raise BadInput(f"judge 'terms' has no mode {mode!r}; its modes: bm25, cosine")
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'terms': threshold is {threshold}, but must be from 0 to 1")
        self._topic = topic
        self.threshold = threshold
        self._matcher = Matcher(topic.labels)
        self._total = sum(topic.labels.values())
        self._relevance = self._bm25 if mode == "bm25" else self._cosine

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        zones = {
            "title": (self._matcher.count(page.title), _TITLE),
            "heading": (self._matcher.count("\n".join(page.headings)), _HEADING),
            "text": (self._matcher.count(page.main), _TEXT),
        }
        hits = Counter[str]()
        for counts, weight in zones.values():
            for label, count in counts.items():
                hits[label] += count * weight  # type: ignore[assignment]  # typed for ints; these are floats
        relevance = self._relevance(hits, page) if hits else 0.0
        evidence = tuple(
            Evidence(label, zone, count) for zone, (counts, _) in zones.items() for label, count in counts.items()
        )
        return Judgement(relevance, relevance >= self.threshold, evidence)

    def _bm25(self, hits: Counter[str], page: Page) -> float:
        # Six characters a word: counting the words of every page exactly would cost more than all the rest.
        length = len(page.main) / 6
        damp = _K1 * (1 - _B + _B * length / _AVERAGE_WORDS)
        found = sum(
            weight * hits[label] / (hits[label] + damp) for label, weight in self._topic.labels.items() if label in hits
        )
        return found / self._total

    def _cosine(self, hits: Counter[str], page: Page) -> float:
        # One vector: the words of the text, and the labels with what title and headings add to them.
        bag = Counter(words(page.main)) | hits
        shared = sum(weight * hits[label] for label, weight in self._topic.labels.items())
        topic = sum(weight * weight for weight in self._topic.labels.values())
        return min(1.0, shared / math.sqrt(topic * sum(count * count for count in bag.values())))
