"""A generated web in which much goes wrong, crawled for real over loopback: what the tests of the window's read models look at."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from zlib import crc32

from tests.assembling import opened

from thresher.lab.webs.generated import generate
from thresher.lab.webs.http_server import Server
from thresher.lab.webs.serve import listen, running
from thresher.lab.webs.web_pages import WebAnswer

TOPIC = "iris eye pupil cornea retina"
HOSTILE = "<img src=x onerror=alert(1)>\u202e{{7*7}} <script>alert(2)</script>" + "long " * 200


class BusyWeb:
    """Some pages are gone, some servers are tired, some titles are hostile."""

    def __init__(self, size: int = 400, hosts: int = 12, seed: int = 7) -> None:
        self.web = generate(size=size, hosts=hosts, seed=seed)
        self.tired: set[str] = set()

    def page(self, host: str, path: str) -> WebAnswer | None:
        lot = crc32(path.encode()) % 100
        if path in {"/", "/robots.txt"} or lot >= 15:
            return self.web.page(host, path)
        if lot < 5:
            return None
        if lot < 7:
            return self._tired(host, path)
        if lot < 9:
            return WebAnswer(b"", 403)
        if lot < 12:
            return WebAnswer(b"\x89PNG\r\n\x1a\n", 200, "image/png")
        answer = self.web.page(host, path)
        return answer and answer._replace(body=answer.body.replace(b"<title>", b"<title>" + HOSTILE.encode(), 1))

    def _tired(self, host: str, path: str) -> WebAnswer | None:
        """Answers when it is asked again."""
        if path in self.tired:
            return self.web.page(host, path)
        self.tired.add(path)
        return WebAnswer(b"tired", 503)


@asynccontextmanager
async def served(web, delay: float = 0.0):
    """The web on a port of its own. No answer is remembered: some change."""
    server = Server(web, delay=delay, room=0)
    async with running(server, listen()):
        yield server


def settings(web: BusyWeb, port: int, **tables) -> dict:
    """The keys of a crawl of that web, served on that port as a proxy."""
    return {
        "workers": 1,
        "polite": {"delay": 0.0, "contact": "tests@localhost"},
        "frontier": {"backoff": 0.0},
        "fetch": {"proxy": f"http://127.0.0.1:{port}", **tables.pop("fetch", {})},
        "budget": {"pages": 150, "dry_share": 0.0},
        **tables,
    }


def crawl(into: Path, web: BusyWeb | None = None, delay: float = 0.0, **tables) -> Path:
    """Crawl the web into a folder."""
    return asyncio.run(_crawl(into, web or BusyWeb(), delay, tables))


async def _crawl(into: Path, web: BusyWeb, delay: float, tables: dict) -> Path:
    async with (
        served(web, delay) as server,
        opened(into, TOPIC, [next(web.web.urls())], **settings(web, server.port, **tables)) as crawling,
    ):
        await crawling.run()
    return into
