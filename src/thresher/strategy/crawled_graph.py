"""Which visited page links to what: the graph that link-based strategies rank, kept page by page so that a crawl can go on."""

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.model import Link, Url, Visit

Numbers = NDArray[np.int32]
Token = int | Url
"""A url that was met before, as its number; a new url as itself. So a saved page takes space for its new urls only."""


class CrawledGraph:
    """Urls by number in the order in which they were met, links as pairs of numbers, each distinct link of a page once.

    A redirect is a page with one link. Memory: about 250 bytes a url and 8 a link.
    """

    def __init__(self) -> None:
        self.urls: list[Url] = []
        self.pages: list[int] = []
        """The visited pages, in the order of their visits."""
        self.relevances: list[float] = []
        """What each of them was judged, in the same order."""
        self._numbers: dict[Url, int] = {}
        self._sources, self._targets = array("i"), array("i")
        self._ends = [0]
        """How many links there were before the first page, and after each."""
        self._settled: set[int] = set()
        self._unsaved: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self.urls)

    def links(self, pages: int | None = None) -> tuple[Numbers, Numbers]:
        """Where each link stands and where it leads, in two arrays; those of the first so many pages, or of all."""
        end = self._ends[pages] if pages is not None else len(self._sources)
        return np.array(self._sources[:end], np.int32), np.array(self._targets[:end], np.int32)

    def settle(self, visit: Visit) -> None:
        """Take note of a url that waits no more and has no page to `add`."""
        if visit.page is None or not visit.page.follow:
            self._keep(visit, [self._token(visit.url)])
            self._settle(visit.url)

    def add(self, visit: Visit, links: Sequence[Link]) -> None:
        """Add a page with its links, and the redirects that led to it."""
        chain = (*visit.claim.candidate.chain, visit.url)
        targets = dict.fromkeys(link.target for link in links)
        relevance = visit.judgement.relevance if visit.judgement else 0.0
        way, leads_to = [self._token(url) for url in chain], [self._token(url) for url in targets]
        self._keep(visit, [way, leads_to, relevance])
        self._take(way, leads_to, relevance)

    def waiting(self, numbers: Iterable[int]) -> list[int]:
        """Those of the urls that were not visited yet."""
        return [number for number in numbers if number not in self._settled]

    def save(self) -> dict[str, bytes]:
        """What was added since the last call: a part a visit."""
        unsaved, self._unsaved = self._unsaved, {}
        return unsaved

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take back all parts, in the order of the visits, so that every url gets its number back."""
        for name in sorted(name for name in parts if name.isdigit()):
            found = json.loads(parts[name])
            if len(found) == 1:
                self._settle(found[0])
            else:
                self._take(*found)

    def _keep(self, visit: Visit, what: Sequence[object]) -> None:
        self._unsaved[f"{visit.number:09}"] = json.dumps(what, separators=(",", ":")).encode()

    def _take(self, way: Sequence[Token], leads_to: Sequence[Token], relevance: float) -> None:
        numbers = [self._settle(each) for each in way]
        self._sources.extend(numbers[:-1])
        self._targets.extend(numbers[1:])
        found = [self._number(each) for each in leads_to]
        self._sources.extend(numbers[-1:] * len(found))
        self._targets.extend(found)
        self._ends.append(len(self._sources))
        self.pages.append(numbers[-1])
        self.relevances.append(relevance)

    def _token(self, url: Url) -> Token:
        return self._numbers.get(url, url)

    def _settle(self, token: Token) -> int:
        number = self._number(token)
        self._settled.add(number)
        return number

    def _number(self, token: Token) -> int:
        if isinstance(token, int):
            return token
        number = self._numbers.setdefault(token, len(self.urls))
        if number == len(self.urls):
            self.urls.append(token)
        return number
