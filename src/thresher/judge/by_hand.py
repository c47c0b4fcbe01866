"""Judge as a person does who labelled some pages: the threshold moves, and from twenty labels on a classifier helps.

Threshold. Of all t, the one with the highest F1 over the labelled pages and `PRIOR` more: ten pages that nobody saw, spread evenly from 0
to 1 and labelled as the configured threshold T would have it. With k⁺ and k⁻ for pages labelled relevant and not,

    TP(t) = k⁺(r ≥ t) + 10 · (1 − max(t, T))
    FP(t) = k⁻(r ≥ t) + 10 · max(0, T − t)          F1(t) = 2 TP / (2 TP + FP + FN)
    FN(t) = k⁺(r < t) + 10 · max(0, t − T)

and of equals the one nearest to T. So one label moves the threshold a little, and only if its relevance is near T; many labels move it far.
What holds:

    no labels, or only such as agree with T          t = T
    all are relevant, all are not                    t ≤ T, t ≥ T
    one more page below t, labelled relevant         t stays or falls
    one more page below t, labelled not relevant     t stays

One more page above t, labelled not relevant, nearly always raises t; but of a judge that is mostly wrong F1 may prefer to find more.

Classifier. From 20 labels on, at least 5 of each kind, naïve Bayes is taught on the labelled pages, and with r the configured judge's
relevance and p = P(relevant | page) the relevance is the mean of r and p · min(1, r / T); its T is (T + ½) / 2. A page's relevance for
calibrating, and for the figures, comes from a classifier that did not learn that page (five folds).

Measured on eleven topics of four recorded webs with editors' labels, each with one word or two and with six to nine, judged by `terms` as
it was before its relevance became a probability (its threshold was .25): so many of half the pages were labelled as `thresher label` asks
for them, and the mean F1 is that on 500 to 600 others.

    labels                                            0     5    10    20    30    40    60    80
    threshold alone, all 22                         .43   .45   .46   .45   .46   .46   .46   .46
    with the classifier where there was one         .43   .45   .46   .45   .51   .49   .54   .51
    those with a classifier                                            6    10    13    16    18
      threshold alone                                                .65   .57   .57   .52   .49
      the plain mean of r and p                                      .46   .50   .54   .57   .55
      as it is                                                       .65   .68   .60   .62   .55

So the threshold soon has what it can get, and of 20 labels a classifier learns next to nothing yet. As it is was chosen among four ways on
these topics; the geometric mean did about as well. A prior of 3 instead of 10 does better by .01 or .02
from 20 labels on, and worse by less than .01 before.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, cast

from thresher.classify.naive_bayes import Classifier
from thresher.classify.taxonomy import Taxonomy, class_text
from thresher.judge.classifier import ClassifierJudge
from thresher.model import Evidence, Judgement, LabelledPage, Page
from thresher.ports import AsyncJudge, Judge

LEAST_LABELS, LEAST_OF_EACH = 20, 5
"""A classifier is taught from this many labels on, with this many of each kind."""
PRIOR = 10.0
"""The configured threshold counts as much as this many labels."""
_FOLDS = 5
_YES, _NO = "relevant", "not relevant"
_HALF = 0.5


class Scored(NamedTuple):
    """The relevance of a page that a person judged."""

    relevance: float
    relevant: bool


def by_hand(base: Judge, examples: Sequence[LabelledPage]) -> Judge:
    """The judge adapted to a person's labels; the same judge if there are none."""
    return HandJudge(base, examples) if examples else base


class HandJudge:
    """A judge with the threshold, and from some labels on the words, of a person's labels."""

    def __init__(self, base: Judge, examples: Sequence[LabelledPage], said: Sequence[Judgement] | None = None) -> None:
        """Adapt a judge. What it says of the examples is asked, unless it is given."""
        self._base = base
        said = [base.judge(page) for page, _ in examples] if said is None else said
        self.configured = _configured(base, said)
        """The threshold before anybody labelled a page."""
        self._taught = _taught(examples) if enough(examples) else None
        self._prior = self.configured if self._taught is None else (self.configured + _HALF) / 2
        self._folds = _folds(examples)
        learnt = _held_out(examples, self._folds) if self._taught else [each.relevance for each in said]
        self._scored = [
            Scored(self._joined(each.relevance, other) if self._taught else each.relevance, example.relevant)
            for each, other, example in zip(said, learnt, examples, strict=True)
        ]
        self.threshold = calibrated(self._scored, self._prior)

    @property
    def taught(self) -> bool:
        """Whether there were labels enough for a classifier."""
        return self._taught is not None

    def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        return self.adapted(page, self._base.judge(page))

    def adapted(self, page: Page, said: Judgement) -> Judgement:
        """What the configured judge said of a page, adapted to the labels."""
        if self._taught is None:
            return Judgement(said.relevance, self._verdict(said.relevance), said.evidence)
        learnt = self._taught.judge(page)
        relevance = self._joined(said.relevance, learnt.relevance)
        parts = Evidence("the judge", "judge", said.relevance), Evidence("the labels", "judge", learnt.relevance)
        return Judgement(relevance, self._verdict(relevance), (*parts, *said.evidence, *learnt.evidence[1:]))

    def held_out(self) -> list[bool]:
        """The judgement of each labelled page by a judge that did not learn that page."""
        chosen = [
            calibrated(
                [each for each, other in zip(self._scored, self._folds, strict=True) if other != fold], self._prior
            )
            for fold in range(_FOLDS)
        ]
        return [each.relevance >= chosen[fold] for each, fold in zip(self._scored, self._folds, strict=True)]

    def _joined(self, said: float, learnt: float) -> float:
        """The mean of both. Labelled pages are near the threshold, so far below it the classifier knows little and counts less."""
        return (said + learnt * min(1.0, said / self.configured if self.configured else 1.0)) / 2

    def _verdict(self, relevance: float) -> bool:
        return relevance >= self.threshold


class AwaitedHandJudge:
    """The same for a judge that waits."""

    def __init__(self, base: AsyncJudge, examples: Sequence[LabelledPage], said: Sequence[Judgement]) -> None:
        """Adapt a judge that said this of the examples."""
        self._base = base
        self._hand = HandJudge(cast("Judge", base), examples, said)  # whose own judge() is not called

    async def judge(self, page: Page) -> Judgement:
        """Judge one page."""
        return self._hand.adapted(page, await self._base.judge(page))


def enough(examples: Sequence[LabelledPage]) -> bool:
    """Whether a classifier can be taught."""
    yes = sum(example.relevant for example in examples)
    return len(examples) >= LEAST_LABELS and min(yes, len(examples) - yes) >= LEAST_OF_EACH


def calibrated(scored: Sequence[Scored], configured: float, prior: float = PRIOR) -> float:
    """The threshold that fits the labels; the fewer they are, the nearer to the configured one.

    >>> calibrated([Scored(0.2, True)], 0.25), calibrated([Scored(0.05, True)], 0.25)
    (0.2, 0.25)
    """
    # Between two labelled relevances only the prior changes, and it prefers to be near the configured threshold.
    below = {each.relevance for each in scored if each.relevance < configured}
    above = {math.nextafter(each.relevance, math.inf) for each in scored if each.relevance >= configured}
    # Never 0: a page without any evidence is not relevant, whatever a label says.
    choices = {configured, *(max(each, math.ulp(0.0)) for each in below | above)}
    return max(choices, key=lambda t: (_f1(t, scored, configured, prior), -abs(t - configured), -t))


def _f1(t: float, scored: Sequence[Scored], configured: float, prior: float) -> float:
    found = math.fsum(each.relevant for each in scored if each.relevance >= t) + prior * (1 - max(t, configured))
    wrong = math.fsum(not each.relevant for each in scored if each.relevance >= t) + prior * max(0.0, configured - t)
    missed = math.fsum(each.relevant for each in scored if each.relevance < t) + prior * max(0.0, t - configured)
    return 2 * found / (2 * found + wrong + missed) if found > 0 else 0.0


def _configured(base: Judge, said: Sequence[Judgement]) -> float:
    """The judge's own threshold; for a judge without one, an estimate from its verdicts."""
    told = getattr(base, "threshold", None)
    if isinstance(told, float | int):
        return float(told)
    accepted = [each.relevance for each in said if each.relevant]
    rejected = [each.relevance for each in said if not each.relevant]
    return min(accepted, default=max((*rejected, _HALF)))


def _taught(examples: Sequence[LabelledPage]) -> ClassifierJudge:
    learnt = Classifier.of((class_text(page), _YES if relevant else _NO) for page, relevant in examples)
    return ClassifierJudge(Taxonomy(learnt, (_YES,)))


def _folds(examples: Sequence[LabelledPage]) -> list[int]:
    """Which of five parts each example is in; both kinds are spread over all of them."""
    seen = {True: 0, False: 0}
    folds = []
    for _, relevant in examples:
        # The two kinds start at different parts, so that few examples are spread over different parts.
        folds.append((seen[relevant] + 2 * relevant) % _FOLDS)
        seen[relevant] += 1
    return folds


def _held_out(examples: Sequence[LabelledPage], folds: Sequence[int]) -> list[float]:
    """How relevant each page is to a classifier that learnt the others."""
    judges = [
        _taught([each for each, other in zip(examples, folds, strict=True) if other != fold]) for fold in range(_FOLDS)
    ]
    return [judges[fold].judge(each.page).relevance for each, fold in zip(examples, folds, strict=True)]
