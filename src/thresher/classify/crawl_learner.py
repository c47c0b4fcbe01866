"""A classifier learnt from a crawl itself: its best judged pages against the rest, labels of a person first.

The pages that a judge puts on top are mostly right, and have many words that nobody typed. A logistic regression on the words of the thirty
best and of three hundred others finds those words, and can put all pages in a better order. Pages that a person labelled are examples
whatever the judge said, and count twice.

    features   log(1 + tf) · idf of the words of title, headings and the beginning of the text, hashed to 65,536 places, of length 1
    loss       Σ weight · logistic loss + ‖w‖² / 20; the top pages weigh by their relevance

1. `WordCommonness` counts on how many pages each word is, one page at a time.
2. `chosen_examples` takes the examples from what the judge said of all pages.
3. `learnt_from` fits the classifier on the pages of the examples.

Only the order that it gives is meant: how many of all pages are relevant it cannot know, since the examples were chosen.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadInput
from thresher.language.word_numbers import word_numbers
from thresher.model import Page

TOP, OTHERS, BETWEEN = 30, 300, 120
"""How many of the best pages are taken for relevant, how many others for not, and how many between them are neither."""
LEAST_RELEVANT, LEAST_OTHERS = 5, 30
"""With fewer examples nothing is learnt."""
_PLACES = 1 << 16
_LETTERS = 3000
_STEPS, _PULL = 150, 0.1

Vector = NDArray[np.float64]


class CrawlExample(NamedTuple):
    """A page to learn from."""

    place: int
    """In the list of all pages."""
    relevant: bool
    weight: float


class WordRow(NamedTuple):
    """A page as weighed words."""

    places: NDArray[np.intp]
    values: Vector


class WordCommonness:
    """On how many pages each word was seen."""

    def __init__(self, saved: bytes | None = None) -> None:
        counts = np.frombuffer(saved, np.uint32) if saved else np.zeros(1 + _PLACES, np.uint32)
        self._pages, self._common = int(counts[0]), counts[1:].copy()

    def add(self, page: Page) -> None:
        """Count one page."""
        self._common[_counted(page)[0]] += 1
        self._pages += 1

    def saved(self) -> bytes:
        """All of it, for the constructor."""
        return np.array([self._pages, *self._common], np.uint32).tobytes()

    def row(self, page: Page) -> WordRow:
        """A page's words: the rarer, the heavier."""
        places, times = _counted(page)
        values = np.log1p(times) * np.log((1 + self._pages) / (1.0 + self._common[places]))
        length = float(np.linalg.norm(values))
        return WordRow(places, values / length if length else values)


class LearntWords:
    """What was learnt: how much each word speaks for the topic."""

    def __init__(self, common: WordCommonness, weights: Vector, offset: float) -> None:
        self._common, self._weights, self._offset = common, weights, offset

    def probability(self, page: Page) -> float:
        """How probably a page is relevant, among examples such as were learnt."""
        row = self._common.row(page)
        return 1 / (1 + math.exp(-float(np.clip(row.values @ self._weights[row.places] + self._offset, -30, 30))))


def chosen_examples(
    relevance: Sequence[float], relevant: Sequence[bool], labels: Mapping[int, bool]
) -> list[CrawlExample]:
    """The pages to learn from, by what the judge said of all; `labels` are by the page's place in the list."""
    order = sorted(range(len(relevance)), key=lambda each: (-relevance[each], each))
    best = [each for each in order[:TOP] if relevance[each] > 0 and each not in labels]
    rest = [each for each in order[TOP + BETWEEN :] if not relevant[each] and each not in labels]
    others = rest[:: max(1, -(-len(rest) // OTHERS))]
    mean = sum(relevance[each] for each in best) / max(1, len(best))
    examples = [
        *(CrawlExample(each, said, 2.0) for each, said in labels.items()),
        *(CrawlExample(each, relevant=True, weight=relevance[each] / mean) for each in best),
        *(CrawlExample(each, relevant=False, weight=1.0) for each in others),
    ]
    _refuse_few(examples)
    return examples


def _refuse_few(examples: Sequence[CrawlExample]) -> None:
    yes = sum(each.relevant for each in examples)
    no = len(examples) - yes
    if yes < LEAST_RELEVANT or no < LEAST_OTHERS:
        raise BadInput(
            f"too little to learn from: {yes} examples of relevant pages and {no} of others, but it takes {LEAST_RELEVANT} and"
            f" {LEAST_OTHERS}; others are your labels, and pages after the best {TOP + BETWEEN} that the judge does not call relevant"
        )


def learnt_from(examples: Sequence[tuple[CrawlExample, Page]], common: WordCommonness) -> LearntWords:
    """Logistic regression by gradient steps with momentum: rows have length 1, so the steps may be long."""
    rows = [common.row(page) for _, page in examples]
    target = np.array([float(each.relevant) for each, _ in examples])
    weight = np.array([each.weight for each, _ in examples])
    weights, before, offset, step = np.zeros(_PLACES), np.zeros(_PLACES), 0.0, 4.0 / float(weight.sum())
    for turn in range(_STEPS):
        ahead = weights + turn / (turn + 3) * (weights - before)
        said = np.array([row.values @ ahead[row.places] for row in rows]) + offset
        off = weight * (1 / (1 + np.exp(-np.clip(said, -30, 30))) - target)
        before, weights = weights, ahead - step * (_sum(rows, off) + _PULL * ahead)
        offset -= step * float(off.sum())
    return LearntWords(common, weights, offset)


def _sum(rows: Sequence[WordRow], amounts: Vector) -> Vector:
    """The rows added up, each so many times."""
    total = np.zeros(_PLACES)
    for amount, row in zip(amounts.tolist(), rows, strict=True):
        total[row.places] += amount * row.values
    return total


def _counted(page: Page) -> WordRow:
    numbers = word_numbers(f"{page.title} {' '.join(page.headings)} {page.main[:_LETTERS]}")
    places, times = np.unique((numbers >> np.uint64(48)).astype(np.intp), return_counts=True)
    return WordRow(places, times.astype(float))
