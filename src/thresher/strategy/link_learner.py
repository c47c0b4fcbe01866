"""What the apprentice knows, as a function of the visits it was told of: told the same, it gives the same priorities to the last bit.

So a crawl that goes on needs the last snapshot and the visits since, which `visit_log.py` keeps.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.model import Url
from thresher.strategy.concept_values import ConceptValues
from thresher.strategy.link_features import FEATURES, LinkFeatures, PageTable
from thresher.strategy.link_weights import LinkWeights
from thresher.strategy.place_statistics import Places, PlaceTable, places_of
from thresher.strategy.visit_log import VisitRecord
from thresher.strategy.waiting_links import ODDS, LinkRows, Slots, WaitingLinks
from thresher.strategy.word_numbers import Numbers
from thresher.strategy.word_odds import WordOdds
from thresher.urls import url_hash

Arrays = dict[str, NDArray[Any]]
Values = NDArray[np.float64]
Priorities = list[tuple[Url, float]]

_EARLY = frozenset({1, 2, 3, 5, 8, 12})
_EVERY = 20
_BEST, _SAMPLE = 400, 300
_BEST_AFTER_NOTHING = 50
_LINKS_AT_ONCE = 500
LEAST_ROOM = 2 * _LINKS_AT_ONCE
"""So many urls must find room: the links of a page that are scored at once, and the best that wait."""
_VISITED = 1 << 18
_TRUSTED_AFTER = 30
_EXPLAINED = 4096
_OWN_VIEW = 0.4
_STEEPEST = 50.0
_LABEL_COUNTS = 5
"""What a person says of a page counts as so many pages that the judge judged."""


class TopicNumbers(NamedTuple):
    """The topic as numbers of words."""

    words: Numbers
    phrases: Sequence[frozenset[int]]
    """Those of several words."""


class LinkLearner:
    """The model with all it has learnt: tell it of a visit, then of the page's links, then end the turn."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        topic: TopicNumbers,
        concepts: ConceptValues,
        weights: LinkWeights,
        *,
        room: int,
        middle: float,
        width: float,
    ) -> None:
        self._concepts, self._weights = concepts, weights
        self._middle, self._width = middle, width
        self._odds = WordOdds(topic.words)
        self._odds.refresh()
        self._pages = PageTable()
        self._waiting = WaitingLinks(room, len(FEATURES))
        self._features = LinkFeatures(topic.words, topic.phrases, self._waiting, self._pages)
        self._parts: dict[str, WaitingLinks | PlaceTable] = {
            "waiting": self._waiting,
            "places": self._features.places,
        }
        self._visited = np.zeros(_VISITED, np.uint64)
        self.visits = 0
        self._of_others = 0
        """Visits that other workers made."""
        self._moved_at = 0
        """Visits of this worker when it last moved urls."""
        self.watcher: Callable[[Priorities, Values], None] | None = None
        """Told of the urls that were scored again, with their features: for `thresher lab train`."""
        self._sampled = 0
        self._labelled: dict[int, bool] = {}
        """What a person said of pages, by the hash of their urls."""
        self._remembered = np.zeros(_EXPLAINED, np.uint64)
        self._reasons = np.zeros((_EXPLAINED, len(FEATURES)))
        self._value = 0.0
        """What the page that was just visited is worth by its concepts."""
        self._nothing = False
        """Whether the url that was just visited was not there."""

    def start_from(self, weights: Values) -> None:
        """Have other start weights, before anything is learnt."""
        self._weights.restart(weights)

    # ── what came of a link ──

    def learn(self, visit: VisitRecord) -> None:
        """Take note of a visit."""
        self._nothing = visit.fate == "nothing"
        if visit.moved_to:
            self._waiting.rename(Url(visit.url), Url(visit.moved_to))
            return
        self.visits += 1
        number = _unsigned(visit.url)
        self._visited[number % _VISITED] = number
        if visit.fate == "page":
            self._learn_page(visit)
        elif visit.fate == "nothing":
            self._followed(visit.url, self._waiting.places_of(visit.url), 0.0, 0.0, answered=False)
        else:
            self._waiting.remove(Url(visit.url))

    def _learn_page(self, visit: VisitRecord) -> None:
        words, counts = visit.distinct, visit.counts
        relevance = self._soft(visit.relevance)
        view = relevance
        if self.visits > _TRUSTED_AFTER:
            view += _OWN_VIEW * (self._odds.view(words, counts) - relevance)
        places = self._waiting.places_of(visit.url)
        before, inherited = self._followed(visit.url, places, view, relevance, answered=True)
        self._value = self._concepts.of_page(words, counts, visit.length, inherited)
        self._pages.note(self.visits, _unsigned(visit.url), visit.relevance, view, before, places[0])
        self._odds.learn(words, counts, relevance)

    def _soft(self, relevance: float) -> float:
        steps = (relevance - self._middle) / self._width
        lowest = 1 / (1 + math.exp(self._middle / self._width))
        soft = 1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, steps))))
        return max(0.0, soft - lowest) / (1 - lowest)

    def _followed(
        self, url: str, places: Places, view: float, relevance: float, *, answered: bool
    ) -> tuple[float, float]:
        """Learn from what came of a url; the best page that linked to it, and what it inherits by Lokman."""
        before = inherited = 0.0
        slot = self._waiting.slots.get(Url(url))
        if slot is not None:
            pages = self._waiting.pages[slot].tolist()
            inherited = math.expm1(max(self._waiting.values[slot, :, 1].tolist()))
            number = _unsigned(url)
            self._weights.note(number, self._waiting.features[slot].copy(), view)
            self._remembered[self.visits % _EXPLAINED] = number
            self._reasons[self.visits % _EXPLAINED] = self._waiting.shares[slot]
            before = self._pages.note_child(pages, places[0], view, answered=answered)
            self._waiting.remove(Url(url))
        self._features.note_place(places, relevance, answered=answered)
        return before, inherited

    # ── what a person said ──

    def is_news(self, url: str, *, relevant: bool) -> bool:
        """Whether nobody has said that of a page before."""
        return self._labelled.get(_unsigned(url)) != relevant

    def heed(self, label: VisitRecord) -> None:
        """Learn from what a person said of a page: of the words on it, of the links to it and on it, and of the places it is in."""
        number = _unsigned(label.url)
        self._labelled[number] = bool(label.relevance)
        self._odds.learn(label.distinct, label.counts, label.relevance, _LABEL_COUNTS)
        self._weights.set_right(number, label.relevance, _LABEL_COUNTS)
        before = self._pages.set_right(number, label.relevance)
        if before is not None:
            self._features.set_right(places_of(label.url), label.relevance - self._soft(before))

    def turn_of_all(self) -> Priorities:
        """Weigh words and features anew, and score all waiting urls that are known."""
        self._odds.refresh()
        self._weights.correct()
        return self._scored_again(np.array(sorted(self._waiting.slots.values()), np.int64))

    # ── what a link promises ──

    def links(self, visit: VisitRecord) -> None:
        """Take note of the links of a page that lead to what was not visited."""
        self.new_links(visit.only(self.not_visited(visit.targets)))

    def new_links(self, visit: VisitRecord) -> Values:
        """The priorities of the links of a page, if none of them leads to what was visited."""
        starts = range(0, len(visit.targets), _LINKS_AT_ONCE)
        found = [
            self._scored(self._waiting.add(self.visits, self._rows(visit, slice(start, start + _LINKS_AT_ONCE))))
            for start in starts
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def _rows(self, visit: VisitRecord, some: slice) -> LinkRows:
        words = visit.words[some]
        value, around = self._concepts.of_links(words, self._value)
        values = np.empty((len(words), ODDS.start))
        values[:, 0], values[:, 1], values[:, 2] = visit.menus[some], value, around
        values[:, 3:] = self._features.of_words(words)
        return LinkRows(visit.targets[some], words, values)

    def _scored(self, slots: Slots) -> Values:
        features = self._features.of(slots, self._odds)
        priorities: Values = features @ self._weights.now
        self._waiting.features[slots] = features
        self._waiting.shares[slots] = features * self._weights.now
        self._waiting.priority[slots] = priorities
        return priorities

    def turn(self) -> Priorities:
        """End a turn: every so often weigh words and features anew, and score the best waiting urls and a sample of the others.

        A url that is not there lowers the few best at once: else all that are as dead as it would be asked for until the next turn.
        """
        own = self.visits - self._of_others
        if self._is_round() or own - self._moved_at >= _EVERY:
            self._moved_at = own
            return self._round()
        return self._scored_again(np.sort(self._waiting.best(_BEST_AFTER_NOTHING))) if self._nothing else []

    def _is_round(self) -> bool:
        return self.visits % _EVERY == 0 or self.visits in _EARLY

    def _round(self) -> Priorities:
        self._odds.refresh()
        self._weights.correct()
        return self._scored_again(np.union1d(self._waiting.best(_BEST), self._sample()))

    def hear(self, visit: VisitRecord) -> None:
        """Learn from a visit that another worker made, which moves itself what it has to."""
        before = self.visits
        self.learn(visit)
        self._of_others += self.visits - before
        if visit.fate == "page":
            self.links(visit)
        if self._is_round():
            self._round()
        elif self._nothing:
            self._scored_again(np.sort(self._waiting.best(_BEST_AFTER_NOTHING)))

    def _scored_again(self, slots: Slots) -> Priorities:
        urls = (self._waiting.urls[slot] for slot in slots.tolist())
        given = [(url, each) for url, each in zip(urls, self._scored(slots).tolist(), strict=True) if url is not None]
        if self.watcher is not None:
            self.watcher(given, self._waiting.features[slots])
        return given

    def _sample(self) -> Slots:
        """The next few of all that wait, so that each has its turn."""
        slots = (self._sampled + np.arange(_SAMPLE)) % self._waiting.room
        self._sampled = int(slots[-1]) + 1
        return slots[self._waiting.links[slots] > 0]

    def shares(self, url: Url) -> dict[str, float]:
        """What each feature added to the priority of a url that waits, or was lately visited; nothing if it is not known any more."""
        slot = self._waiting.slots.get(url)
        if slot is not None:
            return dict(zip(FEATURES, self._waiting.shares[slot].tolist(), strict=True))
        rows = np.flatnonzero(self._remembered == _unsigned(url))
        return dict(zip(FEATURES, self._reasons[rows[0]].tolist(), strict=True)) if len(rows) else {}

    def weights(self) -> dict[str, tuple[float, float]]:
        """Of each feature, the weight it began with and the one it has now."""
        pairs = zip(self._weights.start.tolist(), self._weights.now.tolist(), strict=True)
        return dict(zip(FEATURES, pairs, strict=True))

    def odds(self, words: NDArray[np.int64]) -> Values:
        """The log-odds of words by their numbers, as they were last worked out; 0 of words that were on no page."""
        seen = self._odds.for_it[words] + self._odds.against[words] > 0
        return np.where(seen, self._odds.table[words], 0.0)

    def not_visited(self, urls: Sequence[Url]) -> Slots:
        """Which of them were not visited, by their places."""
        new = np.fromiter(map(self._waiting.slots.__contains__, urls), bool, len(urls))
        others = ~new
        numbers = np.fromiter(map(url_hash, compress(urls, others.tolist())), np.int64)
        new[others] = self._visited.take(numbers & (_VISITED - 1)).view(np.int64) != numbers
        return new.nonzero()[0]

    # ── for a crawl that goes on ──

    def to_arrays(self) -> Arrays:
        """All that was learnt."""
        weights, odds, pages = self._weights, self._odds, self._pages
        known = np.flatnonzero(pages.numbers)
        return {
            "counters": np.array([self.visits, self._sampled, odds.times]),
            "visited": self._visited,
            "weights": weights.now, "examples": weights.examples, "outcomes": weights.outcomes, "followed": weights.urls,
            "for it": odds.for_it, "against": odds.against, "odds": odds.table,
            "known pages": known, "page numbers": pages.numbers[known], "page urls": pages.urls[known], "page values": pages.values[known],
            "labelled": np.array(list(self._labelled), np.uint64), "labels": np.array(list(self._labelled.values()), bool),
            "totals": self._features.totals, "remembered": self._remembered, "reasons": self._reasons,
            **{f"{name}/{key}": value for name, part in self._parts.items() for key, value in part.to_arrays()},
        }  # fmt: skip

    def from_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `to_arrays` gave."""
        self.visits, self._sampled, self._odds.times = arrays["counters"].tolist()
        self._moved_at = self.visits
        self._visited[:] = arrays["visited"]
        weights, odds, known = self._weights, self._odds, arrays["known pages"]
        weights.restore(arrays["weights"], arrays["examples"], arrays["outcomes"], arrays["followed"])
        odds.for_it, odds.against, odds.table = arrays["for it"], arrays["against"], arrays["odds"]
        self._pages.numbers[known], self._pages.values[known] = arrays["page numbers"], arrays["page values"]
        self._pages.urls[known] = arrays["page urls"]
        self._labelled = dict(zip(arrays["labelled"].tolist(), arrays["labels"].tolist(), strict=True))
        self._features.totals = arrays["totals"]
        self._remembered, self._reasons = arrays["remembered"], arrays["reasons"]
        for name, part in self._parts.items():
            part.from_arrays({key[len(name) + 1 :]: each for key, each in arrays.items() if key.startswith(f"{name}/")})


def _unsigned(url: str) -> int:
    return url_hash(Url(url)) & 0xFFFF_FFFF_FFFF_FFFF
