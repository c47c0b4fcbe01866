"""The chapter *The map*: how pages were found, as a tree that is opened a step at a time; what waits, and what is fetched next and why."""

import time
from typing import Any

from nicegui import ui

from thresher.frontier.outlook import HostQueue, ScoreSpread
from thresher.model import Url
from thresher.results.archive import Archive
from thresher.results.plain_text import short_line, told_priority
from thresher.results.watch.found_tree import HostNode
from thresher.results.watch.waiting import Outlook, Upcoming, outlook, soon, spread_of_scores, why_next
from thresher.view.chart_pieces import Chart, Table, TableColumn, bars, card, styled
from thresher.view.frame import OpenCrawl
from thresher.view.host_tree import HostTree, draw_key
from thresher.view.parts import set_text
from thresher.view.watching import Changes, watched

_BEST_HOSTS = 20
_REASONS_EVERY = 30.0
"""Seconds: for reasons the strategy is built again, which takes as long as fetching some pages."""


def draw_map(crawl: OpenCrawl) -> None:
    """Draw the chapter."""
    styled()
    page = _MapPage(crawl)
    crawl.every(3.0, page.refresh)
    crawl.every(_REASONS_EVERY, page.refresh_reasons)


class _MapPage:
    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl, self._watched = crawl, watched(crawl.home)
        self._changes, self._reason_changes = Changes(crawl.home), Changes(crawl.home)
        self._reasons: dict[Url, str] = {}
        self._waits: tuple[Outlook, ScoreSpread, bool] | None = None
        with ui.element("div").classes("columns two"):
            with ui.element("div").classes("pile"):
                self._draw_tree()
            with ui.element("div").classes("pile"):
                self._draw_hosts()
        self._draw_next()
        with ui.element("div").classes("columns two"):
            self._draw_queues()
            with card("What waits, by score", "How many waiting urls have which priority."):
                self._scores = Chart("240px")

    def _draw_tree(self) -> None:
        explained = "Each host stands under the one whose page led to it first. Open a host for its pages, and a page for what it led to."
        with card("How pages were found", explained):
            draw_key()
            self._tree = HostTree(self._crawl)

    def _draw_hosts(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("harvest", "Harvest", kind="bar"),
            TableColumn("pages", "Relevant of fetched", "right"),
        )
        with card("Hosts by harvest", "Those with the most relevant pages."):
            self._hosts = Table("Hosts by harvest", columns, "host", "No page has come yet.")

    def _draw_next(self) -> None:
        columns = (
            TableColumn("place", "", "right"),
            TableColumn("url", "Url", kind="link"),
            TableColumn("priority", "Priority", "right"),
            TableColumn("when", "When", "right"),
            TableColumn("reason", "Why"),
        )
        explained = (
            "In this order, if nothing better is found meanwhile. The strongest parts of the priority come first."
        )
        with card("What it fetches next, and why", explained):
            self._next_said = ui.label().classes("soft")
            self._next = Table("What is fetched next", columns, "place", "Nothing waits on a host that may be asked.")

    def _draw_queues(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("waiting", "Waiting", kind="bar"),
            TableColumn("best", "Best priority", "right"),
            TableColumn("when", "May be asked", "right"),
        )
        with card("What waits, by host", "The hosts on which most urls wait."):
            self._queues = Table("What waits by host", columns, "host", "Nothing waits.")

    async def refresh(self) -> None:
        """Draw what has changed. The tree stays as it was opened."""
        if not await self._crawl.look(self._changes.there_are):
            return
        tree = await self._crawl.ask(self._watched.tree)
        self._hosts.show(map(_host_row, tree.best(_BEST_HOSTS)))
        await self._tree.begin()
        self._waits = await self._crawl.ask(_what_waits)
        self._show_waiting(*self._waits)

    async def refresh_reasons(self) -> None:
        """Ask why the next urls are next. What comes up meanwhile has no reason until it is asked again."""
        if await self._crawl.look(self._reason_changes.there_are):
            self._reasons = await self._crawl.ask(_reasons_now)
            if self._waits is not None:
                self._show_waiting(*self._waits)

    def _show_waiting(self, found: Outlook, spread: ScoreSpread, running: bool) -> None:  # noqa: FBT001 - one of what is known
        set_text(
            self._next_said, "" if running else "The crawl does not run: this is what it would fetch if it went on."
        )
        reasons = [self._reasons.get(each.address, "…") for each in found.upcoming]
        rows = zip(found.upcoming, reasons, strict=True)
        self._next.show(_next_row(place, *row) for place, row in enumerate(rows, 1))
        most = max((queue.waiting for queue in found.queues), default=1)
        self._queues.show(_queue_row(queue, most) for queue in found.queues)
        names = [f"{(low + high) / 2:.2f}" for low, high in zip(spread.edges, spread.edges[1:], strict=False)]
        options = bars(names, spread.counts, "urls that wait")
        options["xAxis"] |= {"name": "priority"}
        told = [[name, f"{count:,}"] for name, count in zip(names, spread.counts, strict=True) if count]
        self._scores.show(options, _scores_said(found, spread), ("priority, about", "urls that wait"), told)


def _what_waits(archive: Archive) -> tuple[Outlook, ScoreSpread, bool]:
    return outlook(archive, time.time()), spread_of_scores(archive), archive.folder.in_use()


def _reasons_now(archive: Archive) -> dict[Url, str]:
    return why_next(archive, time.time())


def _scores_said(found: Outlook, spread: ScoreSpread) -> str:
    if not spread.counts:
        return f"{found.waiting:,} urls wait."
    sampled = f" This is an even sample: each stands for {spread.each:,}." if spread.each > 1 else ""
    return (
        f"{found.waiting:,} urls wait, with priorities from {spread.edges[0]:.2f} to {spread.edges[-1]:.2f}.{sampled}"
    )


def _host_row(node: HostNode) -> dict[str, Any]:
    bar = {"share": node.harvest, "kind": "yes"}
    return {
        "host": node.name,
        "harvest": f"{node.harvest:.0%}",
        "pages": f"{node.relevant:,} of {node.fetched:,}",
        **bar,
    }


def _next_row(place: int, each: Upcoming, reason: str) -> dict[str, Any]:
    found = f"“{each.anchor}” on {each.found_on}" if each.anchor else each.found_on
    again = f" · tried {each.tries} time{'s' * (each.tries != 1)} before" if each.tries else ""
    return {
        "place": place,
        "url": each.url,
        "under": found + again,
        "priority": told_priority(each.priority),
        "when": each.when,
        "reason": reason or "–",
    }


def _queue_row(queue: HostQueue, most: int) -> dict[str, Any]:
    best = "–" if queue.best is None else told_priority(queue.best)
    told = {"waiting": f"{queue.waiting:,}", "best": best, "when": soon(queue.at - time.time())}
    return {"host": short_line(queue.host), **told, "share": queue.waiting / most, "kind": "yes"}
