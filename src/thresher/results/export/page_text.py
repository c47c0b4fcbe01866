"""What a page says: its main text, author and date as trafilatura finds them, or else our own parser's main text."""

from typing import Any, Literal, NamedTuple

from thresher.language.extras import extra
from thresher.language.identify import language_of
from thresher.model import BROWSER, Response, Url
from thresher.parse.encoding import utf8
from thresher.parse.html import HtmlParser
from thresher.results.plain_text import day

OwnTextReason = Literal["", "nothing", "error", "large", "plain", "document", "slow", "crash"]
"""Why our own parser made the text: trafilatura found none, raised, was not asked (too large, no HTML, a document), took too long, or
died."""

_LARGE = 3_000_000
"""Larger pages, in bytes, are not given to trafilatura: it would need some hundred megabytes for one."""
_SURE = 0.5
"""Minimum certainty to name a language that the page does not declare."""


class Extract(NamedTuple):
    """What was found on a page."""

    text: str
    why: OwnTextReason = ""
    title: str = ""
    author: str = ""
    date: str = ""
    """When it was published, as `2026-01-31`."""
    site: str = ""
    description: str = ""
    license: str = ""
    identified: str = ""
    """The language of the text, if it can be told."""

    @property
    def by(self) -> Literal["trafilatura", "thresher"]:
        """Which of the two made the text."""
        return "thresher" if self.why else "trafilatura"


def extract(response: Response, *, marked_up: bool = False) -> Extract:
    """Read one page; with `marked_up`, headings and lists are in Markdown. It never raises, whatever the bytes."""
    found = _extract(response, marked_up=marked_up)
    language, sure = language_of(found.text)
    return found._replace(identified=language if sure >= _SURE else "")


def own_text(response: Response, why: OwnTextReason) -> Extract:
    """What our own parser makes of a page."""
    page = HtmlParser().parse(response)
    author, date = page.fact("author"), page.fact("published")
    return Extract(page.main or page.text, why, page.title, author, date, description=page.description)


def _extract(response: Response, *, marked_up: bool) -> Extract:
    if response.rendition is not None and response.rendition.by != BROWSER:
        return own_text(response, "document")  # its reader wrote no menus that one would have to leave out
    kind = response.header("content-type") or ""
    if "html" not in kind.lower() and kind:
        return own_text(response, "plain")
    if len(response.body) > _LARGE:
        return own_text(response, "large")
    # Not tamed as for Lexbor: libxml2 limits depth itself, and a page of 60,000 paragraphs would lose half its text.
    html = utf8(response.body, kind).decode("utf-8", "replace")
    # A page cannot be newer than its fetch: what looks like a later date is something else.
    latest = day(response.at)
    try:
        document = _document(html, response.url, latest, marked_up=marked_up)
    except Exception:  # noqa: BLE001 - a page can make lxml, htmldate or a regular expression raise anything
        return own_text(response, "error")
    if document is None or not (document.text or "").strip():
        return own_text(response, "nothing")
    return _said(document)


def _document(html: str, url: Url, latest: str, *, marked_up: bool) -> Any:
    # An extensive search finds a date on 197 of 200 health pages instead of 178, but also in "a survey of 2005".
    dates = {"original_date": True, "extensive_search": False, "max_date": latest}
    return extra("trafilatura").bare_extraction(
        html,
        url=url,
        with_metadata=True,
        include_comments=False,
        include_formatting=marked_up,
        date_extraction_params=dates,
    )


def _said(document: Any) -> Extract:
    names = ("title", "author", "date", "sitename", "description", "license")
    return Extract(document.text, "", *(getattr(document, name) or "" for name in names))
