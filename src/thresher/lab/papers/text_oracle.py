"""Is a page about the right sense of a word? Asked of definitions of that sense, with the word itself struck out."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from thresher.errors import BadInput
from thresher.language import stems, stop_words, words
from thresher.ontology.table import Ontology

# WordNet writes its examples behind the definition: `a muscular diaphragm; "her irises were green"`.
_EXAMPLE = re.compile(r';\s*"[^"]*"[^;]*')


class TextOracle:
    """Relevance as the cosine of term frequencies between a page and the definitions, after stop words and stemming.

    Pesaranghader et al. 2014 define it so (§VI.B, Fig. 5), and strike the topic's words from the definitions only (`literal`): a page is
    then less relevant the more it repeats them. Otherwise they are struck from the page too, so that they count neither way.
    """

    def __init__(
        self,
        definitions: str | Iterable[str],
        topic_words: str | Iterable[str],
        threshold: float = 0.2,
        *,
        language: str = "en",
        literal: bool = False,
    ) -> None:
        if not 0 < threshold <= 1:
            raise BadInput(
                f"the text oracle's threshold is {threshold}, but must be above 0 and at most 1, such as 0.2"
            )
        self.threshold = threshold
        self._language = language
        struck = _forms(_text(topic_words), language)
        self._oracle = _without(self.counts(_text(definitions)), struck)
        self._struck = frozenset[str]() if literal else struck
        if not self._oracle:
            raise BadInput(
                "the text oracle has no words: its definitions are empty, or say nothing but the topic's own words"
            )
        self._length = _length(self._oracle)

    def relevance(self, text: str) -> float:
        """How much a text is about what the definitions define, from 0 to 1."""
        return self.relevance_of(self.counts(text))

    def counts(self, text: str) -> Counter[str]:
        """How often each term is in a text: what takes longest, so oracles of one language may share it."""
        return Counter(terms(text, self._language))

    def relevance_of(self, counts: Mapping[str, int]) -> float:
        """The same as `relevance`, of a text whose terms are counted."""
        page = _without(counts, self._struck)
        shared = sum(weight * page[term] for term, weight in self._oracle.items() if term in page)
        return min(1.0, shared / (self._length * _length(page))) if shared else 0.0

    def relevant(self, text: str) -> bool:
        """Whether that is as much as the threshold asks for."""
        return self.relevance(text) >= self.threshold


def _without(counts: Mapping[str, int], struck: frozenset[str]) -> dict[str, int]:
    return {term: count for term, count in counts.items() if term not in struck}


def terms(text: str, language: str = "en") -> list[str]:
    """The stems of a text's words, stop words left out; where there is no stemmer the words themselves."""
    stops = stop_words(language)
    return stems([word for word in words(text) if word not in stops], language)


def definitions_of(ontology: Ontology, senses: Iterable[str]) -> list[str]:
    """The definitions of the senses and of those one step below them, without examples (Pesaranghader et al. 2014 §VI.B)."""
    chosen = dict.fromkeys(each for sense in senses for each in (sense, *_children(ontology, sense)))
    glosses = (_EXAMPLE.sub("", ontology[each].gloss).strip() for each in chosen)
    return [gloss for gloss in glosses if gloss]


def _children(ontology: Ontology, sense: str) -> list[str]:
    if sense not in ontology:
        raise BadInput(f"{ontology.name} has no concept {sense!r}; `thresher senses WORD` lists what a word can mean")
    return ontology.narrower(sense)


def _forms(text: str, language: str) -> frozenset[str]:
    """The words, their stems, and the stems of these: Snowball makes `iri` of iris but `iris` of irises, and both must go."""
    once = stems(words(text), language)
    return frozenset([*words(text), *once, *stems(once, language)])


def _text(texts: str | Iterable[str]) -> str:
    return texts if isinstance(texts, str) else "\n".join(texts)


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))
