"""Curves in a terminal, drawn with block characters."""

from collections.abc import Mapping, Sequence

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_WIDEST = 64


def sampled(values: Sequence[float], width: int) -> list[float]:
    """At most so many of the values, evenly spread, the last one among them."""
    if len(values) <= width:
        return list(values)
    return [values[round(place * (len(values) - 1) / (width - 1))] for place in range(width)]


def spark(values: Sequence[float], width: int = 24, most: float = 1.0) -> str:
    """A curve on one line: `▁▂▅▇`."""
    top = most or 1.0
    return "".join(_EIGHTHS[max(1, min(8, round(value / top * 8)))] for value in sampled(values, width))


def plot_width(columns: int) -> int:
    """How many columns a plot has in a terminal of so many."""
    return max(8, min(_WIDEST, columns - 8))


def plot(curves: Mapping[str, Sequence[float]], width: int = _WIDEST, height: int = 10) -> list[str]:
    """Curves of shares from 0 to 1 over a common axis, as lines of text; the first curve is filled, the others are dots."""
    top = _round_up(max((max(curve, default=0.0) for curve in curves.values()), default=0.0))
    columns = {name: sampled(curve, width) for name, curve in curves.items()}
    rows = []
    for row in range(height, 0, -1):
        label = f"{top * row / height:5.0%} ┤" if row % 2 == 0 or row == 1 else "      │"
        rows.append(label + "".join(_cell(columns, place, row, top / height) for place in range(width)).rstrip())
    return [*rows, "      └" + "─" * width]


def _cell(columns: dict[str, list[float]], place: int, row: int, step: float) -> str:
    (first, *others) = [column[place] if place < len(column) else None for column in columns.values()]
    for value in others:
        if value is not None and (row - 1) * step < value <= row * step:
            return "•"
    if first is None:
        return " "
    return _EIGHTHS[max(0, min(8, round((first - (row - 1) * step) / step * 8)))]


def _round_up(share: float) -> float:
    return next((top for top in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if share <= top), 1.0)
