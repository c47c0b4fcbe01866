"""The chapter *Now*: how far a crawl is, drawn anew about once a second while it runs."""

import time
from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

from nicegui import ui

from thresher.results.breadth_first_estimate import BreadthFirstEstimate
from thresher.results.watch.now import BestHost, LatestPage, Now, RestNow, amount, size, spoken
from thresher.results.watch.running_figures import CurvePoint
from thresher.view.chart_pieces import (
    BLUE,
    ORANGE,
    Chart,
    Meter,
    Table,
    TableColumn,
    Tile,
    ago,
    axes,
    card,
    line,
    some_of,
    styled,
)
from thresher.view.frame import OpenCrawl
from thresher.view.parts import set_text
from thresher.view.watching import Changes, watched

_COUNTS, _RATE = "Relevant pages", "Harvest rate"
_PAGES, _TIME = "by pages", "by time"
_MOST_WORKERS = 10
"""Workers whose names are told."""
_LEAST_SHOWN = 0.04
"""An estimate for a smaller share of the fetches would be a dot: it is told in words alone."""
_WHY_REST = {
    "delay": "in the usual pause between two requests",
    "crawl-delay": "by the crawl-delay of their robots.txt",
    "back-off": "back off after bad answers",
    "asked to wait": "asked us to wait",
    "closed": "given up",
    "quota": "with their quota used up",
}


def draw_now(crawl: OpenCrawl) -> None:
    """Draw the chapter."""
    styled()
    page = _NowPage(crawl)
    crawl.every(1.0, page.refresh)


class _NowPage:
    def __init__(self, crawl: OpenCrawl) -> None:
        self._crawl, self._changes, self._watched = crawl, Changes(crawl.home), watched(crawl.home)
        self._drawn: tuple[Now, BreadthFirstEstimate | None] | None = None
        self._counting = ui.label().classes("soft").props("role=status")
        self._workers = ui.label().classes("soft workers")
        self._workers.set_visibility(False)
        with ui.element("div").classes("tiles"):
            names = ("Harvest rate", "Relevant pages", "Fetched", "Pages a second", "Waiting", "Under way")
            self._tiles = [Tile(name) for name in names]
        with ui.element("div").classes("columns wide-left"):
            with ui.element("div").classes("pile"):
                self._draw_curve()
                self._draw_latest()
            with ui.element("div").classes("pile"):
                self._draw_budget()
                self._draw_resting()
                self._draw_hosts()

    def _draw_curve(self) -> None:
        with card("Harvest"):
            with ui.element("div").classes("choices"):
                self._shown = ui.toggle([_COUNTS, _RATE], value=_COUNTS, on_change=self._redraw)
                self._over = ui.toggle([_PAGES, _TIME], value=_PAGES, on_change=self._redraw)
                for choice in (self._shown, self._over):
                    choice.props("dense no-caps unelevated toggle-color=primary")
            self._chart = Chart("310px")

    def _draw_latest(self) -> None:
        columns = (
            TableColumn("relevance", "Relevance", kind="bar"),
            TableColumn("title", "Page", kind="link"),
            TableColumn("reason", "What counted most"),
            TableColumn("when", "When", "right"),
        )
        with card("The latest pages"):
            self._latest = Table("The latest pages", columns, "number", "No page has come yet.")

    def _draw_budget(self) -> None:
        with card("The budget, and what ends first"):
            self._ends = ui.label()
            self._meters = {key: Meter(f"Budget of {key}") for key in ("pages", "relevant", "bytes", "minutes")}
            self._dry = ui.label().classes("soft")

    def _draw_resting(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("why", "Why"),
            TableColumn("left", "For", "right"),
            TableColumn("waiting", "Waiting", "right"),
        )
        with card("Hosts that rest"):
            self._rest_said = ui.label().classes("soft")
            self._resting = Table("Hosts that rest", columns, "host", "")

    def _draw_hosts(self) -> None:
        columns = (
            TableColumn("host", "Host"),
            TableColumn("relevant", "Relevant", kind="bar"),
            TableColumn("fetched", "of", "right"),
        )
        with card("The best hosts"):
            self._hosts = Table("The best hosts", columns, "host", "No relevant page has come yet.")

    async def refresh(self) -> None:
        """Draw what has changed."""
        if not await self._crawl.look(self._changes.there_are):
            return
        now, expected = await self._crawl.ask(self._watched.now)
        if now.counted < 1:
            self._changes.again()
        self._drawn = now, expected
        self._show(now, expected)

    def _redraw(self) -> None:
        if self._drawn is not None:
            self._show_curve(*self._drawn)

    def _show(self, now: Now, expected: BreadthFirstEstimate | None) -> None:
        set_text(self._counting, f"Counting the visits: {now.counted:.0%} so far." if now.counted < 1 else "")
        set_text(self._workers, _who_works(now.at_work))
        self._show_tiles(now)
        self._show_curve(now, expected)
        self._latest.show(_latest_row(self._crawl, each) for each in now.latest)
        self._show_budget(now)
        set_text(self._rest_said, _rest_in_short(now))
        self._resting.show(map(_resting_row, now.resting))
        self._hosts.show(map(_host_row, now.best_hosts))

    def _show_tiles(self, now: Now) -> None:
        most = next((amount(each.key, each.most) for each in now.budget if each.key == "pages"), "")
        told = (
            (f"{now.harvest:.1%}", "relevant ÷ fetched"),
            (f"{now.relevant:,}", f"of {now.pages:,} pages that came"),
            (f"{now.fetched:,}", f"of {most}" if most else size(now.bytes)),
            (f"{now.pace:.2g}" if now.pace < 10 else f"{now.pace:,.0f}", _pace_note(now)),
            (f"{now.waiting:,}", f"on {now.waiting_hosts:,} host{'s' * (now.waiting_hosts != 1)}"),
            (spoken(now.seconds), f"{now.hosts:,} host{'s' * (now.hosts != 1)} visited"),
        )
        for tile, figures in zip(self._tiles, told, strict=True):
            tile.show(*figures)

    def _show_curve(self, now: Now, expected: BreadthFirstEstimate | None) -> None:
        rate, over_time = self._shown.value == _RATE, self._over.value == _TIME
        own, other = _values(now.curve, rate=rate), _expected(now.curve, expected)
        unit = _time_unit(now.curve)[0] if over_time else 0.0
        options = axes(*_titles(now.curve, rate=rate, over_time=over_time), percent=rate)
        series = [line("this crawl", _points(now.curve, own, unit), BLUE, areaStyle={"opacity": 0.12})]
        if other and other[-1].fetched >= _LEAST_SHOWN * now.fetched:
            drawn = _points(other, _values(other, rate=rate), unit)
            series.append(line("breadth-first, estimated", drawn, ORANGE, dash="dashed"))
        options["series"] = series
        head = ("pages fetched", "time", "relevant", "harvest rate", "breadth-first, estimated")
        self._chart.show(options, _in_a_sentence(now, expected), head, _numbers(now.curve, other))

    def _show_budget(self, now: Now) -> None:
        ended = "It has ended." if now.state.name == "stopped" else "It is paused."
        set_text(self._ends, now.ends or (_sentence(now.state.why) or ended))
        for each in now.budget:
            if each.key == "minutes" and now.state.name == "stopped":
                continue  # they are those of a run
            unit = (
                (size(each.used), size(each.most))
                if each.key == "bytes"
                else (f"{each.used:,.0f}", amount(each.key, each.most))
            )
            left = (
                f" – about {spoken(each.seconds)} left" if now.ends and isfinite(each.seconds) and each.seconds else ""
            )
            self._meters[each.key].show(each.used / each.most, f"{unit[0]} of {unit[1]}{left}")
        set_text(self._dry, now.dry)


def _sentence(text: str) -> str:
    """With a large letter at its beginning, and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


def _who_works(there: Sequence[str] | None) -> str:
    """The workers on a crawl in a database."""
    if not there:
        return "" if there is None else "No worker is there: Go on starts one on this machine, thresher work on any."
    more = f" and {len(there) - _MOST_WORKERS:,} more" if len(there) > _MOST_WORKERS else ""
    return f"{len(there):,} worker{'s' * (len(there) != 1)}: {', '.join(there[:_MOST_WORKERS])}{more}."


def _pace_note(now: Now) -> str:
    return "over the latest minute" if now.state.name == "running" else "over its whole time"


class _Expected(NamedTuple):
    """What breadth-first would have found, at a point of this crawl's curve."""

    fetched: int
    relevant: float
    seconds: float


_Point = CurvePoint | _Expected


def _values(curve: Sequence[_Point], *, rate: bool) -> list[float]:
    """What is drawn at each point: relevant pages, or the percentage that they are."""
    return [round(100 * each.relevant / max(1, each.fetched), 2) if rate else round(each.relevant, 1) for each in curve]


def _points(curve: Sequence[_Point], values: Sequence[float], unit: float) -> list[list[float]]:
    """With a unit of seconds over time; without, over pages."""
    across = [round(each.seconds / unit, 2) if unit else each.fetched for each in curve]
    return [list(pair) for pair in zip(across, values, strict=True)]


def _time_unit(curve: Sequence[_Point]) -> tuple[float, str]:
    seconds = curve[-1].seconds if curve else 0.0
    return (3600.0, "hours") if seconds > 3 * 3600 else (60.0, "minutes") if seconds > 180 else (1.0, "seconds")


def _titles(curve: Sequence[CurvePoint], *, rate: bool, over_time: bool) -> tuple[str, str]:
    across = f"{_time_unit(curve)[1]} under way" if over_time else "pages fetched"
    return across, "relevant ÷ fetched" if rate else "relevant pages found"


def _expected(curve: Sequence[CurvePoint], expected: BreadthFirstEstimate | None) -> list[_Expected]:
    """As far as the estimate goes: the seeds, and what they link to."""
    if expected is None:
        return []
    near = (each for each in curve if each.fetched <= expected.fetched)
    return [_Expected(each.fetched, expected.at(each.fetched), each.seconds) for each in near]


def _in_a_sentence(now: Now, expected: BreadthFirstEstimate | None) -> str:
    found = f"{now.relevant:,} of {now.fetched:,} fetched pages are relevant, {now.harvest:.0%}."
    near = _expected(now.curve, expected)
    if not near:
        return found
    end, own = near[-1], now.curve[len(near) - 1].relevant
    return (
        f"{found} In its first {end.fetched:,} fetches it found {own:,}; breadth-first would have found about {end.relevant:,.0f}, "
        "as an estimate from the seeds and their links says. Beyond these nobody can tell."
    )


def _numbers(curve: Sequence[CurvePoint], other: Sequence[_Expected]) -> list[list[str]]:
    """Some points of the curve as text, with what is expected as far as that goes."""
    expected = [*(f"{each.relevant:,.1f}" for each in other), *["–"] * (len(curve) - len(other))]
    return [_number_row(*pair) for pair in some_of(list(zip(curve, expected, strict=True)))]


def _number_row(point: CurvePoint, other: str) -> list[str]:
    return [f"{point.fetched:,}", spoken(point.seconds), f"{point.relevant:,}", f"{point.harvest:.1%}", other]


def _latest_row(crawl: OpenCrawl, page: LatestPage) -> dict[str, Any]:
    return {
        "number": page.number,
        "relevance": f"{page.relevance:.2f}",
        "share": round(page.relevance, 3),
        "kind": "yes" if page.relevant else "no",
        "title": page.title,
        "href": crawl.address("page", page.number),
        "under": page.url,
        "reason": page.reason or "nothing",
        "when": ago(time.time() - page.at),
    }


def _resting_row(host: RestNow) -> dict[str, Any]:
    left = host.until - time.time()
    told = "this run" if not isfinite(left) else spoken(round(max(1.0, left)))
    return {"host": host.host, "why": host.why, "left": told, "waiting": f"{host.waiting:,}"}


def _host_row(host: BestHost) -> dict[str, Any]:
    share = {"share": host.relevant / max(1, host.fetched), "kind": "yes"}
    return {"host": host.host, "relevant": f"{host.relevant:,}", "fetched": f"{host.fetched:,}", **share}


def _rest_in_short(now: Now) -> str:
    if not now.resting_counts:
        return (
            f"None of the {now.waiting_hosts:,} hosts with waiting urls rests."
            if now.waiting_hosts
            else "No host has waiting urls."
        )
    told = ", ".join(f"{count:,} {_WHY_REST[why]}" for why, count in now.resting_counts.items())
    return f"Of {now.waiting_hosts:,} hosts with waiting urls: {told}."
