"""A page as one record, the same in every form: its columns, where their values come from, and the way from a seed to the page."""

import json
import re
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from thresher.disk.found_rows import Read, Row
from thresher.model import Url
from thresher.results.export.page_text import Extract
from thresher.results.plain_text import short_title
from thresher.store.labels import word_of
from thresher.store.rows import facts_of, judgement_of
from thresher.store.selection import PageSelection
from thresher.store.visits import Origin, origin_of
from thresher.warc.reader import RecordFiles

ColumnKind = Literal["text", "texts", "float", "integer", "truth", "time", "path", "evidence"]
Record = Mapping[str, Any]


class Column(NamedTuple):
    """A column: its name, what its values are, and what they mean."""

    name: str
    kind: ColumnKind
    what: str


COLUMNS = (
    Column("number", "integer", "the number of the visit in the crawl"),
    Column("url", "text", "the page's address"),
    Column("canonical", "text", "the address that the page declares as its own; empty if it declares none"),
    Column("host", "text", "its host"),
    Column("medium", "text", "what it is: `html`, or a document: `pdf`, `docx`, `odt`, `epub`, `rtf`, `md`, `txt`"),
    Column("title", "text", "its title, cut after 300 letters"),
    Column(
        "author",
        "text",
        "who wrote it, as trafilatura reads it, or else as page or document says for programs; often empty, sometimes wrong",
    ),
    Column(
        "date",
        "text",
        "when it was published, YYYY-MM-DD, as trafilatura guesses, or else as page or document says for programs; never after the fetch",
    ),
    Column("site", "text", "the site's name, as trafilatura reads it"),
    Column("description", "text", "the description that the page gives of itself"),
    Column("license", "text", "a licence that the page names; empty means unknown, not free"),
    Column("license_url", "text", "where that licence can be read; empty if the page does not say"),
    Column(
        "reserved",
        "text",
        "what reserves text and data mining on the page: `noai`, `noimageai`, `tdm-reservation`; or empty",
    ),
    Column("language", "text", "ISO 639-1 code, as the page declares it or else as its text reads; empty if unknown"),
    Column("language_by", "text", "where the language comes from: `page`, `text`, or empty"),
    Column("text", "text", "its main text, without menus, headers and footers"),
    Column(
        "extractor",
        "text",
        "what made the text: `trafilatura`, or `thresher` for documents, and if trafilatura found none or was too slow",
    ),
    Column("relevance", "float", "from 0 to 1, by the judge"),
    Column("relevant", "truth", "whether the relevance reached the judge's threshold"),
    Column("judged_by", "text", "the judge: the crawl's own, or that of the round that judged the page anew"),
    Column(
        "label",
        "text",
        "what a person said of it, which counts for more than the judge: `relevant`, `not relevant`, or empty",
    ),
    Column("evidence", "evidence", "the reasons: what was found, where, and how much it added"),
    Column("depth", "integer", "links from a seed"),
    Column("path", "path", "the way from the seed to the page: urls, each with the words of the link that led to it"),
    Column("redirects", "texts", "urls that redirected to it, first one first"),
    Column("status", "integer", "of the HTTP answer"),
    Column(
        "fetched", "time", "when it was requested, in UTC; for a page that has changed since, when the change was seen"
    ),
    Column("gone", "time", "when a later look found it gone, in UTC; empty if it is not gone"),
    Column("bytes", "integer", "received"),
    Column("content_hash", "text", "SHA-1 of the bytes as received, as WARC writes it"),
    Column(
        "robots",
        "text",
        "`allowed`: robots.txt was asked first and did not forbid it; `not-asked`: the crawl was told not to ask",
    ),
    Column("noindex", "truth", "whether the page asks not to be listed by search engines"),
    Column("warc_file", "text", "the file in the crawl folder's `warc` that has the answer"),
    Column("warc_offset", "integer", "where its record begins there"),
    Column("cluster", "integer", "pages with the same number have the same bytes or nearly the same text"),
    Column("cluster_size", "integer", "how many of the chosen pages have the same number"),
    Column("duplicate", "text", "`exact` or `near` if the page repeats an earlier one, else empty"),
    Column("duplicates", "texts", "the other chosen pages of the cluster, at most twenty"),
)
OF_TEXT = frozenset({"site", "description", "language_by", "text", "extractor"})
"""Columns that are known only if the page's text was read."""
_REMEMBERED = 10_000
"""How many pages' parents are cached: enough for siblings to find theirs, few enough to keep memory small."""


class TrailStep(NamedTuple):
    """A page on the way."""

    url: Url
    anchor: str
    """The words of the link that led to it; empty for a seed."""


class Trails:
    """Looks up the way that the crawl took to each page."""

    def __init__(self, read: Read) -> None:
        self._origin = lru_cache(_REMEMBERED)(partial(origin_of, read))

    def to(self, row: Row) -> list[TrailStep]:
        """From the seed to the page of a row, both included."""
        here = Origin(row["number"], row["parent"], row["anchor"])
        steps = [TrailStep(row["url"], here.anchor)]
        while here.parent is not None:
            before = self._origin(here.parent)
            steps.append(TrailStep(here.parent, before.anchor if before else ""))
            # Links lead from earlier visits to later ones, so there is an end even if the catalogue were wrong.
            if before is None or before.number >= here.number:
                break
            here = before
        return steps[::-1]


@dataclass(frozen=True, slots=True)
class RecordSource:
    """Where the values of a row come from."""

    selection: PageSelection
    trails: Trails
    files: RecordFiles
    """The crawl's WARC files by number."""
    robots: bool
    """Whether robots.txt was obeyed."""
    judged_by: Callable[[Row], str]
    """Names the judge of a row."""

    def record(self, row: Row, found: Extract | None = None) -> dict[str, Any]:
        """A page as a row of the table; without its text if that was not read."""
        known = {**self._catalogued(row), **self._of_crawl(row), **(_of_text(row, found) if found else {})}
        return {each.name: _clean(known[each.name]) for each in COLUMNS if each.name in known}

    def _catalogued(self, row: Row) -> dict[str, Any]:
        judgement, facts = judgement_of(row), facts_of(row)
        return {
            **{name: row[name] for name in ("number", "url", "host", "depth", "status", "bytes")},
            "medium": facts.get("medium", "html"),
            "title": short_title(row["title"] or ""),
            **{name: row[name] or "" for name in ("canonical", "language")},
            "author": facts.get("author", ""),
            "date": facts.get("published", ""),
            "license": facts.get("licence", ""),
            "license_url": facts.get("licence_url", ""),
            "reserved": facts.get("reserved", ""),
            "relevance": row["relevance"],
            "relevant": bool(row["relevant"]),
            "label": word_of(row["hand"]),
            "evidence": [each._asdict() for each in judgement.evidence] if judgement else [],
            "redirects": list(_list(row["chain"])),
            "fetched": datetime.fromtimestamp(row["sent"] or row["at"], UTC),
            "gone": row["gone"] and datetime.fromtimestamp(row["gone"], UTC),
            "content_hash": f"sha1:{b32encode(row['content_hash']).decode()}" if row["content_hash"] else "",
            "noindex": bool(row["noindex"]),
        }

    def _of_crawl(self, row: Row) -> dict[str, Any]:
        return {
            "path": [step._asdict() for step in self.trails.to(row)],
            "judged_by": self.judged_by(row),
            "robots": "allowed" if self.robots else "not-asked",
            "warc_file": self.files[row["file"]].name if row["file"] in self.files else "",
            "warc_offset": row["offset"],
            "cluster": row["cluster"],
            "cluster_size": row["cluster_size"],
            "duplicate": "exact" if row["duplicate_of"] else "near" if row["near"] else "",
            "duplicates": self.selection.twins(row),
        }


def _of_text(row: Row, found: Extract) -> dict[str, Any]:
    facts = facts_of(row)
    return {
        "title": short_title(row["title"] or found.title),
        "author": found.author or facts.get("author", ""),
        "date": found.date or facts.get("published", ""),
        "site": found.site,
        "description": found.description,
        "license": facts.get("licence") or found.license,
        "language": row["language"] or found.identified,
        "language_by": "page" if row["language"] else "text" if found.identified else "",
        "text": found.text,
        "extractor": found.by,
    }


_ODD = re.compile(r"\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _clean(value: Any) -> Any:
    """Values that every reader of tables accepts: no control characters, one kind of line end, valid UTF-8."""
    if isinstance(value, str):
        return _ODD.sub(lambda odd: "\n" if odd[0][0] == "\r" else "", value)
    if isinstance(value, Mapping):
        return {key: _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list) else value


def _list(text: str | None) -> Sequence[str]:
    found: list[str] = json.loads(text) if text else []
    return found
