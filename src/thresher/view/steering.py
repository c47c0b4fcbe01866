"""What is done with a crawl, in the header of each of its pages: pause, go on, stop, more budget, leave a host, put a url first, export.

Orders go through the crawl's inbox. What came of each is told in a line below, which is read out to those who listen to the page.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from nicegui import ui

from thresher.errors import ThresherError
from thresher.orders.inbox import answers
from thresher.orders.order import BUDGET_KEYS, First, GoOn, More, Order, Pause, StopCrawl, leave, web_url
from thresher.orders.state import CrawlState, crawl_state
from thresher.results.plain_text import moment, short_line
from thresher.results.steer import tell
from thresher.view.export_dialog import ExportDialog
from thresher.view.frame import OpenCrawl
from thresher.view.parts import dialog, said_as
from thresher.view.processes import go_on, last_words

_EVERY = 1.0
_LONGEST = 400
_MOST_ANSWERS = 3


def draw_controls(crawl: OpenCrawl) -> None:
    """Draw them into the header."""
    _Controls(crawl).draw()


class _Controls:
    """The state of a crawl, buttons for what can be done in it, and what came of what was done."""

    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl, self._home = crawl, crawl.home
        # Numbers of orders are moments: what was answered before the page was opened is not told again.
        self._heard = time.time_ns() // 1_000_000
        self._state = CrawlState("stopped", "", None)
        self._told: list[str] = []

    def draw(self) -> None:
        ui.link(self._crawl.name, self._crawl.address("now")).classes("crawl-name")
        self._shown = ui.label().classes("state")
        with ui.element("div").classes("tools").props('role="toolbar" aria-label="Steer this crawl"'):
            self._pause = self._button("Pause", lambda: self._order(Pause()))
            self._go_on = self._button("Go on", self._go)
            self._stop = self._button("Stop", lambda: self._order(StopCrawl()))
            self._button("More …", self._more_dialog().open)
            self._button("Leave or prefer …", self._place_dialog().open)
            self._button("Export …", ExportDialog(self._crawl).open)
        self._why = ui.label().classes("soft why")
        self._answer = ui.label().classes("answer said").props('role="status" aria-live="polite"')
        ui.timer(_EVERY, self._refresh)

    def _button(self, text: str, do: Callable[[], object]) -> ui.button:
        return ui.button(text, on_click=do).props("outline dense no-caps")

    async def _refresh(self) -> None:
        try:
            self._state, new = await self._crawl.look(
                lambda: (crawl_state(self._home), answers(self._home, self._heard))
            )
        except ThresherError as error:
            self._shown.set_text("cannot be read")
            self._why.set_text(str(error))
            return
        self._show_state()
        for each in new:
            self._heard = each.number
            self._say(each.sentence)

    def _show_state(self) -> None:
        name, why, since = self._state
        self._shown.set_text(name)
        self._shown.classes(replace=f"state {name}")
        self._why.set_text(short_line(why, _LONGEST) + (f" (since {moment(since)})" if since else ""))
        self._pause.set_visibility(name == "running")
        self._go_on.set_visibility(name != "running")
        self._stop.set_enabled(name != "stopped")

    def _say(self, sentence: str) -> None:
        """The latest sentences; an order that was given long ago is of no interest."""
        self._told = [*self._told, short_line(sentence, _LONGEST)][-_MOST_ANSWERS:]
        self._answer.set_text("\n".join(self._told))

    async def _order(self, order: Order) -> None:
        """Give an order; where no crawl runs it is carried out at once."""
        await self._try(lambda: asyncio.to_thread(tell, self._home, order))

    async def _try(self, work: Callable[[], Awaitable[object]]) -> bool:
        try:
            await work()
        except ThresherError as error:
            self._say(str(error))
            return False
        await self._refresh()
        return True

    async def _go(self) -> None:
        """Go on after a pause; a crawl that was killed or has stopped gets a new process."""
        if await self._try(lambda: asyncio.to_thread(tell, self._home, GoOn())) and self._state.name == "stopped":
            await self._start()

    async def _start(self) -> None:
        self._say("Starting …")
        if await self._try(lambda: asyncio.to_thread(lambda: go_on(self._home).begun())):
            self._say("It runs again." if self._state.name == "running" else last_words(self._home) or self._state.why)

    def _more_dialog(self) -> ui.dialog:
        with dialog("More budget") as shown:
            amount = ui.number("How many more", value=500, min=0).props("outlined")
            key = ui.select(list(BUDGET_KEYS), value="pages", label="Of what").props("outlined")

            async def give() -> None:
                given = await self._try(lambda: asyncio.to_thread(self._give_more, key.value, amount.value))
                shown.close()
                if given and self._state.name == "stopped":
                    await self._start()

            ui.button("Give more", on_click=give).props("unelevated no-caps")
        return shown

    def _give_more(self, key: str, amount: float | None) -> None:
        given = amount or 0
        tell(self._home, More(key, int(given) if given == int(given) else given))  # type: ignore[arg-type]  # More looks at it

    def _place_dialog(self) -> ui.dialog:
        with dialog("Leave a host out, or put a page first") as shown:
            self._asking(shown, "Host, such as example.org", "Leave it out from now on", leave)
            self._asking(shown, "Address of a page", "Fetch it first", lambda text: First(web_url(text)))
        return shown

    def _asking(self, shown: ui.dialog, label: str, button: str, order: Callable[[str], Order]) -> None:
        field = ui.input(label).props("outlined")
        said_as(field, label)

        async def give() -> None:
            text = field.value.strip()
            if await self._try(lambda: asyncio.to_thread(lambda: tell(self._home, order(text)))):
                field.set_value("")
                shown.close()

        field.on("keydown.enter", give)
        ui.button(button, on_click=give).props("unelevated no-caps")
