"""A fetcher around the fetcher of pages: what is empty without scripts is shown to a browser."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from thresher.browser.answers import Answers
from thresher.browser.chromium import NoBrowser, within
from thresher.browser.crew import Crew
from thresher.browser.options import BrowserOptions
from thresher.browser.rendering import NotRendered, Rendering
from thresher.browser.requests import PageRequests
from thresher.model import BROWSER, RENDERED, SHELL, Fetched, Rendition, Response, Url
from thresher.ports import Fetcher, Parser

_TRIES = 2
_WITHOUT_BODY = frozenset({204, 205})
_STARTING = 60.0
"""Seconds that a page has beside its own, to start a browser and to close the page. Whatever hangs there, the crawl goes on."""


class BrowserFetcher:
    """Fetches with another fetcher, and renders the pages that need it. A page is never lost: at worst it comes as it was."""

    def __init__(  # noqa: PLR0913 - all that meets here
        self,
        inner: Fetcher,
        answers: Answers,
        parser: Parser,
        options: BrowserOptions,
        *,
        program: str,
        user_agent: str,
        made: Callable[[BrowserOptions, str], Crew] = Crew,
    ) -> None:
        """Say what it is made of.

        Args:
            inner: fetches the pages, politely.
            answers: fetches what pages ask for.
            parser: tells which pages are empty without scripts.
            options: the `[browser]` table.
            program: the browser.
            user_agent: who we say we are, to the page's scripts too.
            made: makes the crew.
        """
        self._inner, self._answers, self._parser, self._options = inner, answers, parser, options
        self._user_agent = user_agent
        self._turns = asyncio.Semaphore(options.pages)
        self._longest = options.seconds + options.wait + _STARTING
        self.crew = made(options, program)

    async def fetch(self, url: Url) -> Fetched:
        """Get one url, and what its scripts make of it."""
        fetched = await self._inner.fetch(url)
        if not isinstance(fetched, Response) or not self._is_wanted(fetched):
            return fetched
        html, why = await self._in_turn(fetched)
        rendition = None if html is None else Rendition(html, BROWSER)
        return replace(fetched, rendition=rendition, notes=(*fetched.notes, (RENDERED, why)))

    async def close(self) -> None:
        """End the browser and the fetcher."""
        await self._answers.close()
        await self.crew.close()
        await self._inner.close()

    def _is_wanted(self, response: Response) -> bool:
        kind = (response.header("content-type") or "text/html").lower()
        if not 200 <= response.status < 300 or response.status in _WITHOUT_BODY:
            return False
        if response.rendition is not None or "html" not in kind:
            return False
        try:
            return self._options.when == "always" or bool(self._parser.parse(response).fact(SHELL))
        except MemoryError:
            return False  # whoever reads the page next says so

    async def _in_turn(self, response: Response) -> tuple[bytes | None, str]:
        try:
            async with asyncio.timeout(self._options.wait):
                await self._turns.acquire()
        except TimeoutError:
            return None, "busy"
        try:
            return await self._tried(response)
        finally:
            self._turns.release()

    async def _tried(self, response: Response) -> tuple[bytes | None, str]:
        """The DOM, and `yes`; or nothing, and why. After a crash it is tried once more: another page may have caused it."""
        for _ in range(_TRIES):
            try:
                return await within(self._longest, self._rendered(response)), "yes"
            except NoBrowser:
                return None, "no-browser"
            except TimeoutError:
                return None, "too-slow"
            except NotRendered as error:
                why = error.why
            if why == "crashed" and self.crew.too_large:
                self.crew.too_large -= 1
                why = "too-large"
            if why != "crashed":
                break
        return None, why

    async def _rendered(self, response: Response) -> bytes:
        async with self.crew.lent() as chromium:
            requests = PageRequests(response, self._answers, self._options)
            return await Rendering(requests, self._options, self._user_agent).dom(chromium, response.url)
