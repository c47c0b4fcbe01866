"""Start a crawl from a word: its senses to choose from, its concepts, the seeds that were found, a budget; then go.

Each part appears when it is known. Nothing that was typed is lost when something is wrong: a sentence says what, and all stays.
"""

import asyncio
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from thresher.disk.folder import CrawlFolder
from thresher.disk.guarded_toml import read_toml
from thresher.errors import BadInput, ThresherError
from thresher.seed.named_urls import seed_urls
from thresher.start import folder_name
from thresher.view.chosen_parts import ConceptTable, SeedList, draw_senses
from thresher.view.frame import framed
from thresher.view.parts import heading, set_text, trouble
from thresher.view.preparation import Preparation, with_concepts, with_seeds
from thresher.view.processes import begin
from thresher.view.shown_folders import Places

_LOOK = 0.2


def draw_new_crawl(places: Places) -> None:
    """The page on which a crawl is started."""
    with framed("New crawl"):
        heading("New crawl")
        _NewCrawl(places).draw()


class _NewCrawl:
    """What was typed, what was found, and what is still to be chosen."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._found: Preparation | None = None
        self._asked: object = None
        """The question that is drawn."""

    def draw(self) -> None:
        """The first part; the others follow when something is known."""
        with ui.element("section").classes("card form"):
            self._topic = (
                ui.input("What to look for", placeholder="iris")
                .props("outlined autofocus")
                .on("keydown.enter", self._prepare)
            )
            self._own = ui.textarea("Addresses to start from, one a line (may be empty)").props("outlined autogrow")
            self._search = ui.checkbox("Ask search engines for more", value=True)
            with ui.expansion("Other settings, as in a crawl file"):
                self._tables = (
                    ui.textarea('For example: [scope] hosts = ["example.org"]')
                    .props("outlined autogrow")
                    .classes("code")
                )
            ui.button("Look it up", on_click=self._prepare).props("unelevated no-caps")
            self._doing = ui.label().classes("soft").props('role="status"')
            self._error = trouble()
        self._notices = ui.element("ul").classes("plain soft")
        self._senses, self._rest = ui.element("div").classes("part"), ui.element("div").classes("part")
        ui.timer(_LOOK, self._look)
        ui.context.client.on_delete(self._drop)

    def _drop(self) -> None:
        if self._found is not None:
            self._found.drop()

    def _prepare(self) -> None:
        """Look up the word that was typed."""
        self._drop()
        self._senses.clear()
        self._rest.clear()
        self._notices.clear()
        try:
            wanted = self._wanted()
        except ThresherError as error:
            self._found = None
            set_text(self._error, str(error))
            return
        set_text(self._error, "")
        self._found, self._asked, self._told = (
            Preparation(wanted, self._new_folder(), search=self._search.value),
            None,
            0,
        )
        self._found.begin()

    def _wanted(self) -> dict[str, Any]:
        """What was typed, in the form of a crawl file."""
        topic = " ".join(self._topic.value.split())
        if not topic:
            raise BadInput("Say what to look for: a word or a few, such as iris")
        tables = _tables_of(self._tables.value)
        own = [*tables.pop("seeds", []), *self._own.value.split()]
        if not own and not self._search.value:
            raise BadInput("Give an address to start from, or let search engines be asked for some")
        return {**tables, "topic": topic, **({"seeds": seed_urls(own)} if own else {})}

    def _new_folder(self) -> CrawlFolder:
        """A folder that is free, named after the topic."""
        base, number = folder_name(self._topic.value), 1
        while (path := self._places.new_crawls / (base if number == 1 else f"{base}-{number}")).exists():
            number += 1
        return CrawlFolder(path)

    def _look(self) -> None:
        """Draw what has become known since the last look."""
        found = self._found
        if found is None:
            return
        self._doing.set_text(f"{found.doing}…" if found.doing else "")
        self._tell_notices(found)
        if found.question is not None and found.question is not self._asked:
            self._asked = found.question
            self._senses.clear()
            with self._senses:
                draw_senses(found.question, found.answer)
        if found.over:
            self._found = None
            set_text(self._error, found.error)
            if found.complete is not None:
                self._draw_rest(found, found.complete)

    def _tell_notices(self, found: Preparation) -> None:
        for sentence in found.notices[self._told :]:
            with self._notices, ui.element("li"):
                ui.label(sentence).classes("said")
        self._told = len(found.notices)

    def _draw_rest(self, found: Preparation, complete: dict[str, Any]) -> None:
        """Concepts, seeds and budget of a topic that is known."""
        with self._rest:
            concepts = ConceptTable(found.concepts)
            seeds = SeedList(found.seeds)
            _LastPart(self._places, self._new_folder().path.name).draw(
                lambda: with_seeds(
                    with_concepts(complete, found.concepts, concepts.terms()), seeds.ticked(), self._own.value
                )
            )


class _LastPart:
    """Budget, manners and the name of the folder; then go."""

    def __init__(self, places: Places, name: str) -> None:
        self._places, self._name = places, name

    def draw(self, tables: Callable[[], dict[str, Any]]) -> None:
        """`tables` gives the rest of the crawl file, as it is when somebody presses the button."""
        with ui.element("section").classes("card form"):
            heading("How much, and how politely", 2)
            with ui.element("div").classes("fields"):
                self._pages = ui.number("Pages to fetch", value=500, min=1, precision=0).props("outlined")
                self._relevant = ui.number("Relevant pages to find (may be empty)", min=1, precision=0).props(
                    "outlined"
                )
                self._minutes = ui.number("Minutes (may be empty)", min=0).props("outlined")
                self._delay = ui.number("Seconds between two requests to a host", value=1.0, min=0, step=0.5).props(
                    "outlined"
                )
                self._contact = ui.input("Your mail or web address, for owners of sites").props("outlined")
                self._folder = ui.input("Name of its folder", value=self._name).props("outlined")
            ui.label(
                f"It is kept in {self._places.new_crawls}. When the budget is spent it pauses, and you can give more."
            ).classes("soft")
            self._go = ui.button("Start the crawl", on_click=lambda: self._start(tables)).props("unelevated no-caps")
            self._doing = ui.label().classes("soft").props('role="status"')
            self._error = trouble()

    async def _start(self, tables: Callable[[], dict[str, Any]]) -> None:
        set_text(self._error, "")
        self._go.disable()
        self._doing.set_text("starting…")
        try:
            folder = CrawlFolder(self._places.new_crawls / folder_name(self._folder.value))
            process = await asyncio.to_thread(begin, folder, self._settled(tables()))
            self._places.add(folder.path)
            await asyncio.to_thread(process.begun)
            ui.navigate.to(f"/crawl/{self._places.name_of(folder.path)}/now")
        except ThresherError as error:
            set_text(self._error, str(error))
        finally:
            self._go.enable()
            self._doing.set_text("")

    def _settled(self, tables: Mapping[str, Any]) -> dict[str, Any]:
        """The tables with what was chosen here."""
        budget = {"pages": self._pages.value, "relevant": self._relevant.value, "minutes": self._minutes.value}
        whole = {key: value if key == "minutes" else int(value) for key, value in budget.items() if value is not None}
        polite = {"delay": float(self._delay.value or 0), "contact": self._contact.value.strip()}
        return {
            **tables,
            "budget": {"when_spent": "pause", **tables.get("budget", {}), **whole},
            "polite": {**tables.get("polite", {}), **polite},
        }


def _tables_of(text: str) -> dict[str, Any]:
    try:
        tables = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"The other settings are not as in a crawl file: {error}") from error
    if not isinstance(seeds := tables.get("seeds", []), list):
        raise BadInput(f"seeds is a list of addresses, not {seeds!r:.100}")
    return tables
