"""The addresses of the window, and what draws each."""

from collections.abc import Awaitable, Callable

from fastapi import Request
from fastapi.responses import FileResponse
from nicegui import app, ui

from thresher.view.export_dialog import exported_file
from thresher.view.frame import Chapter, OpenCrawl, drawn, framed
from thresher.view.home import draw_home
from thresher.view.lab_results import draw_lab_results
from thresher.view.labelling import draw_labelling
from thresher.view.map_page import draw_map
from thresher.view.new_crawl import draw_new_crawl
from thresher.view.now_page import draw_now
from thresher.view.page_lists import register_rows
from thresher.view.page_sheet import draw_page
from thresher.view.pages import draw_pages
from thresher.view.parts import trouble
from thresher.view.shown_folders import Places
from thresher.view.side_by_side import draw_side_by_side
from thresher.view.steering import draw_controls
from thresher.view.topic_page import draw_topic
from thresher.view.trouble_page import draw_trouble

CHAPTERS = (
    Chapter("now", "Now", draw_now),
    Chapter("pages", "Pages", draw_pages),
    Chapter("label", "Label", draw_labelling),
    Chapter("map", "The map", draw_map),
    Chapter("trouble", "Trouble", draw_trouble),
    Chapter("topic", "The topic", draw_topic),
)


def register(places: Places) -> None:
    """Make NiceGUI know all addresses."""
    ui.page("/")(lambda: draw_home(places))
    ui.page("/new")(lambda: draw_new_crawl(places))

    @ui.page("/side-by-side")
    async def side_by_side(request: Request) -> None:
        await draw_side_by_side(places, request.query_params.getlist("crawl"))

    @app.get("/crawl/{name}/export/{form}")
    def export(name: str, form: str) -> FileResponse:
        home = places.crawls().get(name)
        return exported_file(OpenCrawl(name, home) if home else None, form)

    @ui.page("/lab/{name}")
    async def lab(name: str) -> None:
        folder = places.experiments().get(name)
        if folder is None:
            _not_found(name)
            return
        with framed(f"{name} · The lab"):
            await draw_lab_results(folder)

    register_rows(places)
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
    home = places.crawls().get(name)
    if home is None:
        _not_found(name)
        return
    crawl = OpenCrawl(name, home)
    with crawl.framed(CHAPTERS, title, draw_controls):
        await drawn(crawl, draw(crawl))


def _not_found(name: str) -> None:
    with framed("Not found"):
        trouble(f"There is no crawl of the name {name!r:.100} here.")
        ui.link("All crawls", "/")
