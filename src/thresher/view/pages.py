"""The chapter *Pages*: all visits in a list that scrolls to any of a million, sorted by its headings, filtered and searched."""

from typing import Any

from nicegui import ui

from thresher.results.watch.page_grid import GridChoices, GridQuestion, first_question, grid_choices
from thresher.store.page_list import newest_visit
from thresher.view.frame import OpenCrawl
from thresher.view.page_lists import address_of, question_of, register_rows
from thresher.view.parts import heading, said_as
from thresher.view.shown_folders import Places

_BLOCK = 100
"""Rows that the browser asks for at a time."""
_EVERY = 3.0
_ANY = ""
_RELEVANT = {_ANY: "all", "yes": "relevant", "no": "not relevant"}
_LABELS = {
    _ANY: "all",
    "any": "labelled",
    "relevant": "labelled relevant",
    "not relevant": "labelled not relevant",
    "none": "not labelled",
}
_OUTCOMES = {_ANY: "all", "page": "page", "no page": "no page"}


def register_pages(places: Places) -> None:
    """Make known what the list of pages needs in the browser."""
    register_rows(places)


async def draw_pages(crawl: OpenCrawl) -> None:
    """The list, as the address asks for it."""
    request = ui.context.client.request
    address = dict(request.query_params) if request is not None else {}
    newest = await crawl.ask(lambda archive: newest_visit(archive.read))
    asked = {name for name in address if name not in {"at", "as_of"}}
    question = question_of(address) if asked else await crawl.ask(first_question)
    _PageList(crawl, question, newest, address.get("at", "")).draw()


class PageGrid(ui.aggrid, dependencies=["pages.js"]):
    """AG Grid with the script that brings its rows and draws its cells."""


class _PageList:
    """The list, and what it is filtered by."""

    def __init__(self, crawl: OpenCrawl, question: GridQuestion, newest: int, at: str) -> None:
        self._crawl, self._question, self._newest = crawl, question, newest
        self._at = at if at.isascii() and at.isdigit() and len(at) < 12 else ""
        self._asked = {name: value for name, value in address_of(question).items() if name not in {"sort", "way"}}

    def draw(self) -> None:
        """Draw it all."""
        with ui.element("div").classes("list-head"):
            heading("Pages")
            ui.label().classes("soft").props('id="pages-counted" role="status"')
            self._fresh = ui.button(on_click=self._renew).props("flat no-caps dense icon=refresh")
            self._fresh.set_visibility(False)
        self._draw_filters()
        ui.label().classes("soft note").props('id="pages-note" role="status"')
        self._grid = PageGrid(self._options(), theme="quartz", auto_size_columns=False).classes("page-grid")
        said_as(self._grid, "Pages. Arrow keys move, Enter opens a page, Enter on a heading sorts by it.")
        self._crawl.every(_EVERY, self._look_for_new)
        ui.timer(0.1, self._offer_choices, once=True)

    def _draw_filters(self) -> None:
        with ui.element("search").classes("filters").props('aria-label="Search and filter pages"'):
            self._typed("words", "Search in texts", "search")
            self._typed("text", "In title or url", "filter_alt")
            self._typed("host", "Host", "dns")
            self._chosen("relevant", "Relevance", _RELEVANT)
            self._outcomes = self._chosen("outcome", "Outcome", _OUTCOMES)
            self._languages = self._chosen("language", "Language", {_ANY: "all"})
            self._chosen("label", "Label", _LABELS)
            ui.button("Clear", on_click=self._clear).props("flat no-caps dense")

    def _typed(self, name: str, label: str, icon: str) -> None:
        def changed() -> None:
            self._ask(name, (field.value or "").strip())

        field = ui.input(label, value=self._asked.get(name, "")).props("dense outlined clearable").classes("typed")
        field.on("keydown.enter", changed).on("blur", changed).on("clear", changed)
        with field.add_slot("prepend"):
            ui.icon(icon).props('aria-hidden="true"')

    def _chosen(self, name: str, label: str, choices: dict[str, str]) -> ui.select:
        value = self._asked.get(name, _ANY)
        known = choices if value in choices else {**choices, value: value}
        return ui.select(known, label=label, value=value, on_change=lambda chosen: self._ask(name, chosen.value or _ANY)).props(
            "dense outlined options-dense"
        ).classes("chosen")  # fmt: skip

    async def _offer_choices(self) -> None:
        """Outcomes and languages take a look at all visits, so the list comes first."""
        choices: GridChoices = await self._crawl.ask(grid_choices)
        for field, found, first in (
            (self._outcomes, choices.outcomes, _OUTCOMES),
            (self._languages, choices.languages, {_ANY: "all"}),
        ):
            chosen = {field.value: str(field.value)} if field.value else {}
            told = {name: f"{name} ({count:,})" for name, count in found.items()}
            field.set_options({**first, **chosen, **told}, value=field.value)

    def _ask(self, name: str, value: str) -> None:
        """Filter by something else, from the top of the list."""
        if self._asked.get(name, _ANY) == value:
            return
        self._asked = {key: each for key, each in {**self._asked, name: value}.items() if each}
        if name == "words":
            # The best match first, unless there is nothing to match.
            state = {"colId": "number", "sort": None} if value else {"colId": "relevance", "sort": "desc"}
            self._grid.run_grid_method("applyColumnState", {"state": [state], "defaultState": {"sort": None}})
        self._reload()

    def _clear(self) -> None:
        ui.navigate.to(self._crawl.address("pages"))

    def _reload(self) -> None:
        self._grid.run_grid_method("setGridOption", "context", self._context())
        self._grid.run_grid_method("ensureIndexVisible", 0)
        self._grid.run_grid_method("purgeInfiniteCache")

    async def _look_for_new(self) -> None:
        newest = await self._crawl.ask(lambda archive: newest_visit(archive.read))
        more = newest - self._newest
        self._fresh.set_text(f"{more:,} more since: show them")
        self._fresh.set_visibility(more > 0)

    async def _renew(self) -> None:
        self._newest = await self._crawl.ask(lambda archive: newest_visit(archive.read))
        self._fresh.set_visibility(False)
        self._reload()

    def _context(self) -> dict[str, Any]:
        """What the script in the browser goes by: values, never a piece of a program."""
        return {"address": self._crawl.address(), "question": self._asked, "as_of": self._newest, "at": self._at}

    def _options(self) -> dict[str, Any]:
        return {
            "context": self._context(),
            "columnDefs": self._columns(),
            "defaultColDef": {"sortable": False, "resizable": True, "suppressHeaderMenuButton": True,
                              "sortingOrder": ["desc", "asc"]},
            "rowModelType": "infinite",
            ":datasource": "thresherPages.datasource",
            "cacheBlockSize": _BLOCK,
            "maxBlocksInCache": 20,
            "blockLoadDebounceMillis": 60,
            "infiniteInitialRowCount": int(self._at or 0) + 1,
            "maxConcurrentDatasourceRequests": 1,
            "rowHeight": 52,
            "suppressColumnVirtualisation": True,
            "enableCellTextSelection": True,
            ":onRowClicked": "thresherPages.open",
            ":onCellKeyDown": "thresherPages.openByKey",
            ":onFirstDataRendered": "thresherPages.begin",
        }  # fmt: skip

    def _columns(self) -> list[dict[str, Any]]:
        """The columns; what is in them is plain text, or text nodes that the script makes."""
        columns: list[dict[str, Any]] = [
            {"field": "relevance", "headerName": "Relevance", "width": 122, ":cellRenderer": "thresherPages.relevance"},
            {"field": "title", "headerName": "Page", "flex": 4, "minWidth": 260, ":cellRenderer": "thresherPages.page"},
            {"field": "reason", "headerName": "Strongest reason", "flex": 2, "minWidth": 140, "tooltipField": "reason"},
            {"field": "anchor", "headerName": "Link that led to it", "flex": 2, "minWidth": 140, "tooltipField": "anchor"},
            {"field": "host", "headerName": "Host", "width": 150, "tooltipField": "host"},
            {"field": "label", "headerName": "Label", "width": 110, ":cellClass": "thresherPages.labelled"},
            {"field": "outcome", "headerName": "Outcome", "width": 105},
            {"field": "at", "colId": "time", "headerName": "When", "width": 150},
            {"field": "depth", "headerName": "Depth", "width": 82, "type": "rightAligned"},
            {"field": "bytes", "headerName": "Size", "width": 88, "type": "rightAligned", ":valueFormatter": "thresherPages.kept"},
            {"field": "number", "headerName": "Visit", "width": 95, "type": "rightAligned", ":valueFormatter": "thresherPages.count"},
        ]  # fmt: skip
        unsorted = {"reason", "anchor", "label"}
        for column in columns:
            name = column.setdefault("colId", column["field"])
            column["sortable"] = name not in unsorted
            if name == self._question.sort:
                column["sort"] = "desc" if self._question.descending else "asc"
        return columns
