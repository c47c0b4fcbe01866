"""How much a text says about a topic: the weights of its labels added up (`Weigher`), or the cosine of term frequencies (`Cosine`)."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import mul

from thresher.language import words
from thresher.language.word_numbers import LONG, number_of, squares, times
from thresher.topic.matching import Matcher, Overlap, Stems


class Weigher:
    """The sum over all labels of count times weight, not divided by anything.

    This is CalculateComparator of Lokman (Kayışoğlu 2005; weights of 15, 12, 8 and 5 for the tiers), and the ontology-based relevance score
    of Kumar and Vig 2010 (a table of importance from 0 to 1). Integers stay exact, and the order of the labels does not matter.

    >>> Weigher({"bedwetting": 15, "nocturnal enuresis": 12}).weigh("Bedwetting (nocturnal enuresis) is common.")
    27.0
    """

    def __init__(
        self,
        labels: Mapping[str, float],
        *,
        overlap: Overlap = "independent",
        stem: Callable[[str], str] | None = None,
    ) -> None:
        self._weights = dict(labels)
        self._matcher = Matcher(self._weights, overlap=overlap, stem=stem)

    def weigh(self, text: str) -> float:
        """The weight of one text."""
        return self._sum(self._matcher.count(text))

    def weigh_each(self, texts: Sequence[str]) -> list[float]:
        """The same as `[self.weigh(text) for text in texts]`, by one search."""
        return list(map(self._sum, self._matcher.count_each(texts)))

    def found(self, text: str) -> Counter[str]:
        """How often each label occurs: what the weight is the sum of."""
        return self._matcher.count(text)

    def _sum(self, counts: Counter[str]) -> float:
        return math.fsum(self._weights[label] * count for label, count in counts.items()) if counts else 0.0


def _near_one(weights: dict[str, float]) -> dict[str, float]:
    """The same weights times a power of two, the largest about 1: so no product is too small for a float, and none is rounded."""
    _, exponent = math.frexp(max(map(abs, weights.values()), default=0.0))
    return {word: math.ldexp(weight, -exponent) for word, weight in weights.items()}


class Cosine:
    """From 0 (no word in common) to 1 (the same words, equally often).

        sim(q, d) = Σ_k q_k d_k / sqrt(Σ_k q_k² · Σ_k d_k²)

    q_k is the weight of word k in the topic (a phrase gives its weight to each of its words), d_k how often the text uses it. `stop_words`
    count on neither side; words are compared by what `stem` makes of them.

    >>> round(Cosine({"iris": 1, "eye": 1}).similarity("Iris, iris: eye, lens"), 4)
    0.866
    """

    def __init__(
        self,
        weights: Mapping[str, float],
        *,
        stem: Callable[[str], str] | None = None,
        stop_words: Collection[str] = (),
    ) -> None:
        self._stems = Stems(stem) if stem else None
        self._stop_words = frozenset(stop_words)
        summed: dict[str, float] = {}
        for label, weight in weights.items():
            for word in self._words(label):
                summed[word] = summed.get(word, 0.0) + weight
        self._topic = _near_one(summed)
        self._norm = math.hypot(*self._topic.values())
        self._as_they_are = self._stems is None and not self._stop_words
        self._numbers = tuple(map(number_of, self._topic)) if self._as_they_are else ()

    def similarity(self, text: str) -> float:
        """How similar one text is to the topic."""
        if self._as_they_are and len(text) >= LONG:
            found = times(text, self._numbers)
            return self._cosine(found, squares(text)) if any(found) else 0.0
        said = self._words(text)
        # Most texts around links have no word of the topic, so their words need not be counted.
        if self._topic.keys().isdisjoint(said):
            return 0.0
        counts = Counter(said)
        return self._cosine([counts[word] for word in self._topic], _squares(counts))

    def similarities(self, texts: Sequence[str]) -> list[float]:
        """The same as `[self.similarity(text) for text in texts]`; a text that occurs again is measured once."""
        distinct = {text: self.similarity(text) for text in dict.fromkeys(texts)}
        return [distinct[text] for text in texts]

    def shares(self, text: str) -> dict[str, float]:
        """What each word of the topic adds to the similarity; words that add nothing are left out."""
        found = Counter(self._words(text))
        norm = self._norm * math.sqrt(_squares(found))
        return {
            word: weight * found[word] / norm for word, weight in self._topic.items() if norm and weight * found[word]
        }

    def _words(self, text: str) -> list[str]:
        found = words(text)
        if self._stop_words:
            found = [word for word in found if word not in self._stop_words]
        return found if self._stems is None else list(map(self._stems.__getitem__, found))

    def _cosine(self, found: Sequence[int], squared: int) -> float:
        shared = math.fsum(map(mul, self._topic.values(), found))
        return min(1.0, shared / (self._norm * math.sqrt(squared))) if self._norm else 0.0


def _squares(counts: Counter[str]) -> int:
    return sum(map(mul, counts.values(), counts.values()))
