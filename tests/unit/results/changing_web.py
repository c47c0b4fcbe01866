"""A web on loopback whose pages change when a test says so, with ETag, Last-Modified and 304."""

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from tests.assembling import opened

from thresher.results.archive import Archive
from thresher.results.revisit.due import DueChoice, Intervals, due_pages
from thresher.results.revisit.round import revisiting

NOW = DueChoice(force=True)
MUSCLES = "Muscles of the iris narrow the pupil when an eye meets the sun."
PIGMENT = "Why is one iris brown? Pigment of the eye, and a black pupil."
IRIS = "The iris of the eye, its pupil, and how the iris and the pupil meet the light in the eye."

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
"""Characters that turn the direction of a text around."""


@dataclass
class Served:
    """A page as it is now."""

    body: str
    etag: str | None = None
    modified: str | None = None
    status: int = 200
    location: str | None = None


def page(words=IRIS, links=(), title="Iris of the eye", noise=""):
    anchors = " ".join(f'<a href="{link}">iris</a>' for link in links)
    return f"<html><head><title>{title}</title></head><body><p>{words}</p>{anchors}<!-- {noise} --></body></html>"


@dataclass
class ChangingWeb:
    """Pages by path, and what was asked: (path, status, conditions)."""

    pages: dict[str, Served]
    robots: str = ""
    asked: list[tuple[str, int, dict[str, str]]] = field(default_factory=list)
    base: str = ""
    pause: float = 0.0
    """Seconds before each answer."""

    async def answer(self, request):
        await asyncio.sleep(self.pause)
        response = self._response(request)
        conditions = {
            name: request.headers[name] for name in ("If-None-Match", "If-Modified-Since") if name in request.headers
        }
        self.asked.append((request.path, response.status, conditions))
        return response

    def _response(self, request):
        if request.path == "/robots.txt":
            return web.Response(text=self.robots)
        served = self.pages.get(request.path)
        if served is None:
            return web.Response(status=404, text="gone")
        headers = {"ETag": served.etag, "Last-Modified": served.modified, "Location": served.location}
        headers = {name: value for name, value in headers.items() if value}
        same_tag = served.etag and request.headers.get("If-None-Match") == served.etag
        same_date = served.modified and request.headers.get("If-Modified-Since") == served.modified
        if same_tag or same_date:
            return web.Response(status=304, headers=headers)
        return web.Response(status=served.status, text=served.body, content_type="text/html", headers=headers)

    def paths(self):
        """What was asked for, without robots.txt."""
        return [path for path, _, _ in self.asked if path != "/robots.txt"]


@asynccontextmanager
async def serving(changing):
    """The web on a port of its own, until the block ends."""
    app = web.Application()
    app.router.add_get("/{path:.*}", changing.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    changing.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield changing
    finally:
        await runner.cleanup()


async def crawled(folder, changing, **tables):
    """Crawl it, from its first page to its last."""
    tables = {"polite": {"delay": 0.0}, "workers": 2, "judge": {"name": "terms", "threshold": 0.3}, **tables}
    async with opened(folder, "iris, eye, pupil", [changing.base + "/"], **tables) as crawl:
        return await crawl.run()


async def round_over(folder, wanted=NOW, now=None):
    """Look at what is wanted of a crawl's pages again."""
    with Archive.open(folder) as archive:
        due = due_pages(archive, wanted, Intervals(), now or time.time())
    async with revisiting(folder, due) as (crawl, revisits):
        await crawl.run()
    return revisits


def titled(**texts):
    """A root that links to pages, each by its path, which is its title too."""
    pages = {f"/{name}": Served(page(text, title=name.capitalize())) for name, text in texts.items()}
    return ChangingWeb({"/": Served(page(links=tuple(pages))), **pages})
