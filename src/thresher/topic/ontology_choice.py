"""Which of several ontologies knows a topic best: the relevant ontology extractor of Kumar and Vig 2010.

The paper has a repository of ontologies and takes "the relevant ontology" for a query; it does not say how. Here the best one, in this
order,

1. knows one of the senses that were chosen, if any were;
2. knows most of the topic's phrases;
3. has most names for them and around them: of each phrase's concepts the names, and those one step above and below.

So a disease is looked up in an ontology of diseases and *garden* in WordNet. Of equals the first is taken, as the user named them.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from thresher.ontology.concept import Concept
from thresher.ontology.table import Ontology

_MOST_BELOW = 200
"""Concepts below one that are counted: an ontology that has more of them knows no more of the topic."""


def best_ontology(phrases: Sequence[str], ontologies: Sequence[Ontology], senses: Sequence[str] = ()) -> list[Ontology]:
    """The one that knows the topic best; none if none knows it."""
    # Not by name, which two files may share.
    found = [(each, [list(_meant(each, phrase, senses)) for phrase in phrases]) for each in ontologies]
    knowing = [(each, concepts) for each, concepts in found if any(concepts)]
    return [max(knowing, key=lambda each: _rank(each[0], each[1], senses))[0]] if knowing else []


def _meant(ontology: Ontology, phrase: str, senses: Sequence[str]) -> Iterator[Concept]:
    """The concepts of a phrase; if senses were chosen among them, only those."""
    known = ontology.concepts(phrase)
    chosen = [each for each in known if each.id in senses]
    yield from chosen or known


def _rank(ontology: Ontology, found: Sequence[Sequence[Concept]], senses: Sequence[str]) -> tuple[bool, int, int]:
    concepts = [each for some in found for each in some]
    names = {label.text.lower() for each in concepts for near in _near(ontology, each) for label in near.labels}
    return any(each.id in senses for each in concepts), sum(map(bool, found)), len(names)


def _near(ontology: Ontology, concept: Concept) -> Iterator[Concept]:
    yield concept
    for identity in (*concept.broader, *islice(ontology.narrower(concept.id), _MOST_BELOW)):
        yield ontology[identity]
