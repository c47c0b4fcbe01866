"""How good a crawl was: harvest, its curve, recall, hosts, and what two crawls have in common.

Two rules hold for all of them. What was found is divided by the whole budget, so that a crawl which gave up early never looks precise. A
page that came before, under this url or another, is charged but harvested once.

The measures are those of the papers: Kayışoğlu 2005 (harvest rate eq. 5, target recall eq. 6), Altıngövde and Ulusoy 2004 (harvest ratio,
overlap, Table 3), Pesaranghader et al. 2014 (harvest rate eq. 6), Choudhary and Roy 2013 (eq. 5).
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.model import Host, Url
from thresher.urls import canonical, host_of

MARKS = (100, 300, 1000)
"""Fetches after which recall is told."""


class Fetch(NamedTuple):
    """One fetch that was charged to the budget, and what an oracle says of the page."""

    url: Url
    depth: int = 0
    """Links from a seed: a seed has depth 0."""
    relevant: bool = False
    relevance: float = 0.0
    """From 0 to 1, where the oracle has degrees."""
    duplicate: bool = False
    """Whether a page kept before has the same content."""
    page: bool = True
    """Whether a page came: a failed fetch is charged, and reaches nothing."""

    @property
    def host(self) -> Host:
        """Where it was fetched from."""
        return host_of(self.url)


@dataclass(frozen=True, slots=True)
class Measures:
    """One crawl in figures."""

    budget: int
    fetched: int
    relevant: int
    harvest: float
    """At the end of the budget."""
    auc: float
    """The mean of the harvest curve."""
    deep_harvest: float
    """As `harvest`, without what is less than two links from a seed."""
    deep_auc: float
    harvest_ratio: float
    hosts: int
    """Hosts with a relevant page."""
    reciprocal_rank: float
    recall: Mapping[int, float]
    """By the number of fetches; those beyond the budget are not told."""


def measure(fetches: Sequence[Fetch], budget: int, targets: Collection[Url], marks: Iterable[int] = MARKS) -> Measures:
    """All that can be said of one crawl."""
    deep = beyond(fetches, budget)
    return Measures(
        budget=budget,
        fetched=min(len(fetches), budget),
        relevant=len(harvested(fetches, budget)),
        harvest=harvest_rate(fetches, budget),
        auc=auc(fetches, budget),
        deep_harvest=harvest_rate(*deep),
        deep_auc=auc(*deep),
        harvest_ratio=harvest_ratio(fetches, budget),
        hosts=len(relevant_hosts(fetches, budget)),
        reciprocal_rank=expected_reciprocal_rank(fetches, budget),
        recall={mark: target_recall(fetches, targets, mark) for mark in marks if mark <= budget},
    )


def harvested(fetches: Sequence[Fetch], budget: int) -> list[Fetch]:
    """The relevant pages, in order, each once."""
    return [each for each in counted_once(fetches[:budget]) if each.relevant]


def harvest_rate(fetches: Sequence[Fetch], budget: int) -> float:
    """Relevant ÷ budget, at its end."""
    return len(harvested(fetches, budget)) / budget if budget > 0 else 0.0


def harvest_curve(fetches: Sequence[Fetch], budget: int) -> NDArray[np.float64]:
    """The harvest rate after 1, 2 … budget fetches (Altıngövde and Ulusoy 2004 Fig. 6); a crawl that stopped early falls as 1/n.

    >>> harvest_curve([Fetch(Url("http://a.example/"), relevant=True)], 4).tolist()
    [1.0, 0.5, 0.3333333333333333, 0.25]
    """
    return running_mean(_gains(fetches[:budget]), budget)


def auc(fetches: Sequence[Fetch], budget: int) -> float:
    """The area under the harvest curve: the mean of its values, so from 0 to 1.

    It is the "average harvest rate" of Kayışoğlu 2005 (Figs 15–18): values at the end of the curve do not match the paper's.
    """
    return _mean(harvest_curve(fetches, budget))


def beyond(fetches: Sequence[Fetch], budget: int, depth: int = 2) -> tuple[list[Fetch], int]:
    """The fetches at least so many links from a seed, and what the others left of the budget (Kayışoğlu 2005 §4.3: without D = 1).

    Filters by link depth, not fetch order; works with every measure: `auc(*beyond(fetches, budget))`.
    """
    # Counted before the shallow ones are left out: what was harvested there is not harvested again below.
    spent = counted_once(fetches[:budget])
    deep = [each for each in spent if each.depth >= depth]
    return deep, budget - len(spent) + len(deep)


def harvest_ratio(fetches: Sequence[Fetch], budget: int) -> float:
    """The mean relevance of what was fetched (Altıngövde and Ulusoy 2004, "Performance")."""
    return sum(each.relevance for each in counted_once(fetches[:budget])) / budget if budget > 0 else 0.0


def targets_of(lines: Iterable[str], seeds: Iterable[str] = ()) -> frozenset[Url]:
    """The distinct pages that a list of targets names, the seeds left out (Kayışoğlu 2005 §4.2.2: Pt ∩ Ps = ∅)."""
    return frozenset(map(_canonical, lines)) - frozenset(map(_canonical, seeds))


def target_recall(fetches: Sequence[Fetch], targets: Collection[Url], after: int | None = None) -> float:
    """The share of the targets that was reached in so many fetches (Kayışoğlu 2005 eq. 6); 0 if there are none."""
    wanted = frozenset(targets)
    reached = {each.url for each in fetches[:after] if each.page}
    return len(wanted & reached) / len(wanted) if wanted else 0.0


def relevant_hosts(fetches: Sequence[Fetch], budget: int) -> frozenset[Host]:
    """The hosts that a relevant page was found on."""
    return frozenset(each.host for each in harvested(fetches, budget))


def url_overlap(one: Sequence[Fetch], other: Sequence[Fetch], budget: int) -> float:
    """The share of the budget that two crawls spent on the same urls: |A∩B| / N.

    It fits Table 3 of Altıngövde and Ulusoy 2004, where |A∩B| / |A∪B| cannot.
    """
    return len(_urls(one[:budget]) & _urls(other[:budget])) / budget if budget > 0 else 0.0


def exclusive_harvest_ratio(own: Sequence[Fetch], other: Sequence[Fetch], budget: int) -> float:
    """The harvest ratio over the urls that the other crawl did not fetch (Altıngövde and Ulusoy 2004, Table 3, "Exclusive HR").

    harvest ratio = (sum over shared urls) / budget + (1 - overlap) · exclusive harvest ratio
    """
    shared = _urls(own[:budget]) & _urls(other[:budget])
    alone = [each.relevance for each in counted_once(own[:budget]) if each.url not in shared]
    left = budget - len(shared)
    return sum(alone) / left if left > 0 else 0.0


def found_alone(own: Sequence[Fetch], others: Iterable[Sequence[Fetch]], budget: int) -> list[Url]:
    """The relevant pages that none of the other crawls fetched, in order."""
    known = frozenset[Url]().union(*(_urls(other[:budget]) for other in others))
    return [each.url for each in harvested(own, budget) if each.url not in known]


def oracle_share(fetches: Sequence[Fetch], best: Sequence[Fetch], budget: int) -> float:
    """Relevant pages per relevant page of the greedy oracle, which knew the labels.

    It is over 1 if this crawl beat the greedy oracle, and 0 if the oracle found none.
    """
    most = len(harvested(best, budget))
    return len(harvested(fetches, budget)) / most if most else 0.0


def expected_reciprocal_rank(fetches: Sequence[Fetch], budget: int, content: float = 0.5) -> float:
    """How soon a reader is content who stops at a relevant page with that chance: Σ 1/r · R_r · Π (1 - R_i) over i < r.

    Chapelle et al. 2009, with R = (2^g - 1) / 2^g_max = ½ for pages that are relevant or not. Only the first few count.
    """
    total, still_reading = 0.0, 1.0
    for rank, gain in enumerate(_gains(fetches[:budget]), start=1):
        total += still_reading * content * gain / rank
        still_reading *= 1 - content * gain
    return total


def relative_gain(own: float, base: float) -> float:
    """How much more than the base, as a share of the base; not to be confused with points, which are own - base."""
    return own / base - 1 if base else math.inf if own else 0.0


def running_mean(gains: Sequence[float], budget: int) -> NDArray[np.float64]:
    """The mean of the first 1, 2 … budget gains, where whatever is missing gains nothing."""
    padded = np.zeros(max(0, budget))
    padded[: len(gains)] = gains[:budget]
    return padded.cumsum() / np.arange(1, len(padded) + 1)


def counted_once(fetches: Sequence[Fetch]) -> list[Fetch]:
    """The same fetches, where a page that came before, under this url or another, gains nothing."""
    seen: set[Url] = set()
    counted = []
    for each in fetches:
        again = each.duplicate or each.url in seen
        counted.append(each._replace(relevant=False, relevance=0.0) if again else each)
        if each.page:
            seen.add(each.url)
    return counted


def _gains(fetches: Sequence[Fetch]) -> list[float]:
    return [float(each.relevant) for each in counted_once(fetches)]


def _urls(fetches: Iterable[Fetch]) -> frozenset[Url]:
    return frozenset(each.url for each in fetches)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _canonical(line: str) -> Url:
    url = canonical(line)
    if url is None:
        raise BadInput(f"the target or seed {line!r} is not an http or https url")
    return url
