"""Visits as a long list that a person sorts and filters: their numbers in order, the rows of a few of them, and what they are linked to.

An order is a list of numbers, four bytes each. It is found once, by reading all visits as they are today (about a second for a million),
and then every place of the list is as near as every other: no question skips rows, and none is asked twice. An index for each column
would not be faster where a filter leaves few rows, and the crawl would pay for it with each page. Newest or oldest first, without a
filter, needs no reading at all.
"""

import json
from array import array
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from thresher.disk.found_rows import Read, Row
from thresher.model import Url
from thresher.store.visits import named_rows, newest_visit
from thresher.urls import url_hash

Sort = Literal["number", "relevance", "title", "host", "time", "bytes", "depth", "outcome"]
HandChoice = Literal["", "any", "relevant", "not relevant", "none"]
"""What a person said of the pages that are wanted; all pages if it is empty."""
MOST_LISTED = 1_000_000
"""A longer list ends here."""
MOST_TITLE = 301
"""Letters of a title or an anchor that are read: one more than is shown, so that it can be seen that some are missing."""
_MOST_LINE = 2_000
_PIECE = 100_000
_MOST_EVIDENCE = 20_000
_COLUMNS: dict[Sort, str] = {
    "number": "number",
    "relevance": "relevance",
    # What is sorted is cut: a title may have a million letters.
    "title": "lower(nullif(substr(title, 1, 60), ''))",
    "host": "host",
    "time": "at",
    "bytes": "bytes",
    "depth": "depth",
    "outcome": "outcome",
}
SORTS: tuple[Sort, ...] = tuple(_COLUMNS)
_BY_HAND: dict[HandChoice, str] = {
    "any": "hand IS NOT NULL",
    "relevant": "hand",
    "not relevant": "NOT hand",
    "none": "hand IS NULL AND outcome = 'page'",
}
_HOST = "(host = :host OR substr(host, length(host) - length(:host)) = '.' || :host)"
_OF_NUMBERS = "number IN (SELECT CAST(value AS bigint) FROM json_each(:among))"
_ROWS = f"""
    SELECT number, relevance, relevant, hand, substr(title, 1, {MOST_TITLE}) AS title, substr(url, 1, {_MOST_LINE}) AS url, host,
           substr(anchor, 1, {MOST_TITLE}) AS anchor, at, outcome, substr(language, 1, 20) AS language, bytes, depth, gone,
           duplicate_of IS NOT NULL OR near IS NOT NULL AS copy, iif(length(evidence) <= {_MOST_EVIDENCE}, evidence, NULL) AS evidence,
           substr(detail, 1, {MOST_TITLE}) AS detail, substr(final_url, 1, {_MOST_LINE}) AS final_url
    FROM current WHERE number IN (SELECT CAST(value AS bigint) FROM json_each(?))
"""  # noqa: S608 - numbers of our own
# The first visit of a url comes last, so that a table by url keeps it.
_OF_URLS = """
    SELECT number, url, outcome, relevance, coalesce(hand, relevant, FALSE), priority FROM current
    WHERE url_hash IN (SELECT CAST(value AS bigint) FROM json_each(?)) ORDER BY number DESC
"""
_COPIES = """
    SELECT number, url, duplicate_of IS NOT NULL FROM current WHERE duplicate_of = ?1 OR near = ?1 ORDER BY number LIMIT ?2
"""
_LANGUAGES = """
    SELECT lower(substr(language, 1, 20)) AS said, count(*) FROM current WHERE outcome = 'page' AND language <> ''
    GROUP BY said ORDER BY count(*) DESC, said LIMIT ?
"""


class ListedLink(NamedTuple):
    """What came of a url that a page links to."""

    number: int
    outcome: str
    relevance: float | None
    relevant: bool
    """By the label of a person, or by the judge if there is none."""
    priority: float
    """When it was fetched."""


class VisitCopy(NamedTuple):
    """A visit that repeats another one."""

    number: int
    url: Url
    exact: bool
    """Whether it has the same bytes; if not, nearly the same text."""


class VisitOrder(NamedTuple):
    """Visits in an order, by their numbers."""

    numbers: Sequence[int]
    """The first million."""
    total: int
    """How many there are."""


class PageFilter(NamedTuple):
    """Which visits are listed; all of them if nothing is said."""

    relevant: bool | None = None
    """By the label of a person, or by the judge if there is none."""
    outcome: str = ""
    """`page`, `http-404`, `timeout` … or `no page`, which is all but pages."""
    host: str = ""
    """A host, and those below it."""
    language: str = ""
    hand: HandChoice = ""
    text: str = ""
    """In the title or in the url, whatever the case of its letters."""
    among: Sequence[int] | None = None
    """Only these visits, as a search found them."""

    @property
    def wants_all(self) -> bool:
        """Whether nothing is left out."""
        return self == PageFilter()


def visit_order(read: Read, wanted: PageFilter, sort: Sort = "number", *, descending: bool = True) -> VisitOrder:
    """The visits that are wanted, in order."""
    if sort == "number" and wanted.wants_all and (newest := _without_gaps(read)) is not None:
        every = range(newest, 0, -1) if descending else range(1, newest + 1)
        return VisitOrder(every[:MOST_LISTED], newest)
    way = "DESC" if descending else "ASC"
    conditions = " AND ".join(["TRUE", *_conditions(wanted)])
    ordered = f"SELECT number FROM current WHERE {conditions} ORDER BY {_COLUMNS[sort]} {way} NULLS LAST, number {way}"  # noqa: S608 - as above
    # Without a LIMIT: SQLite would look for the place of each row among a million, which takes four times as long as to sort them.
    # And as one row: while SQLite makes it, other threads are not kept from their work, as they would be between any two rows of many.
    (told,) = read(f"SELECT group_concat(number) FROM ({ordered}) AS ordered", _values(wanted)).fetchone()  # noqa: S608 - as above
    return VisitOrder(_numbers(told), told.count(",") + 1) if told else VisitOrder((), 0)


def listed_rows(read: Read, numbers: Sequence[int]) -> list[Row]:
    """The visits of these numbers in this order, with texts that are cut to what a list shows."""
    found = {row["number"]: row for row in named_rows(read, _ROWS, json.dumps(list(numbers)))}
    return [found[number] for number in numbers if number in found]


def languages(read: Read, limit: int = 30) -> dict[str, int]:
    """How many pages declare each language, most frequent first."""
    return dict(read(_LANGUAGES, (limit,)))


def visited_links(read: Read, urls: Sequence[Url]) -> dict[Url, ListedLink]:
    """What came of each of these urls; those that were not visited are left out."""
    hashes, wanted = json.dumps(list(map(url_hash, urls))), set(urls)
    rows = [row for row in read(_OF_URLS, (hashes,)) if row[1] in wanted]
    return {
        url: ListedLink(number, outcome, relevance, bool(said), priority)
        for number, url, outcome, relevance, said, priority in rows
    }


def copies_of(read: Read, number: int, limit: int) -> list[VisitCopy]:
    """Later visits that repeat the page of this one, the first so many. It reads all visits."""
    return [VisitCopy(each, Url(url), bool(exact)) for each, url, exact in read(_COPIES, (number, limit))]


def _numbers(told: str) -> Sequence[int]:
    """The first million of numbers with commas between; a piece at a time, since a million small texts would take much memory."""
    found, start = array("I"), 0
    while 0 <= start < len(told) and len(found) < MOST_LISTED:
        end = told.find(",", start + _PIECE)
        found.extend(map(int, told[start : end if end >= 0 else None].split(",")))
        start = end + 1 if end >= 0 else len(told)
    return found[:MOST_LISTED]


def _without_gaps(read: Read) -> int | None:
    """The newest number, if there are visits of all numbers up to it."""
    # Two questions: each is answered by an index, and both at once would read the table.
    newest, (count,) = newest_visit(read), read("SELECT count(*) FROM main.visit").fetchone()
    return newest if newest == count else None


def _conditions(wanted: PageFilter) -> Iterator[str]:
    if wanted.relevant is not None:
        yield f"coalesce(hand, relevant) = {str(wanted.relevant).upper()} AND relevant IS NOT NULL"
    if wanted.outcome:
        yield "outcome <> 'page'" if wanted.outcome == "no page" else "outcome = :outcome"
    if wanted.host:
        yield _HOST
    if wanted.language:
        yield "lower(language) = :language"
    if wanted.hand:
        yield _BY_HAND[wanted.hand]
    if wanted.text:
        names = _spelt(wanted.text)
        yield f"({' OR '.join(f'instr(lower({column}), :{name}) > 0' for column in ('title', 'url') for name in names)})"
    if wanted.among is not None:
        yield _OF_NUMBERS


def _values(wanted: PageFilter) -> dict[str, object]:
    return {
        "outcome": wanted.outcome,
        "host": wanted.host.lower(),
        "language": _lower_english(wanted.language),
        "among": json.dumps(list(wanted.among or ())),
        **_spelt(wanted.text),
    }


def _spelt(text: str) -> dict[str, str]:
    """SQLite's `lower` knows only the letters of English, so a text that has others is looked for in three spellings."""
    spelt = dict.fromkeys(map(_lower_english, (text.lower(), text.upper(), text.capitalize())))
    return {f"text{number}": each for number, each in enumerate(spelt)}


def _lower_english(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)
