"""What a page asks for while it is rendered. Each request is answered by the crawl's own fetcher, or refused with a name."""

from collections import Counter

from playwright.async_api import Frame, Request, Route

from thresher.browser.answers import Answers
from thresher.browser.options import BrowserOptions
from thresher.model import Headers, Response, Url
from thresher.urls import canonical

_ANSWERED = frozenset({"script", "xhr", "fetch"})
"""What a page needs to build its text. Pictures, films, fonts and styles are no text."""
# The body is unpacked already; a download is no page; and what is not needed may not be kept.
_DROPPED = frozenset(
    {b"content-encoding", b"content-length", b"transfer-encoding", b"content-disposition", b"set-cookie", b"refresh"}
)


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
            await _fulfil(route, self._response)
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
        url = canonical(request.url)
        if url is None:
            await self._refuse(route, "bad-url")
            return
        headers = request.headers
        fetched = await self._answers.get((url, headers.get("origin", ""), headers.get("accept", "*/*")))
        if not isinstance(fetched, Response):
            await self._refuse(route, fetched.why)
            return
        self._room -= len(fetched.body)
        if self._room < 0:
            await self._refuse(route, "too-large")
            return
        await _fulfil(route, fetched)


def _is_top(frame: Frame) -> bool:
    return frame.parent_frame is None


async def _fulfil(route: Route, response: Response) -> None:
    await route.fulfill(status=response.status, headers=_headers(response.headers), body=response.body)


def _headers(headers: Headers) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in headers if name.lower() not in _DROPPED}
