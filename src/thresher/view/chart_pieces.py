"""What several chapters are made of: figures, tables, bars, charts with their numbers as text.

All texts of the web go into labels, or into cells whose templates are our own and bind values as text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from nicegui import ui

from thresher.view.parts import heading, put, said_as, set_text

_STYLE = Path(__file__).with_name("chart_pieces.css")
BLUE, ORANGE, _GREEN, _PINK, _PURPLE, _BROWN = "#2f7fb8", "#c8641b", "#1a8f6a", "#b85c93", "#8469b8", "#96711f"
"""Colours that are told apart by most eyes, on white and on dark. No chart depends on them alone."""
_COLOURS = (BLUE, _GREEN, _PINK, _PURPLE, _BROWN)
_DASHES: tuple[str | Sequence[int], ...] = ("solid", "dashed", "dotted", (10, 3, 2, 3), (4, 4))
_ROWS = 12
QUIET = "#8a94a0"
"""Text of charts; the style sheet turns it into the soft ink of the page, light or dark."""
_GRID = "rgba(128, 140, 152, 0.22)"
_TOOLTIP = {
    "confine": True,
    "backgroundColor": "rgba(28, 37, 48, 0.94)",
    "borderWidth": 0,
    "textStyle": {"color": "#f2f5f8", "fontSize": 13},
}
Options = dict[str, Any]
_T = TypeVar("_T")


def styled() -> None:
    """Give the page that is made the styles of these pieces."""
    ui.add_css(_STYLE.read_text("utf-8"))


@contextmanager
def card(title: str, explained: str = "") -> Iterator[ui.element]:
    """A part of a page with a heading."""
    with ui.element("section").classes("card piece") as section:
        heading(title, 2).classes("piece-title")
        if explained:
            ui.label(explained).classes("soft piece-explained")
        yield section


class Tile:
    """A figure with a name under it."""

    def __init__(self, name: str) -> None:
        """Draw it, without a figure yet."""
        with ui.element("div").classes("tile"):
            self._value = ui.label("–").classes("tile-value")
            ui.label(name).classes("tile-name")
            self._note = ui.label().classes("tile-note soft")

    def show(self, value: str, note: str = "") -> None:
        """Show a figure, and a word about it."""
        set_text(self._value, value)
        set_text(self._note, note)


class TableColumn(NamedTuple):
    """A column of a table."""

    key: str
    title: str
    align: Literal["left", "right"] = "left"
    kind: Literal["text", "bar", "link", "named", "visit"] = "text"
    """`bar`: with a bar of the row's `share` from 0 to 1, coloured by its `kind`. `link`: to the row's `href`, with its text `under` it.
    `named`: with its text `under` beside it. `visit`: a url with a mark, as the cell itself says."""


_ROW = """
<q-tr :props="props"><q-td v-for="col in props.cols" :key="col.name" :props="props" :class="'cell-' + col.kind">
  <span v-if="col.kind === 'bar'" class="measure"><span class="measure-bar" aria-hidden="true">
    <span :style="{width: (100 * props.row.share) + '%'}" :class="props.row.kind"></span></span>
    <span class="measure-text">{{ col.value }}</span></span>
  <template v-else-if="col.kind === 'link'">
    <a v-if="props.row.href" :href="props.row.href" class="cell-link">{{ col.value }}</a><span v-else>{{ col.value }}</span>
    <div v-if="props.row.under" class="soft under">{{ props.row.under }}</div></template>
  <template v-else-if="col.kind === 'named'">{{ col.value }} <span class="soft under-inline">{{ props.row.under }}</span></template>
  <span v-else-if="col.kind === 'visit' && col.value" :class="'visit ' + col.value.kind">
    <span class="mark" aria-hidden="true">{{ col.value.mark }}</span><span class="visit-url">{{ col.value.url }}</span>
    <span class="soft visit-note">{{ col.value.note }}</span></span>
  <template v-else>{{ col.value }}</template></q-td></q-tr>
"""
"""One template for all tables: values of rows are bound as text, whatever they are."""


class Table:
    """Rows that are sent only when they change."""

    def __init__(self, name: str, columns: Sequence[TableColumn], key: str, empty: str, classes: str = "") -> None:
        """Draw it, without rows yet; `empty` is what is said in place of none."""
        shown = [
            {"name": each.key, "label": each.title, "field": each.key, "align": each.align, "kind": each.kind}
            for each in columns
        ]
        self._table = ui.table(rows=[], columns=shown, row_key=key, pagination=0)
        self._table.props("flat dense wrap-cells hide-bottom").classes(f"piece-table-box {classes}")
        self._table.add_slot("body", _ROW)
        said_as(self._table, name)
        self._nothing, self._shown = empty, False
        self._empty = ui.label("…").classes("soft")
        self._table.set_visibility(False)

    def show(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Show these rows."""
        told = [dict(row) for row in rows]
        if self._shown and told == self._table.rows:
            return
        self._shown = True
        self._table.rows = told
        self._table.set_visibility(bool(told))
        set_text(self._empty, self._nothing)
        self._empty.set_visibility(not told and bool(self._nothing))


class Chart:
    """A chart, said in a sentence for those who cannot see it, with its numbers as a table that can be opened."""

    def __init__(self, height: str = "300px") -> None:
        """Draw it, without lines yet."""
        with ui.element("div").classes("picture") as self._frame:
            self._frame.props('role="img"')
            self._chart = ui.echart({}, renderer="svg").style(f"height: {height}; width: 100%")
        self._sentence = ui.label().classes("soft chart-said")
        with ui.element("details").classes("numbers") as self._details:
            with ui.element("summary"):
                ui.label("The numbers")
            self._numbers = ui.table(rows=[], columns=[], row_key="row", pagination=0)
            self._numbers.props("flat dense hide-bottom").classes("piece-table-box")

    def show(self, options: Options, sentence: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Show these series; the sentence says what they show."""
        set_text(self._sentence, sentence)
        said_as(self._frame, sentence)
        self._chart.options.clear()
        self._chart.options.update(options)
        self._chart.update()
        columns = [{"name": str(place), "label": title, "field": str(place)} for place, title in enumerate(head)]
        if self._numbers.columns != columns:
            self._numbers.columns = columns
        told = [
            {"row": number, **{str(place): cell for place, cell in enumerate(row)}} for number, row in enumerate(rows)
        ]
        if self._numbers.rows != told:
            self._numbers.rows = told


def axes(x: str, y: str, *, percent: bool = False, **more: Any) -> Options:
    """The frame of a chart with numbers on both axes."""
    shape: Options = {"nameTextStyle": {"color": QUIET}, "axisLabel": {"color": QUIET, "hideOverlap": True}}
    lines = {"splitLine": {"lineStyle": {"color": _GRID}}, "axisLine": {"lineStyle": {"color": _GRID}}}
    across = {"type": "value", "name": x, "nameLocation": "middle", "nameGap": 28, **shape, **lines}
    up = {"type": "value", "name": y, "nameLocation": "end", "min": 0, **shape, **lines}
    if percent:
        up["axisLabel"] = {**shape["axisLabel"], "formatter": "{value} %"}
    up["nameTextStyle"] = {"color": QUIET, "align": "left"}
    return {
        "animation": False,
        "grid": {"left": 12, "right": 24, "top": 34, "bottom": 34, "containLabel": True},
        "legend": {"top": 0, "right": 0, "textStyle": {"color": QUIET}, "itemWidth": 30, "itemStyle": {"opacity": 0}},
        "tooltip": {"renderMode": "richText", "trigger": "axis", **_TOOLTIP},
        "xAxis": {**across, "splitLine": {"show": False}},
        "yAxis": up,
        **more,
    }


def line(
    name: str, points: Sequence[Sequence[float]], colour: str, *, dash: str | Sequence[int] = "solid", **more: Any
) -> Options:
    """A line of a chart."""
    style = {"color": colour, "type": dash, "width": 2.4}
    drawn = {"type": "line", "name": name, "data": points, "symbol": "none", "lineStyle": style}
    return {**drawn, "itemStyle": {"color": colour}, "emphasis": {"disabled": True}, **more}


def look(place: int) -> tuple[str, str | Sequence[int]]:
    """The colour and the dashes of one of several lines, by its place among them: neighbours differ in both, and 25 lines all differ."""
    return _COLOURS[place % len(_COLOURS)], _DASHES[(place + place // len(_COLOURS)) % len(_DASHES)]


def some_of(points: Sequence[_T]) -> list[_T]:
    """About a dozen points of a curve, the last among them, to be read as numbers."""
    return list(points[:: -max(1, len(points) // _ROWS)])[::-1]


def bars(names: Sequence[str], values: Sequence[float], name: str, colour: str = BLUE) -> Options:
    """Bars that stand upright, one for each name."""
    options = axes("", "")
    options["xAxis"] |= {"type": "category", "data": list(names)}
    options["series"] = [{"type": "bar", "name": name, "data": list(values), "itemStyle": {"color": colour}}]
    options["legend"] = {"show": False}
    return options


class Meter:
    """A bar that fills, with a text above it. It is hidden until it has something to show."""

    def __init__(self, name: str) -> None:
        """Draw it."""
        with ui.element("div").classes("meter") as self._box:
            self._said = ui.label().classes("meter-text")
            with ui.element("div").classes("meter-bar") as self._bar:
                self._bar.props("role=progressbar aria-valuemin=0 aria-valuemax=100")
                said_as(self._bar, name)
                self._filled = ui.element("div").classes("meter-filled")
        self._box.set_visibility(False)

    def show(self, share: float, text: str) -> None:
        """Fill so much of it, from 0 to 1."""
        percent = f"{100 * min(1.0, max(0.0, share)):.0f}"
        self._box.set_visibility(True)
        set_text(self._said, text)
        if self._bar.props.get("aria-valuenow") != percent:
            put(self._bar, "aria-valuenow", percent)
            self._filled.style(f"width: {percent}%")


def ago(seconds: float) -> str:
    """How long ago something was, in words.

    >>> ago(0.4), ago(75), ago(90_000)
    ('now', '1 min ago', '25 h ago')
    """
    for least, unit, worth in ((48 * 3600, "days", 86_400), (3600, "h", 3600), (60, "min", 60), (1, "s", 1)):
        if seconds >= least:
            return f"{seconds / worth:.0f} {unit} ago"
    return "now"
