"""Several crawls side by side: their curves in one chart, their figures in one table."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from nicegui import ui

from thresher.disk.crawl_home import Home
from thresher.disk.folder import CrawlFolder
from thresher.errors import ThresherError
from thresher.results.crawl_comparison import ExclusivePage, compare_crawls
from thresher.results.plain_text import moment, one_line, short_line, short_title
from thresher.results.watch.crawl_overview import CrawlOverview
from thresher.view.chart_pieces import Chart, Options, axes, card, line, look, some_of, styled
from thresher.view.frame import framed, in_a_thread
from thresher.view.parts import heading, table, trouble
from thresher.view.shown_folders import Places
from thresher.view.watching import overview

_MOST = 12
"""Crawls in one chart: more curves cannot be told apart."""
_LONGEST_URL = 150


async def draw_side_by_side(places: Places, names: Iterable[str]) -> None:
    """The crawls of these names."""
    styled()
    with framed("Side by side"):
        heading("Side by side")
        ui.link("All crawls", "/")
        known = await asyncio.to_thread(places.crawls)
        wanted = list(dict.fromkeys(names))
        for name in [each for each in wanted if each not in known][:_MOST]:
            trouble(f"There is no crawl of the name {name!r:.100} here.")
        found = await _overviews({name: known[name] for name in wanted if name in known})
        if not found:
            ui.label("Tick two crawls or more in the list of crawls.").classes("soft")
            return
        _draw_chart(found)
        _draw_figures(found)
        if len(found) == 2:
            await _draw_in_common([known[name] for name in found])


async def _overviews(homes: Mapping[str, Home]) -> dict[str, CrawlOverview]:
    found = {}
    for name, home in list(homes.items())[:_MOST]:
        try:
            found[name] = await in_a_thread(home, partial(_whole, home))
        except ThresherError as error:
            trouble(str(error))
    return found


def _whole(home: Home) -> CrawlOverview:
    """Curves are compared when all visits are counted."""
    while (found := overview(home)).counted < 1:
        pass
    return found


def _draw_chart(found: Mapping[str, CrawlOverview]) -> None:
    with card("Relevant pages over pages fetched"):
        said = "; ".join(f"{name}: {each.relevant:,} of {each.fetched:,}" for name, each in found.items())
        options = axes("pages fetched", "relevant pages found")
        options["legend"] |= {"type": "scroll", "left": 180}
        options["series"] = [_curve(place, name, each) for place, (name, each) in enumerate(found.items())]
        rows = (row for name, each in found.items() for row in _numbers(name, each))
        head = ("crawl", "pages fetched", "relevant", "harvest")
        Chart("360px").show(options, f"Relevant pages over pages fetched. {said}.", head, rows)


def _curve(place: int, name: str, crawl: CrawlOverview) -> Options:
    colour, dash = look(place)
    return line(name, [[0, 0], *([point.fetched, point.relevant] for point in crawl.curve)], colour, dash=dash)


def _numbers(name: str, crawl: CrawlOverview) -> Iterator[Sequence[str]]:
    for point in some_of(crawl.curve):
        yield name, f"{point.fetched:,}", f"{point.relevant:,}", f"{point.harvest:.1%}"


def _draw_figures(found: Mapping[str, CrawlOverview]) -> None:
    with ui.element("div").classes("card scrolled").props('tabindex="0" role="region" aria-label="Figures"'):
        body = table(("", *found), "Figures of the crawls", numbers=set(found))
        rows: dict[str, list[str]] = {
            "topic": [each.topic for each in found.values()],
            "strategy": [each.strategy for each in found.values()],
            "judge": [each.judge for each in found.values()],
            "state": [each.state.name for each in found.values()],
            "relevant": [f"{each.relevant:,}" for each in found.values()],
            "fetched": [f"{each.fetched:,}" for each in found.values()],
            "harvest": [f"{each.harvest:.1%}" if each.fetched else "–" for each in found.values()],
            "hosts": [f"{each.hosts:,}" for each in found.values()],
            "minutes under way": [f"{each.seconds / 60:,.1f}" for each in found.values()],
            "begun": [moment(each.begun) if each.begun else "–" for each in found.values()],
        }
        for name, values in rows.items():
            _draw_row(body, name, values)


async def _draw_in_common(homes: Sequence[Home]) -> None:
    """Of two crawls what both found, and what only one of them found. Their files are read together, so both must be folders."""
    if not all(isinstance(each, CrawlFolder) for each in homes):
        ui.label("What both found is told of crawls in folders only.").classes("soft")
        return
    try:
        both = await asyncio.to_thread(compare_crawls, *(each.path for each in homes))
    except ThresherError as error:
        trouble(str(error))
        return
    with ui.element("section").classes("card form"):
        heading("What both found", 2)
        ui.label(both.told())
    with ui.element("div").classes("fields"):
        for crawl in (both.first, both.second):
            with ui.element("section").classes("card form"):
                heading(f"Relevant pages that only {crawl.name} has: {crawl.harvest.only:,}", 2)
                for each in crawl.exclusive:
                    _draw_page(each)


def _draw_page(only: ExclusivePage) -> None:
    with ui.element("div"):
        ui.label(one_line(short_title(only.page.title)) or "without a title")
        beyond = " · known to the other, and not kept" if only.known else ""
        ui.label(f"{only.page.relevance:.2f} · {short_line(only.page.url, _LONGEST_URL)}{beyond}").classes("soft said")


def _draw_row(body: ui.element, name: str, values: Iterable[str]) -> None:
    with body, ui.element("tr"):
        with ui.element("th").props('scope="row"'):
            ui.label(name)
        for value in values:
            with ui.element("td").classes("number"):
                ui.label(value)
