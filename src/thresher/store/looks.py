"""Later looks at kept pages: the table `revisit`, with one row for each look. The visits beside it are never changed.

`LastSeen` is what is known of a page before a look, `LookResult` what the look found. The other functions read the rows back.
"""

import json
from collections.abc import Iterable
from hashlib import sha1
from itertools import groupby
from typing import Any, NamedTuple

from thresher.disk.found_rows import Read, has_table
from thresher.disk.schemas import schema
from thresher.disk.tables import Tables, make_tables
from thresher.model import SHELL, Candidate, Page, Response, Url, Visit
from thresher.outcomes import redirect_target
from thresher.store.duplicates import is_rendered
from thresher.store.rows import add_facts, facts_text
from thresher.warc.format import Earlier, Place

REVISITS = schema("store_revisits")
FOUND = ("not-modified", "same", "changed", "gone", "moved", "refused", "failed")
"""What a look can find."""
SEEN = frozenset({"not-modified", "same", "changed"})
"""Looks that saw the page itself."""
ANSWERED = SEEN | {"gone", "moved"}
"""Looks after which the page waits for its next turn; one that was refused or failed is due as before."""
_INSERT = """
    INSERT INTO revisit (visit, at, found, outcome, status, detail, target, relevant, relevance, evidence, title, language,
                         canonical, noindex, bytes, facts, new_links, etag, modified, content_hash, look, body_at,
                         file, "offset", length, request)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_LATEST = """
    SELECT etag, modified, content_hash, look, body_at FROM revisit
    WHERE visit = ? AND found IN ('not-modified', 'same', 'changed') ORDER BY number DESC LIMIT 1
"""
_CHANGED = "SELECT count(DISTINCT visit) FROM revisit WHERE found = 'changed' AND number > ?"


class LastSeen(NamedTuple):
    """A page as it was last seen."""

    number: int
    """Of the visit that kept it."""
    candidate: Candidate
    etag: str | None
    modified: str | None
    content_hash: bytes | None
    look: bytes | None
    body_at: float

    @property
    def earlier(self) -> Earlier:
        """What a revisit record in a WARC file refers to."""
        return Earlier(self.number, self.candidate.url, self.body_at)

    @property
    def conditions(self) -> dict[str, str]:
        """The request headers that ask for the page only if it has changed."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in asked.items() if value}


class LookResult(NamedTuple):
    """What a look at a page found."""

    visit: Visit
    known: LastSeen
    found: str
    look: bytes | None = None
    digest: bytes | None = None
    place: Place | None = None

    def row(self, new_links: int) -> tuple[Any, ...]:
        """The values of a row of the table."""
        fetched = self.visit.fetched
        answer = fetched if isinstance(fetched, Response) else None
        return (
            self.known.number,
            (answer and answer.at) or self.visit.at,
            self.found,
            self.visit.outcome.name,
            answer and answer.status,
            getattr(fetched, "detail", None),
            redirect_target(answer) if answer and self.found == "moved" else None,
            *self._version(answer),
            new_links,
            *self._since(answer),
            *(self.place or (None, None, None, None)),
        )

    def _version(self, answer: Response | None) -> tuple[Any, ...]:
        """What a changed page is now, in the columns that the table `visit` has too."""
        page, judgement = self.visit.page, self.visit.judgement
        if self.found != "changed" or answer is None or page is None or judgement is None:
            return (None,) * 9
        evidence = json.dumps(judgement.evidence, separators=(",", ":"), ensure_ascii=False)
        said = (page.title, page.language, page.canonical, not page.index)
        return judgement.relevant, judgement.relevance, evidence, *said, len(answer.raw), facts_text(page)

    def _since(self, answer: Response | None) -> tuple[Any, ...]:
        """What the page is from now on: as it came, or as it was."""
        known = self.known
        etag, modified = validators(answer, self.visit.page) if answer else (None, None)
        if self.digest is None or answer is None:
            return etag or known.etag, modified or known.modified, known.content_hash, known.look, known.body_at
        # The bytes that a WARC file has are the earlier ones only if these are the same.
        body_at = known.body_at if self.digest == known.content_hash else answer.at
        return etag, modified, self.digest, self.look, body_at


class PastLook(NamedTuple):
    """A look as the table has it."""

    at: float
    found: str
    relevant: bool | None
    """By the judge; None unless the page had changed."""
    relevance: float | None
    target: Url | None
    """Where a page that has moved redirects to."""


def appearance(page: Page) -> bytes:
    """A fingerprint of what a person sees: title, text and where the links lead."""
    targets = "\n".join(link.target for link in page.links)
    return sha1(f"{page.title}\0{page.text}\0{targets}".encode(errors="replace"), usedforsecurity=False).digest()


def validators(response: Response, page: Page | None) -> tuple[str | None, str | None]:
    """What is sent back at the next look, so that only a page that changed is sent; nothing of one that scripts fill."""
    if is_rendered(response) or (page is not None and page.fact(SHELL)):
        return None, None
    return _validator(response, "etag"), _validator(response, "last-modified")


def _validator(response: Response, name: str) -> str | None:
    """A header of the answer; None if it could break a request."""
    value = (response.header(name) or "").strip()
    return value if value.isascii() and value.isprintable() and len(value) < 1000 and value else None


def make_looks(tables: Tables) -> None:
    """Make the table, if it is not there."""
    if not has_table(tables.read, "revisit"):
        make_tables(tables, "store_revisits")
    add_facts(tables, "revisit")


def write_look(tables: Tables, result: LookResult, new_links: int) -> None:
    """Write one row, in the current transaction."""
    tables.write(_INSERT, result.row(new_links))


def last_look(read: Read, number: int, candidate: Candidate) -> LastSeen | None:
    """What the latest look at a page saw of it; None if there was none."""
    row = read(_LATEST, (number,)).fetchone()
    return LastSeen(number, candidate, *row) if row else None


def looks_at(read: Read, number: int) -> list[PastLook]:
    """All looks at the page of a visit, in order."""
    rows = read("SELECT at, found, relevant, relevance, target FROM revisit WHERE visit = ? ORDER BY number", (number,))
    return _past(rows)


def looks_by_visit(read: Read) -> dict[int, list[PastLook]]:
    """All looks of all pages, in order, by the number of the visit that kept the page."""
    rows = read("SELECT visit, at, found, relevant, relevance, target FROM revisit ORDER BY visit, number").fetchall()
    return {number: _past(row[1:] for row in some) for number, some in groupby(rows, key=lambda row: int(row[0]))}


def count_changed_after(read: Read, look: int) -> int:
    """How many pages were seen to have changed after the look of that number."""
    return int(read(_CHANGED, (look,)).fetchone()[0])


def _past(rows: Iterable[Any]) -> list[PastLook]:
    return [
        PastLook(at, found, None if relevant is None else bool(relevant), *rest) for at, found, relevant, *rest in rows
    ]
