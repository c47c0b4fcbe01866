"""How many links a host may bring in by lists, and which sitemaps of a host are still to be asked for.

A sitemap can name 50,000 pages. Only the best of them by the strategy's own score join the frontier: so many of a list, and so many of all
lists of a host. And a sitemap costs a request, so it is asked for only where it may pay: when its host has given some relevant pages. Until
then it is remembered. All of it is kept beside the visits, in their transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import inf, nextafter
from operator import attrgetter

from thresher.errors import BadInput
from thresher.model import LISTS, SEED, Candidate, Host, Page, Url, Visit
from thresher.ports import Store

_TAKEN = "listed/"
_SITEMAPS = "sitemaps/"
_ASKED = "asked"
"""In the place of how many relevant pages a host has given since its sitemaps are known."""
_MOST_SITEMAPS = 20
"""Of a host: http and https may name ten each."""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """The `[links]` table: links that no person can click."""

    hidden: bool = True
    """Whether feeds, the header `Link`, JSON-LD, hreflang and the like are read for links. Without it sitemaps are not read either."""
    sitemaps: bool = True
    """Whether the sitemaps that robots.txt names are read."""
    sitemaps_after: int = 10
    """Of a host only when it has given so many relevant pages: a sitemap costs a request, and most hosts are not worth one."""
    per_list: int = 200
    """The most links of a feed or a sitemap that join the frontier: the best by the strategy's own score."""
    per_host: int = 1_000
    """The most links of all feeds and sitemaps of a host."""

    def __post_init__(self) -> None:
        for key, least in (("sitemaps_after", 1), ("per_list", 0), ("per_host", 0)):
            if (value := getattr(self, key)) < least:
                raise BadInput(f"[links]: {key} is {value}, but must be {least} or more")


class ListedLinks:
    """What lists may still bring in."""

    def __init__(self, store: Store, options: LinkOptions) -> None:
        self._store, self._options = store, options

    def best_of(self, page: Page, host: Host, found: list[Candidate]) -> list[Candidate]:
        """All that was found on a page; of a list the best, as far as there is room."""
        if page.form not in LISTS:
            return found
        taken = int(self._store.recall(_TAKEN + host) or b"0")
        room = max(0, min(self._options.per_list, self._options.per_host - taken))
        best = nlargest(room, found, key=attrgetter("priority"))
        self._store.remember(_TAKEN + host, str(taken + len(best)).encode())
        return best

    def remember(self, host: Host, sitemaps: Sequence[Url]) -> None:
        """Note the sitemaps that the robots.txt of a host names, until they are asked for."""
        state, known = _read(self._store.recall(_SITEMAPS + host))
        if not set(sitemaps) <= set(known):
            both = list(dict.fromkeys((*known, *sitemaps)))[:_MOST_SITEMAPS]
            self._write(host, state or "0", both)

    def to_ask(self, visit: Visit, found: Sequence[Candidate]) -> list[Candidate]:
        """The sitemaps of a relevant page's host, once, if it is time. They wait just behind what was worth as much as the page."""
        host, before = visit.claim.host, visit.claim.candidate
        state, urls = _read(self._store.recall(_SITEMAPS + host))
        if not state.isdigit():
            return []
        if int(state) + 1 < self._options.sitemaps_after:
            self._write(host, str(int(state) + 1), urls)
            return []
        self._write(host, _ASKED, urls)
        # The priority of a seed is on no strategy's scale.
        level = before.priority if before.priority < SEED else max((each.priority for each in found), default=0.0)
        return [Candidate(url, nextafter(level, -inf), before.depth + 1, visit.url) for url in urls]

    def _write(self, host: Host, state: str, urls: Sequence[Url]) -> None:
        self._store.remember(_SITEMAPS + host, "\n".join([state, *urls]).encode())


def sitemaps_named(value: bytes | None) -> Sequence[Url]:
    """The sitemaps of a host that a crawl remembered."""
    return _read(value)[1]


def _read(value: bytes | None) -> tuple[str, list[Url]]:
    state, *urls = (value or b"").decode().split("\n")
    return state, [Url(url) for url in urls]
