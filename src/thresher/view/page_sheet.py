"""One page of a crawl, at an address of its own: its text with the evidence marked, the way to it, its links, and what else is known."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from thresher.errors import BadInput, ThresherError
from thresher.results.plain_text import day, moment, short_line
from thresher.results.watch.page_detail import (
    KeptSource,
    MarkedEvidence,
    PageDetail,
    PageWay,
    kept_source,
    page_copies,
    page_detail,
    page_way,
)
from thresher.results.watch.page_grid import place_in
from thresher.store.looks import PastLook
from thresher.view.frame import OpenCrawl
from thresher.view.labelling import LabelButtons
from thresher.view.page_lists import LISTS, address_of, number_in, question_of
from thresher.view.page_way import draw_links, draw_way
from thresher.view.parts import draw_original, heading, put, said_as, trouble

_LONGEST_URL = 300
_FOUND = {
    "not-modified": "not modified",
    "same": "the same",
    "changed": "changed",
    "gone": "gone",
    "moved": "moved",
    "refused": "refused",
    "failed": "failed",
}


class MarkedText(ui.element, component="marked_text.js"):
    """A text of the web with its evidence marked. It reaches the browser as a value, and becomes text there."""

    def __init__(self, marked: MarkedEvidence) -> None:
        """Show this text."""
        super().__init__()
        self._props.update(text=marked.text, found=marked.found, against=marked.against)


async def draw_page(crawl: OpenCrawl, number: str, address: Mapping[str, str]) -> None:
    """The visit of that number; `address` says from which list somebody came."""
    if (visit := number_in(number)) is None:
        raise BadInput(f"{number!r:.50} is not the number of a visit, such as 12")
    detail = await crawl.ask(page_detail, visit)
    await _PageSheet(crawl, detail, address).draw()


class _PageSheet:
    """All that the window says of one visit. What takes longer comes when it is there."""

    def __init__(self, crawl: OpenCrawl, detail: PageDetail, address: Mapping[str, str]) -> None:
        self._crawl, self._detail, self._address = crawl, detail, address

    async def draw(self) -> None:
        self._neighbours = ui.element("nav").classes("tools").props('aria-label="In the list"')
        with self._neighbours:
            ui.link("← All pages", self._list_address()).classes("unbroken")
        self._draw_head()
        with ui.element("div").classes("sheet"):
            with ui.element("div").classes("sheet-main"):
                self._draw_text()
                self._way = self._section("The way to it")
                self._links = self._section("Its links")
            with ui.element("div").classes("sheet-side"):
                self._draw_facts()
                self._draw_versions()
                self._copies = self._section("Copies")
                self._draw_kept_copy()
        for slow in (self._show_neighbours, self._show_way, self._show_copies):
            ui.timer(0.05, self._guarded(slow), once=True)

    def _guarded(self, work: Callable[[], Any]) -> Callable[[], Any]:
        async def done() -> None:
            try:
                await work()
            except ThresherError as error:
                self._crawl.say(str(error))

        return done

    def _section(self, title: str) -> ui.element:
        """A card with a heading, which says that its content is on the way."""
        with ui.element("section").classes("card stack"):
            heading(title, 2)
            body = ui.element("div").classes("stack")
            with body:
                ui.label("…").classes("soft")
        return body

    def _draw_head(self) -> None:
        detail = self._detail
        with ui.element("header").classes("card stack"):
            if detail.title.text:
                put(MarkedText(detail.title).classes("headline").props('role="heading" aria-level="1"'), "dir", "auto")
            else:
                heading("A page without a title" if detail.outcome == "page" else "No page")
            draw_original(detail.url)
            with ui.element("div").classes("tools"):
                _verdict(detail)
                if detail.relevance is not None and not detail.lost:
                    LabelButtons(self._crawl, detail.url, detail.label).draw()
            for line in detail.reasons:
                ui.label(line).classes("reason")

    def _draw_text(self) -> None:
        detail = self._detail
        with ui.element("section").classes("card stack"):
            heading("Text", 2)
            if detail.lost:
                trouble("Its record in the WARC files cannot be read any more.")
            elif not detail.text.text:
                ui.label(detail.detail or "There is no text.").classes("soft")
                return
            box = MarkedText(detail.text).classes("text-box").props('tabindex="0" role="region" dir="auto"')
            said_as(box, "The text of the page")
            if detail.whole > len(detail.text.text) + 1000:
                ui.label(
                    f"The beginning: {len(detail.text.text):,} of {detail.whole:,} letters. The WARC file has all."
                ).classes("soft")

    def _draw_facts(self) -> None:
        detail = self._detail
        known = {
            "visit": f"{detail.number:,}",
            "fetched": moment(detail.at),
            "outcome": f"{detail.outcome}{f', status {detail.status}' if detail.status else ''}",
            "judged by": detail.judged_by,
            "depth": f"{detail.depth}",
            "language": detail.language,
            "size": f"{detail.bytes:,} bytes" if detail.bytes else "",
            "noindex": "asks not to be listed by search engines" if detail.noindex else "",
            "found gone": day(detail.gone) if detail.gone else "",
            "redirected by": " → ".join(short_line(url, 100) for url in detail.redirects),
            "redirects to": short_line(detail.target or "", _LONGEST_URL),
        }
        with ui.element("section").classes("card stack"):
            heading("What is known", 2)
            _pairs((name, value) for name, value in [*known.items(), *detail.facts] if value)
        if detail.headers:
            with ui.expansion("Headers of the answer").classes("card fold"):
                _pairs(detail.headers)

    def _draw_versions(self) -> None:
        if not self._detail.looks:
            return
        with ui.element("section").classes("card stack"):
            heading("Later looks", 2)
            with ui.element("ul").classes("plain"):
                for look in self._detail.looks[-20:]:
                    with ui.element("li"):
                        ui.label(_look(look))

    def _draw_kept_copy(self) -> None:
        async def load(event: Any) -> None:
            if event.value and not body.default_slot.children:
                source = await self._crawl.ask(kept_source, self._detail.number)
                with body:
                    _draw_source(source)

        if self._detail.status is not None and not self._detail.lost:
            with ui.expansion("The kept copy, as text", on_value_change=load).classes("card fold"):
                body = ui.element("div").classes("stack")

    async def _show_neighbours(self) -> None:
        """The pages before and after this one in the list somebody came from."""
        if "at" not in self._address:
            return
        as_of = number_in(self._address.get("as_of")) or 0
        found = await LISTS.get(self._crawl, question_of(self._address), as_of)
        place = place_in(found, self._detail.number)
        if place is None:
            return
        with self._neighbours:
            for text, there in (("‹ Previous", place - 1), ("Next ›", place + 1)):
                if 0 <= there < len(found.numbers):
                    ui.link(text, self._crawl.address("page", found.numbers[there]) + self._query(there)).classes(
                        "unbroken"
                    )
            ui.label(f"{place + 1:,} of {len(found.numbers):,}").classes("soft")

    def _query(self, place: int) -> str:
        return f"?{urlencode({**address_of(question_of(self._address)), 'at': place, 'as_of': self._address.get('as_of', '')})}"

    def _list_address(self) -> str:
        kept = {**address_of(question_of(self._address)), "at": self._address.get("at", "")}
        told = urlencode({name: value for name, value in kept.items() if value})
        return self._crawl.address("pages") + (f"?{told}" if told else "")

    async def _show_way(self) -> None:
        found: PageWay = await self._crawl.ask(page_way, self._detail.number)
        self._way.clear()
        with self._way:
            draw_way(self._crawl, found.why, self._detail.number)
        draw_links(self._crawl, found, self._links)

    async def _show_copies(self) -> None:
        copies = await self._crawl.ask(page_copies, self._detail.number)
        first = self._detail.copy_of
        self._copies.clear()
        with self._copies:
            if first is not None:
                ui.label("It has the same bytes as" if first.exact else "It says nearly the same as")
                _page_link(self._crawl, first.number, first.url)
            for copy in copies:
                ui.label("The same bytes are at" if copy.exact else "Nearly the same is at")
                _page_link(self._crawl, copy.number, copy.url)
            if first is None and not copies:
                ui.label("No other page repeats it.").classes("soft")


def _verdict(detail: PageDetail) -> None:
    if detail.relevance is None:
        ui.label(detail.outcome).classes("badge")
        return
    said = "relevant" if detail.relevant else "not relevant"
    ui.label(f"{detail.relevance:.2f} · judged {said}").classes("badge good" if detail.relevant else "badge")


def _pairs(pairs: Iterable[tuple[str, str]]) -> None:
    with ui.element("dl").classes("pairs"):
        for name, value in pairs:
            with ui.element("dt"):
                ui.label(name)
            with ui.element("dd"):
                put(ui.label(value), "dir", "auto")


def _look(look: PastLook) -> str:
    judged = f", relevance {look.relevance:.2f}" if look.relevance is not None else ""
    moved = f" to {short_line(look.target, _LONGEST_URL)}" if look.target else ""
    return f"{moment(look.at)}: {_FOUND.get(look.found, look.found)}{moved}{judged}"


def _draw_source(source: KeptSource | None) -> None:
    if source is None:
        trouble("Its record in the WARC files cannot be read any more.")
        return
    ui.label(f"{source.kind or 'no content type'}, {source.whole:,} bytes").classes("soft")
    box = ui.element("pre").classes("text-box source").props('tabindex="0" role="region"')
    said_as(box, "The kept copy as text")
    with box:
        MarkedText(MarkedEvidence(source.text))


def _page_link(crawl: OpenCrawl, number: int, url: str) -> None:
    put(ui.link(short_line(url, _LONGEST_URL), crawl.address("page", number)).classes("url"), "dir", "ltr")
