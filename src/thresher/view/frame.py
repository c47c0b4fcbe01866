"""What every page of the window has: a header, the chapters of a crawl, and the way to ask a crawl without keeping others waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from inspect import isawaitable
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from nicegui import ui

from thresher.disk.crawl_home import Home, Place
from thresher.disk.folder import CrawlFolder
from thresher.errors import LedgerError, ThresherError
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line
from thresher.view.parts import set_text, trouble

_P = ParamSpec("_P")
_T = TypeVar("_T")
_LONGEST_NAME = 60
_AT_ONCE = 4
"""Questions to one database at a time: others wait, so that a window that many look at does not take all its connections."""
_LOOK_AGAIN = 2.0
"""Seconds until a page that could not be drawn is tried again."""


@lru_cache(1000)
def _turns(_: Place) -> asyncio.Semaphore:
    return asyncio.Semaphore(_AT_ONCE)


async def in_a_thread(home: Home, question: Callable[[], _T]) -> _T:
    """Ask something of a crawl without keeping others waiting: its tables, and parsing, may take their time."""
    if isinstance(home, CrawlFolder):
        return await asyncio.to_thread(question)
    async with _turns(home.path):
        return await asyncio.to_thread(question)


class OpenCrawl:
    """A crawl as a page of the window sees it."""

    def __init__(self, name: str, home: Home) -> None:
        """Open the crawl that has this name in addresses."""
        self.name, self.home = name, home
        self._trouble: ui.label | None = None

    def address(self, *rest: object) -> str:
        """The address of one of its pages: `crawl.address("page", 12)`."""
        return "/".join(("/crawl", self.name, *map(str, rest)))

    async def ask(self, question: Callable[Concatenate[Archive, _P], _T], *args: _P.args, **named: _P.kwargs) -> _T:
        """Ask something of what it kept."""

        def answer() -> _T:
            with Archive.of(self.home) as archive:
                return question(archive, *args, **named)

        return await self.look(answer)

    async def look(self, question: Callable[[], _T]) -> _T:
        """Ask something that needs a look at its files, or at its tables."""
        return await in_a_thread(self.home, question)

    def every(self, seconds: float, refresh: Callable[[], Awaitable[None]]) -> None:
        """Draw anew now, and every so many seconds while somebody looks. What goes wrong is told on the page, once."""

        async def drawn() -> None:
            try:
                await refresh()
            except ThresherError as error:
                self.say(str(error))
            else:
                self.say("")

        ui.timer(seconds, drawn)

    def say(self, sentence: str) -> None:
        """Tell what is wrong, at the top of the page; an empty sentence takes it back."""
        if self._trouble is not None:
            set_text(self._trouble, sentence)

    @contextmanager
    def framed(
        self, chapters: "Sequence[Chapter]", chosen: str, controls: Callable[["OpenCrawl"], object]
    ) -> Iterator[None]:
        """The page around a chapter."""
        with framed(f"{self.name} · {chosen}", controls=lambda: controls(self)):
            with ui.element("nav").classes("chapters").props('aria-label="Chapters of this crawl"'):
                for chapter in chapters:
                    _chapter_link(self, chapter, current=chapter.title == chosen)
            self._trouble = trouble()
            yield


class Chapter(NamedTuple):
    """A page that each crawl has."""

    path: str
    """The last part of its address."""
    title: str
    draw: Callable[[OpenCrawl], Awaitable[None] | None]
    """Draws it into the page that is made."""


@contextmanager
def framed(title: str, *, controls: Callable[[], object] = lambda: None) -> Iterator[None]:
    """A page with the header that all have. What is inside is its main part."""
    ui.page_title(f"{short_line(title, _LONGEST_NAME)} · Thresher")
    ui.link("Skip to the content", "#content").classes("skip")
    with ui.element("header").classes("top"):
        ui.link("Thresher", "/").classes("brand")
        controls()
    with ui.element("main").classes("content").props('id="content" tabindex="-1"'):
        yield


def _chapter_link(crawl: OpenCrawl, chapter: Chapter, *, current: bool) -> None:
    link = ui.link(chapter.title, crawl.address(chapter.path))
    if current:
        link.props('aria-current="page"')


async def drawn(crawl: OpenCrawl, work: Awaitable[None] | None) -> None:
    """Wait for what a chapter still draws, and show what is wrong with its crawl in a sentence. A server that is away is waited for."""
    try:
        if isawaitable(work):
            await work
    except ThresherError as error:
        trouble(str(error))
        if isinstance(error, LedgerError):
            ui.timer(_LOOK_AGAIN, lambda: _drawn_anew(crawl))


async def _drawn_anew(crawl: OpenCrawl) -> None:
    with suppress(ThresherError):
        await crawl.look(lambda: crawl.home.exists)
        ui.navigate.reload()
