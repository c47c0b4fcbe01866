"""A feed or a sitemap becomes a page: a text, and a link for each thing that it lists.

The text of a feed has its titles and summaries, and the words of a link are the title, so that a strategy reads it as it reads any anchor.
A sitemap has no words but those of its addresses. What is broken is read as far as it goes.
"""

import re
from itertools import chain, islice
from operator import attrgetter
from typing import Any
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from thresher.endings import ending_of
from thresher.list_forms import GZIP, form_of, plain_start
from thresher.model import Link, Page, Response, Url
from thresher.parse.encoding import utf8
from thresher.parse.guard import tamed
from thresher.parse.linked_data import decoded
from thresher.parse.metadata import may, orders_of
from thresher.parse.text import plain, put_together
from thresher.parse.walk import walk
from thresher.parse.xml_lists import Entry, Listed, listed_until_fault
from thresher.urls import join_all

MOST_SITEMAPS = 20
"""Of an index, the newest ones."""
_MOST_ITEMS = 1_000
"""Of a feed."""
_LONGEST_TITLE = 300
_LONGEST_SUMMARY = 2_000
_MOST_TAGS = 1_000
_MARKUP = frozenset("<&")
_WORD = re.compile(r"[^\W_]++")


def list_page(response: Response, most_links: int, most_chars: int) -> Page | None:
    """The page of a feed or a sitemap; None if the answer is neither."""
    form = form_of(response.body)
    if not form:
        return None
    listed = _read(response) or Listed("feed" if form == "feed" else "sitemap", [])
    entries = _targets(response.url, _first(listed))
    if form == "sitemap":
        entries = {target: Entry(target, _path_words(target)) for target in islice(entries, most_links)}
    text, spans = _put_together(list(entries.values())[:most_links], most_chars)
    follow, index = may(orders_of(response, ()), response.at)
    return Page(
        url=response.url,
        title=_said(listed.title, _LONGEST_TITLE),
        description=_said(listed.about, _LONGEST_SUMMARY),
        text=text,
        main=text,
        links=_links(response.url, list(entries), text, spans, form),
        follow=follow,
        index=index,
        form=form,
    )


def _read(response: Response) -> Listed | None:
    """What it lists; None if not even its beginning can be read."""
    body = response.body
    if plain_start(body[:64]).startswith(b"{"):
        return _json_feed(body)
    listed = listed_until_fault(body)
    if listed is None and not body.startswith(GZIP):
        # Its encoding may be one that browsers know and the reader of XML does not.
        listed = listed_until_fault(utf8(body, response.header("content-type") or ""), encoding="utf-8")
    return listed


def _targets(url: Url, entries: list[Entry]) -> dict[Url, Entry]:
    """The entries by where they lead, the first of each; the list itself is none."""
    found: dict[Url, Entry] = {}
    for target, entry in zip(join_all(url, [entry.url for entry in entries]), entries, strict=True):
        if target is not None and target != url:
            found.setdefault(target, entry)
    return found


def _first(listed: Listed) -> list[Entry]:
    """What counts first: of a sitemap what changed last, of a feed what stands first, which is the newest too."""
    if listed.kind == "feed":
        return listed.entries[:_MOST_ITEMS]
    # Dates begin with the year, and nobody's order is spoilt where there are none.
    newest = sorted(listed.entries, key=attrgetter("changed"), reverse=True)
    return newest[:MOST_SITEMAPS] if listed.kind == "index" else newest


def _put_together(entries: list[Entry], most_chars: int) -> tuple[str, list[tuple[int, int]]]:
    """The text of a list, and where in it the title of each entry is. What is beyond the most has no words."""
    lines, spans, at = list[str](), list[tuple[int, int]](), 0
    for entry in entries:
        title, summary = _said(entry.title, _LONGEST_TITLE), _said(entry.summary, _LONGEST_SUMMARY)
        own = [line for line in (title, summary) if line]
        size = sum(map(len, own)) + len(own)
        if at + size > most_chars:
            spans.append((0, 0))
            continue
        spans.append((at, at + len(title)))
        lines += own
        at += size
    return "\n".join(lines), spans


def _path_words(url: Url) -> str:
    """The words of an address: `iris anatomy` of `https://a.example/iris-anatomy.html`. A sitemap has no others."""
    path = unquote(url[url.index("/", 8) :].partition("?")[0])[:_LONGEST_TITLE]
    return " ".join(_WORD.findall(path.removesuffix("." + ending_of(path))))


def _said(html: str, most: int) -> str:
    """What a title or a summary says, on one line, without its markup."""
    if not _MARKUP.isdisjoint(html):
        walked = walk(LexborHTMLParser(tamed(html.encode("utf-8", "replace"), _MOST_TAGS)))
        html = put_together(walked.parts, 2 * most)[0]
    return plain(html)[:most]


def _links(url: Url, targets: list[Url], text: str, spans: list[tuple[int, int]], kind: str) -> tuple[Link, ...]:
    return tuple(
        Link(url, target, text, start, end, position=position, kind=kind)
        for position, (target, (start, end)) in enumerate(zip(targets, spans, strict=False))
    )


def _json_feed(body: bytes) -> Listed | None:
    """A JSON Feed (jsonfeed.org)."""
    feed = decoded(body.decode("utf-8-sig", "replace"))
    if not isinstance(feed, dict):
        return None
    items = feed.get("items")
    made = (_json_item(item) for item in (items if isinstance(items, list) else [])[:_MOST_ITEMS])
    return Listed("feed", list(chain.from_iterable(made)), title=_text(feed, "title"), about=_text(feed, "description"))


def _json_item(item: Any) -> list[Entry]:
    if not isinstance(item, dict):
        return []
    url = _text(item, "url") or _text(item, "external_url") or _web_id(item)
    summary = _text(item, "summary") or _text(item, "content_text") or _text(item, "content_html")
    return [Entry(url, _text(item, "title"), summary)] if url else []


def _web_id(item: dict[str, Any]) -> str:
    name = _text(item, "id")
    return name if name.startswith(("http://", "https://")) else ""


def _text(thing: dict[str, Any], name: str) -> str:
    value = thing.get(name)
    return value[: 2 * _LONGEST_SUMMARY] if isinstance(value, str) else ""
