"""What the words of a text have to say on the senses of a topic's word: the look-up table, ready made for a word and an ontology."""

from typing import Literal

from thresher.language import STOP_WORDS, words
from thresher.topic.desired import WordSense
from thresher.topic.information import Total, from_counts
from thresher.topic.lemmas import EXCEPTIONS, Lemmas, exceptions
from thresher.topic.ontologies import wordnet
from thresher.topic.senses import SenseTable, TermSense

Smoothing = Literal["add1", "raw"]
"""How the counts behind information content are taken: with 1 added to every concept, or as they are."""


def sense_table(
    sense: WordSense, term_sense: TermSense = "first", ic: Smoothing = "add1", ic_n: Total = "root"
) -> SenseTable:
    """How near words are to each sense by Lin's measure, with the ontology's own counts; words are brought to their dictionary form."""
    ontology = sense.ontology
    kind = ontology[sense.senses[0]].kind
    folder = wordnet.installed() if kind in EXCEPTIONS else None
    lemma = Lemmas(ontology, kind, exceptions(folder, kind) if folder else None)
    information = from_counts(ontology, add=1 if ic == "add1" else 0, total=ic_n)
    return SenseTable(ontology, sense.senses, information, term_sense=term_sense, lemma=lemma)


def telling_words(text: str) -> list[str]:
    """The words of a text that may tell a sense: all but stop words."""
    return [word for word in words(text) if word not in STOP_WORDS]
