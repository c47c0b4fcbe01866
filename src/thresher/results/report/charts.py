"""Curves of relevant pages over the pages fetched, drawn twice: for a wide page and for a narrow one, of which the reader sees one."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from thresher.chart import Axes, Ink, Line, line_chart
from thresher.results.report.html_pieces import Html

_POINTS = 160
INKS = (Ink("#2f7fb8", width=2.5, strong=True), Ink("#c06a1f", dash="6 4", width=2.5, strong=True))
"""Of the first curve and of the second. The style sheet of a page makes them lighter in the dark."""
Corners = Sequence[tuple[float, float]]


class HarvestLine(NamedTuple):
    """Relevant pages found, by pages fetched: corners, and straight lines in between."""

    name: str
    corners: Corners


def harvest_chart(
    title: str, curves: Sequence[HarvestLine], *, width: int = 800, height: int = 380, labels: bool = True
) -> str:
    """The curves as SVG."""
    longest = max(max((at for at, _ in curve.corners), default=1.0) for curve in curves)
    step = max(1.0, longest / _POINTS)
    axes = Axes(
        title, "pages fetched", "relevant pages found", first=0, width=width, height=height, labels=labels, step=step
    )
    lines = [Line(curve.name, _values(curve.corners, step), ink=ink) for curve, ink in zip(curves, INKS, strict=False)]
    return line_chart(axes, lines)


def both_widths(title: str, curves: Sequence[HarvestLine], draw: Callable[..., str] = harvest_chart) -> Html:
    """The picture for wide pages and for narrow ones."""
    wide = draw(title, curves, width=860, height=360)
    narrow = draw(title, curves, width=360, height=260, labels=False)
    return Html(f'<div class="wide">{wide}</div>\n<div class="narrow">{narrow}</div>')


def _values(corners: Corners, step: float) -> list[float]:
    """The heights of a curve at even steps from 0 to its end."""
    whole = [(0.0, 0.0), *corners]
    values, place = [], 0
    for number in range(int(whole[-1][0] / step + 1e-9) + 1):
        at = number * step
        while place < len(whole) - 2 and whole[place + 1][0] < at:
            place += 1
        (x, y), (next_x, next_y) = whole[place], whole[min(place + 1, len(whole) - 1)]
        values.append(y + (next_y - y) * min(1.0, (at - x) / (next_x - x)) if next_x > x else next_y)
    return values
