"""All visits of a crawl as a long list: sorted, filtered and searched by the database, and read a few rows at a time.

>>> with Archive.open(Path("iris-eye")) as archive:
...     found = listed(archive, GridQuestion(sort="relevance"))
...     grid_rows(archive, found.numbers[:50])[0].title

`listed` finds the order once; then any part of the list is read by the numbers in it. A crawl that runs changes nothing in a list that
was found: `GridList.newest` says up to which visit it goes.
"""

import json
import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from thresher.disk.found_rows import Row
from thresher.model import PAGE, Evidence
from thresher.results.archive import Archive
from thresher.results.plain_text import one_line, short_line, short_title, shorten, strongest_reason
from thresher.results.search.answers import matches
from thresher.store.labels import word_of
from thresher.store.page_list import (
    PageFilter,
    Sort,
    languages,
    listed_rows,
    visit_order,
)
from thresher.store.totals import outcomes
from thresher.store.visits import newest_visit

GridSort = Literal[Sort, "match"]
"""By a column, or by how well pages match the words of a search."""
MOST_ROWS = 500
"""Rows that are read at a time."""
MOST_FOUND = 10_000
"""Pages of a search that are listed; how many there are is known of all."""
EASY = 200_000
"""Visits that are sorted while nobody notices. A longer list begins with the newest, which needs no sorting."""
_LONGEST_URL, _LONGEST_ANCHOR, _LONGEST_REASON = 500, 200, 200
_UPDATE = 5.0
"""Seconds that a search may take to bring its index up to date."""


class GridQuestion(NamedTuple):
    """What is asked for: which visits, in which order."""

    wanted: PageFilter = PageFilter()
    words: str = ""
    """Looked for in the texts of the pages, as `thresher search` does."""
    sort: GridSort = "number"
    descending: bool = True


class GridList(NamedTuple):
    """The visits that a question found, by their numbers."""

    numbers: Sequence[int]
    total: int
    """How many there are, those included that are beyond the end of the list."""
    newest: int
    """The newest visit of the crawl when it was asked."""
    note: str = ""
    """What a person must know to read the list; empty if nothing."""

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        cut = f", of which the first {len(self.numbers):,} are listed" if len(self.numbers) < self.total else ""
        return f"{self.total:,} {'visit' if self.total == 1 else 'visits'}{cut}"


class GridRow(NamedTuple):
    """A visit as the list shows it. All texts are single lines, cut, and without invisible characters."""

    number: int
    relevance: float | None
    relevant: bool | None
    """By the judge; None if nothing was judged."""
    label: str
    """By a person: `relevant`, `not relevant`, or nothing."""
    title: str
    url: str
    host: str
    anchor: str
    """The words of the link that led to it."""
    at: float
    outcome: str
    language: str
    bytes: int
    depth: int
    reason: str
    """The strongest reason of the judge; of what is no page, what stood in the way."""
    copy: bool
    """Whether it repeats an earlier page, exactly or nearly."""
    gone: float | None
    """When a later look found it gone, if it is."""


class GridChoices(NamedTuple):
    """What there is to choose from, with how many visits each has."""

    outcomes: dict[str, int]
    languages: dict[str, int]


def first_question(archive: Archive) -> GridQuestion:
    """What a list shows before anybody asks: the best pages first, or the newest ones if there are too many to be sorted at once."""
    return GridQuestion(sort="relevance" if newest_visit(archive.read) <= EASY else "number")


def listed(archive: Archive, question: GridQuestion) -> GridList:
    """The visits that are asked for. It reads all visits once, or none where newest or oldest are asked for without a filter."""
    newest = newest_visit(archive.read)
    if question.words.strip():
        return _searched(archive, question, newest)
    sort = "relevance" if question.sort == "match" else question.sort
    numbers, total = visit_order(archive.read, question.wanted, sort, descending=question.descending)
    return GridList(numbers, total, newest)


def _searched(archive: Archive, question: GridQuestion, newest: int) -> GridList:
    """The visits whose pages have the words, in the order of the search or of a column."""
    found = matches(archive, question.words, limit=MOST_FOUND, seconds=_UPDATE)
    wanted = question.wanted._replace(among=found.numbers)
    sort = "number" if question.sort == "match" else question.sort
    numbers, total = visit_order(archive.read, wanted, sort, descending=question.descending)
    if question.sort == "match":
        rank = {number: place for place, number in enumerate(found.numbers)}
        numbers = sorted(numbers, key=rank.__getitem__, reverse=not question.descending)
    total = found.total if question.wanted.wants_all else total
    return GridList(numbers, total, newest, _note(found.every, found.behind))


def _note(every: bool, behind: int) -> str:  # noqa: FBT001 - two facts
    some = "" if every else "No page has all of these words; these have some of them."
    late = f"{behind:,} pages are not in the search index yet: search again to go on." if behind else ""
    return f"{some} {late}".strip()


def grid_rows(archive: Archive, numbers: Sequence[int]) -> list[GridRow]:
    """The visits of these numbers, in this order; of more than five hundred the first."""
    return [_row(row) for row in listed_rows(archive.read, numbers[:MOST_ROWS])]


def grid_choices(archive: Archive) -> GridChoices:
    """The outcomes and languages that a list can be filtered by. It reads all visits."""
    return GridChoices(
        {one_line(name): count for name, count in outcomes(archive.read).items()},
        {one_line(name): count for name, count in languages(archive.read).items() if one_line(name)},
    )


def place_in(found: GridList, number: int) -> int | None:
    """The place of a visit in a list, from 0; None if it is not there."""
    try:
        return found.numbers.index(number)
    except ValueError:
        return None


def _row(row: Row) -> GridRow:
    return GridRow(
        row["number"],
        _finite(row["relevance"]),
        None if row["relevant"] is None else bool(row["relevant"]),
        word_of(row["hand"]),
        short_title(one_line(row["title"] or "")),
        short_line(row["url"], _LONGEST_URL),
        one_line(row["host"]),
        short_line(row["anchor"], _LONGEST_ANCHOR),
        row["at"],
        row["outcome"],
        one_line(row["language"] or ""),
        row["bytes"] or 0,
        row["depth"],
        _reason(row),
        bool(row["copy"]),
        row["gone"],
    )


def _finite(value: float | None) -> float | None:
    """A judge of somebody's own may say something that JSON cannot."""
    return value if value is not None and math.isfinite(value) else None


def _reason(row: Row) -> str:
    if row["outcome"] == PAGE:
        said = json.loads(row["evidence"] or "[]")
        return shorten(strongest_reason(Evidence(*each) for each in said), _LONGEST_REASON)
    told = f"→ {row['final_url']}" if row["final_url"] else row["detail"] or ""
    return short_line(told, _LONGEST_REASON)
