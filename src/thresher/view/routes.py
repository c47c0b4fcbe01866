"""The addresses of the window, and what draws each."""

from collections.abc import Awaitable, Callable

from fastapi import Request
from nicegui import ui

from thresher.results.show import crawl_figures
from thresher.view.frame import Chapter, OpenCrawl, drawn, framed
from thresher.view.home import draw_home
from thresher.view.labelling import draw_labelling
from thresher.view.page_detail import draw_page
from thresher.view.pages import draw_pages, register_pages
from thresher.view.shown_folders import Places
from thresher.view.side_by_side import draw_side_by_side


async def _draw_now(crawl: OpenCrawl) -> None:
    figures = await crawl.ask(crawl_figures)
    ui.label(figures.settings.topic).classes("headline")
    ui.label(f"{figures.counts.relevant:,} relevant of {figures.counts.fetched:,} fetched")


CHAPTERS = (
    Chapter("now", "Now", _draw_now),
    Chapter("pages", "Pages", draw_pages),
    Chapter("label", "Label", draw_labelling),
)


def register(places: Places) -> None:
    """Make NiceGUI know all addresses."""
    ui.page("/")(lambda: draw_home(places))

    @ui.page("/side-by-side")
    async def side_by_side(request: Request) -> None:
        await draw_side_by_side(places, request.query_params.getlist("crawl"))

    register_pages(places)
    for chapter in CHAPTERS:
        _register_chapter(places, chapter)

    @ui.page("/crawl/{name}/page/{number}")
    async def page(name: str, number: str, request: Request) -> None:
        await _framed(places, name, "Pages", lambda crawl: draw_page(crawl, number, dict(request.query_params)))


def _register_chapter(places: Places, chapter: Chapter) -> None:
    async def page(name: str) -> None:
        await _framed(places, name, chapter.title, chapter.draw)

    ui.page(f"/crawl/{{name}}/{chapter.path}")(page)


async def _framed(places: Places, name: str, title: str, draw: Callable[[OpenCrawl], Awaitable[None] | None]) -> None:
    """A page of a crawl, with its chapters around it."""
    folder = places.crawls().get(name)
    if folder is None:
        _not_found(name)
        return
    crawl = OpenCrawl(name, folder)
    with crawl.framed(CHAPTERS, title, _controls):
        await drawn(draw(crawl))


def _controls(crawl: OpenCrawl) -> None:
    ui.label(crawl.name).classes("crawl-name")


def _not_found(name: str) -> None:
    with framed("Not found"):
        ui.label(f"There is no crawl of the name {name!r:.100} here.").classes("trouble")
        ui.link("All crawls", "/")
