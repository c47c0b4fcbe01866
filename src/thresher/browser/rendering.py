"""One page in a context of its own: it is shown until it is quiet or its time is over; then its DOM is taken."""

import asyncio
import contextlib
import html
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Dialog, Download, Error, Page, WebSocketRoute

from thresher.browser.chromium import Chromium, within
from thresher.browser.options import BrowserOptions
from thresher.browser.requests import PageRequests

_QUIET = 0.5
"""Seconds without a request after which a page is done."""
_LOOK_EVERY = 0.05
_OPEN_WITHIN = 10.0
_ANSWER_WITHIN = 4.0
"""Seconds in which a page that is done must give its DOM."""
# What a crawl has no use for, and what would speak to others without a request.
_TAKEN_AWAY = """
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'SharedWorker', 'EventSource'])
  try { delete window[name] } catch {}
window.open = () => null;
window.print = () => {};
"""
# In a world of its own, where the page's scripts have changed nothing. What stands in open shadow roots is shown, so it is moved out
# of them; a page of too many elements, or too long, is not taken.
_DOM = """
(() => {
  const shown = root => {
    for (const each of root.querySelectorAll('*')) if (each.shadowRoot) {
      shown(each.shadowRoot); each.append(...each.shadowRoot.childNodes);
    }
  };
  if (document.getElementsByTagName('*').length > %(most)d / 10) return null;
  shown(document);
  const said = document.documentElement ? document.documentElement.outerHTML : '';
  return said.length > %(most)d ? null : said;
})()
"""


class NotRendered(Exception):
    """A page gave nothing. `why` is one of `too-slow`, `too-large`, `crashed`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Rendering:
    """One page while it is rendered."""

    def __init__(self, requests: PageRequests, options: BrowserOptions, user_agent: str) -> None:
        self._requests, self._options, self._user_agent = requests, options, user_agent
        self._loaded = False
        self._crashed = asyncio.Event()

    async def dom(self, chromium: Chromium, url: str) -> bytes:
        """The page as its scripts leave it, in UTF-8; raises `NotRendered`."""
        try:
            context = await within(_OPEN_WITHIN, self._context(chromium))
        except Exception:  # noqa: BLE001 - where its driver is gone, Playwright raises just that
            chromium.broken = True
            raise NotRendered("crashed") from None
        try:
            page, session = await within(_OPEN_WITHIN, self._prepared(context))
            return await self._shown(chromium, page, session, url)
        except NotRendered:
            raise
        except TimeoutError:
            raise NotRendered("too-slow" if chromium.alive else "crashed") from None
        except Exception:  # noqa: BLE001 - as above
            raise NotRendered("crashed") from None
        finally:
            await self._end(context, chromium)

    async def _context(self, chromium: Chromium) -> BrowserContext:
        return await chromium.browser.new_context(
            user_agent=self._user_agent,
            accept_downloads=False,
            service_workers="block",
            ignore_https_errors=True,  # no connection is made, so there is no certificate to look at
            permissions=[],
        )

    async def _prepared(self, context: BrowserContext) -> tuple[Page, CDPSession]:
        await context.add_init_script(_TAKEN_AWAY)
        await context.route(_any, self._requests.answer)
        await context.route_web_socket(_any, _close)
        page = await context.new_page()
        context.on("page", _close_popup)
        page.on("dialog", _dismiss)
        page.on("download", _cancel)
        page.on("crash", lambda _: self._crashed.set())
        page.on("close", lambda _: self._crashed.set())
        page.on("domcontentloaded", self._load)
        return page, await context.new_cdp_session(page)

    def _load(self, _: Page) -> None:
        self._loaded = True

    async def _shown(self, chromium: Chromium, page: Page, session: CDPSession, url: str) -> bytes:
        going = asyncio.ensure_future(page.goto(url, wait_until="commit", timeout=1000 * self._options.seconds))
        try:
            await self._quiet(chromium)
            said = await self._taken(session)
        finally:
            _give_up(going)
        return self._with_target(said).encode("utf-8", "replace")

    async def _quiet(self, chromium: Chromium) -> None:
        """Until nothing was asked for some time, or the time is over. The page's clock stands still while it waits for others."""
        spent = waited = quiet = 0.0
        loop = asyncio.get_running_loop()
        last = loop.time()
        while spent < self._options.seconds and waited < self._options.wait:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._crashed.wait(), _LOOK_EVERY)
                raise NotRendered("crashed")
            if not chromium.alive:
                raise NotRendered("crashed")
            now = loop.time()
            passed, last = now - last, now
            if self._requests.under_way:
                waited, quiet = waited + passed, 0.0
            else:
                spent, quiet = spent + passed, quiet + passed
            # A page that a script wants to leave is never told to be loaded.
            if (self._loaded or self._requests.left) and quiet >= _QUIET:
                return

    async def _taken(self, session: CDPSession) -> str:
        """The DOM. A script that runs on and on is ended first."""
        taking = asyncio.ensure_future(self._evaluated(session))
        for stop in (True, False):
            done, _ = await asyncio.wait(
                (taking, crash := asyncio.ensure_future(self._crashed.wait())),
                timeout=_ANSWER_WITHIN,
                return_when=asyncio.FIRST_COMPLETED,
            )
            crash.cancel()
            if taking in done:
                return taking.result()
            if done:
                break
            if stop:
                with contextlib.suppress(Error, TimeoutError):
                    await within(1.0, session.send("Runtime.terminateExecution"))
        _give_up(taking)
        raise NotRendered("crashed" if self._crashed.is_set() else "too-slow")

    async def _evaluated(self, session: CDPSession) -> str:
        frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
        asked: dict[str, Any] = {
            "expression": _DOM % {"most": self._options.max_dom},
            "contextId": world["executionContextId"],
            "returnByValue": True,
        }
        answer = await session.send("Runtime.evaluate", asked)
        said = answer["result"].get("value")
        if not isinstance(said, str):
            raise NotRendered("too-large")
        return said

    def _with_target(self, said: str) -> str:
        """Where a script wanted to take the reader is told as pages tell it."""
        target = self._requests.leads_to
        told = f'<meta http-equiv="refresh" content="0; url={html.escape(target)}">' if target else ""
        return f"<!doctype html>{told}{said}"

    async def _end(self, context: BrowserContext, chromium: Chromium) -> None:
        """Close the page. A browser that does not manage that is ended."""
        self._requests.close()
        try:
            await within(_ANSWER_WITHIN, context.close())
        except TimeoutError:
            chromium.broken = True
            await asyncio.to_thread(chromium.kill)
        except Exception:  # noqa: BLE001 - as above
            chromium.broken = True


def _give_up(task: asyncio.Task[Any]) -> None:
    """Wait no longer; what it raises in the end is nobody's."""
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    task.cancel()


def _any(_: str) -> bool:
    return True


async def _close(socket: WebSocketRoute) -> None:
    await socket.close()


async def _close_popup(page: Page) -> None:
    with contextlib.suppress(Error):
        await page.close()


async def _dismiss(dialog: Dialog) -> None:
    with contextlib.suppress(Error):
        await dialog.dismiss()


async def _cancel(download: Download) -> None:
    with contextlib.suppress(Error):
        await download.cancel()
