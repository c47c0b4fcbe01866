"""Make a topic out of a phrase and what ontologies know about it: its other names, more general concepts, its siblings and children.

After Lokman (Kayışoğlu 2005, §3.4.3.1–3.4.3.2): the phrase itself is *exact*; other names of the same concept, and words of another kind
that mean nothing else, are *synonyms*; names of its parents are *broader* (Kayışoğlu calls UMLS's PAR "partial relevance"); names of
its siblings and children are *context*. A label found twice keeps its strongest tier.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thresher.errors import BadInput
from thresher.language import STOP_WORDS, words
from thresher.ontology.concept import Concept
from thresher.ontology.readers.term_table import TableTerm
from thresher.ontology.table import Ontology
from thresher.topic.sense_choice import Ambiguous, Meaning, chosen_meanings, meanings
from thresher.topic.topic import Term, Tier, Topic, strongest


class Weights(NamedTuple):
    """The weight of a term, by its tier."""

    exact: float
    synonym: float
    broader: float
    context: float


PROFILES = {
    # §3.4.3.7, the detailed design, "given experimentally".
    "design": Weights(15, 12, 8, 5),
    # Functional requirement 13.c of Kayışoğlu 2005.
    "requirements": Weights(15, 12, 5, 3),
}
WIDEST = 25
"""The children of a parent with more children than this are left out of the context: they say too little about the topic."""


def weights_of(chosen: str | Sequence[float], what: str) -> Weights:
    """The weights that a name or four numbers stand for; `what` names them in an error."""
    if isinstance(chosen, str):
        if chosen in PROFILES:
            return PROFILES[chosen]
    elif len(chosen) == len(Weights._fields) and all(0 <= weight < math.inf for weight in chosen):
        return Weights(*chosen)
    raise BadInput(
        f"{what} is {chosen!r}, but must be one of {', '.join(PROFILES)}, or four numbers from 0: for exact names, synonyms, broader "
        "concepts and context"
    )


def make_topic(  # noqa: PLR0913 - the last three are seldom given
    phrases: Sequence[str],
    ontologies: Sequence[Ontology] = (),
    senses: Sequence[str] = (),
    weights: Weights = PROFILES["design"],
    *,
    own: Iterable[Term] = (),
    widest: int = WIDEST,
) -> Topic:
    """The topic of a phrase, or of several phrases for one crawl. Where senses are chosen, only those are meant.

    `own` are terms of the user's own table: for a label that the table has, the table decides, not an ontology. Where a phrase has several
    meanings and none is chosen, the table says what is meant, and the ontology adds nothing; without a table that is an error.
    """
    own = tuple(own)
    terms, notes = [Term(phrase, weights.exact, "exact", source="given") for phrase in phrases], list[str]()
    for phrase in phrases:
        found = meanings(phrase, ontologies)
        known = {each.ontology.name for each in found}
        notes += [f"{each.name} does not know {phrase!r}" for each in ontologies if each.name not in known]
        meant, note = _meant(phrase, found, senses, bool(own))
        notes += note
        for _, ontology, concept in meant:
            terms += _terms(ontology, concept, weights, widest)
            notes += _too_wide(ontology, concept, widest)
    theirs = {" ".join(words(term.label)) for term in own}
    others = (term for term in terms if " ".join(words(term.label)) not in theirs)
    return Topic(", ".join(phrases), strongest((*own, *others)), tuple(dict.fromkeys(notes)))


def _meant(
    phrase: str,
    found: Sequence[Meaning],
    senses: Sequence[str],
    has_table: bool,  # noqa: FBT001 - of this file only
) -> tuple[Sequence[Meaning], list[str]]:
    """The meanings that are used, and what the user should know about it."""
    try:
        return chosen_meanings(phrase, found, senses), []
    except Ambiguous:
        if not has_table:
            raise
        return (), [
            f"{phrase!r} has {len(found)} meanings and none was chosen: only the table of terms says what is meant"
        ]


def _terms(ontology: Ontology, concept: Concept, weights: Weights, widest: int) -> Iterator[Term]:
    for label in concept.labels:
        # A name that is only roughly right counts as context, not as a synonym.
        tier: Tier = "synonym" if label.kind in {"preferred", "exact"} else "context"
        yield Term(label.text, getattr(weights, tier), tier, label.language, concept.id, ontology.name)
    for word in concept.derived:
        yield Term(word, weights.synonym, "synonym", concept=concept.id, source=ontology.name)
    for parent in concept.broader:
        yield _named(ontology, parent, "broader", weights)
    for other in (*_beside(ontology, concept, widest), *ontology.narrower(concept.id), *concept.related):
        yield _named(ontology, other, "context", weights)


def _named(ontology: Ontology, identity: str, tier: Tier, weights: Weights) -> Term:
    return Term(ontology[identity].label, getattr(weights, tier), tier, concept=identity, source=ontology.name)


def _beside(ontology: Ontology, concept: Concept, widest: int) -> Iterator[str]:
    for parent in concept.broader:
        children = ontology.narrower(parent)
        if len(children) <= widest:
            yield from (child for child in children if child != concept.id)


def _too_wide(ontology: Ontology, concept: Concept, widest: int) -> Iterator[str]:
    for parent in concept.broader:
        if (count := len(ontology.narrower(parent))) > widest:
            yield f"{ontology[parent].label} has {count} kinds, too many to say much about {concept.label}: siblings left out"


def own_terms(table: Iterable[TableTerm], source: str, weights: Weights = PROFILES["design"]) -> Iterator[Term]:
    """The terms of a table written by hand; a term without a weight gets that of its tier."""
    for row in table:
        tier = _tier(row)
        weight = getattr(weights, tier) if row.weight is None else row.weight
        yield Term(row.label, weight, tier, row.language, source=source)


def _tier(row: TableTerm) -> Tier:
    return _TIER_OF.get(row.relation, "context")


_TIER_OF: dict[str, Tier] = {"exact": "exact", "synonym": "synonym", "broader": "broader"}


def importance(topic: Topic, ontologies: Sequence[Ontology]) -> dict[str, float]:
    """The importance table of the context-ontology crawler (Kumar and Vig 2010, Table 1), made of an ontology.

    Nearer terms weigh more: 1 ÷ (1 + steps from the topic), a synonym counting a tenth of a step. A term in several branches of
    the hierarchy says less: its weight is divided by their number. The paper gives a table made by hand and no formula.
    """
    return {term.label.lower(): _nearness(term.tier) / _branches(term.label, ontologies) for term in topic.terms}


def own_importance(table: Iterable[TableTerm]) -> dict[str, float]:
    """A table written by hand as an importance table. A term without a weight gets one from 0 to 1 by its relation, as in the paper's.

    The weights of tiers, up to 15, would let one hit pass the threshold of 5.
    """
    return {row.label.lower(): _nearness(_tier(row)) if row.weight is None else row.weight for row in table}


def _nearness(tier: Tier) -> float:
    return 1 / (1 + {"exact": 0.0, "synonym": 0.1, "broader": 1.0, "context": 2.0}[tier])


def _branches(label: str, ontologies: Sequence[Ontology]) -> int:
    """In how many main branches there is a concept of that name."""
    return (
        max(
            (len({_branch(ontology, each.id) for each in ontology.concepts(label)}) for ontology in ontologies),
            default=1,
        )
        or 1
    )


def _branch(ontology: Ontology, identity: str) -> str:
    """The ancestor just below the root, following the first parent each time."""
    way = [identity]
    while ontology[way[-1]].broader:
        way.append(ontology[way[-1]].broader[0])
    return way[-2] if len(way) > 1 else way[0]


def topic_of_texts(name: str, texts: Iterable[str], most: int = 40) -> Topic:
    """A topic from example texts: the words that they use most.

    A word's weight is its mean share of the most frequent word's count, over all examples; words of one or two letters and
    stop words are left out.
    """
    total, count = Counter[str](), 0
    for text in texts:
        counts = Counter(word for word in words(text) if word not in STOP_WORDS and len(word) > 2)
        count += 1
        top = max(counts.values(), default=1)
        for word, times in counts.items():
            total[word] += times / top  # type: ignore[assignment]  # a Counter is typed for ints; shares are floats
    if not total:
        raise BadInput(f"the examples of {name!r} have no words")
    return Topic(name, tuple(Term(word, share / count, source="examples") for word, share in total.most_common(most)))
