"""How many links a host may bring in by lists, and which sitemaps of a host are still to be asked for.

A sitemap can name 50,000 pages. Only the best of them by the strategy's own score join the frontier: so many of a list, and so many of all
lists of a host. And a sitemap costs a request, so it is asked for only where it may pay: when its host has given a relevant page. Until
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
_TO_ASK = "to ask"
_ASKED = "asked"
_MOST_SITEMAPS = 20
"""Of a host: http and https may name ten each."""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """The `[links]` table: links that no person can click."""

    hidden: bool = True
    """Whether feeds, the header `Link`, JSON-LD, hreflang and the like are read for links. Without it sitemaps are not read either."""
    sitemaps: bool = True
    """Whether the sitemaps that robots.txt names are read, of hosts that gave a relevant page."""
    per_list: int = 200
    """The most links of a feed or a sitemap that join the frontier: the best by the strategy's own score."""
    per_host: int = 1_000
    """The most links of all feeds and sitemaps of a host."""

    def __post_init__(self) -> None:
        for key in ("per_list", "per_host"):
            if (value := getattr(self, key)) < 0:
                raise BadInput(f"[links]: {key} is {value}, but must be 0 or more")


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
        _, known = _read(self._store.recall(_SITEMAPS + host))
        if set(sitemaps) <= set(known):
            return
        both = list(dict.fromkeys((*known, *sitemaps)))[:_MOST_SITEMAPS]
        self._store.remember(_SITEMAPS + host, "\n".join([_TO_ASK, *both]).encode())

    def to_ask(self, visit: Visit, found: Sequence[Candidate]) -> list[Candidate]:
        """The sitemaps of a page's host, once. They wait just behind what was worth as much as the page."""
        host, before = visit.claim.host, visit.claim.candidate
        state, urls = _read(self._store.recall(_SITEMAPS + host))
        if state != _TO_ASK:
            return []
        self._store.remember(_SITEMAPS + host, "\n".join([_ASKED, *urls]).encode())
        # The priority of a seed is on no strategy's scale.
        level = before.priority if before.priority < SEED else max((each.priority for each in found), default=0.0)
        return [Candidate(url, nextafter(level, -inf), before.depth + 1, visit.url) for url in urls]


def sitemaps_named(value: bytes | None) -> Sequence[Url]:
    """The sitemaps of a host that a crawl remembered."""
    return _read(value)[1]


def _read(value: bytes | None) -> tuple[str, list[Url]]:
    state, *urls = (value or b"").decode().split("\n")
    return state, [Url(url) for url in urls]
