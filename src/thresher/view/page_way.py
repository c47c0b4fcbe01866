"""The way to a page, step by step with the reasons of each, and what became of its links."""

import math
from collections.abc import Sequence

from nicegui import ui

from thresher.results.plain_text import evidence_line, one_line, short_line, shorten, told_priority
from thresher.results.watch.page_detail import LinkOnPage, PageWay
from thresher.results.why.explanation import WayStep, Why
from thresher.view.frame import OpenCrawl
from thresher.view.parts import draw_url, put, table

_FIRST_LINKS = 30
"""Links that are shown before somebody asks for all."""
_LONGEST_URL = 300


def draw_way(crawl: OpenCrawl, why: Why, number: int) -> None:
    """The way to the visit of that number."""
    for sentence in why.verdict:
        ui.label(one_line(sentence))
    with ui.element("ol").classes("way"):
        for step in why.way:
            _draw_step(crawl, step, here=step.number == number)


def draw_links(crawl: OpenCrawl, found: PageWay, into: ui.element, most: int = _FIRST_LINKS) -> None:
    """The links of a page in place of what an element holds: the best, and a button that shows the others."""
    into.clear()
    with into:
        if not found.links:
            ui.label("It links to nothing.").classes("soft")
            return
        _draw_link_table(crawl, found.links[:most])
        cut = f", of which the best {len(found.links):,} can be shown" if len(found.links) < found.of_links else ""
        ui.label(f"{found.of_links:,} links{cut}.").classes("soft")
        if most < (every := len(found.links)):
            ui.button(f"Show {every:,}", on_click=lambda: draw_links(crawl, found, into, every)).props(
                "flat no-caps dense"
            )


def _draw_link_table(crawl: OpenCrawl, links: Sequence[LinkOnPage]) -> None:
    around = ui.element("div").classes("scrolled").props('tabindex="0" role="region" aria-label="Links of the page"')
    with around, table(("Link", "Priority", "What became of it"), "Links of the page", numbers={"Priority"}):
        for link in links:
            _draw_link(crawl, link)


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
