"""Whether one strategy is better than another or was only lucky: tests over pairs, one pair a task.

A task is the unit: average what was repeated on it (`averaged`) first. Differences are rounded to twelve decimals, because what differs in
the thirteenth differs by arithmetic only, and would make ties look like wins.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput

ENOUGH = 10
"""Tasks below which nothing is claimed."""
ALL_FLIPS = 16
"""Pairs up to which every flip of signs is tried: 65,536 of them."""
_DECIMALS = 12
# Against SciPy 1.17 no tail was off by more than 2e-11, for df from 1 to 9,999 and |t| up to 100.
_TERMS = 200
_TOLERANCE = 1e-9


class P(NamedTuple):
    """How often chance alone would do as well."""

    greater: float
    """As much in favour of the first: one-sided."""
    either: float
    """As much in favour of either: two-sided."""


class PairedT(NamedTuple):
    """Student's test of the mean difference."""

    t: float
    df: int
    p: P


class Score(NamedTuple):
    """On how many tasks the first was ahead."""

    wins: int
    losses: int
    ties: int


class Interval(NamedTuple):
    """Where the mean difference lies, with the confidence that was asked for."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One strategy against another, over the tasks that both were tried on."""

    pairs: int
    mean: float
    """Of the first."""
    other_mean: float
    difference: float
    """The first's mean less the other's, in points, not in percent of anything."""
    score: Score
    t: PairedT
    wilcoxon: P
    sign_flip: P
    interval: Interval
    unpaired: tuple[str, ...]
    """Tasks that only one of them was tried on: left out."""
    caveats: tuple[str, ...]
    """Why this proves less than it seems to, a sentence each."""

    @property
    def claimable(self) -> bool:
        """Whether there were tasks enough to claim anything."""
        return self.pairs >= ENOUGH


def compare(one: Mapping[str, float], other: Mapping[str, float], seed: int = 0) -> Comparison:
    """All tests over two strategies' values by task; the same values and seed always give the same answer."""
    tasks = sorted(one.keys() & other.keys())
    if not tasks:
        raise BadInput(f"nothing to compare: no task is among both {_listed(one)} and {_listed(other)}")
    differences = _rounded([one[task] - other[task] for task in tasks])
    unpaired = tuple(sorted(one.keys() ^ other.keys()))
    return Comparison(
        pairs=len(tasks),
        mean=_mean([one[task] for task in tasks]),
        other_mean=_mean([other[task] for task in tasks]),
        difference=_mean(differences),
        score=score(differences),
        t=paired_t(differences),
        wilcoxon=wilcoxon(differences),
        sign_flip=sign_flip(differences, seed=seed),
        interval=bootstrap(differences, seed=seed),
        unpaired=unpaired,
        caveats=tuple(_caveats(differences, unpaired)),
    )


def averaged(rows: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean value of each task, over its seed sets and repetitions: these are no independent samples."""
    values: dict[str, list[float]] = {}
    for task, value in rows:
        values.setdefault(task, []).append(value)
    return {task: _mean(each) for task, each in values.items()}


def score(differences: Sequence[float]) -> Score:
    """Wins, losses and ties."""
    rounded = _rounded(differences)
    wins, losses = sum(each > 0 for each in rounded), sum(each < 0 for each in rounded)
    return Score(wins, losses, len(rounded) - wins - losses)


def paired_t(differences: Sequence[float]) -> PairedT:
    """Student's t of the mean difference: mean ÷ deviation · √n, n the number of pairs (Pesaranghader et al. 2014 eq. 9).

    The values printed there have √4 for n = 6. Fewer than two pairs say nothing (t = 0, p = 1). If all differences are alike there is no
    doubt (t infinite), unless they are 0.
    """
    values, df = np.array(_rounded(differences)), len(differences) - 1
    if df < 1 or not values.any():
        return PairedT(0.0, max(df, 0), P(1.0, 1.0))
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if np.ptp(values) else 0.0
    mean = float(values.mean())
    t = mean / error if error else math.copysign(math.inf, mean)
    return PairedT(t, df, P(t_tail(t, df), min(1.0, 2 * t_tail(abs(t), df))))


def wilcoxon(differences: Sequence[float]) -> P:
    """Wilcoxon's signed-rank test, exact for any number of pairs: the chance of the rank sum when every sign is a coin's.

    As in his paper of 1945 zeros are left out and ties share their mean rank, so the distribution is that of the ranks at hand.
    """
    values = [each for each in _rounded(differences) if each]
    # Twice the rank is a whole number even where a tie shares it.
    ranks = _doubled_ranks([abs(each) for each in values])
    positive = sum(rank for rank, value in zip(ranks, values, strict=True) if value > 0)
    chances = _rank_sums(ranks)
    greater, less = float(chances[positive:].sum()), float(chances[: positive + 1].sum())
    return P(min(1.0, greater), min(1.0, 2 * min(greater, less)))


def sign_flip(differences: Sequence[float], flips: int = 100_000, seed: int = 0) -> P:
    """Fisher's permutation test: how often the sum is as large when every difference may have had the other sign.

    All flips are tried up to 16 pairs, beyond that so many by lot; the one at hand counts as one of them, so that p is never 0.
    """
    values = np.array(_rounded(differences))
    if len(values) <= ALL_FLIPS:
        sums, own = _all_sums(values), 0
    else:
        signs = np.random.default_rng(seed).integers(0, 2, (flips, len(values)), dtype=np.int8) * 2 - 1
        sums, own = signs @ values, 1
    seen, slack = float(values.sum()), _TOLERANCE * max(1.0, float(np.abs(values).sum()))
    greater, either = (sums >= seen - slack).sum(), (np.abs(sums) >= abs(seen) - slack).sum()
    return P(*(float((count + own) / (len(sums) + own)) for count in (greater, either)))


def holm(chances: Mapping[str, float]) -> dict[str, float]:
    """The p values of several comparisons at once, made larger so that one false alarm among all stays rare (Holm 1979).

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted, least = {}, 0.0
    for place, (name, chance) in enumerate(sorted(chances.items(), key=lambda pair: pair[1])):
        least = max(least, min(1.0, (len(chances) - place) * chance))
        adjusted[name] = least
    return {name: adjusted[name] for name in chances}


def bootstrap(differences: Sequence[float], confidence: float = 0.95, draws: int = 10_000, seed: int = 0) -> Interval:
    """The percentile interval of the mean difference over tasks drawn again with replacement (Efron 1979); too narrow for few tasks."""
    values = np.array(_rounded(differences))
    chosen = np.random.default_rng(seed).integers(0, len(values), (draws, len(values)))
    low, high = np.quantile(values[chosen].mean(axis=1), [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def t_tail(t: float, df: int) -> float:
    """The chance of Student's t being that large or larger.

    >>> round(t_tail(2.015048, 5), 6), t_tail(0.0, 3)
    (0.05, 0.5)
    """
    if math.isinf(t):
        return float(t < 0)
    square = t * t
    if square < 1:
        # From the middle: near t = 0 the other share is 1 but for a rounding, whose root would be the error.
        return 0.5 - math.copysign(incomplete_beta(0.5, df / 2, square / (df + square)) / 2, t)
    beyond = incomplete_beta(df / 2, 0.5, df / (df + square)) / 2
    return beyond if t > 0 else 1 - beyond


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22): no need for SciPy."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        # The fraction converges fast only on this side of the mean.
        return 1 - incomplete_beta(b, a, 1 - x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / (a * _beta_fraction(a, b, x))


def _beta_fraction(a: float, b: float, x: float) -> float:
    """1 + d₁/(1 + d₂/(1 + …)), from the inside out."""
    value = 1.0
    for term in range(_TERMS, 0, -1):
        m = term // 2
        above = -(a + m) * (a + b + m) if term % 2 else m * (b - m)
        value = 1 + above * x / ((a + term - 1) * (a + term) * value)
    return value


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    order = sorted(sizes)
    first = {size: place for place, size in reversed(list(enumerate(order, start=1)))}
    last = {size: place for place, size in enumerate(order, start=1)}
    return [first[size] + last[size] for size in sizes]


def _rank_sums(ranks: Sequence[int]) -> NDArray[np.float64]:
    """The chance of each sum of the ranks that a fair coin picks."""
    chances = np.ones(1)
    for rank in ranks:
        without, picked = np.pad(chances, (0, rank)), np.pad(chances, (rank, 0))
        chances = (without + picked) / 2
    return chances


def _all_sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _caveats(differences: Sequence[float], unpaired: Sequence[str]) -> Iterable[str]:
    telling = sum(each != 0 for each in differences)
    if len(differences) < ENOUGH:
        yield f"no claim from fewer than {ENOUGH} tasks, and here are {len(differences)}"
    if 2 ** (1 - telling) > 0.05:
        least = f"{min(1.0, 2.0 ** (1 - telling)):.3g}"
        yield (
            f"a difference on {telling} of {len(differences)} tasks: even if all agree, "
            f"a two-sided sign-flip test cannot go below p = {least}"
        )
    if unpaired:
        yield f"left out, because only one side was tried on them: {', '.join(unpaired)}"


def _rounded(differences: Sequence[float]) -> list[float]:
    return [round(each, _DECIMALS) for each in differences]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _listed(values: Mapping[str, float]) -> str:
    return f"[{', '.join(sorted(values))}]"
