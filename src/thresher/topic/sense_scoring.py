"""Which sense of a topic's word does a text mean? After Pesaranghader et al. 2014 (LinCrawler), Code I.

Each sense of the topic gets the average similarity to the words of the text, by Lin's measure (`SenseTable`, `averages`), and on demand
what the words share with its definitions (`Glosses`). `SenseScorer` puts the two together. A link is worth the wanted sense's average if no
other sense is nearer, and nothing otherwise (`score`). What the paper's code gets wrong is put right: averages stay fractions, senses are
compared and not assigned.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from operator import add, mul
from typing import Literal

from thresher.language import STOP_WORDS, stem, words
from thresher.language.tokens import LONGEST_WORD
from thresher.ontology import places
from thresher.ontology.concept import Concept
from thresher.ontology.information import Information, Total, Ways, from_counts
from thresher.ontology.lemmas import EXCEPTIONS, Lemmas, exceptions
from thresher.ontology.similarity import MEASURES, Measure, MeasureName, lin
from thresher.ontology.table import Ontology
from thresher.topic.matching import Stems
from thresher.topic.sense_choice import WordSense

TermSense = Literal["first", "max", "posterior"]
"""Which sense of a word beside a link counts: its most usual one (as in the paper), the nearest one, or all of them, each weighed by how
often it was seen (plus 1)."""
Lemma = Callable[[str], str | None]
Scored = tuple[str, tuple[float, ...]]
"""A word's dictionary form, and its similarity to each sense; no similarities if the ontology does not know the word."""
MOST_WORDS = 200_000
Smoothing = Literal["add1", "raw"]
"""How the counts behind information content are taken: with 1 added to every concept, or as they are."""


class SenseTable(dict[str, Scored]):
    """For a fixed topic: how near each word is to each of its senses. A word is computed when it is first met, and looked up later.

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
        lemma = self._lemma(word)
        scored = (word, ()) if lemma is None else (lemma, self._scores(lemma))
        if len(word) <= LONGEST_WORD:
            if len(self) >= MOST_WORDS:
                self.clear()
            self[word] = scored
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
    table: SenseTable, found: Iterable[str], *, ignore_unknown: bool = False, without: Collection[str] = ()
) -> list[float]:
    """The average similarity of the words to each sense; a word counts once, however often and in whatever form it stands there.

    Words that the ontology does not know count as 0, as in the paper, or not at all with `ignore_unknown`; `without` names dictionary
    forms to leave out, such as the topic's own word, which would always speak for its most usual sense.
    """
    scored = dict(map(table.__getitem__, found))
    for word in without:
        scored.pop(word, None)
    known = [scores for scores in scored.values() if scores]
    many = len(known) if ignore_unknown else len(scored)
    return [sum(column) / many for column in zip(*known, strict=True)] if known else [0.0] * len(table.senses)


def score(each: Sequence[float], desired: Collection[int]) -> float:
    """The score of a link: the average of the best wanted sense if no other sense has more, else 0. Senses count from 0.

    >>> score([0.08, 0.385], {1})
    0.385
    >>> score([0.273, 0.077], {1})
    0.0
    """
    best = max((each[sense] for sense in desired), default=0.0)
    return best if best == max(each, default=0.0) else 0.0


def telling_words(text: str) -> list[str]:
    """The words of a text that may show which sense is meant: all but stop words."""
    return [word for word in words(text) if word not in STOP_WORDS]


class SenseScorer:
    """How much words support each sense: their average similarity, and with `gloss` what they share with definitions."""

    def __init__(  # noqa: PLR0913 - a word's senses, and the switches of the paper
        self,
        sense: WordSense,
        *,
        term_sense: TermSense = "first",
        ic: Smoothing = "add1",
        ic_n: Total = "root",
        ic_ways: Ways = "once",
        measure: MeasureName = "lin",
        ignore_unknown: bool = False,
        drop_word: bool = False,
        gloss: bool = False,
    ) -> None:
        """`drop_word` leaves the topic's own word out, `ignore_unknown` words that the ontology does not know."""
        information = from_counts(sense.ontology, add=1 if ic == "add1" else 0, total=ic_n, ways=ic_ways)
        self.table = sense_table(sense, information, term_sense, measure)
        """How near each word is to each sense."""
        self._ignore_unknown = ignore_unknown
        self._without: Collection[str] = {self.table[sense.word][0]} if drop_word else ()
        self._glosses = Glosses(sense) if gloss else None

    def averages(self, found: Sequence[str]) -> list[float]:
        """How much a text's words support each sense."""
        near = averages(self.table, found, ignore_unknown=self._ignore_unknown, without=self._without)
        return near if self._glosses is None else list(map(add, near, self._glosses.overlaps(found)))

    def parts(self, found: Sequence[str]) -> dict[str, list[float]]:
        """What each word, in its dictionary form, adds to each sense: the columns add up to `averages`."""
        scored = {lemma: scores for lemma, scores in map(self.table.__getitem__, found) if lemma not in self._without}
        known = {lemma: scores for lemma, scores in scored.items() if scores}
        many = len(known) if self._ignore_unknown else len(scored)
        parts = {lemma: [each / many for each in scores] for lemma, scores in known.items()}
        for word, shares in self._glosses.parts(found).items() if self._glosses else ():
            lemma = self.table[word][0]
            parts[lemma] = list(map(add, parts.get(lemma, [0.0] * len(shares)), shares))
        return parts


def sense_table(
    sense: WordSense, information: Information, term_sense: TermSense = "first", measure: MeasureName = "lin"
) -> SenseTable:
    """How near words are to each sense; words are brought to their dictionary form."""
    ontology = sense.ontology
    kind = ontology[sense.senses[0]].kind
    folder = places.wordnet() if kind in EXCEPTIONS else None
    lemma = Lemmas(ontology, kind, exceptions(folder, kind) if folder else None)
    return SenseTable(
        ontology, sense.senses, information, measure=MEASURES[measure], term_sense=term_sense, lemma=lemma
    )


class Glosses:
    """What a text shares with the definitions of a sense and of what stands one step above, below or beside it.

    The cosine of two sets of stems; in definitions a stem weighs ln((n + 1) / n_w), where n_w of the n senses use it. The topic's own word
    is left out. After Lesk 1986, and Banerjee and Pedersen 2002, who added the neighbours.
    """

    def __init__(self, sense: WordSense) -> None:
        self._stems = Stems(stem)
        self._own = {self._stems[word] for word in words(sense.word)}
        texts = [_definitions(sense.ontology, each) for each in sense.senses]
        bags = [self._distinct(telling_words(text)) for text in texts]
        spread = Counter(chain.from_iterable(bags))
        weights = {each: math.log((len(bags) + 1) / count) for each, count in spread.items()}
        norms = [math.hypot(*map(weights.__getitem__, bag)) or 1.0 for bag in bags]
        self._shares = {
            each: [weight / norm if each in bag else 0.0 for bag, norm in zip(bags, norms, strict=True)]
            for each, weight in weights.items()
        }
        self._none = [0.0] * len(bags)

    def overlaps(self, found: Sequence[str]) -> list[float]:
        """The cosine with each sense."""
        # Not computed from `parts`, which is slower: sixty windows take .4 ms this way, and several ms with `parts`.
        stems = dict.fromkeys(map(self._stems.__getitem__, found))
        shares = [self._shares[each] for each in stems if each in self._shares]
        if not shares:
            return self._none
        length = math.sqrt(len(stems) - len(self._own & stems.keys()))
        return [sum(column) / length for column in zip(*shares, strict=True)]

    def parts(self, found: Sequence[str]) -> dict[str, list[float]]:
        """What each word adds to each sense; of several forms of a word the last one is named."""
        distinct = self._distinct(found)
        length = math.sqrt(len(distinct))
        return {
            word: [share / length for share in self._shares[each]]
            for each, word in distinct.items()
            if each in self._shares
        }

    def _distinct(self, found: Sequence[str]) -> dict[str, str]:
        return {each: word for word in found if (each := self._stems[word]) not in self._own}


def _definitions(ontology: Ontology, sense: str) -> str:
    concept = ontology[sense]
    around = [sense, *concept.broader, *ontology.narrower(sense), *concept.related]
    return " ".join(map(_said, map(ontology.__getitem__, around)))


def _said(concept: Concept) -> str:
    return " ".join((concept.gloss, *(label.text for label in concept.labels)))
