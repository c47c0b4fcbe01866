"""`thresher demo`: a small web of our own on loopback, crawled twice, to see what is gained by learning which links pay."""

import asyncio
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from thresher.cli.declared import crawl_command as declared
from thresher.cli.plot import plot, plot_width
from thresher.cli.running import run
from thresher.cli.terminal import Terminal
from thresher.disk.folder import CrawlFolder
from thresher.errors import BadInput
from thresher.lab.webs.generated import GeneratedWeb, generate
from thresher.lab.webs.serve import serve
from thresher.loading import INTERRUPTED
from thresher.results.show import CrawlFigures, findings_of
from thresher.settings import settle_settings

TOPIC = "iris eye pupil cornea retina"
PAGES = 150
_STRATEGIES = "apprentice", "breadth-first"
_ANSWER_AFTER = 0.02  # seconds: slow enough to watch


@declared.demo.work
def demo(into: Path, pages: int) -> None:
    """Serve the web, crawl it twice, and compare."""
    if CrawlFolder(into).exists:
        raise BadInput(
            f"{into} is the folder of a crawl: the two crawls of the demo have their own; name another --into"
        )
    console = Terminal(highlight=False)
    best, breadth = asyncio.run(_both(into, pages, console))
    _compare(best, breadth, console)
    _what_next(best, console)


async def _both(into: Path, pages: int, console: Console) -> tuple[CrawlFigures, CrawlFigures]:
    web = generate()
    async with serve(web, delay=_ANSWER_AFTER) as server:
        console.print(
            f"A web of {web.atlas.size} pages on {len(web.atlas.hosts)} hosts, served on 127.0.0.1:{server.port}."
        )
        console.print(f"The topic: [bold]{TOPIC}[/]. One page in nine is about it.")
        found = []
        for strategy in _STRATEGIES:
            console.print(f"\n[bold]{strategy}[/], kept in {escape(str(into / strategy))}")
            found.append(await _crawl(CrawlFolder(into / strategy), _settings(web, server.port, strategy, pages)))
    return found[0], found[1]


def _settings(web: GeneratedWeb, port: int, strategy: str, pages: int) -> dict[str, Any]:
    return {
        "topic": TOPIC,
        "seeds": [next(web.urls())],
        "strategy": strategy,
        "workers": 1,
        "budget": {"pages": pages, "dry_share": 0.0},
        # No pause between two requests to a host: these hosts are ours, and nobody should wait minutes for a demo.
        # And nobody else serves them who might want to write to us.
        "polite": {"delay": 0.0, "contact": "thresher-demo@localhost"},
        # As a proxy, one server can stand for hosts of any name, and the urls stay the same when its port changes.
        "fetch": {"proxy": f"http://127.0.0.1:{port}"},
    }


async def _crawl(folder: CrawlFolder, wanted: dict[str, Any]) -> CrawlFigures:
    settings = settle_settings(folder, wanted, "the demo")
    end = await run(folder, settings)
    if end.stop.reason == "interrupted":
        sys.exit(INTERRUPTED)
    return findings_of(folder)


def _compare(best: CrawlFigures, breadth: CrawlFigures, console: Console) -> None:
    width = plot_width(console.width)
    console.print(f"\nHarvest rate over the pages fetched: [bold]█ {_STRATEGIES[0]}[/], • {_STRATEGIES[1]}\n")
    curves = dict(zip(_STRATEGIES, (_shares(best.curve), _shares(breadth.curve)), strict=True))
    console.print("\n".join(plot(curves, width)))
    console.print(f"       1{best.counts.fetched:>{width - 1},}\n")
    for name, findings in zip(_STRATEGIES, (best, breadth), strict=True):
        counts = findings.counts
        console.print(f"{name:>14}  {counts.relevant:>3} relevant of {counts.fetched} fetched  ({counts.harvest:.0%})")


def _shares(curve: Sequence[tuple[int, float]]) -> list[float]:
    return [share for _, share in curve]


def _what_next(best: CrawlFigures, console: Console) -> None:
    console.print("\nTry next:", style="bold")
    console.print(f"  thresher show {escape(shlex.quote(str(best.folder)))}", soft_wrap=True)
    console.print(
        '  thresher crawl --topic "iris eye" --seed https://… --contact you@example.org --pages 100', soft_wrap=True
    )
    console.print("  thresher crawl --help")
