"""What a page asks for while it is rendered. Each request is answered by the crawl's own fetcher, or refused with a name.

A page reads from other sites only what these allow (CORS), as in any browser. Playwright would let it read everything: to an answer without
the header that allows it, it adds one.
"""

import asyncio
from collections import Counter

from playwright.async_api import Frame, Request, Route

from thresher.browser.answers import Answers, Key
from thresher.browser.options import BrowserOptions
from thresher.model import Fetched, Headers, Response, Url
from thresher.urls import canonical

_ANSWERED = frozenset({"script", "xhr", "fetch"})
"""What a page needs to build its text. Pictures, films, fonts and styles are no text."""
# The body is unpacked already; a download is no page; and what is not needed may not be kept.
_DROPPED = frozenset(
    {b"content-encoding", b"content-length", b"transfer-encoding", b"content-disposition", b"set-cookie", b"refresh"}
)

_LONGEST_URL = 8_192
_LONGEST_ACCEPT = 256


class PageRequests:
    """The requests of one page."""

    def __init__(self, response: Response, answers: Answers, options: BrowserOptions) -> None:
        self._response, self._answers, self._options = response, answers, options
        self._begun = False
        self._left = options.requests
        self._room = options.max_bytes
        self.under_way = 0
        """Requests that wait for an answer."""
        self.refused: Counter[str] = Counter()
        """Why requests got no answer, and how many."""
        self.leads_to: Url | None = None
        """Where a script wanted to take the reader."""
        self.left = False
        """Whether a script wanted to leave the page."""
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def close(self) -> None:
        """The page is gone: nobody waits for what it has asked."""
        if not self._over.done():
            self._over.set_result(None)

    async def answer(self, route: Route) -> None:
        """Answer one request of the page. The page may be gone at any moment."""
        self.under_way += 1
        try:
            await self._answer(route, route.request)
        except Exception:  # noqa: BLE001 - where its driver is gone, Playwright raises just that
            self.refused["page-gone"] += 1
        finally:
            self.under_way -= 1

    async def _answer(self, route: Route, request: Request) -> None:
        if request.is_navigation_request():
            await self._navigate(route, request)
        elif why := self._refusal(request):
            await self._refuse(route, why)
        else:
            self._left -= 1
            await self._fetch(route, request)

    async def _navigate(self, route: Route, request: Request) -> None:
        """The page itself comes first. Where else it wants to go is for the frontier; frames are links of the page."""
        if not self._begun:
            self._begun = True
            # As HTML, whatever its kind: a browser shows only a message of XHTML with a fault in it.
            await _fulfil(route, self._response, **{"content-type": _as_html(self._response)})
            return
        if _is_top(request.frame):
            self.left = True
            if request.method == "GET":
                self.leads_to = canonical(request.url) or self.leads_to
        # Not as a failure, which would put a page of Chromium's own in the place of this one.
        self.refused["navigation"] += 1
        await route.abort("aborted")

    def _refusal(self, request: Request) -> str:
        if request.resource_type not in _ANSWERED:
            return request.resource_type
        if request.method != "GET":
            return "method"
        if self._left <= 0:
            return "too-many"
        return "too-large" if self._room <= 0 else ""

    async def _refuse(self, route: Route, why: str) -> None:
        self.refused[why] += 1
        await route.abort("blockedbyclient")

    async def _fetch(self, route: Route, request: Request) -> None:
        url, accept = canonical(request.url), request.headers.get("accept", "*/*")
        # The page chooses both, and they are sent and kept.
        if url is None or len(url) > _LONGEST_URL:
            await self._refuse(route, "bad-url")
            return
        fetched = await self._answer_to(
            (url, request.headers.get("origin", ""), accept if len(accept) <= _LONGEST_ACCEPT else "*/*")
        )
        if not isinstance(fetched, Response):
            await self._refuse(route, fetched.why if fetched else "too-slow")
            return
        if not _may_read(self._response.url, request, url, fetched):
            await self._refuse(route, "cross-origin")
            return
        self._room -= len(fetched.body)
        if self._room < 0:
            await self._refuse(route, "too-large")
            return
        await _fulfil(route, fetched)

    async def _answer_to(self, key: Key) -> Fetched | None:
        """What a url answers; None if the page is gone, or has waited for too long."""
        asking = asyncio.ensure_future(self._answers.get(key))
        try:
            await asyncio.wait((asking, self._over), timeout=self._options.wait, return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else None
        finally:
            asking.cancel()


def _may_read(page: Url, request: Request, url: Url, response: Response) -> bool:
    """Whether the page may have the answer. A script of another site is run and not read, so it needs no leave."""
    asked = request.headers.get("origin", "")
    if not asked and request.resource_type != "script" and _origin(response.url) != _origin(url):
        asked = _origin(page)  # a redirect has led to another site
    if not asked or asked == _origin(url) == _origin(response.url):
        return True
    return response.header("access-control-allow-origin") in {"*", asked}


def _origin(url: Url) -> str:
    return url[: url.index("/", 8)]


def _is_top(frame: Frame) -> bool:
    return frame.parent_frame is None


async def _fulfil(route: Route, response: Response, **instead: str) -> None:
    await route.fulfill(status=response.status, headers=_headers(response.headers) | instead, body=response.body)


def _as_html(response: Response) -> str:
    return (response.header("content-type") or "text/html").lower().replace("application/xhtml+xml", "text/html")


def _headers(headers: Headers) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in headers
        if name.lower() not in _DROPPED
    }
