"""One page of a crawl, at an address of its own: its text with the evidence marked, the way to it, its links, and what else is known."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from thresher.errors import BadInput, ThresherError
from thresher.results.plain_text import day, evidence_line, moment, one_line, short_line, shorten, told_priority
from thresher.results.watch.page_detail import (
    KeptSource,
    LinkOnPage,
    MarkedEvidence,
    PageDetail,
    PageWay,
    kept_source,
    page_copies,
    page_detail,
    page_way,
)
from thresher.results.watch.page_grid import place_in
from thresher.results.why.explanation import WayStep
from thresher.store.looks import PastLook
from thresher.view.frame import OpenCrawl
from thresher.view.labelling import LabelButtons
from thresher.view.page_lists import LISTS, address_of, number_in, question_of
from thresher.view.parts import draw_original, draw_url, heading, put, said_as, table, trouble

_FIRST_LINKS = 30
"""Links that are shown before somebody asks for all."""
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
        self._links.clear()
        with self._way:
            for sentence in found.why.verdict:
                ui.label(one_line(sentence))
            with ui.element("ol").classes("way"):
                for step in found.why.way:
                    _draw_step(self._crawl, step, here=step.number == self._detail.number)
        with self._links:
            self._draw_links(found, _FIRST_LINKS)

    def _draw_links(self, found: PageWay, most: int) -> None:
        if not found.links:
            ui.label("It links to nothing.").classes("soft")
            return
        shown = found.links[:most]
        around = (
            ui.element("div").classes("scrolled").props('tabindex="0" role="region" aria-label="Links of the page"')
        )
        with around, table(("Link", "Priority", "What became of it"), "Links of the page", numbers={"Priority"}):
            for link in shown:
                _draw_link(self._crawl, link)
        cut = f", of which the best {len(found.links):,} can be shown" if len(found.links) < found.of_links else ""
        ui.label(f"{found.of_links:,} links{cut}.").classes("soft")
        if len(shown) < len(found.links):
            ui.button(f"Show {len(found.links):,}", on_click=lambda: self._show_all_links(found)).props(
                "flat no-caps dense"
            )

    def _show_all_links(self, found: PageWay) -> None:
        self._links.clear()
        with self._links:
            self._draw_links(found, len(found.links))

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


def _draw_step(crawl: OpenCrawl, step: WayStep, *, here: bool) -> None:
    """A url on the way, below the link that led to it."""
    with ui.element("li").classes("step here" if here else "step"):
        if step.candidate.parent is not None:
            ui.label(_led_by(step)).classes("soft")
        title = short_line(step.title, 120)
        if here or step.number is None:
            put(ui.label(title or short_line(step.candidate.url, _LONGEST_URL)).classes("strong"), "dir", "auto")
        else:
            link = ui.link(title or short_line(step.candidate.url, _LONGEST_URL), crawl.address("page", step.number))
            put(link.classes("strong"), "dir", "auto")
        draw_url(step.candidate.url, 120)
        ui.label(_came_of(step))


def _led_by(step: WayStep) -> str:
    """The link to a url in words, its priority, and what that was made of."""
    anchor = short_line(step.candidate.anchor, 120)
    words = f"“{anchor}”" if anchor else step.found or "a link without words"
    evidence = step.parts.evidence
    made_of = evidence_line(evidence, " + " if step.adds_up and all(part.amount >= 0 for part in evidence) else ", ")
    because = f" from {made_of}" if made_of else f" ({one_line(step.parts.unknown)})" if step.parts.unknown else ""
    return shorten(f"by {words}, priority {_priority(step.candidate.priority)}{because}", 500)


def _came_of(step: WayStep) -> str:
    facts = ["a seed"] * (step.candidate.parent is None)
    if step.judgement is not None:
        found = evidence_line(step.judgement.evidence) or "nothing of the topic found"
        facts.append(f"relevance {step.judgement.relevance:.2f}: {found}")
    elif step.number is None:
        facts.append("waits")
    else:
        facts.append(f"{step.outcome} {one_line(step.detail)}".strip())
    return shorten(", ".join(facts), 500)


def _priority(priority: float | None) -> str:
    return "" if priority is None or not math.isfinite(priority) else told_priority(priority)


def _draw_link(crawl: OpenCrawl, link: LinkOnPage) -> None:
    with ui.element("tr"):
        with ui.element("td").classes("link-cell"):
            anchor = shorten(link.anchor, 150)
            if anchor or link.found:
                put(ui.label(anchor or link.found), "dir", "auto")
            draw_url(link.url, 150)
        with ui.element("td").classes("number"):
            ui.label(_priority(link.priority))
        with ui.element("td"):
            if link.visit is not None:
                told = f"{link.fate}, {link.visit.relevance:.2f}" if link.visit.relevance is not None else link.fate
                ui.link(told, crawl.address("page", link.visit.number))
            else:
                ui.label(link.fate).classes("soft")
