"""Long lists of pages for the browser: a list's question as an address, lists that were found once, and their rows as JSON."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from fastapi import Request
from fastapi.responses import JSONResponse
from nicegui import app

from thresher.disk.crawl_home import Home, Place
from thresher.errors import ThresherError
from thresher.results.plain_text import moment
from thresher.results.watch.page_grid import (
    MOST_ROWS,
    GridList,
    GridQuestion,
    GridRow,
    GridSort,
    grid_rows,
    listed,
)
from thresher.store.page_list import HandChoice, PageFilter
from thresher.view.frame import OpenCrawl
from thresher.view.shown_folders import Places

_KEPT = 8
"""Lists that are remembered, of all pages of the window; one of a million pages takes four megabytes."""
_LONGEST, _LONGEST_NUMBER = 300, 12
_RELEVANT = {"yes": True, "no": False}


def question_of(address: Mapping[str, str]) -> GridQuestion:
    """The question in an address. What makes no sense there is left out: somebody may have typed it."""
    said = {name: value[:_LONGEST] for name, value in address.items()}
    sort = said.get("sort", "")
    wanted = PageFilter(
        _RELEVANT.get(said.get("relevant", "")),
        said.get("outcome", ""),
        said.get("host", "").strip(),
        said.get("language", ""),
        label if (label := said.get("label", "")) in get_args(HandChoice) else "",  # type: ignore[arg-type]  # just looked
        said.get("text", "").strip(),
    )
    words = said.get("words", "").strip()
    usual: GridSort = "match" if words else "number"
    return GridQuestion(wanted, words, sort if sort in _sorts() else usual, said.get("way", "down") != "up")  # type: ignore[arg-type]  # as above


def number_in(text: str | None) -> int | None:
    """The number in a part of an address; None if there is none, or one that no visit has."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER else None


def _sorts() -> set[str]:
    return {name for each in get_args(GridSort) for name in (get_args(each) or (each,))}


def address_of(question: GridQuestion) -> dict[str, str]:
    """The same as parts of an address, without those that say nothing."""
    wanted = question.wanted
    parts = {
        "words": question.words,
        "text": wanted.text,
        "relevant": {True: "yes", False: "no", None: ""}[wanted.relevant],
        "outcome": wanted.outcome,
        "host": wanted.host,
        "language": wanted.language,
        "label": wanted.hand,
        "sort": "" if question.sort in {"number", "match"} and question.descending else question.sort,
        "way": "" if question.descending else "up",
    }
    return {name: value for name, value in parts.items() if value}


class _ListName(NamedTuple):
    place: Place
    question: GridQuestion
    as_of: int
    """The newest visit when the page was drawn: a newer list has another name."""


class PageLists:
    """Lists that were found, so that each is found once and its rows are near."""

    def __init__(self) -> None:
        self._found: OrderedDict[_ListName, asyncio.Task[GridList]] = OrderedDict()

    async def get(self, crawl: OpenCrawl, question: GridQuestion, as_of: int) -> GridList:
        """The list that answers a question, as of a visit."""
        name = _ListName(crawl.home.path, question, as_of)
        if name not in self._found:
            self._found[name] = asyncio.create_task(crawl.ask(listed, question))
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
        self._found.move_to_end(name)
        task = self._found[name]
        try:
            found = await asyncio.shield(task)
        except Exception:
            self._found.pop(name, None)
            raise
        if found.note:  # the search index grows with each try
            self._found.pop(name, None)
        return found


LISTS = PageLists()


def register_rows(places: Places) -> None:
    """Make the address known under which the browser asks for rows."""

    @app.get("/crawl/{name}/rows")
    async def rows(name: str, request: Request) -> JSONResponse:
        home = places.crawls().get(name)
        if home is None:
            return _told({"trouble": "There is no such crawl here any more.", "rows": [], "last": 0})
        try:
            return _told(await _answer(name, home, dict(request.query_params)))
        except ThresherError as error:
            return _told({"trouble": str(error), "rows": [], "last": 0})


async def _answer(name: str, home: Home, address: Mapping[str, str]) -> dict[str, Any]:
    crawl = OpenCrawl(name, home)
    found = await LISTS.get(crawl, question_of(address), number_in(address.get("as_of")) or 0)
    start = number_in(address.get("start")) or 0
    end = min(number_in(address.get("end")) or 0, start + MOST_ROWS)
    rows = await crawl.ask(grid_rows, found.numbers[start:end])
    return {
        "rows": [row_as_json(row) for row in rows],
        "last": len(found.numbers),
        "counted": found.counted,
        "note": found.note,
    }


def row_as_json(row: GridRow) -> dict[str, Any]:
    """A row as the browser shows it. All its texts are plain."""
    return {**row._asdict(), "at": moment(row.at), "gone": moment(row.gone) if row.gone else ""}


def _told(said: dict[str, Any]) -> JSONResponse:
    return JSONResponse(said, headers={"cache-control": "no-store"})
