"""How fast pages are rendered that are empty without scripts, beside Playwright alone; and what is lost if Chromium is killed meanwhile.

    pip install -e '.[browser]' && python benchmarks/render_speed.py [--pages 1000] [--kill] [--smoke]

Ours is a whole crawl as a process of its own: it asks for robots.txt, fetches, tells which pages are empty, renders them two at a time,
keeps both forms in the WARC and judges. The peer is the shortest program that one would write with Playwright: two pages at a time, each
in a context of its own, until the network is idle. It speaks to the server by itself and keeps nothing.

With `--kill` a process of ours, Chromium's or its driver's, is killed every 5 to 12 seconds, by lot. The last line is the ratio of pages a
second; more than 1 means that ours is faster.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import tomli_w

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.crawl.local import catalogued, finish, shown, start
from tests.crawl.processes import browsers, kill_one, memory
from tests.unit.browser.site import missing, scripted, served

from thresher.browser import find_browser

LOOK_EVERY = 0.5
AT_A_TIME = 2


class Course(NamedTuple):
    """How a crawl went."""

    seconds: float
    most_memory: int
    kills: int


def crawl_file(folder: Path, url: str) -> Path:
    settings = {
        "topic": "iris, eye, pupil",
        "seeds": [url],
        "into": "crawl",
        "judge": {"name": "terms", "threshold": 0.1},
        "workers": 2 * AT_A_TIME,
        "polite": {"delay": 0},
        "browser": {"when": "auto", "sandbox": os.geteuid() != 0, "pages": AT_A_TIME},
    }
    path = folder / "crawl.toml"
    path.write_text(tomli_w.dumps(settings))
    return path


def watched(path: Path, *, killing: bool) -> Course:
    """Run a crawl, and look at its processes."""
    dice, began = random.Random(7), time.monotonic()
    process = start("crawl", path, "--quiet")
    most, kills, next_kill = 0, 0, began + dice.uniform(5, 12)
    while process.poll() is None:
        time.sleep(LOOK_EVERY)
        most = max(most, memory(process.pid))
        if killing and time.monotonic() > next_kill:
            kills += kill_one(browsers(process.pid), dice)
            next_kill = time.monotonic() + dice.uniform(5, 12)
    if finish(process):
        raise SystemExit("the crawl failed")
    return Course(time.monotonic() - began, most, kills)


def ours(count: int, *, killing: bool) -> float:
    """Pages a second."""
    with tempfile.TemporaryDirectory() as name, served() as site:
        folder = Path(name)
        scripted(site, count)
        course = watched(crawl_file(folder, site.url()), killing=killing)
        shells = shown(folder / "crawl")["shells"]
        kept = len(catalogued(folder / "crawl"))
        twice = sum(site.paths.count(f"/p{number}") > 1 for number in range(count))
    speed = count / course.seconds
    print(
        f"thresher    {speed:6.2f} pages/s  {kept - 1:,} of {count:,} pages kept, {shells['rendered']:,} rendered, "
        f"not rendered: {shells['failed'] or 'none'}, fetched twice: {twice}, {course.kills} kills, "
        f"at most {course.most_memory / (1 << 20):.0f} MB in all processes"
    )
    return speed


async def by_playwright(urls: list[str]) -> None:
    from playwright.async_api import async_playwright  # noqa: PLC0415 - an extra

    turns = asyncio.Semaphore(AT_A_TIME)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(), chromium_sandbox=os.geteuid() != 0, args=["--disable-gpu"]
        )

        async def render(url: str) -> None:
            async with turns:
                context = await browser.new_context()
                page = await context.new_page()
                await page.goto(url, wait_until="networkidle")
                assert "The iris of eye" in await page.content()
                await context.close()

        await asyncio.gather(*map(render, urls))
        await browser.close()


def theirs(count: int) -> float:
    """Pages a second."""
    with served() as site:
        scripted(site, count)
        began = time.monotonic()
        asyncio.run(by_playwright([site.url(f"/p{number}") for number in range(count)]))
        speed = count / (time.monotonic() - began)
    print(f"playwright  {speed:6.2f} pages/s")
    return speed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--kill", action="store_true", help="kill processes of the browser meanwhile")
    options.add_argument("--smoke", action="store_true", help="a few pages, to see that it runs")
    chosen = options.parse_args()
    if why := missing():
        print(f"nothing was measured: {why}")
        return
    count = 10 if chosen.smoke else chosen.pages
    speed = ours(count, killing=chosen.kill)
    print(f"ratio: {speed / theirs(count):.2f}")


if __name__ == "__main__":
    main()
