"""One running Chromium: how it is started and stopped, and what its processes hold."""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import sys
import tempfile
import traceback
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import TypeVar

from playwright.async_api import Browser, Playwright, async_playwright

from thresher.browser.options import BrowserOptions

_T = TypeVar("_T")
_START_WITHIN = 60.0
_STOP_WITHIN = 5.0
_PAGE = os.sysconf("SC_PAGE_SIZE")
_RENDERER = b"--type=renderer"
_NOWHERE = "http://127.0.0.1:1"
# The second wall. No name and no address is found, not even that of the proxy; and nothing goes around the proxy, loopback included.
_WALL = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    f"--proxy-server={_NOWHERE}",
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_SPARING = (
    "--blink-settings=imagesEnabled=false",
    "--disable-gpu",
    "--disable-3d-apis",
    "--disable-file-system",
    "--disable-notifications",
    "--disable-speech-api",
    "--disable-crash-reporter",
    "--mute-audio",
    "--no-pings",
    "--renderer-process-limit=8",
    "--js-flags=--max-old-space-size=512",
)


async def within(seconds: float, awaited: Awaitable[_T]) -> _T:
    """Wait for so long and no longer, even for what cannot be cancelled, as when the driver was killed."""
    task = asyncio.ensure_future(awaited)
    try:
        done, _ = await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done:
        return task.result()
    task.cancel()
    raise TimeoutError


def _is_not_of_the_driver(record: logging.LogRecord) -> bool:
    """Whether a line of asyncio is about something else than Playwright's own tasks."""
    error = record.exc_info[1] if record.exc_info else None
    where = traceback.extract_tb(error.__traceback__) if error else []
    lost = str(error).startswith("Connection closed") or "playwright" in record.getMessage()
    return not lost and not any("playwright" in frame.filename for frame in where)


class NoBrowser(Exception):
    """The browser cannot be started."""


class Chromium:
    """A Chromium, and the driver that speaks to it."""

    def __init__(self, driver: Playwright, browser: Browser, mark: str) -> None:
        self._driver, self._mark = driver, mark.encode()
        self.browser = browser
        self.pages = 0
        """How many it was given."""
        self.users = 0
        """How many are in it now."""
        self._main = next(iter(self.processes()), 0)
        self.broken = False
        """Whether it failed to open a page: a driver that was killed leaves a browser that seems to be connected."""

    @classmethod
    async def start(cls, options: BrowserOptions, program: str) -> "Chromium":
        """Start one."""
        mark = f"--thresher={secrets.token_hex(8)}"
        # When its driver is lost, Playwright leaves futures behind that nobody can ask; another driver is started.
        logging.getLogger("asyncio").addFilter(_is_not_of_the_driver)
        try:
            driver = await within(_START_WITHIN, async_playwright().start())
            try:
                browser = await within(_START_WITHIN, _launched(driver, options, program, mark))
            except BaseException:
                await _patiently(driver.stop())
                raise
        except Exception as error:  # where its driver is gone, Playwright raises just that
            raise NoBrowser(str(error).splitlines()[0] if str(error) else "it took too long") from error
        return cls(driver, browser, mark)

    @property
    def alive(self) -> bool:
        """Whether it can still be spoken to."""
        if self.broken or not self.browser.is_connected():
            return False
        # Playwright does not notice that its driver was killed; but Chromium ends then.
        return not self._main or Path(f"/proc/{self._main}").exists()

    async def stop(self) -> None:
        """End it, and whatever is left of it."""
        family = await asyncio.to_thread(self.processes)
        await _patiently(self.browser.close())
        await _patiently(self._driver.stop())
        _kill(family)

    def processes(self) -> dict[int, bool]:
        """The ids of its processes, and of each whether it holds pages; empty where the system does not tell."""
        if sys.platform != "linux":
            return {}
        for process in _below(os.getpid()):
            if self._mark in _command(process):
                return {each: _RENDERER in _command(each) for each in (process, *_below(process))}
        return {}

    def kill(self, *only: int) -> None:
        """End it at once; or only some of its processes."""
        _kill(only or self.processes())


async def _launched(driver: Playwright, options: BrowserOptions, program: str, mark: str) -> Browser:
    home = tempfile.gettempdir()
    # What stands in our environment, keys for instance, is not for a process that runs strangers' programs.
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "LANG": "C.UTF-8"}
    return await driver.chromium.launch(
        executable_path=program,
        headless=True,
        chromium_sandbox=options.sandbox,
        args=[*_WALL, *_SPARING, mark],
        env=dict(environment),
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=1000 * _START_WITHIN,
    )


async def _patiently(ending: Awaitable[None]) -> None:
    """Wait for an end, but not for long, and whatever happens."""
    with contextlib.suppress(Exception):
        await within(_STOP_WITHIN, ending)


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def held(process: int) -> int:
    """Bytes of memory that a process has for itself; 0 if it is gone."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{process}/statm").read_bytes().split())
    except (OSError, ValueError):
        return 0
    return max(0, resident - shared) * _PAGE


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _below(process: int) -> list[int]:
    """All processes below one, parents before their children."""
    found: list[int] = []
    waiting = [process]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(process: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError, ValueError):
                children += map(int, (task / "children").read_bytes().split())
    return children
