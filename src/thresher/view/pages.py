"""The chapter *Pages*: all visits in a list that scrolls to any of a million, sorted by its headings, filtered and searched."""

from nicegui import ui

from thresher.results.watch.page_grid import GridChoices, GridQuestion, first_question, grid_choices
from thresher.store.visits import newest_visit
from thresher.view.frame import OpenCrawl
from thresher.view.page_lists import address_of, number_in, question_of
from thresher.view.parts import heading

_NAME = "Pages. Arrow keys move, Enter opens a page, Enter on a heading sorts by it."
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


async def draw_pages(crawl: OpenCrawl) -> None:
    """The list, as the address asks for it."""
    request = ui.context.client.request
    address = dict(request.query_params) if request is not None else {}
    newest = await crawl.ask(lambda archive: newest_visit(archive.read))
    asked = {name for name in address if name not in {"at", "as_of"}}
    question = question_of(address) if asked else await crawl.ask(first_question)
    _PageList(crawl, question, newest, min(number_in(address.get("at")) or 0, newest)).draw()


class PageGrid(ui.element, component="page_grid.js"):
    """AG Grid with the script that brings its rows and draws its cells. What it is given are values, never a piece of a program."""

    def __init__(self, crawl: OpenCrawl, question: GridQuestion, at: int) -> None:
        """The list that answers a question, with the row at that place in sight."""
        super().__init__()
        self._props.update(
            address=crawl.address(), sort=question.sort, descending=question.descending, at=at, name=_NAME, question={}
        )

    def ask(self, question: dict[str, str], newest: int) -> None:
        """List something else, as of that visit."""
        self._props.update({"question": question, "as-of": newest})
        self.update()


class _PageList:
    """The list, and what it is filtered by."""

    def __init__(self, crawl: OpenCrawl, question: GridQuestion, newest: int, at: int) -> None:
        self._crawl, self._question, self._newest, self._at = crawl, question, newest, at
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
        self._grid = PageGrid(self._crawl, self._question, self._at).classes("page-grid")
        self._reload()
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
        self._reload()

    def _clear(self) -> None:
        ui.navigate.to(self._crawl.address("pages"))

    def _reload(self) -> None:
        self._grid.ask(self._asked, self._newest)

    async def _look_for_new(self) -> None:
        newest = await self._crawl.ask(lambda archive: newest_visit(archive.read))
        more = newest - self._newest
        self._fresh.set_text(f"{more:,} more since: show them")
        self._fresh.set_visibility(more > 0)

    async def _renew(self) -> None:
        self._newest = await self._crawl.ask(lambda archive: newest_visit(archive.read))
        self._fresh.set_visibility(False)
        self._reload()
