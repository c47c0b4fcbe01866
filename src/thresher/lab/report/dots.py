"""Means with their intervals as a picture: a dot a strategy on one scale, best first."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.chart import GREY, THIN, Ink, Span, clean, framed, grid_x, px, room_for, shortened, ticks

_ROW = 20


class Dot(NamedTuple):
    """A strategy's value, and where it could also lie."""

    name: str
    value: float
    low: float
    high: float
    ink: Ink = THIN


def dot_chart(title: str, x: str, dots: Sequence[Dot], width: int = 800, rule: float | None = None) -> str:
    """The picture, a row a dot; `rule` is a value that all are to be held against."""
    across, bottom = _across(dots, width, rule), 12 + _ROW * len(dots)
    marks = ticks(across.low, across.high, 6)
    drawn = [
        *grid_x(across, (bottom, 8), marks),
        *([] if rule is None else [_rule(across.at(rule), bottom)]),
        *(part for row, dot in enumerate(dots) for part in _row(dot, across, 12 + _ROW * (row + 0.5))),
        f'<text x="{px((across.start + across.end) / 2)}" y="{bottom + 34}" text-anchor="middle">{clean(x)}</text>',
    ]
    return framed(title, width, bottom + 42, drawn)


def _across(dots: Sequence[Dot], width: int, rule: float | None) -> Span:
    held = [dot for dot in dots if not dot.ink.bound] or dots
    ends = [0.0, *(each for dot in held for each in (dot.low, dot.high)), *([] if rule is None else [rule])]
    low, high = min(ends), max(ends)
    slack = (high - low) * 0.03 or 0.5
    return Span(low - slack * (low < 0), high + slack, room_for(dot.name for dot in dots) + 16, width - 16)


def _rule(x: float, bottom: float) -> str:
    return f'<path d="M{px(x)} 8V{px(bottom)}" stroke="{GREY}" stroke-width="1.5" stroke-dasharray="5 3"/>'


def _row(dot: Dot, across: Span, y: float) -> Iterable[str]:
    told = f"{dot.name}: {dot.value:.3f}, from {dot.low:.3f} to {dot.high:.3f}"
    name, colour = clean(shortened(dot.name)), dot.ink.colour
    yield f'<g fill="{colour}"><title>{clean(told)}</title>'
    yield f'<text x="{px(across.start - 10)}" y="{px(y)}" dy=".35em" text-anchor="end">{name}</text>'
    if dot.value > across.high:
        yield f'<text x="{px(across.end)}" y="{px(y)}" dy=".35em" text-anchor="end">{dot.value:.3f} →</text></g>'
        return
    low, high = (px(across.at(min(each, across.high))) for each in (dot.low, dot.high))
    yield f'<path d="M{low} {px(y)}H{high}" stroke="{colour}" stroke-width="2" stroke-opacity=".55"/>'
    yield f'<circle cx="{px(across.at(dot.value))}" cy="{px(y)}" r="4"/></g>'
