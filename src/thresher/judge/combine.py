"""Judge a page by several judges at once: their relevances become one.

    mean      Σ wᵢ·rᵢ / Σ wᵢ        a high one makes up for a low one
    product   Π rᵢ^(wᵢ / Σ wⱼ)      the geometric mean: all must say something
    min       min rᵢ                 as much as the strictest says
    max       max rᵢ                 as much as the kindest says

`product` is the root of the plain product, so that three judges that all say .5 give .5, and one threshold serves any number of judges.
`min` and `max` take no weights; giving some is an error. The judges' own thresholds have no effect here: only relevances are combined.

The default threshold is .5, as that of all judges: right if the mean of probabilities is one, and not measured for any combination. Set it
yourself.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any, Literal

from thresher.errors import BadInput
from thresher.model import Evidence, Judgement, Page
from thresher.ports import Judge

How = Literal["mean", "min", "max", "product"]
Table = Mapping[str, Any]


class CombineJudge:
    """Several judges, weighed into one."""

    def __init__(
        self,
        judge_of: Callable[[Table], Judge],
        judges: Sequence[str | Table] = ("terms", "concepts"),
        weights: Sequence[float] = (),
        how: How = "mean",
        threshold: float = 0.5,
    ) -> None:
        """`judges` are names, or tables with a name and the judge's own keys; `weights` are theirs, in order, all 1 if none is given."""
        if not 0 <= threshold <= 1:
            raise BadInput(f"judge 'combine': threshold is {threshold}, but must be from 0 to 1")
        if how not in _WAYS:
            raise BadInput(f"judge 'combine': how is {how!r}, but must be one of {', '.join(_WAYS)}")
        tables = [_table(each) for each in judges]
        self._names = [str(table["name"]) for table in tables]
        self._shares = _shares(weights, len(tables), how)
        self._judges = [judge_of(table) for table in tables]
        self._way, self.threshold = _WAYS[how], threshold

    def judge(self, page: Page) -> Judgement:
        """Ask all judges; the evidence is theirs, after what each of them said."""
        said = [judge.judge(page) for judge in self._judges]
        relevance = min(1.0, max(0.0, self._way([each.relevance for each in said], self._shares)))
        verdicts = [Evidence(name, "judge", each.relevance) for name, each in zip(self._names, said, strict=True)]
        return Judgement(relevance, relevance >= self.threshold, (*verdicts, *_all_evidence(said)))


def _table(judge: str | Table) -> Table:
    table = {"name": judge} if isinstance(judge, str) else judge
    if not isinstance(table, Mapping) or not isinstance(table.get("name"), str):
        raise BadInput(
            f"judge 'combine': judges has {judge!r}, but must have names, or tables with one: {{name = 'terms'}}"
        )
    return table


def _shares(weights: Sequence[float], many: int, how: How) -> list[float]:
    """The weights, divided by their sum."""
    if not many:
        raise BadInput("judge 'combine': judges is empty, but must name at least one, such as 'terms'")
    if not weights:
        return list(repeat(1 / many, many))
    if how in {"min", "max"}:
        raise BadInput(f"judge 'combine': weights mean nothing to how = {how!r}, but to 'mean' or 'product'")
    if len(weights) != many or not all(0 <= weight < math.inf for weight in weights) or not any(weights):
        raise BadInput(f"judge 'combine': weights is {list(weights)}, but must be {many} numbers from 0 on, not all 0")
    return [weight / sum(weights) for weight in weights]


def _mean(relevances: Sequence[float], shares: Sequence[float]) -> float:
    return math.fsum(relevance * share for relevance, share in zip(relevances, shares, strict=True))


def _product(relevances: Sequence[float], shares: Sequence[float]) -> float:
    return math.prod(math.pow(relevance, share) for relevance, share in zip(relevances, shares, strict=True))


_WAYS: dict[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "mean": _mean,
    "min": lambda relevances, _: min(relevances),
    "max": lambda relevances, _: max(relevances),
    "product": _product,
}


def _all_evidence(said: Sequence[Judgement]) -> list[Evidence]:
    """What was found, each once: two judges may find the same word in the same place."""
    return list(dict.fromkeys(found for each in said for found in each.evidence))
