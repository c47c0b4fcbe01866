"""Harvest curves as a picture: a line a strategy, a band for how much it varies, in one SVG that needs nothing else.

The same input gives the same bytes. Drawn by hand because one kind of picture does not pay for matplotlib, which would be the heaviest
dependency of all. Greys and inks are of middle lightness and there is no background, so that it reads on white and on black alike.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.install_hint import install_hint

GREY = "#7a7a7a"
_FONTS = "system-ui, Arial, Helvetica, Liberation Sans, DejaVu Sans, Noto Sans, sans-serif"
"""Some by name: what draws a PNG takes Arial for sans-serif, and draws no letter at all where that is missing."""
_FAINT = 0.45
_LETTER = 6.7
"""The width of a letter of the labels, about: a picture cannot measure its own text."""
_LABEL_STEP = 15.0
_POINTS = 160
_LONGEST = 30
_SHARP = 2
"""Pixels of a PNG for one of the picture, so that it looks well on today's screens."""


class Ink(NamedTuple):
    """How a strategy is drawn: the same in all pictures of a report, and told apart without colour by its dashes."""

    colour: str = GREY
    dash: str = ""
    width: float = 1.0
    strong: bool = False
    """Whether it has a label and a band; the others are thin and grey, and say their name to whoever points at them."""
    bound: bool = False
    """Whether it is only there to be held against: it may leave the picture rather than press the others flat."""


THIN = Ink()


@dataclass(frozen=True, slots=True)
class Line:
    """A value for each fetch, from `Axes.first` on."""

    name: str
    values: Sequence[float]
    low: Sequence[float] = ()
    """The lower edge of the band, if it has one."""
    high: Sequence[float] = ()
    ink: Ink = THIN


@dataclass(frozen=True, slots=True)
class Axes:
    """What a line chart is of, and how large."""

    title: str
    x: str
    y: str
    first: int = 1
    """The fetch that the first value belongs to."""
    width: int = 800
    height: int = 420
    labels: bool = True
    """Whether names stand beside the ends of the lines."""
    step: float = 1.0
    """Fetches from one value to the next: a long crawl need not have a value for each."""

    def fetch(self, place: int) -> float:
        """The fetch that a value belongs to."""
        return self.first + place * self.step


class Span(NamedTuple):
    """Numbers laid out on pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a number."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return self.start + share * (self.end - self.start)


def line_chart(axes: Axes, lines: Sequence[Line]) -> str:
    """The picture; strong lines lie above the others, the first of them on top."""
    strong = [line for line in lines if line.ink.strong]
    across, up = _across(axes, lines, strong), _up(axes, lines)
    ordered = [line for line in lines if not line.ink.strong] + strong[::-1]
    drawn = [
        *grid_x(across, (up.start, up.end), _whole(ticks(across.low, across.high, 6 if axes.width > 500 else 4))),
        *_grid_y(up, across, ticks(up.low, up.high, 5 if axes.height > 250 else 3)),
        _window(across, up),
        *(_band(line, axes, across, up) for line in ordered if line.ink.strong and line.low and line.high),
        *(_stroke(line, axes, across, up) for line in ordered if line.values),
        "</svg>",
        *(_labels(strong, axes, across, up) if axes.labels else ()),
        *_names_of_axes(axes, across, up),
    ]
    return framed(axes.title, axes.width, axes.height, drawn)


def framed(title: str, width: int, height: int, drawn: Iterable[str]) -> str:
    """Elements as a whole picture, with a title for those who listen to it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{_FONTS}" font-size="12" fill="{GREY}">'
    )
    return "\n".join([head, f"<title>{clean(title)}</title>", *drawn, "</svg>", ""])


def clean(text: str) -> str:
    """Any text as the text of XML or HTML: marks escaped, and what no XML may hold replaced."""
    return escape(re.sub("[^\\t\\n\\r\\x20-\\x7e\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]", "\ufffd", text))


def shortened(name: str) -> str:
    """A name that fits beside a line."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def room_for(names: Iterable[str]) -> float:
    """The pixels that the longest name takes."""
    return max((len(shortened(name)) * _LETTER for name in names), default=0.0)


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers between two others, about so many of them.

    >>> ticks(0, 1000, 5), ticks(0, 0.37, 4)
    ([0.0, 200.0, 400.0, 600.0, 800.0, 1000.0], [0.0, 0.1, 0.2, 0.3])
    """
    if high - low < _NOTHING:
        return [low]
    rough = (high - low) / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = min((size * each for each in (1, 2, 5, 10)), key=lambda each: abs(each - rough))
    return [round(number * step, 10) for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


_NOTHING = 1e-9
"""Two ends of an axis that differ by less are one: no label could tell them apart."""


def number(value: float) -> str:
    """A number of an axis: `1,000`, `0.25`."""
    return f"{value:,.0f}" if value == int(value) else f"{value:.4f}".rstrip("0")


def grid_x(across: Span, up: tuple[float, float], at: Iterable[float]) -> Iterable[str]:
    """Upright lines with numbers below them."""
    for value in at:
        x = px(across.at(value))
        yield f'<path d="M{x} {px(up[0])}V{px(up[1])}" stroke="{GREY}" stroke-opacity=".18"/>'
        yield f'<text x="{x}" y="{px(up[0] + 16)}" text-anchor="middle" font-size="11">{number(value)}</text>'


def px(value: float) -> str:
    """A place in the picture, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def _across(axes: Axes, lines: Sequence[Line], strong: Sequence[Line]) -> Span:
    longest = max((len(line.values) for line in lines), default=1)
    right = room_for(line.name for line in strong) + 22 if axes.labels else 22
    return Span(0, max(1, axes.fetch(longest - 1)), 52 if axes.width > 500 else 40, axes.width - right)


def _up(axes: Axes, lines: Sequence[Line]) -> Span:
    held = [line for line in lines if not line.ink.bound] or lines
    reached = [max(each, default=0.0) for line in held for each in (line.values, line.high if line.ink.strong else ())]
    most = max(reached, default=0.0)
    return Span(0, most * 1.04 if most > 0 else 1.0, axes.height - 42, 26)


def _whole(values: Iterable[float]) -> list[float]:
    """There is no half fetch."""
    return [value for value in values if value == int(value)]


def _grid_y(up: Span, across: Span, at: Iterable[float]) -> Iterable[str]:
    for value in at:
        y = px(up.at(value))
        faint = "" if value == up.low else ' stroke-opacity=".25"'
        yield f'<path d="M{px(across.start)} {y}H{px(across.end)}" stroke="{GREY}"{faint}/>'
        yield f'<text x="{px(across.start - 6)}" y="{y}" dy=".35em" text-anchor="end" font-size="11">{number(value)}</text>'


def _window(across: Span, up: Span) -> str:
    """A picture in the picture, which cuts off what leaves it; a clip path would need a name that no other picture of a page has."""
    box = [px(each) for each in (across.start, up.end, across.end - across.start + 2, up.start - up.end + 2)]
    return f'<svg x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" viewBox="{" ".join(box)}">'


def _band(line: Line, axes: Axes, across: Span, up: Span) -> str:
    there = _places(line.high, axes, across, up)
    back = _places(line.low, axes, across, up)[::-1]
    return f'<path d="M{"L".join([*there, *back])}Z" fill="{line.ink.colour}" fill-opacity=".1"/>'


def _stroke(line: Line, axes: Axes, across: Span, up: Span) -> str:
    ink, places = line.ink, _places(line.values, axes, across, up)
    faint = "" if ink.strong else f' stroke-opacity="{_FAINT}"'
    dash = f' stroke-dasharray="{ink.dash}"' if ink.dash else ""
    look = f'stroke="{ink.colour}" stroke-width="{px(ink.width)}"{dash}{faint} stroke-linejoin="round"'
    return f'<path d="M{"L".join(places)}" fill="none" {look}><title>{clean(line.name)}</title></path>'


def _places(values: Sequence[float], axes: Axes, across: Span, up: Span) -> list[str]:
    """A line of more points than pixels is no finer, only longer."""
    step = max(1, len(values) // min(_POINTS, axes.width // 4))
    kept = sorted({*range(0, len(values), step), len(values) - 1}) if values else []
    return [f"{px(across.at(axes.fetch(place)))} {px(up.at(values[place]))}" for place in kept]


def _labels(strong: Sequence[Line], axes: Axes, across: Span, up: Span) -> Iterable[str]:
    """The names beside the ends, pushed apart where lines end together. A line that ends early has its name there, a little lower."""
    ends = [
        (max(up.end, up.at(line.values[-1])), across.at(axes.fetch(len(line.values) - 1)), line)
        for line in strong
        if line.values
    ]
    early = [each for each in ends if each[1] < across.end - room_for([each[2].name])]
    late = sorted((each for each in ends if each not in early), key=lambda each: each[0])
    yield from (_label(line, last + 6, end + 12 if end + 20 < up.start else end - 10) for end, last, line in early)
    for (end, _, line), y in zip(late, apart([end for end, _, _ in late], up.end, up.start), strict=True):
        x = across.end
        yield f'<path d="M{px(x)} {px(end)}L{px(x + 10)} {px(y)}" stroke="{line.ink.colour}" stroke-opacity=".6" fill="none"/>'
        yield _label(line, x + 13, y)


def _label(line: Line, x: float, y: float) -> str:
    name = f"<title>{clean(line.name)}</title>{clean(shortened(line.name))}"
    return f'<text x="{px(x)}" y="{px(y)}" dy=".35em" fill="{line.ink.colour}">{name}</text>'


def apart(places: Sequence[float], top: float, bottom: float, step: float = _LABEL_STEP) -> list[float]:
    """Sorted places, moved so that neighbours are a step apart and none lies below the bottom.

    >>> apart([10, 12, 90], 0, 100)
    [10, 25.0, 90]
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + step) if moved else max(place, top))
    limit = bottom
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], limit)
        limit = moved[index] - step
    return moved


def _names_of_axes(axes: Axes, across: Span, up: Span) -> Iterable[str]:
    middle = px((across.start + across.end) / 2)
    yield f'<text x="{middle}" y="{px(axes.height - 8)}" text-anchor="middle">{clean(axes.x)}</text>'
    yield f'<text x="{px(4)}" y="{px(up.end - 12)}">{clean(axes.y)}</text>'


def write_picture(svg: str, path: Path) -> None:
    """Write a picture as what the name of the file says."""
    kind = path.suffix.lower()
    if kind not in {".svg", ".png"}:
        raise BadInput(f"cannot draw into {path}: its name must end in .svg or .png")
    content = svg.encode() if kind == ".svg" else _png(svg)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from error


def _png(svg: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadInput(f"a PNG takes one more package: {install_hint('png')}, or name a file .svg") from error
    # On white: a picture without a background is hard to read in a dark window.
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff", zoom=_SHARP))
