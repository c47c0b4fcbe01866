"""Small things that several pages have: headings, lines of trouble, urls, tables, a small curve, and names that are read out."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nicegui import ui

from thresher.results.plain_text import short_url
from thresher.topic.topic import Tier

_WIDE, _HIGH = 120, 28
TIER_WORDS: Mapping[Tier, str] = {
    "exact": "the topic itself",
    "synonym": "another name",
    "broader": "more general",
    "context": "near it",
}
"""What a name is to the topic."""


def heading(text: str, level: int = 1) -> ui.label:
    """A heading that is one for every reader."""
    label = ui.label(text).classes("headline" if level == 1 else "subhead").props('role="heading"')
    put(label, "aria-level", str(level))
    return label


def said_as(element: ui.element, name: str) -> None:
    """Give an element the name that is read out."""
    put(element, "aria-label", name)


def put(element: ui.element, attribute: str, value: str) -> None:
    """Set an attribute to any text. `props` would take quotes and blanks in it for more attributes."""
    if element.props.get(attribute) != value:
        element.props[attribute] = value
        element.update()


def set_text(label: ui.label, text: str) -> None:
    """Change a label only if it changes: what is the same is not sent. An empty one takes no room."""
    if label.text != text:
        label.set_text(text)
    label.set_visibility(bool(text))


def trouble(sentence: str = "") -> ui.label:
    """A line that says what is wrong, and is read out at once; `set_text` says something else there, or takes it back."""
    line = ui.label(sentence).classes("trouble said").props('role="alert"')
    line.set_visibility(bool(sentence))
    return line


def draw_url(url: str, most: int = 300) -> None:
    """A url as text, which is read from left to right whatever is in it."""
    put(ui.label(short_url(url, most)).classes("soft url"), "dir", "ltr")


def draw_original(url: str) -> None:
    """A url, and a link to the page itself if it is one that a browser should open."""
    with ui.element("div").classes("tools"):
        draw_url(url)
        if url.startswith(("http://", "https://")):
            ui.link("Open the original ↗", url, new_tab=True).props('rel="noopener noreferrer"').classes("unbroken")


class Sparkline:
    """A small curve. It is made of numbers alone."""

    def __init__(self) -> None:
        with ui.element("svg").classes("spark").props('viewBox="0 0 120 28" role="img"') as self._svg:
            self._path = ui.element("path").props('d="" fill="none"')
        said_as(self._svg, "no curve yet")

    def show(self, values: list[float]) -> None:
        """Draw shares, from 0 to the highest of them."""
        if not values:
            return
        highest = max(*values, 0.01)
        step = _WIDE / max(1, len(values) - 1)
        places = (f"{at * step:.1f} {_HIGH - 2 - (_HIGH - 4) * value / highest:.1f}" for at, value in enumerate(values))
        put(self._path, "d", f"M{'L'.join(places)}")
        said_as(self._svg, f"harvest {values[-1]:.0%}, at most {highest:.0%}")


def table(columns: tuple[str, ...], name: str, *, numbers: frozenset[str] | set[str] = frozenset()) -> ui.element:
    """A table with a head; its body, to be filled with rows."""
    with ui.element("table").classes("figures") as whole:
        said_as(whole, name)
        with ui.element("thead"), ui.element("tr"):
            for column in columns:
                # A column of boxes to tick needs no heading, and an empty one would be read out.
                cell = ui.element("th" if column else "td").classes("number" if column in numbers else "")
                if column:
                    cell.props('scope="col"')
                with cell:
                    ui.label(column)
        return ui.element("tbody")


@contextmanager
def dialog(title: str) -> Iterator[ui.dialog]:
    """A dialog with a title and a way out. Escape closes it too."""
    with ui.dialog() as shown, ui.element("div").classes("card form dialog"):
        said_as(shown, title)
        heading(title, 2)
        yield shown
        ui.button("Close", on_click=shown.close).props("flat no-caps")
