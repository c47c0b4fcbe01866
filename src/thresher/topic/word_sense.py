"""A word with several meanings, and which of them is meant."""

from collections.abc import Sequence
from dataclasses import dataclass

from thresher.errors import Missing
from thresher.ontology.table import Ontology
from thresher.topic.build_topic import Meaning, chosen_meanings, meanings


@dataclass(frozen=True, slots=True)
class WordSense:
    """All that a word can mean, and what is meant."""

    ontology: Ontology
    word: str
    senses: tuple[str, ...]
    """The ids of all its senses of one part of speech, the most usual first."""
    wanted: frozenset[int]
    """Which of them are meant, counted from 0."""


def word_sense(word: str, ontologies: Sequence[Ontology], senses: Sequence[str]) -> WordSense:
    """The senses of a word, as `thresher senses` numbers and names them, and the wanted ones among them."""
    found = meanings(word, ontologies)
    if not found:
        names = ", ".join(each.name for each in ontologies) or "no ontology"
        raise Missing(
            f"a word that an ontology knows: {word!r} is not in {names}; give another word or another --ontology"
        )
    if not senses:
        raise Missing(f"a sense of {word!r}: choose one with --sense NUMBER-OR-ID, shown by: thresher senses {word}")
    return _among(word, found, chosen_meanings(word, found, senses))


def _among(word: str, found: Sequence[Meaning], chosen: Sequence[Meaning]) -> WordSense:
    first = chosen[0]
    rivals = [
        each.concept.id for each in found if each.ontology is first.ontology and each.concept.kind == first.concept.kind
    ]
    wanted = frozenset(rivals.index(each.concept.id) for each in chosen if each.concept.id in rivals)
    return WordSense(first.ontology, word, tuple(rivals), wanted)
