"""The addresses of the window, and what draws each."""

from nicegui import ui

from thresher.results.show import crawl_figures
from thresher.view.frame import Chapter, OpenCrawl, drawn, framed
from thresher.view.shown_folders import Places


async def _draw_now(crawl: OpenCrawl) -> None:
    figures = await crawl.ask(crawl_figures)
    ui.label(figures.settings.topic).classes("headline")
    ui.label(f"{figures.counts.relevant:,} relevant of {figures.counts.fetched:,} fetched")


CHAPTERS = (Chapter("now", "Now", _draw_now),)


def register(places: Places) -> None:
    """Make NiceGUI know all addresses."""

    @ui.page("/")
    def home() -> None:
        with framed("Crawls"):
            ui.label("Crawls").classes("headline")
            for name in places.crawls():
                ui.link(name, f"/crawl/{name}/now")

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
