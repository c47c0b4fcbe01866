"""Judge a page by the concepts of the topic: its names, and what an ontology knows around them.

`mode="calibrated"`: each label's count, three times in the title and twice in headings, is damped as BM25 does it, by the length of the
page's main text; a topic of many names asks for more of them, as its norm grows with the root of their number:

    sat(t) = tf / (tf + 1.2 · (.25 + .75 · words / 500))
    near   = Σ w(t) sat(t) over exact and synonym labels        norm = sqrt(Σ w(t)²) over the same
    far    = Σ w(t) sat(t) over broader and context labels
    x      = (near + min(far / 2, norm / 4)) / norm              score = x / (x + ½)

So broader and context labels raise a page that names the topic; alone they never bring it above a score of ⅓: "organ" is not "eye".
Relevance is the calibrated probability of the score (`calibration.py`).

The threshold is a score of ½, which is a probability of .29: at .5 a topic of one name would find next to nothing
(docs/reference/judges.md). The score was set on nine topics of three recorded webs with editors' labels (schools: health, plants, food,
computing, music; a women's health site: mental health, cancer; a dictionary of computing: storage, database), with concepts of WordNet
alone, with a table of six or so words as synonyms beside them, and with those of WordNet for each of the words. Mean F1 by score:

    score                      .40   .45   .50   .55   .60       the judge `terms`, same words, at .20 and .25
    WordNet, the topic alone   .38   .37   .36   .31   .23       .31   .31
    with the table of words    .46   .52   .55   .54   .45       .54   .52
    WordNet of every word      .46   .53   .55   .48   .37

Two topics of a fourth web (university pages: course, faculty), looked at only afterwards, have .60 at .50 with the table, and .55 with
`terms` at its .25. So concepts help where few words are given; where the user gives good words, they are about even. Two meanings of
one word are not told apart by names alone. Other constants (a title of 5 or 8, headings of 1, b of .5 or 1, k1 of 2 or 4, twice or half as
much for far labels) moved the best mean by less than .03, so they are BM25's usual ones. With those that `terms` has, over thirteen tasks,
average precision is .62 with keywords as before, and .44 instead of .42 with the phrase alone.
Stemming, tried with the table, gave no more (.55 at best).

`mode="paper"`: Lokman's test (Kayışoğlu 2005, §3.4.3.7 and §4.2). CC is the sum of count times weight over title and whole text, menus
too; the page is relevant if CC > 0, and CC / (CC + 15) is its relevance: one exact match is ½. Mean F1 on the nine topics: .13 with
WordNet alone, .10 with the table, since nearly every page names some concept.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from thresher.errors import BadInput
from thresher.judge.calibration import curve
from thresher.model import Evidence, Judgement, Page
from thresher.topic import Topic
from thresher.topic.matching import Matcher
from thresher.topic.topic import strongest

# BM25's usual constants and field weights.
_ZONES = {"title": 3.0, "heading": 2.0, "text": 1.0}
_K1, _B, _AVERAGE_WORDS = 1.2, 0.75, 500.0
_FAR, _FAR_MOST, _HALF = 0.5, 0.25, 0.5
_EXACT = 15.0
# In `paper`, any relevance above 0 is enough.
_LEAST = {"calibrated": 0.5, "paper": math.ulp(0.0)}
# Letters of a word with its blank: an estimate, since counting words exactly would cost more than all the rest.
_LETTERS = 6


class LabelHit(NamedTuple):
    """A label in one part of a page, and what it counts there."""

    label: str
    where: str
    worth: float


class ConceptsJudge:
    """Relevance by the topic's concepts, where they stand and how near they are to it; evidence adds up to the relevance."""

    def __init__(
        self,
        concepts: Topic,
        threshold: float | None = None,
        mode: Literal["calibrated", "paper"] = "calibrated",
        *,
        raw: bool = False,
    ) -> None:
        if mode not in {"calibrated", "paper"}:
            raise BadInput(f"judge 'concepts' has no mode {mode!r}; its modes: calibrated, paper")
        if threshold is not None and not 0 <= threshold <= 1:
            raise BadInput(f"judge 'concepts': threshold is {threshold}, but must be from 0 to 1")
        terms = {term.label.lower(): term for term in strongest(concepts.terms)}
        self._tiers = {label: term.tier for label, term in terms.items()}
        self._weights = {label: term.weight for label, term in terms.items()}
        self._near = frozenset(label for label, tier in self._tiers.items() if tier in {"exact", "synonym"})
        self._norm = math.hypot(*(self._weights[label] for label in self._near))
        if not self._norm > 0:
            raise BadInput(f"judge 'concepts': {concepts.name!r} has no exact or synonym label with a weight")
        self._matcher = Matcher(terms)
        self._found = self._damped if mode == "calibrated" else self._counted
        # What makes a relevance of one half.
        self._half = self._norm * _HALF if mode == "calibrated" else _EXACT
        self._curve = curve("concepts") if mode == "calibrated" and not raw else None
        least = self._curve(_LEAST[mode]) if self._curve else _LEAST[mode]
        self.threshold = least if threshold is None else threshold

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        found = self._found(page)
        total = math.fsum(worth for _, _, worth in found)
        score = total / (total + self._half)
        relevance = self._curve(score) if self._curve else score
        evidence = tuple(
            Evidence(f"{label} ({self._tiers[label]})", where, relevance * worth / total)
            for label, where, worth in found
            if worth
        )
        return Judgement(relevance, relevance >= self.threshold, evidence)

    def _counted(self, page: Page) -> list[LabelHit]:
        """As Lokman does: each occurrence counts the same."""
        zones = {"title": page.title, "text": page.text}
        return [
            LabelHit(label, where, self._weights[label] * count)
            for where, text in zones.items()
            for label, count in self._matcher.count(text).items()
        ]

    def _damped(self, page: Page) -> list[LabelHit]:
        """Each further occurrence counts less, and less on a long page; far labels count only up to a limit."""
        zones = {"title": page.title, "heading": "\n".join(page.headings), "text": page.main}
        hits = [
            LabelHit(label, where, count * _ZONES[where])
            for where, text in zones.items()
            for label, count in self._matcher.count(text).items()
        ]
        worth = self._worth(hits, len(page.main) / _LETTERS)
        return [LabelHit(label, where, worth[label] * times) for label, where, times in hits]

    def _worth(self, hits: list[LabelHit], words: float) -> Mapping[str, float]:
        """What one occurrence of each label counts, given all occurrences."""
        damp = _K1 * (1 - _B + _B * words / _AVERAGE_WORDS)
        times = Counter[str]()
        for label, _, count in hits:
            times[label] += count  # type: ignore[assignment]  # typed for ints; these are floats
        far = math.fsum(self._weights[each] * times[each] / (times[each] + damp) for each in times.keys() - self._near)
        share = min(_FAR, _FAR_MOST * self._norm / far) if far else 0.0
        return {
            label: (1.0 if label in self._near else share) * self._weights[label] / (count + damp)
            for label, count in times.items()
        }
