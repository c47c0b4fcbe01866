"""Which words speak for the topic: log-odds of words on relevant pages against the others, learnt page by page.

    odds(w) = log (pos(w) + 50 · bg(w) + 20 · [w is of the topic]) / (pos + …) − log (neg(w) + 50 · bg(w)) / (neg + …)

pos and neg count log(1 + occurrences) of a word, each page shared between them by its relevance; bg is the word's share of all words so
far. So a word needs some evidence before it counts, a word of the topic counts from the first page, and all odds are clipped to −1.5 … 3.
A word that was never seen takes no side.
"""

import math

import numpy as np
from numpy.typing import NDArray

from thresher.strategy.word_numbers import BUCKETS, Numbers

Table = NDArray[np.float64]
_SMOOTHING = 50.0
_TOPIC_COUNT = 20.0
_LOWEST, _HIGHEST = -1.5, 3.0
_MOST_OF_A_WORD = 5
_HEARD = np.log1p(np.arange(_MOST_OF_A_WORD + 1))
_STEEPNESS = 3.0


class WordOdds:
    """Counts of words on pages, and the odds as they stood when they were last refreshed."""

    def __init__(self, topic: Numbers) -> None:
        self._topic = np.zeros(BUCKETS)
        self._topic[topic] = _TOPIC_COUNT
        self.for_it, self.against = np.zeros(BUCKETS), np.zeros(BUCKETS)
        self.table: Table = np.zeros(BUCKETS)
        """The odds of each word; those of no word are 0."""
        self.times = 0
        """How often they were worked out."""

    def learn(self, words: Numbers, counts: NDArray[np.int64], relevance: float, times: float = 1.0) -> None:
        """Count a page's words, each named once, as if there were so many such pages."""
        heard = times * np.log1p(counts)
        for table, share in ((self.for_it, relevance), (self.against, 1 - relevance)):
            if share:  # most pages are relevant not at all
                table[words] = table.take(words) + share * heard

    def view(self, words: Numbers, counts: NDArray[np.int64]) -> float:
        """How much a page speaks of the topic, from 0 to 1, by the odds of its words: .5 if they take no side."""
        heard = _HEARD.take(counts, mode="clip")
        total = float(np.add.reduce(heard))
        mean = float(self.table.take(words) @ heard) / total if total else 0.0
        return 1 / (1 + math.exp(-_STEEPNESS * mean))

    def refresh(self) -> None:
        """Work out the odds anew."""
        self.times += 1
        total_for, total_against = float(self.for_it.sum()), float(self.against.sum())
        # Of all words there can be a page has few, and what is known once stays known.
        known = ((self.for_it > 0) | (self.against > 0) | (self._topic > 0)).nonzero()[0]
        for_it, against = self.for_it.take(known), self.against.take(known)
        both = for_it + against
        share = (both + 0.5) / (total_for + total_against + 0.5 * max(int(np.count_nonzero(both)), 1))
        smooth = _SMOOTHING * share
        speaks = (for_it + smooth + self._topic.take(known)) / (total_for + _SMOOTHING)
        odds = np.log(speaks * (total_against + _SMOOTHING) / (against + smooth))
        self.table[known] = np.clip(odds, _LOWEST, _HIGHEST)
        self.table[0] = 0.0
