"""A crawl that is watched while it runs, in a real browser."""

import asyncio
import threading

from tests.assembling import opened as assembled
from tests.unit.results.watch.busy_web import TOPIC, BusyWeb, served, settings
from tests.unit.view.window import SOON, browsing, opened, tile, told


class Crawling(threading.Thread):
    """A crawl in a thread of its own, slow enough to be watched."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.stop = path, threading.Event()

    def run(self):
        asyncio.run(self._crawl())

    async def _crawl(self):
        web = BusyWeb()
        async with served(web, delay=0.05) as server:
            keys = settings(web, server.port, budget={"pages": 5000, "dry_share": 0.0})
            async with assembled(self.path, TOPIC, [next(web.web.urls())], **keys) as crawling:

                async def look(_visit):
                    if self.stop.is_set():
                        crawling.stop()

                crawling.shown = look
                await crawling.run()


def test_the_curve_of_a_running_crawl_grows(tmp_path):
    crawling = Crawling(tmp_path / "iris")
    crawling.start()
    try:
        while not (tmp_path / "iris" / "crawl.toml").exists():
            crawling.join(0.1)
        with opened(tmp_path) as address, browsing() as (page, looked):
            page.set_default_timeout(SOON)
            page.goto(address)
            page.goto(f"{address.split('/?')[0]}/crawl/iris/now")
            told(tile(page, "Fetched"), r"^\d+$")
            before = int(tile(page, "Fetched").inner_text())
            drawn = page.locator(".picture svg").first.inner_html()
            page.wait_for_function(
                "before => +document.querySelectorAll('.tile-value')[2].innerText > before + 10",
                arg=before,
                timeout=SOON,
            )
            page.wait_for_function("drawn => document.querySelector('.picture svg').innerHTML !== drawn", arg=drawn)
            told(page.get_by_text("ends first, in about").first, "The budget of 5,000 pages ends first, in about")
            assert looked.errors == []
    finally:
        crawling.stop.set()
        crawling.join(30)
