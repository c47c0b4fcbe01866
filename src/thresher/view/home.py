"""The first page: all crawls with their figures and curves, and the results of the lab. What is ticked is shown side by side."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlencode

from nicegui import ui

from thresher.disk.crawl_home import Home
from thresher.errors import ThresherError
from thresher.results.plain_text import moment
from thresher.results.watch.crawl_overview import CrawlOverview
from thresher.view.frame import framed, in_a_thread
from thresher.view.parts import Sparkline, heading, said_as, table
from thresher.view.shown_folders import Places
from thresher.view.watching import overview

_EVERY = 2.0
_COLUMNS = ("", "Crawl", "State", "Relevant", "Fetched", "Harvest", "Curve", "Latest page")
_NUMBERS = {"Relevant", "Fetched", "Harvest"}
_AT_ONCE = 4
"""Crawls that are counted at the same time, each to its end: of too many at once the window would forget what was counted."""


def draw_home(places: Places) -> None:
    """All crawls and results there are."""
    with framed("Crawls"):
        heading("Crawls")
        _CrawlList(places).draw()
        _draw_experiments(places)


class _CrawlList:
    """The table of crawls. Rows stay where they are while their figures change, so that nobody loses his place."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._rows: dict[str, _CrawlRow] = {}

    def draw(self) -> None:
        with ui.element("div").classes("tools"):
            ui.link("New crawl", "/new").classes("button main")
            self._side_by_side = ui.button("Side by side", on_click=self._compare).props("flat no-caps dense")
        self._none = ui.label(f"No crawl is in {', '.join(map(str, self._places.named))} yet.").classes("soft")
        self._none.set_visibility(False)  # until somebody has looked
        with ui.element("div").classes("card scrolled").props('tabindex="0" role="region" aria-label="Crawls"'):
            self._body = table(_COLUMNS, "Crawls", numbers=_NUMBERS)
        self._count_ticked()
        ui.timer(_EVERY, self._refresh)

    async def _refresh(self) -> None:
        homes = await asyncio.to_thread(self._places.crawls)
        for gone in self._rows.keys() - homes.keys():
            self._rows.pop(gone).remove()
        for name in [name for name in homes if name not in self._rows]:
            with self._body:
                self._rows[name] = _CrawlRow(name, self._count_ticked)
        self._none.set_visibility(not homes)
        turn = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(_show(self._rows[name], home, turn) for name, home in homes.items()))

    def _ticked(self) -> list[str]:
        return [name for name, row in self._rows.items() if row.ticked.value]

    def _count_ticked(self) -> None:
        self._side_by_side.set_enabled(len(self._ticked()) > 1)

    def _compare(self) -> None:
        ui.navigate.to(f"/side-by-side?{urlencode([('crawl', name) for name in self._ticked()])}")


class _CrawlRow:
    """A crawl as a row."""

    def __init__(self, name: str, on_tick: Callable[[], None]) -> None:
        with ui.element("tr") as self._row:
            with ui.element("td"):
                self.ticked = ui.checkbox(on_change=on_tick).props("dense")
                said_as(self.ticked, f"Show {name} side by side")
            with ui.element("th").props('scope="row"').classes("named"):
                ui.link(name, f"/crawl/{name}/now")
                self._topic = ui.label().classes("soft")
            with ui.element("td"):
                self._state = ui.label().classes("state")
                self._why = ui.label().classes("soft")
            self._figures = [_cell("number") for _ in range(3)]
            with ui.element("td"):
                self._curve = Sparkline()
            self._latest = _cell("soft unbroken")

    def tell(self, wrong: str) -> None:
        """What is wrong with it."""
        self._state.set_text("cannot be read")
        self._why.set_text(wrong)

    def show(self, found: CrawlOverview) -> None:
        """Its figures."""
        self._topic.set_text(f"{found.topic} · {found.strategy}")
        self._state.set_text(found.state.name)
        self._state.classes(replace=f"state {found.state.name}")
        self._why.set_text(found.state.why if found.counted == 1 else f"counting: {found.counted:.0%}")
        figures = (f"{found.relevant:,}", f"{found.fetched:,}", f"{found.harvest:.1%}" if found.fetched else "–")
        for label, figure in zip(self._figures, figures, strict=True):
            label.set_text(figure)
        self._curve.show([point.harvest for point in found.curve])
        self._latest.set_text(moment(found.latest) if found.latest else "–")

    def remove(self) -> None:
        self._row.delete()


def _cell(classes: str) -> ui.label:
    with ui.element("td").classes(classes):
        return ui.label()


async def _show(row: _CrawlRow, home: Home, turn: asyncio.Semaphore) -> None:
    """Show a crawl, again and again until all its visits are counted."""
    try:
        async with turn:
            while True:
                found = await in_a_thread(home, lambda: overview(home))
                row.show(found)
                if found.counted == 1:
                    return
    except ThresherError as error:
        row.tell(str(error))
    except Exception as error:  # noqa: BLE001 - a crawl that somebody sent must not hide the others
        row.tell(f"its figures make no sense: {type(error).__name__}")


def _draw_experiments(places: Places) -> None:
    found = places.experiments()
    if not found:
        return
    heading("Results of the lab", 2)
    with ui.element("ul").classes("card plain"):
        for name, path in found.items():
            with ui.element("li"):
                ui.link(name, f"/lab/{name}")
                ui.label(str(path)).classes("soft")
