"""What there is to know of the generated web's topics: an ontology of their own terms, so that no other needs to be installed.

everything
  eye            as the web's menus and sections have it
    iris, pupil, cornea …
  flower
    iris, petal …
"""

from collections import Counter
from collections.abc import Iterator

from thresher.lab.webs.vocabulary import LANGUAGES, Vocabulary, iris_vocabulary, terms
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.table import Ontology

ROOT = "everything"


def own_ontology(vocabulary: Vocabulary | None = None) -> Ontology:
    """A concept for each topic and for each of its terms; `eye/iris` and `flower/iris` are two senses of one word."""
    return Ontology.of("generated", _concepts(vocabulary or iris_vocabulary()))


def _concepts(vocabulary: Vocabulary) -> Iterator[Concept]:
    seen = Counter[str]()

    def concept(identity: str, label: str, broader: tuple[str, ...]) -> Concept:
        seen[label] += 1
        return Concept(identity, (ConceptLabel(label, rank=seen[label] - 1),), broader=broader, kind="noun")

    yield concept(ROOT, ROOT, ())
    for subject in vocabulary.subjects:
        yield concept(subject.name, subject.name, (ROOT,))
        for term in _words(subject.name, frozenset(subject.sections)):
            yield concept(f"{subject.name}/{term}", term, (subject.name,))


def _words(subject: str, sections: frozenset[str]) -> Iterator[str]:
    for term in terms(subject, LANGUAGES[0]):
        if term not in sections and term != subject:
            yield term
