"""What can be said of a url that the crawl does not know: the kept pages that link to it, and known urls that look like it."""

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from difflib import SequenceMatcher
from heapq import nlargest
from typing import NamedTuple

from thresher.frontier.reading import host_names, is_known, urls_of_host
from thresher.model import DROP, Url, Visit
from thresher.results.archive import Archive
from thresher.results.why.reasons import Reasons, link_to, place_of_link
from thresher.store.visits import count_pages, pages_after
from thresher.urls import canonical, host_of

_AT_A_TIME = 50
_ESCAPE = re.compile("%[0-9A-F]{2}")
_PLAIN = re.compile("[A-Za-z0-9_-]+")
_CLOSE, _LESS_CLOSE = 0.9, 0.75
"""How alike two urls must be: 0 not at all, 1 the same. The second is asked if the first finds none."""
_SAME_HOST = 0.8
_COMPARED, _LETTERS = 50, 100
"""Urls that are compared letter by letter, and so many letters of each: both in all orders would take difflib .7 s."""


class Inlink(NamedTuple):
    """A page with a link to the url."""

    url: Url
    anchor: str
    verdict: str
    """Why the link was not followed."""
    found: str = ""
    """Where it was found, in words, if not where a person would click."""


class Inlinks(NamedTuple):
    """The pages that were found, and how many were looked at."""

    found: list[Inlink]
    looked: int
    of: int


def inlinks(  # noqa: PLR0913 - the last three limit and show the search
    archive: Archive,
    reasons: Reasons,
    target: Url,
    *,
    most: int = 3,
    seconds: float = 20.0,
    looked: Callable[[int, int], object] = lambda _seen, _of: None,
) -> Inlinks:
    """Search the kept pages until enough of them link to the url, or the time is up."""
    pages = count_pages(archive.read, copies=False)
    found, seen, until = list[Inlink](), 0, time.monotonic() + seconds
    for visit in _candidates(archive, target):
        seen += 1
        looked(seen, pages)
        link = link_to(visit.page, target) if visit.page else None
        if link is not None and visit.page is not None:
            verdict, place = _verdict(visit, target, reasons, archive), place_of_link(link, visit.page)
            found.append(Inlink(visit.url, link.anchor, verdict, place))
        if len(found) == most or time.monotonic() > until:
            break
    return Inlinks(found, seen, pages)


def _candidates(archive: Archive, target: Url) -> Iterator[Visit]:
    number = 0
    needle, host = _needle(target), host_of(target)
    while rows := pages_after(archive.read, number, _AT_A_TIME, copies=False):
        number = rows[-1]["number"]
        for row in rows:
            wanted = needle or ("" if row["host"] == host else host)
            yield archive.visit_of(row, holding=wanted.encode())


def _needle(target: Url) -> str:
    """The longest part of the path that can be spelt in one way only: looking for it in a page is much faster than parsing the page."""
    tail = _ESCAPE.sub(" ", target.split("/", 3)[3])
    return max(_PLAIN.findall(tail), key=len, default="")


def _verdict(visit: Visit, target: Url, reasons: Reasons, archive: Archive) -> str:
    assert visit.page is not None
    if not visit.page.follow:
        return "the page asks that its links are not followed"
    if (rule := reasons.scope.refusal(target, visit.claim.candidate.depth + 1)) is not None:
        return f"the crawl's scope keeps it out: {rule}"
    priority = reasons.priority(visit, target)
    if priority is None:
        return reasons.unknown
    if priority == DROP:
        return f"the strategy {reasons.name} dropped the link"
    cap = archive.settings.frontier.get("cap")
    lost = f"more than {cap:,} urls waited, and the lowest were forgotten" if cap else "it was given up later"
    return f"the strategy {reasons.name} would give it {priority:.3g} now; {lost}"


def similar_urls(archive: Archive, url: Url, most: int = 4) -> list[Url]:
    """Other spellings of the url that the crawl knows, then the most similar urls of its host."""
    spelt = [other for other in dict.fromkeys(_spellings(url)) if other != url and is_known(archive.read, other)]
    return list(dict.fromkeys([*spelt, *_alike(archive, url, most)]))[:most]


def _spellings(url: Url) -> Iterator[Url]:
    """With another scheme, with or without www, with or without a slash at the end, the index page's name, the query."""
    path, mark, query = url.partition("?")
    ends = [path.rstrip("/"), path.rstrip("/") + "/", path.removesuffix("/").rpartition("/index.")[0] + "/"]
    ends += [f"{path.rstrip('/')}/index.{kind}" for kind in ("html", "htm", "php")]
    for end in (*ends, path, path.lower()):
        for whole in (end + mark + query, end):
            for scheme in ("http://", "https://"):
                rest = whole.partition("://")[2]
                for host in (rest, f"www.{rest}", rest.removeprefix("www.")):
                    if spelt := canonical(scheme + host):
                        yield spelt


def _alike(archive: Archive, url: Url, most: int) -> list[Url]:
    """The most similar urls of the url's host; if the host is not known, of the host with the most similar name."""
    host = host_of(url)
    names = host_names(archive.read)
    hosts = [host] if host in names else _closest(host, names, 1, _SAME_HOST)
    if not hosts:
        return []
    start = url.index("/", 8)
    tails = {other[other.index("/", 8) :]: other for other in urls_of_host(archive.read, hosts[0])}
    tail = url[start:]
    close = _closest(tail, tails, most, _CLOSE) or _closest(tail, tails, 2, _LESS_CLOSE)
    return [tails[each] for each in close]


def _closest(word: str, others: Collection[str], most: int, cutoff: float) -> list[str]:
    """The most similar ones. Only the most hopeful are compared letter by letter, so that no list of urls, however made, takes long."""
    hopeful = nlargest(_COMPARED, ((bound, other) for other in others if (bound := _bound(word, other)) >= cutoff))
    alike = nlargest(most, ((_alikeness(word, other), other) for _, other in hopeful))
    return [other for likeness, other in alike if likeness >= cutoff]


def _bound(one: str, other: str) -> float:
    """How alike two words are at most: as if what they have between the ends that they share were the same letters in the same order."""
    shared, first, second = _apart(one, other)
    size = len(one) + len(other)
    if 2 * (shared + min(len(first), len(second))) < _LESS_CLOSE * size:
        return 0.0
    return 2 * (shared + (Counter(first) & Counter(second)).total()) / size


def _alikeness(one: str, other: str) -> float:
    """How alike two words are: difflib's ratio, where no more is compared than `_apart` gives."""
    shared, first, second = _apart(one, other)
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return 2 * (shared + sum(block.size for block in blocks)) / (len(one) + len(other))


def _apart(one: str, other: str) -> tuple[int, str, str]:
    """How many characters two words share at both ends, and what each has between; of that so many letters at most."""
    start = _shared(one, other)
    one, other = one[start:], other[start:]
    end = _shared(one[::-1], other[::-1])
    return start + end, one[: len(one) - end][:_LETTERS], other[: len(other) - end][:_LETTERS]


def _shared(one: str, other: str) -> int:
    """How many characters two words share from the beginning on; found by halves, since urls of a host share much."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least
