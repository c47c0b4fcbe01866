"""A real window in a real browser: `thresher view` as a process, Chromium by Playwright."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from thresher.browser.options import BrowserOptions
from thresher.errors import ThresherError

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextlib.contextmanager
def opened(
    *folders: object, options: tuple[str, ...] = (), here: Path | None = None, said: list[str] | None = None
) -> Iterator[str]:
    """The address of a window on these folders, token and all, while it is open; `said` takes what it printed."""
    pytest.importorskip("nicegui", reason="the extra `view` draws the window")
    command = [sys.executable, "-m", "thresher", "view", *map(str, folders), *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=here
    ) as process:
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if found := re.search(r"http://\S+", line):
                    break
            else:
                pytest.fail("".join(lines))
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                rest, _ = process.communicate(timeout=20)
                (said if said is not None else []).extend((*lines, rest))
            except subprocess.TimeoutExpired:
                process.kill()


def chromium() -> str:
    """Chromium's program; the test is skipped where there is none."""
    pytest.importorskip("playwright", reason="the extra `browser` drives Chromium")
    pytest.importorskip("nicegui", reason="the extra `view` draws the window")
    try:
        return BrowserOptions(when="auto", sandbox=False).program
    except ThresherError as error:
        pytest.skip(f"no Chromium here: {error}")


@dataclass
class Looked:
    """What a browser asked for and complained of while somebody looked."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """Requests to another place than this machine."""
        return [
            url
            for url in self.requests
            if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))
        ]


@contextlib.contextmanager
def browsing(**context_options):
    """A page of a real browser, and what it asks for."""
    program = chromium()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be missing

    looked = Looked()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        context = browser.new_context(viewport={"width": 1300, "height": 850}, **context_options)
        page = context.new_page()
        page.on("request", lambda request: looked.requests.append(request.url))
        page.on("websocket", lambda socket: looked.requests.append(socket.url))
        page.on("pageerror", lambda error: looked.errors.append(str(error)))
        page.on("console", lambda said: looked.errors.append(said.text) if said.type == "error" else None)
        try:
            yield page, looked
        finally:
            browser.close()


SOON = 15_000
"""Milliseconds: the machine may be busy."""


def told(locator, pattern):
    """Wait until something on a page says that."""
    from playwright.sync_api import expect  # noqa: PLC0415 - it may be missing

    expect(locator).to_have_text(re.compile(pattern), timeout=SOON)


def tile(page, name):
    """The figure that stands above a name."""
    return page.locator(".tile", has=page.get_by_text(name, exact=True)).locator(".tile-value")
