"""Which sense of a topic's word do the words around a link mean? After Pesaranghader and others (LinCrawler, 2014), Code I.

Each sense of the topic gets the average similarity to the words; the link is worth the desired sense's average if no other sense is nearer,
and nothing otherwise. What the paper's code gets wrong is put right: averages stay fractions, senses are compared and not assigned.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import mul
from typing import Literal

from thresher.ontology.information import Information
from thresher.ontology.measures import Measure, lin
from thresher.ontology.table import Ontology

TermSense = Literal["first", "max", "posterior"]
"""Which sense of the words beside a link counts: their most usual one (as in the paper), whichever is nearest, or all of them, each as
probable as it was often seen (with 1 added)."""
Lemma = Callable[[str], str | None]
Scored = tuple[str, tuple[float, ...]]
"""A word's dictionary form, and its similarity to each sense; no similarities if the ontology does not know the word."""
MOST_WORDS = 200_000


class SenseTable(dict[str, Scored]):
    """For a fixed topic: how near each word is to each of its senses. A word is computed when it is first met and looked up ever after.

    The table forgets all when it has met 200,000 words, so that the web cannot fill the memory.
    """

    def __init__(  # noqa: PLR0913 - the senses, what to measure them with, and the two switches of the paper
        self,
        ontology: Ontology,
        senses: Sequence[str],
        information: Information,
        *,
        measure: Measure = lin,
        term_sense: TermSense = "first",
        lemma: Lemma | None = None,
    ) -> None:
        """`senses` are the ids of all senses of the topic's word; `lemma` brings a word to the form the ontology has (None: unknown)."""
        super().__init__()
        self.senses = tuple(senses)
        self._ontology, self._information, self._measure = ontology, information, measure
        self._kind = ontology[self.senses[0]].kind
        self._term_sense = term_sense
        self._lemma: Lemma = lemma or str

    def __missing__(self, word: str) -> Scored:
        if len(self) >= MOST_WORDS:
            self.clear()
        lemma = self._lemma(word)
        self[word] = scored = (word, ()) if lemma is None else (lemma, self._scores(lemma))
        return scored

    def _scores(self, lemma: str) -> tuple[float, ...]:
        meanings = self._ontology.meanings(lemma, kind=self._kind)
        places = meanings[:1] if self._term_sense == "first" else meanings
        if not places:
            return ()
        each = [[self._similarity(sense, place) for place in places] for sense in self.senses]
        if self._term_sense != "posterior":
            return tuple(map(max, each))
        shares = self._shares(lemma, places)
        return tuple(sum(map(mul, shares, row)) for row in each)

    def _similarity(self, sense: str, place: int) -> float:
        return self._measure(self._ontology, sense, self._ontology.identity(place), self._information)

    def _shares(self, lemma: str, places: Sequence[int]) -> list[float]:
        """How probably the word means each of its senses, by how often it was seen with it."""
        seen = [
            1 + max((label.count for label in labels if label.text.lower() == lemma), default=0)
            for labels in (self._ontology.at(place).labels for place in places)
        ]
        return [count / sum(seen) for count in seen]


def averages(
    table: SenseTable, words: Iterable[str], *, ignore_unknown: bool = False, without: Collection[str] = ()
) -> list[float]:
    """The average similarity of the words to each sense; a word counts once, however often and in whatever form it stands there.

    Words that the ontology does not know count as 0, as in the paper, or not at all with `ignore_unknown`; `without` names dictionary
    forms to leave out, such as the topic's own word, which would always speak for its most usual sense.
    """
    scored = dict(map(table.__getitem__, words))
    for word in without:
        scored.pop(word, None)
    known = [scores for scores in scored.values() if scores]
    many = len(known) if ignore_unknown else len(scored)
    return [sum(column) / many for column in zip(*known, strict=True)] if known else [0.0] * len(table.senses)


def score(each: Sequence[float], desired: Collection[int]) -> float:
    """The worth of a link: the best desired sense's average if no other sense has more, else 0. Senses count from 0.

    >>> score([0.08, 0.385], {1})
    0.385
    >>> score([0.273, 0.077], {1})
    0.0
    """
    best = max((each[sense] for sense in desired), default=0.0)
    return best if best == max(each, default=0.0) else 0.0
