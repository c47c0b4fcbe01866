"""The addresses of the window, and what draws each."""

from nicegui import ui

from thresher.view.found_map import draw_map
from thresher.view.frame import Chapter, OpenCrawl, drawn, framed
from thresher.view.lab_results import draw_lab_results
from thresher.view.now import draw_now
from thresher.view.shown_folders import Places
from thresher.view.topic import draw_topic
from thresher.view.trouble import draw_trouble

CHAPTERS = (
    Chapter("now", "Now", draw_now),
    Chapter("map", "The map", draw_map),
    Chapter("trouble", "Trouble", draw_trouble),
    Chapter("topic", "The topic", draw_topic),
)


def register(places: Places) -> None:
    """Make NiceGUI know all addresses."""

    @ui.page("/")
    def home() -> None:
        with framed("Crawls"):
            ui.label("Crawls").classes("headline")
            for name in places.crawls():
                ui.link(name, f"/crawl/{name}/now")

    @ui.page("/lab/{name}")
    async def lab(name: str) -> None:
        folder = places.experiments().get(name)
        if folder is None:
            _not_found(name)
            return
        with framed(f"{name} · The lab"):
            await draw_lab_results(folder)

    for chapter in CHAPTERS:
        _register_chapter(places, chapter)


def _register_chapter(places: Places, chapter: Chapter) -> None:
    async def page(name: str) -> None:
        folder = places.crawls().get(name)
        if folder is None:
            _not_found(name)
            return
        crawl = OpenCrawl(name, folder)
        with crawl.framed(CHAPTERS, chapter.title, _controls):
            await drawn(chapter.draw(crawl))

    ui.page(f"/crawl/{{name}}/{chapter.path}")(page)


def _controls(crawl: OpenCrawl) -> None:
    ui.label(crawl.name).classes("crawl-name")


def _not_found(name: str) -> None:
    with framed("Not found"):
        ui.label(f"There is no crawl of the name {name!r:.100} here.").classes("trouble")
        ui.link("All crawls", "/")
