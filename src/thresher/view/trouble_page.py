"""The chapter *Trouble*: what went wrong, told apart from what was left out on purpose and from what was only tried again."""

from collections.abc import Iterable
from typing import Any

from nicegui import ui

from thresher.results.plain_text import told_priority
from thresher.results.watch.trouble import LostPage, Trap, TroubledHost, TroubleKind, Troubles
from thresher.view.chart_pieces import Table, TableColumn, Tile, card, styled
from thresher.view.frame import OpenCrawl
from thresher.view.parts import set_text
from thresher.view.watching import Changes, watched

_LOST = (
    TableColumn("priority", "Priority", "right"),
    TableColumn("url", "Page", kind="link"),
    TableColumn("means", "What happened"),
    TableColumn("anchor", "The link said"),
)


def draw_trouble(crawl: OpenCrawl) -> None:
    """Draw the chapter."""
    styled()
    crawl.every(2.0, _TroublePage(crawl).refresh)


class _TroublePage:
    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl, self._changes, self._watched = crawl, Changes(crawl.home), watched(crawl.home)
        with ui.element("div").classes("tiles"):
            names = ("Errors", "Left out on purpose", "Tried again", "Hosts with traps")
            self._tiles = [Tile(name) for name in names]
        with ui.element("div").classes("columns two"):
            with ui.element("div").classes("pile"):
                self._draw_kinds()
            with ui.element("div").classes("pile"):
                self._draw_hosts()
                self._draw_traps()
        self._draw_lost()

    def _draw_kinds(self) -> None:
        columns = (
            TableColumn("times", "Times", kind="bar"),
            TableColumn("means", "What happened, and where most", kind="link"),
        )
        with card("By kind"):
            self._kinds = Table("Trouble by kind", columns, "outcome", "Nothing has gone wrong yet.")
            self._retries = ui.label().classes("soft")

    def _draw_hosts(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("troubles", "Trouble", kind="bar"),
            TableColumn("fetched", "of", "right"),
            TableColumn("retries", "Tried again", "right"),
            TableColumn("most", "Most often"),
        )
        with card("By host"):
            self._hosts = Table("Trouble by host", columns, "host", "No host has given trouble yet.")

    def _draw_traps(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("alike", "Pages that look alike", "right"),
            TableColumn("fetched", "Fetched", "right"),
            TableColumn("relevant", "Relevant", "right"),
        )
        explained = "Hosts whose pages look alike, such as calendars without end. They let other hosts go first."
        with card("Traps", explained):
            self._traps = Table("Traps", columns, "host", "No trap was met.")

    def _draw_lost(self) -> None:
        explained = "Links with the highest priority that gave no page, the best first. What robots.txt or the scope keep out is not here."
        with card("Promising pages that could not be read", explained):
            self._promising = Table("Promising pages that were lost", _LOST, "number", "No promising page was lost.")
        with card(
            "Pages that took too much time or memory", "They were given up while they were read, the latest first."
        ):
            self._given_up = Table("Pages that were given up", _LOST, "number", "No page was given up.")

    async def refresh(self) -> None:
        """Draw what has changed."""
        if await self._crawl.look(self._changes.there_are):
            self._show(await self._crawl.ask(self._watched.troubles))

    def _show(self, found: Troubles) -> None:
        on_purpose = ", ".join(kind.outcome for kind in found.kinds if kind.on_purpose) or "nothing"
        told = (
            (f"{found.errors:,}", "urls that gave nothing"),
            (f"{found.left_out:,}", on_purpose),
            (f"{found.retries:,}", f"{found.came_later:,} came at a later try"),
            (f"{len(found.traps):,}", "that let others go first"),
        )
        for tile, figures in zip(self._tiles, told, strict=True):
            tile.show(*figures)
        most = max((kind.times for kind in found.kinds), default=1)
        self._kinds.show(_kind_row(kind, most) for kind in found.kinds)
        set_text(self._retries, found.retries_told)
        self._hosts.show(map(_host_row, found.hosts))
        self._traps.show(map(_trap_row, found.traps))
        self._promising.show(self._lost_rows(found.promising))
        self._given_up.show(self._lost_rows(found.given_up))

    def _lost_rows(self, pages: Iterable[LostPage]) -> Iterable[dict[str, Any]]:
        return (_lost_row(page, self._crawl.address("page", page.number)) for page in pages)


def _kind_row(kind: TroubleKind, most: int) -> dict[str, Any]:
    bar = {"share": kind.times / most, "kind": "no" if kind.on_purpose else "bad"}
    under = f"{kind.outcome}{', left out on purpose' * kind.on_purpose}: {kind.where}"
    return {
        "outcome": kind.outcome,
        "times": f"{kind.times:,}",
        "means": kind.means,
        "under": under,
        **bar,
    }


def _host_row(host: TroubledHost) -> dict[str, Any]:
    bar = {"share": host.troubles / max(1, host.fetched, host.troubles), "kind": "bad"}
    figures = {"troubles": f"{host.troubles:,}", "fetched": f"{host.fetched:,}", "retries": f"{host.retries:,}"}
    return {"host": host.host, "most": host.most or "–", **figures, **bar}


def _trap_row(trap: Trap) -> dict[str, Any]:
    return {
        "host": trap.host,
        "alike": f"{trap.alike:,}",
        "fetched": f"{trap.fetched:,}",
        "relevant": f"{trap.relevant:,}",
    }


def _lost_row(page: LostPage, href: str) -> dict[str, Any]:
    said = f"{page.means}: {page.detail}" if page.detail else page.means
    return {
        "number": page.number,
        "priority": told_priority(page.priority),
        "url": page.url,
        "href": href,
        "means": said,
        "anchor": page.anchor or "–",
    }
