"""A small web with a search engine of its own, served on this machine from Python: for examples, notebooks and tests.

    with LocalWeb() as web:
        thresher.Crawl.start("iris", sense="eye", pages=100, **web.settings).run()

It is the web of `thresher demo`: 12 hosts, 360 pages, the word *iris* in two senses, and noise. No other machine is asked anything.
"""

import asyncio
import json
import threading
from collections import Counter
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.serve import serve
from thresher.lab.webs.web_pages import WebAnswer
from thresher.language import words
from thresher.model import Url

_A_PAGE = 10
"""Results that the engine gives at a time."""


class SearchedWeb:
    """The web when asked as a proxy; when asked for /search, a search engine for it with the interface of SearXNG."""

    def __init__(self, web: GeneratedWeb) -> None:
        self.web = web
        pages = ((url, web.page(urlsplit(url).netloc, urlsplit(url).path)) for url in web.urls())
        self._words = {url: Counter(words(page.body.decode())) for url, page in pages if page}

    def page(self, host: str, path: str) -> WebAnswer | None:
        """What is answered for a path on a host."""
        if not path.startswith("/search?"):
            return self.web.page(host, path)
        asked = parse_qs(urlsplit(path).query)
        wanted, last = words(asked["q"][0]), _A_PAGE * int(asked["pageno"][0])
        hits = Counter({url: sum(said[word] for word in wanted) for url, said in self._words.items()})
        found = [{"url": url, "engines": ["local"]} for url, count in hits.most_common() if count]
        return WebAnswer(json.dumps({"results": found[last - _A_PAGE : last]}).encode(), kind="application/json")


class LocalWeb:
    """A web that is served until it is closed, or until the program ends."""

    def __init__(self, web: GeneratedWeb | None = None) -> None:
        """Serve a web, by default that of the demo."""
        self._web = web or generate()
        port: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(port)), name="local-web", daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{port.result()}"
        """Where it is served: a proxy for its hosts, and a SearXNG."""

    @property
    def settings(self) -> dict[str, Any]:
        """What a crawl of this web says in its settings: `Crawl.start(…, **web.settings)`."""
        return {
            "polite": {"delay": 0.0},
            "fetch": {"proxy": self.url},
            "search": {"engines": ["searxng"], "searxng": self.url},
        }

    @property
    def seed(self) -> Url:
        """Its first page."""
        return Url(next(self._web.urls()))

    def close(self) -> None:
        """Serve it no longer."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closed.set)
            self._thread.join()

    async def _serve(self, port: "Future[int]") -> None:
        self._loop, self._closed = asyncio.get_running_loop(), asyncio.Event()
        async with serve(SearchedWeb(self._web)) as server:
            port.set_result(server.port)
            await self._closed.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
