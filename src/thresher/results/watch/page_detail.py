"""One visit whole: its text with the evidence marked, how the crawl came to it, where it leads, its other versions, its copies.

What is quick is asked first (`page_detail`); what builds the strategy again (`page_way`), or reads all visits (`page_copies`), or is
rarely wanted (`kept_source`), is asked on its own. Every text and every list has an end, whatever the page is like. Texts are plain:
what was found in them is told by offsets.
"""

from typing import NamedTuple

from thresher.disk.found_rows import Row
from thresher.errors import BadInput
from thresher.frontier.reading import UrlState, states_of
from thresher.model import DROP, SEED, Evidence, Link, Page, Response, Url, Visit
from thresher.parse.encoding import utf8
from thresher.results.archive import Archive
from thresher.results.plain_text import (
    VERDICTS,
    evidence_lines,
    one_line,
    paragraphs,
    short_line,
    short_title,
    shorten,
)
from thresher.results.search.marks import Marked, mark_names
from thresher.results.sightings import TopicWordsSought
from thresher.results.why.explanation import Why, why
from thresher.results.why.reasons import Reasons, place_of_link
from thresher.store.current import current_row
from thresher.store.labels import word_of
from thresher.store.looks import PastLook, looks_at
from thresher.store.page_list import ListedLink, VisitCopy, copies_of, listed_rows, visited_links
from thresher.store.rows import facts_of
from thresher.store.visits import newest_visit, numbered_row

MOST_TEXT = 100_000
"""Letters of a page's text, or of its source, that are shown."""
_MOST_LINKS, _MOST_STEPS, _MOST_COPIES, _MOST_HEADERS, _MOST_FACTS = 300, 50, 20, 60, 30
_LONGEST_LINE = 500


class MarkedEvidence(NamedTuple):
    """A text, and where in it stands what spoke for the topic and against it."""

    text: str
    found: tuple[tuple[int, int], ...] = ()
    against: tuple[tuple[int, int], ...] = ()


class PageDetail(NamedTuple):
    """What is known of a visit at once."""

    number: int
    url: Url
    title: MarkedEvidence
    text: MarkedEvidence
    """The main text; of a page that has none, all its text."""
    whole: int
    """Letters of the text, those included that are not shown."""
    outcome: str
    status: int | None
    detail: str
    """What stood in the way, if there is no page."""
    at: float
    bytes: int
    depth: int
    language: str
    relevance: float | None
    relevant: bool | None
    judged_by: str
    reasons: tuple[str, ...]
    """The evidence in lines: what whole judges said, what speaks for, what against, what is missing."""
    label: str
    gone: float | None
    copy_of: VisitCopy | None
    """The page that this one repeats."""
    redirects: tuple[Url, ...]
    """The urls that redirected here."""
    target: Url | None
    """Where it redirects to."""
    noindex: bool
    facts: tuple[tuple[str, str], ...]
    """Author, date, licence and what else is known."""
    headers: tuple[tuple[str, str], ...]
    """Of the answer."""
    looks: tuple[PastLook, ...]
    """Later looks at it."""
    lost: bool
    """Whether its record in the WARC files cannot be read."""


class LinkOnPage(NamedTuple):
    """A link, and what became of it."""

    url: Url
    anchor: str
    found: str
    """Where it stands, in words, if not where a person would click."""
    priority: float | None
    """When it was fetched, or with which it waits, or which it would get now; None if nobody can say."""
    fate: str
    """In words."""
    visit: ListedLink | None = None
    """What came of it, if it was visited."""


class PageWay(NamedTuple):
    """How the crawl came to a page, and where it went from there."""

    why: Why
    links: tuple[LinkOnPage, ...]
    of_links: int
    """How many urls the page links to."""


class KeptSource(NamedTuple):
    """The answer as it came, as text."""

    text: str
    kind: str
    """Its content type."""
    whole: int
    """Its bytes."""


def page_detail(archive: Archive, number: int) -> PageDetail:
    """The visit of that number, as its page is today."""
    row = _row(archive, number)
    visit = archive.visit_of(row)
    page, answer = visit.page, visit.fetched if isinstance(visit.fetched, Response) else None
    title, text = _marked(row, visit)
    return PageDetail(
        number,
        visit.url,
        title,
        text,
        len(_text(page)),
        row["outcome"],
        row["status"],
        short_line(row["detail"] or "", _LONGEST_LINE),
        row["at"],
        row["bytes"] or 0,
        row["depth"],
        one_line((row["language"] or "")[:20]),
        row["relevance"],
        None if row["relevant"] is None else bool(row["relevant"]),
        archive.judged_by(row) if visit.judgement else "",
        _reasons(archive, visit),
        word_of(row["hand"]),
        row["gone"],
        _copy_of(archive, row),
        visit.claim.candidate.chain[:_MOST_STEPS],
        row["final_url"],
        bool(row["noindex"]),
        _lines(list(facts_of(row).items())[:_MOST_FACTS]),
        _lines(_headers(answer)),
        tuple(looks_at(archive.read, number)),
        row["kind"] == "response" and answer is None,
    )


def page_way(archive: Archive, number: int) -> PageWay:
    """How the crawl came to a page and why, and its links. The strategy is built again, which may take seconds."""
    row, reasons = _row(archive, number), Reasons(archive)
    visit = archive.visit_of(row)
    told = why(archive, visit.url, reasons=reasons, most=_MOST_STEPS)
    links = _distinct(visit.page)
    return PageWay(told, tuple(_fates(archive, reasons, visit, links[:_MOST_LINKS])), len(links))


def page_copies(archive: Archive, number: int) -> list[VisitCopy]:
    """Later pages that repeat this one, exactly or nearly. It reads all visits."""
    return copies_of(archive.read, number, _MOST_COPIES)


def kept_source(archive: Archive, number: int) -> KeptSource | None:
    """What came, as text that is never run; None if nothing came, or its record is lost."""
    answer = archive.visit_of(_row(archive, number)).fetched
    if not isinstance(answer, Response):
        return None
    kind = one_line(answer.header("content-type") or "")
    text = utf8(answer.body, kind)[: 4 * MOST_TEXT].decode("utf-8", "replace")
    lines = "\n".join(map(_visible, text[:MOST_TEXT].splitlines()))
    return KeptSource(lines, shorten(kind, 100), len(answer.body))


def _visible(line: str) -> str:
    """A line as it stands, without what would turn text around or give orders; a tab is four blanks."""
    return "".join(letter for letter in line.replace("\t", "    ") if letter.isprintable())


def _row(archive: Archive, number: int) -> Row:
    newest = newest_visit(archive.read)
    if not 1 <= number <= newest or not listed_rows(archive.read, [number]):
        has = f"its visits are 1 to {newest:,}" if newest else "it has none yet"
        raise BadInput(f"{archive.folder.name} has no visit {number}: {has}")
    return current_row(archive.read, number)


def _text(page: Page | None) -> str:
    return (page.main or page.text) if page else ""


def _marked(row: Row, visit: Visit) -> tuple[MarkedEvidence, MarkedEvidence]:
    """Title and text with the evidence in them."""
    title = short_title(one_line(row["title"] or ""))
    texts = [title, paragraphs(_text(visit.page)[:MOST_TEXT])]
    evidence = [each for each in (visit.judgement.evidence if visit.judgement else ()) if each.where not in VERDICTS]
    found = mark_names(texts, [_name(each) for each in evidence if each.amount >= 0])
    against = mark_names(texts, [_name(each) for each in evidence if each.amount < 0])
    first, second = (MarkedEvidence(*_apart(*both)) for both in zip(found, against, strict=True))
    return first, second


def _apart(found: Marked, against: Marked) -> tuple[str, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """The text with both kinds of marks; where they meet, what speaks for it is marked."""
    taken = {place for start, end in found.marks for place in range(start, end)}
    return found.text, found.marks, tuple(mark for mark in against.marks if taken.isdisjoint(range(*mark)))


def _name(evidence: Evidence) -> str:
    """The name alone: evidence of concepts has a tier behind it."""
    return evidence.what.partition(" (")[0]


def _reasons(archive: Archive, visit: Visit) -> tuple[str, ...]:
    if visit.judgement is None:
        return ()
    missing = TopicWordsSought(archive).missing(visit.judgement)
    lines = evidence_lines(visit.judgement.evidence, missing)
    return tuple(shorten(line, _LONGEST_LINE) for line in lines if line)


def _copy_of(archive: Archive, row: Row) -> VisitCopy | None:
    first = row["duplicate_of"] or row["near"]
    if first is None:
        return None
    return VisitCopy(first, numbered_row(archive.read, first)["url"], row["duplicate_of"] is not None)


def _headers(answer: Response | None) -> list[tuple[str, str]]:
    found = answer.headers[:_MOST_HEADERS] if answer else ()
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in found]


def _lines(pairs: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((short_line(name, 60), short_line(value, _LONGEST_LINE)) for name, value in pairs)


def _distinct(page: Page | None) -> list[Link]:
    """A link for each url that the page leads to: the first with words, else the first."""
    found: dict[Url, Link] = {}
    for link in page.links if page else ():
        if link.target not in found or (not found[link.target].anchor and link.anchor):
            found[link.target] = link
    return list(found.values())


def _fates(archive: Archive, reasons: Reasons, visit: Visit, links: list[Link]) -> list[LinkOnPage]:
    """The links, those first that the crawl went for first."""
    urls = [link.target for link in links]
    visited, known = visited_links(archive.read, urls), states_of(archive.read, urls)
    unknown = any(url not in visited and url not in known for url in urls)
    now = reasons.priorities(visit) if unknown and visit.page and visit.page.follow else {}
    told = [_fate(link, visit, reasons, visited.get(link.target), known.get(link.target), now) for link in links]
    return sorted(told, key=lambda each: -(each.priority if each.priority is not None else DROP))


def _fate(  # noqa: PLR0913, PLR0917 - what four sources know of a link
    link: Link, visit: Visit, reasons: Reasons, came: ListedLink | None, known: UrlState | None, now: dict[Url, float]
) -> LinkOnPage:
    assert visit.page is not None
    priority, words = now.get(link.target), ""
    if came is not None:
        priority, words = came.priority, _came(came)
    elif known is not None:
        priority, words = known.priority, "waits" if known.waits else "settled"
    else:
        words = _not_followed(link, visit, reasons, priority)
    shown = short_line(link.anchor, _LONGEST_LINE)
    finite = priority if priority is not None and priority != DROP and priority < SEED else None
    return LinkOnPage(link.target, shown, place_of_link(link, visit.page), finite, words, came)


def _came(came: ListedLink) -> str:
    if came.outcome != "page":
        return one_line(came.outcome)
    return "relevant" if came.relevant else "not relevant"


def _not_followed(link: Link, visit: Visit, reasons: Reasons, priority: float | None) -> str:
    if visit.page is not None and not visit.page.follow:
        return "the page asks that its links are not followed"
    if (rule := reasons.scope.refusal(link.target, visit.claim.candidate.depth + 1)) is not None:
        return f"out of scope: {short_line(rule, _LONGEST_LINE)}"
    return "dropped by the strategy" if priority == DROP else "not followed"
