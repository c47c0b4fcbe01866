"""Download first, rank afterwards: a queue of downloaded pages, of which the best is expanded next.

Paper: Choudhary and Roy 2013, "Priority based Semantic Web Crawler", §3–4. To expand a page is to download all the pages it links to that
are new; these are scored together, once the last of them has come, and join the queue. Every download is a visit like any other.

How that is done with a frontier of links: the links of a page enter it *parked*, below everything. When the page is expanded, they are
lifted above all that is parked, in the order of the page, and awaited. A url that fails is awaited no longer; one that redirects is
awaited where it leads, unless that was visited before.

A frontier visits a parked url only if no lifted one can be visited: all hosts of the lifted ones rest or are closed. So a visit that
nobody awaited says that there is room, and the next best page is expanded beside those whose children are still awaited. Children that
never come are given up once `patience` visits have passed without one of their siblings, and the others are scored: nothing stalls.
A page that comes unawaited, or too late, has no siblings: it is scored alone.

A page is downloaded once, so its own similarity is that among the siblings it came with. If another page is expanded that links to it while
it is still in the queue, it keeps the higher of both scores.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import isnan
from typing import Literal

from thresher.model import Evidence, Link, Response, Sharing, Url, Visit
from thresher.outcomes import redirect_target
from thresher.ports import Strategy
from thresher.strategy.sibling_pages import Batch, Downloaded, Rarity, TermCounts, TopicSimilarity, packed, unpacked
from thresher.topic.link_text import anchors
from thresher.urls import url_hash

Parent = Literal["sum", "decay", "mean", "none"]
"""What the score of the parent adds: all of it, a part of it, a third of the mean, or nothing."""

PARKED = -1e9
"""The priority of a link whose page was not expanded yet; those that are lifted count down from 0, one a page."""

SEED_SCORE = 1.0

_ARRIVAL = struct.Struct("<qq")


class DownloadThenRank(Strategy):
    """Expand the best of the pages that were downloaded."""

    sharing: Sharing = "one learner"

    def __init__(
        self,
        similarity: TopicSimilarity,
        *,
        parent: Parent,
        decay: float = 0.5,
        anchor: bool = True,
        patience: int = 100,
    ) -> None:
        self._similarity = similarity
        self._parent, self._decay, self._anchor, self._patience = parent, decay, anchor, patience
        self._pages: dict[int, Downloaded] = {}
        self._links: dict[int, bytes] = {}  # by visit number, of pages that were not expanded yet
        self._queue: list[tuple[float, int, int]] = []
        self._batches: dict[int, Batch] = {}  # by the visit number of the parent; of what came unawaited, by its own
        self._owner: dict[int, int] = {}  # which batch awaits a url
        self._number = 0
        self._room = False
        self._changed: dict[str, bytes] = {}

    # ── a visit ──

    def learn(self, visit: Visit) -> None:
        """Take the page into the batch that awaits it."""
        here, candidate, self._number = url_hash(visit.url), visit.claim.candidate, visit.number
        page = self._pages[here] = Downloaded(visit.number)
        awaited = self._owner.pop(here, None)
        self._room |= awaited is None and candidate.priority < PARKED / 2
        origin = here if awaited is None else self._awaited_as(awaited, here)
        if visit.page is None:
            self._pass_on(visit, awaited, origin)
        elif candidate.depth == 0:
            page.score = SEED_SCORE
        else:
            batch = self._alone(visit, here) if awaited is None else awaited
            self._arrive(batch, visit.number, here, origin, self._similarity.count(visit.page.main))
        self._keep(here)

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[float]:
        """Parked, all of them, until their page is expanded."""
        said: dict[Url, str] = {}
        for link, anchor in zip(links, anchors(links), strict=True):
            said[link.target] = f"{said[link.target]} {anchor}" if link.target in said else anchor
        if said := {url: text for url, text in said.items() if self._may_matter(url_hash(url))}:
            self._links[visit.number] = self._changed[f"links/{visit.number}"] = packed(said)
            if self._pages[here := url_hash(visit.url)].ranked:
                self._enqueue(here)
        return [PARKED] * len(links)

    def rerank(self) -> Iterable[tuple[Url, float]]:
        """Rank the pages of batches that are complete; lift the links of the best page if there is room for it."""
        for number in sorted(self._batches):
            if self._is_complete(self._batches[number]):
                self._rank(number)
        lifted = self._lift_next() if self._room or not any(each.latest for each in self._batches.values()) else []
        self._room = False
        return lifted

    def explain(self, visit: Visit, link: Link) -> tuple[Evidence, ...]:
        """What is known of the target before it is downloaded: the words of its anchor, and the score of the page."""
        found = [Evidence(term, "anchor", float(count)) for term, count in self._similarity.found(link.anchor).items()]
        score = self._score_of(url_hash(visit.url))
        return tuple(found) if score is None else (*found, Evidence("score", "page", score))

    # ── pages that arrive ──

    def _awaited_as(self, number: int, here: int) -> int:
        batch = self._batches[number]
        batch.latest = self._number
        return batch.awaits.pop(here)

    def _arrive(self, batch: int, number: int, here: int, origin: int, terms: TermCounts) -> None:
        self._batches[batch].arrived[number] = here, origin, terms
        self._changed[f"terms/{number}"] = _ARRIVAL.pack(batch, origin) + terms.to_bytes()

    def _alone(self, visit: Visit, here: int) -> int:
        """A batch for a page that nobody awaited."""
        candidate = visit.claim.candidate
        parent = 0 if candidate.parent is None else url_hash(candidate.parent)
        self._batches[visit.number] = Batch(parent, {here: candidate.anchor}, {})
        self._keep_batch(visit.number)
        return visit.number

    def _pass_on(self, visit: Visit, awaited: int | None, origin: int) -> None:
        """The target of a redirect takes the place of the url."""
        if awaited is None or visit.outcome.name != "redirect" or not isinstance(visit.fetched, Response):
            return
        target = redirect_target(visit.fetched)
        if target is not None and self._is_new(there := url_hash(target)):
            self._batches[awaited].awaits[there] = origin
            self._owner[there] = awaited
            self._keep_batch(awaited)

    def _is_new(self, url: int) -> bool:
        return url not in self._pages and url not in self._owner

    def _may_matter(self, url: int) -> bool:
        """Whether a url is still to be visited, or was and waits to be expanded."""
        page = self._pages.get(url)
        return page is None or page.number in self._links

    # ── ranking ──

    def _is_complete(self, batch: Batch) -> bool:
        """Whether there is nothing left to wait for, or the wait was long enough."""
        if batch.awaits:
            return self._number - batch.latest >= self._patience
        return self._score_of(batch.parent) is not None

    def _rank(self, number: int) -> None:
        """Score the pages of a batch that have come; what has not is awaited no longer."""
        batch = self._batches.pop(number)
        for url in batch.awaits:
            del self._owner[url]
        arrived = [batch.arrived[each] for each in sorted(batch.arrived)]
        rarity = Rarity.among([terms for _, _, terms in arrived])
        similar = self._similarity.compare([terms for _, _, terms in arrived], rarity)
        for (here, _, _), similarity in zip(arrived, similar, strict=True):
            self._pages[here].similarity = similarity
        self._raise({origin: here for here, origin, _ in arrived}, batch, rarity)
        self._forget(f"batch/{number}", *(f"terms/{each}" for each in batch.arrived))

    def _raise(self, arrived: Mapping[int, int], batch: Batch, rarity: Rarity) -> None:
        """Give the pages that came, and those in the queue that the parent links to as well, their score if that is higher."""
        linked = [(arrived.get(url, url), said) for url, said in batch.anchors.items()]
        linked = [(url, said) for url, said in linked if url in self._pages and not isnan(self._pages[url].similarity)]
        said = [self._similarity.count(text) for _, text in linked] if self._anchor else []
        parent = self._score_of(batch.parent) or 0.0
        alike = self._similarity.compare(said, rarity) or [0.0] * len(linked)
        for (url, _), anchor in zip(linked, alike, strict=True):
            page = self._pages[url]
            score = self._combined(page.similarity, anchor, parent)
            if not page.ranked or (page.number in self._links and score > page.score):
                page.score = score
                self._keep(url)
                self._enqueue(url)

    def _combined(self, similarity: float, anchor: float, parent: float) -> float:
        """Equation 4."""
        match self._parent:
            case "sum":
                return similarity + anchor + parent
            case "decay":
                return similarity + anchor + self._decay * parent
            case "mean":
                return (similarity + anchor + parent) / (3 if self._anchor else 2)
            case "none":
                return similarity + anchor

    def _score_of(self, url: int) -> float | None:
        """None if the page was not ranked yet; 0 if it is unknown."""
        page = self._pages.get(url)
        if page is None:
            return 0.0
        return page.score if page.ranked else None

    # ── expanding ──

    def _enqueue(self, url: int) -> None:
        page = self._pages[url]
        if page.number in self._links:
            heappush(self._queue, (-page.score, page.number, url))

    def _lift_next(self) -> list[tuple[Url, float]]:
        """Expand the best page that leads to new ones."""
        while self._queue:
            score, number, url = heappop(self._queue)
            page = self._pages[url]
            # A page whose score rose is in the queue twice.
            if (
                number in self._links
                and (number, -score) == (page.number, page.score)
                and (lifted := self._expand(url))
            ):
                return lifted
        return []

    def _expand(self, url: int) -> list[tuple[Url, float]]:
        """Lift the page's links; none if it leads nowhere new."""
        number = self._pages[url].number
        said = {url_hash(target): (target, text) for target, text in unpacked(self._links.pop(number))}
        self._forget(f"links/{number}")
        new = [each for each in said if self._is_new(each)]
        if not new:
            return []
        texts = {each: text for each, (_, text) in said.items()}
        self._batches[number] = Batch(url, texts, {each: each for each in new}, self._number)
        self._owner.update(dict.fromkeys(new, number))
        self._keep_batch(number)
        return [(said[each][0], -self._number - place / len(new)) for place, each in enumerate(new)]

    # ── state ──

    def _keep(self, url: int) -> None:
        page = self._pages[url]
        self._changed[f"page/{page.number}"] = page.to_bytes(url)

    def _keep_batch(self, number: int) -> None:
        self._changed[f"batch/{number}"] = self._batches[number].to_bytes()

    def _forget(self, *parts: str) -> None:
        self._changed.update(dict.fromkeys(parts, b""))

    def save(self) -> Mapping[str, bytes]:
        """A page's terms until it is ranked, its links until it is expanded, its score for good."""
        changed, self._changed = self._changed, {}
        return changed

    def load(self, parts: Mapping[str, bytes]) -> None:
        """Take it all back; what is awaited is what was not visited."""
        self._links = dict(_numbered(parts, "links/"))
        for number, value in _numbered(parts, "page/"):
            url, page = Downloaded.from_bytes(number, value)
            self._pages[url] = page
        for number, value in _numbered(parts, "batch/"):
            self._take_back(number, Batch.from_bytes(value))
        urls = {page.number: url for url, page in self._pages.items()}
        for number, value in _numbered(parts, "terms/"):
            batch, origin = _ARRIVAL.unpack_from(value)
            self._batches[batch].arrived[number] = urls[number], origin, TermCounts.from_bytes(value[_ARRIVAL.size :])
        for url, page in self._pages.items():
            if page.ranked:
                self._enqueue(url)

    def _take_back(self, number: int, batch: Batch) -> None:
        came = [url for url in batch.awaits if url in self._pages]
        for url in came:
            batch.latest = max(batch.latest, self._pages[url].number)
            del batch.awaits[url]
        self._batches[number] = batch
        self._owner.update(dict.fromkeys(batch.awaits, number))


def _numbered(parts: Mapping[str, bytes], beginning: str) -> Iterator[tuple[int, bytes]]:
    for name, value in parts.items():
        if name.startswith(beginning) and value:
            yield int(name.removeprefix(beginning)), value
