"""Tables and sentences of a reproduction: means, tests, and claims as strong as the number of topics allows."""

from collections.abc import Mapping, Sequence

import numpy as np

from thresher.chart import Axes, Ink, Line, line_chart
from thresher.lab.papers.reproduction import PaperTable
from thresher.lab.run import statistics

Values = Mapping[str, float]
"""A figure for each topic."""
Pair = tuple[str, Values, str, Values]
"""A name and its values, and those of what it is compared with."""

_SMALL = 0.05
_DECIMALS = 12
# As in the reports: legible on white and on black, and told apart without colour by their dashes.
_INKS = (
    Ink("#0072b2", "", 2.4, strong=True),
    Ink("#d55e00", "", 2.0, strong=True),
    Ink("#009e73", "9 3", 2.0, strong=True),
    Ink("#cc79a7", "6 3 2 3", 2.0, strong=True),
    Ink("#8c6bb1", "3 3", 2.0, strong=True),
    Ink("#777777", "1 3", 2.0, strong=True),
)
_TEST_COLUMNS = (
    "comparison",
    "n",
    "means",
    "difference [95 %]",
    "won, lost, even",
    "t (one-sided p)",
    "Wilcoxon p",
    "sign-flip p",
)


def percent(share: float, digits: int = 1) -> str:
    """A share in percent: `12.5 %`."""
    return f"{100 * share:.{digits}f} %"


def figure(value: float) -> str:
    """A figure between 0 and 1, with three digits."""
    return f"{value:.3f}"


def gained(share: float) -> str:
    """A gain in percent of the base, with its sign."""
    if share == float("inf"):
        return "∞"
    # What is less than one percent must not read as nothing, nor what differs by arithmetic only as something.
    share = round(share, _DECIMALS) + 0.0
    return f"{100 * share:+.{1 if 0 < abs(share) < 0.01 else 0}f} %"


def tests(title: str, pairs: Sequence[Pair], said: str = "") -> PaperTable:  # noqa: PT028 - not one of pytest's
    """All tests of one strategy against another, a pair a row; two-sided except t, which is one-sided as in the papers."""
    rows = tuple(
        _test_row(f"{one} - {other}", statistics.compare(own, base)) for one, own, other, base in pairs if own and base
    )
    return PaperTable(title, _TEST_COLUMNS, rows, said)


def _test_row(name: str, found: statistics.Comparison) -> tuple[str, ...]:
    low, high = found.interval
    return (
        name,
        str(found.pairs),
        f"{figure(found.mean)}, {figure(found.other_mean)}",
        f"{found.difference:+.3f} [{low:+.3f}, {high:+.3f}]",
        ", ".join(map(str, found.score)),
        f"{found.t.t:.2f} ({found.t.p.greater:.3g})",
        f"{found.wilcoxon.either:.3g}",
        f"{found.sign_flip.either:.3g}",
    )


def claim(one: str, own: Values, other: str, base: Values) -> str:
    """Who is ahead, by how much, and how far that can be believed."""
    found = statistics.compare(own, base)
    wins, losses, _ = found.score
    if not found.difference:
        return f"{one} and {other} are even ({figure(found.mean)})."
    ahead = "ahead of" if found.difference > 0 else "behind"
    said = (
        f"{one} is {ahead} {other}, {figure(found.mean)} against {figure(found.other_mean)} ({wins} won, {losses} lost)"
    )
    return f"{said}: {_believed(found)}."


def _believed(found: statistics.Comparison) -> str:
    p = found.sign_flip.either
    if not found.claimable:
        return f"no claim from {found.pairs} topics (sign-flip p = {p:.2g})"
    if p < _SMALL:
        return f"more than chance (sign-flip p = {p:.2g}, n = {found.pairs})"
    return f"chance may explain it (sign-flip p = {p:.2g}, n = {found.pairs})"


def direction(gain: float) -> str:
    """Whether a gain goes the way that the paper says; whether it is more than chance is for `claim` to say."""
    gain = round(gain, _DECIMALS)
    return "in the paper's direction" if gain > 0 else "no difference" if gain == 0 else "against the paper"


def highest(means: Mapping[str, float]) -> str:
    """Who has the highest mean, all of them where several do, and the mean."""
    most = max(means.values())
    return f"{' and '.join(name for name, each in means.items() if each == most)} ({figure(most)})"


def picture(title: str, y: str, curves: Mapping[str, Sequence[Sequence[float]]], x: str = "fetches") -> tuple[str, str]:
    """A title and a plot: the mean curve of each strategy over its crawls."""
    lines = [
        Line(name, np.mean(np.array(several), axis=0).tolist(), ink=ink)
        for (name, several), ink in zip(curves.items(), _INKS, strict=False)
        if len(several)
    ]
    return title, line_chart(Axes(title, x, y), lines)
