"""What a page says of its author, its date and its rights, for programs: in `<meta>`, JSON-LD, links and headers.

Nothing is guessed from the text. A date that is later than the fetch is none. Rights are of two kinds: a licence that the page names, and
what reserves text and data mining: `noai` and `noimageai` among the orders to robots, and `tdm-reservation` (W3C TDMRep) as a header or
as a `<meta>`. No request is made to find them out, so a reservation that stands only in a site's `/.well-known/tdmrep.json` is not seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from thresher.model import RESERVED, Response, Url
from thresher.parse.linked_data import Thing, texts, types_of
from thresher.parse.metadata import Head
from thresher.parse.text import plain
from thresher.urls import join

Facts = tuple[tuple[str, str], ...]

AUTHOR, PUBLISHED, LICENCE, LICENCE_URL = "author", "published", "licence", "licence_url"

_AUTHORS = "author article:author dc.creator dcterms.creator citation_author parsely-author sailthru.author byl".split()  # noqa: SIM905
_NAMES_OF_DATES = """
    article:published_time og:published_time og:article:published_time datepublished citation_publication_date citation_date
    dc.date.issued dcterms.issued dc.date.created dcterms.created dc.date dcterms.date parsely-pub-date sailthru.date pubdate
    publishdate publish-date publish_date publication_date article.published cxenseparse:recs:publishtime date
"""
_DATES = _NAMES_OF_DATES.split()
_RIGHTS = "dcterms.license dc.rights.license dc.rights dcterms.rights copyright".split()  # noqa: SIM905
_TELLING = frozenset((*_AUTHORS, *_DATES, *_RIGHTS))
_RESERVING = ("noai", "noimageai")
_TDM = "tdm-reservation"
_TDM_HEADER = _TDM.encode()
_OTHERS = frozenset({"Comment", "Review", "Rating", "ImageObject", "Answer", "UserComments"})
_LONGEST = 200
_LONGEST_URL = 2_000
_EARLIEST = date(1990, 1, 1)
"""Before it there was no web."""


def facts_of(at: float, base: Url, head: Head, licences: Sequence[str], said: Iterable[Thing]) -> Facts:
    """Author, date and licence; `licences` are where links lead that the page marks as its licence, `said` is its JSON-LD."""
    # Most pages say nothing, and are done with here.
    if not (licences or head.relations or head.islands) and _TELLING.isdisjoint(head.named):
        return ()
    linked = [thing for thing in said if not _of_another(thing)]
    licence_url, licence = _licence(base, head, licences, linked)
    found = (
        (AUTHOR, _author(head.named, linked)),
        (PUBLISHED, _published(head.named, linked, at)),
        (LICENCE, licence),
        (LICENCE_URL, licence_url),
    )
    return tuple(fact for fact in found if fact[1])


def reservation(response: Response, named: dict[str, str], orders: set[str]) -> Facts:
    """What reserves text and data mining on the page, by name; `orders` is all that it says to robots."""
    said = [order for order in _RESERVING if order in orders] if orders else []
    if named.get(_TDM, "").strip() == "1" or _header_reserves(response):
        said.append(_TDM)
    return ((RESERVED, ", ".join(said)),) if said else ()


def _header_reserves(response: Response) -> bool:
    # By length first: nearly no header has this one.
    return any(
        len(key) == len(_TDM) and key.lower() == _TDM_HEADER and value.strip() == b"1"
        for key, value in response.headers
    )


# ── who and when ──


def _author(named: dict[str, str], linked: list[Thing]) -> str:
    told = (named[name] for name in _AUTHORS if name in named)
    for name in (*told, *_linked_authors(linked)):
        # Some name a page about the author instead.
        if (author := plain(name)[:_LONGEST].strip()) and "://" not in author:
            return author
    return ""


def _linked_authors(linked: list[Thing]) -> Iterator[str]:
    for thing in linked:
        authors = thing.get("author")
        names = [_name(each) for each in (authors if isinstance(authors, list) else [authors])]
        if said := ", ".join(filter(None, names)):
            yield said


def _name(author: Any) -> str:
    name = author.get("name") if isinstance(author, dict) else author
    return name if isinstance(name, str) else ""


def _published(named: dict[str, str], linked: list[Thing], at: float) -> str:
    told = (named[name] for name in _DATES if name in named)
    latest = datetime.fromtimestamp(at, UTC).date() if at else date.max
    for said in (*told, *(said for thing in linked for said in texts(thing.get("datePublished")))):
        if (day := day_of(said)) and _EARLIEST <= day <= latest:
            return day.isoformat()
    return ""


def day_of(said: str) -> date | None:
    """The day that a date begins with, written `2026-01-31`, `2026/01/31` or `20260131`; None if it does not."""
    start = said.strip()[:10].replace("/", "-").replace(".", "-")
    try:
        return date.fromisoformat(start if start[4:5] == "-" else start[:8])
    except ValueError:
        return None


def _of_another(thing: Thing) -> bool:
    """Comments and the like have authors and dates of their own."""
    return not _OTHERS.isdisjoint(types_of(thing))


# ── rights ──


def _licence(base: Url, head: Head, licences: Sequence[str], linked: list[Thing]) -> tuple[str, str]:
    """The address of the licence that the page names, and what it is called: by its own name, or else by its address."""
    for href in _licence_hrefs(head, licences, linked):
        url = join(base, href) if len(href) <= _LONGEST_URL else None
        if url is not None:
            return url, creative_commons(url) or url
    for name in _RIGHTS:
        said = plain(head.named.get(name, ""))[:_LONGEST].strip()
        if name != "copyright" and said.startswith(("http://", "https://")) and (url := join(base, said)):
            return url, creative_commons(url) or url
        if called := _called(said):
            return "", called
    return "", ""


def _licence_hrefs(head: Head, licences: Sequence[str], linked: list[Thing]) -> Iterable[str]:
    yield from (link.href for link in head.relations if "license" in link.rel.split())
    yield from licences
    for thing in linked:
        said = thing.get("license")
        yield from texts(said)
        if isinstance(said, dict):
            yield from texts(said.get("@id")) or texts(said.get("url"))


def creative_commons(url: str) -> str:
    """What a licence of Creative Commons is called, by its address: `CC BY-SA 4.0`; empty if it is none of theirs.

    >>> creative_commons("https://creativecommons.org/licenses/by-sa/4.0/deed.de")
    'CC BY-SA 4.0'
    """
    parts = urlsplit(url)
    if (parts.hostname or "").removeprefix("www.") != "creativecommons.org":
        return ""
    kind, which, version, *_ = [*parts.path.strip("/").split("/"), "", "", ""]
    number = version if version[:1].isdigit() and len(version) <= len("4.0") else ""
    if kind == "licenses" and 0 < len(which) <= len("by-nc-nd") and which.replace("-", "").isalpha():
        return f"CC {which.upper()} {number}".strip()
    named = {"zero": "CC0", "mark": "Public Domain Mark"}.get(which, "") if kind == "publicdomain" else ""
    return f"{named} {number}".strip() if named else ""


def _called(said: str) -> str:
    """A statement of rights, if all of it is the name of a licence: `CC BY 4.0`."""
    words = said.upper().split()
    short = bool(words) and len(words) <= len(("CC", "BY", "4.0"))
    return " ".join(words) if short and words[0] in {"CC", "CC0", "CC-BY", "CC-BY-SA"} else ""
