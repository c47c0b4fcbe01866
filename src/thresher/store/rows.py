"""A visit as a row of the catalogue, and back."""

import json
from typing import Any, NamedTuple

from thresher.disk.found_rows import Row, columns_of, has_table
from thresher.disk.tables import Tables
from thresher.model import (
    Candidate,
    Claim,
    Evidence,
    Failed,
    Fetched,
    Host,
    Judgement,
    Later,
    Outcome,
    Page,
    Refused,
    Response,
    Visit,
)
from thresher.outcomes import redirect_target
from thresher.urls import url_hash
from thresher.warc.files import RecordRows
from thresher.warc.format import Place
from thresher.warc.reader import Playback, UnreadableRecord

_NOWHERE = (None, None, None, None)
# Made once: `json.dumps` makes one at each call. A judge of somebody's own may count with NumPy, whose whole numbers JSON does not know.
_as_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=float).encode
_KINDS = {Response: "response", Refused: "refused", Failed: "failed", Later: "later"}
INSERT = """
    INSERT INTO visit (
        number, asked, kind, outcome, status, relevant, relevance, duplicate_of, near, bytes, at, sent, elapsed,
        priority, depth, tries, claim, url_hash, content_hash, simhash, file, "offset", length, request, host, url,
        final_url, parent, anchor, chain, address, why, detail, title, language, evidence, canonical, noindex, facts
    )
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
LOST = "lost"
"""Why a visit has failed whose record a power cut took."""


class StoreFacts(NamedTuple):
    """What the store found out about a visit."""

    duplicate_of: int | None = None
    near: int | None = None
    content_hash: bytes | None = None
    simhash: int | None = None
    sent: float | None = None
    place: Place | None = None


def row_of(visit: Visit, found: StoreFacts) -> tuple[Any, ...]:
    """The values of `INSERT`."""
    claim, fetched, page, judgement = visit.claim, visit.fetched, visit.page, visit.judgement
    candidate = claim.candidate
    answer = fetched if isinstance(fetched, Response) else None
    return (
        visit.number,
        visit.asked,
        _KINDS[type(fetched)],
        visit.outcome.name,
        answer and answer.status,
        judgement and judgement.relevant,
        judgement and judgement.relevance,
        found.duplicate_of,
        found.near,
        len(answer.raw) if answer else 0,
        visit.at,
        found.sent,
        answer and answer.elapsed,
        candidate.priority,
        candidate.depth,
        claim.tries,
        claim.number,
        url_hash(candidate.url),
        found.content_hash,
        found.simhash,
        *(found.place or _NOWHERE),
        claim.host,
        candidate.url,
        redirect_target(answer) if answer and visit.outcome.name == "redirect" else None,
        candidate.parent,
        candidate.anchor,
        json.dumps(candidate.chain) if candidate.chain else None,
        answer and answer.address,
        getattr(fetched, "why", None),
        getattr(fetched, "detail", None),
        page and page.title,
        page and page.language,
        evidence_text(judgement),
        page and page.canonical,
        page and not page.index,
        page and facts_text(page),
    )


def facts_text(page: Page) -> str | None:
    """The facts as the column has them."""
    return _as_json(dict(page.facts)) if page.facts else None


def facts_of(row: Row) -> dict[str, str]:
    """What else is known of the page of a row, by name; nothing in folders from before there were facts."""
    text = row["facts"] if "facts" in row.keys() else None  # noqa: SIM118 - a row is no mapping
    found: dict[str, str] = json.loads(text) if text else {}
    return found


def evidence_text(judgement: Judgement | None) -> str | None:
    """The evidence as the column has it."""
    if judgement is None or not judgement.evidence:
        return None
    return _as_json(judgement.evidence)


def visit_of(row: Row, playback: Playback) -> Visit:
    """The visit that a row and its WARC record tell of; its page is not kept and can be parsed again."""
    chain = tuple(json.loads(row["chain"])) if row["chain"] else ()
    candidate = Candidate(row["url"], row["priority"], row["depth"], row["parent"], row["anchor"], chain)
    claim = Claim(candidate, Host(row["host"]), row["claim"], 0.0, row["tries"])
    return Visit(
        claim, row["number"], row["at"], _fetched(row, playback), Outcome(row["outcome"]), None, judgement_of(row)
    )


def judgement_of(row: Row) -> Judgement | None:
    """What the judge said; None where nothing was judged."""
    if row["relevance"] is None:
        return None
    evidence = json.loads(row["evidence"]) if row["evidence"] else ()
    return Judgement(row["relevance"], bool(row["relevant"]), tuple(Evidence(*each) for each in evidence))


def _fetched(row: Row, playback: Playback) -> Fetched:
    why, detail = row["why"], row["detail"]
    match row["kind"]:
        case "refused":
            return Refused(why, detail, bool(row["asked"]))
        case "later":
            return Later(why, 0.0)
        case "failed":
            return Failed(why, detail, retry=False)
        case _:
            return _response(row, playback)


def _response(row: Row, playback: Playback) -> Fetched:
    try:
        own = Place(row["file"], row["offset"], row["length"], row["request"])
        message, (request, rendition) = playback.read(own), playback.before(own)
        body = (
            playback.read(Place(row["first_file"], row["first_offset"], row["first_length"], 0))
            if row["duplicate_of"]
            else message
        )
        return Response(
            url=row["url"],
            status=row["status"],
            headers=message.headers,
            body=body.body,
            raw=body.raw,
            request=request,
            # Of a look at a page that changed it is known only when it ended.
            at=row["at"] if row["sent"] is None else row["sent"],
            elapsed=row["elapsed"] or 0.0,
            address=row["address"],
            rendition=rendition,
        )
    except UnreadableRecord as error:
        return Failed(LOST, f"its WARC record cannot be read: {error}", retry=False)


def add_facts(tables: Tables, table: str) -> None:
    """Give a table of a folder from before there were facts its column for them."""
    if "facts" not in columns_of(tables.read, table):
        tables.write(f"ALTER TABLE {table} ADD COLUMN facts TEXT")
        tables.commit()


def record_tables(tables: Tables) -> list[RecordRows]:
    """The tables whose rows name WARC records: visits, and looks at them since, if there were any."""
    return [_RecordTable(tables, name) for name in ("revisit", "visit") if has_table(tables.read, name)]


class _RecordTable:
    """The rows of one table, by where their WARC records stand."""

    def __init__(self, tables: Tables, table: str) -> None:
        self._tables, self._table = tables, table

    def lose(self, file: int, offset: int) -> int:
        """Mark the rows whose record ends behind this offset of a file as lost; returns how many there were."""
        gone = f'UPDATE {self._table} SET file = NULL WHERE file = ? AND "offset" + length > ?'  # noqa: S608 - a name of our own
        return int(self._tables.write(gone, (file, offset)).rowcount)

    def end(self, file: int) -> int:
        """Where the last record of a file ends that a row names; 0 if none does."""
        last = f'SELECT max("offset" + length) FROM {self._table} WHERE file = ?'  # noqa: S608 - a name of our own
        return self._tables.read(last, (file,)).fetchone()[0] or 0

    def newest(self) -> Place | None:
        """The record that the newest row names."""
        newest = (
            f'SELECT file, "offset", length, request FROM {self._table} '  # noqa: S608 - a name of our own
            f"WHERE file IS NOT NULL ORDER BY number DESC LIMIT 1"
        )
        row = self._tables.read(newest).fetchone()
        return Place(*row) if row else None
